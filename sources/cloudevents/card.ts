import { z } from 'zod';
import { body, HOST, iso, type SourceCard, sh, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'CloudEventBody',
    { specversion: text, id: text, source: text, type: text, subject: text, time: text, data: z.unknown() },
    {
      specversion: '1.0',
      id: 'e-1',
      source: '/robots/7',
      type: 'com.example.robot.alert.firing.v1',
      time: '2026-11-21T11:38:17Z',
      data: { severity: 'high', title: 'Arm is stuck', hostname: 'robot-7' },
    },
  ),
  carries: 'header',
  snippets: (address) => [
    sh(
      'An event',
      `curl -s ${address} -H "Authorization: Bearer ${TOKEN_PLACE}" -H 'Content-Type: application/cloudevents+json' -d '{
  "specversion": "1.0", "id": "1", "source": "/robots/7", "type": "com.example.robot.alert.firing", "subject": "arm",
  "data": { "title": "Arm is stuck", "severity": "major", "hostname": "robot-7" } }'`,
    ),
  ],
  test: (test) => ({
    specversion: '1.0',
    id: test.serial,
    source: '/faultline/test',
    type: 'org.faultline.alert.firing',
    subject: test.serial,
    time: iso(test),
    data: { title: titleOf(test), severity: 'info', hostname: HOST, description: test.what },
  }),
  byHand: false,
};
