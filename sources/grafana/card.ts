import { z } from 'zod';
import { AlertmanagerAlert, alert, alertsOf } from '../kit/alertmanager-card.ts';
import { body, number, type SourceCard, TOKEN_PLACE, text } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'GrafanaBody',
    { orgId: number, title: text, state: text, message: text, alerts: z.array(AlertmanagerAlert).optional() },
    { version: '1', orgId: 1, state: 'alerting', alerts: [alert] },
  ),
  carries: 'header',
  snippets: (address) => [
    { title: 'Grafana environment variable', language: 'text', text: `FAULTLINE_WEBHOOK_TOKEN=${TOKEN_PLACE}` },
    {
      title: 'File in provisioning/alerting/',
      language: 'yaml',
      text: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: faultline
    receivers:
      - uid: faultline
        type: webhook
        disableResolveMessage: false
        settings:
          url: ${address}
          httpMethod: POST
          authorization_scheme: Bearer
          authorization_credentials: $FAULTLINE_WEBHOOK_TOKEN`,
    },
  ],
  test: (test) => ({ ...alertsOf(test), version: '1', orgId: 1, state: 'alerting' }),
  byHand: true,
};
