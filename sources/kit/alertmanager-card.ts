/** Alerts as Alertmanager and Grafana post them. */
import { z } from 'zod';
import { HOST, iso, type TestOf, text, texts, titleOf } from './card.ts';

export const AlertmanagerAlert = z
  .looseObject({
    status: z.enum(['firing', 'resolved']).optional(),
    labels: texts,
    annotations: texts,
    startsAt: text,
    endsAt: text,
    generatorURL: text,
    fingerprint: text,
  })
  .meta({ id: 'AlertmanagerAlert' });
export const alert = {
  status: 'firing',
  labels: { alertname: 'TargetDown', instance: 'sw-1:9100', job: 'node', severity: 'critical' },
  annotations: { summary: 'Target is down', description: 'No scrape for 5 minutes' },
  startsAt: '2026-11-21T11:38:17.885Z',
  fingerprint: '00aa11bb22cc33dd',
};

export const alertsOf = (test: TestOf) => ({
  version: '4',
  status: 'firing',
  receiver: 'faultline',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'FaultlineTest', host: HOST, severity: 'info', serial: test.serial },
      annotations: { summary: titleOf(test), description: test.what },
      startsAt: iso(test),
      fingerprint: test.serial,
    },
  ],
});
