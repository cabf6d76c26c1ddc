import { z } from 'zod';
import { AlertmanagerAlert, alert, alertsOf } from '../kit/alertmanager-card.ts';
import { body, number, type SourceCard, text, texts, tokenFile } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'AlertmanagerBody',
    {
      version: text,
      groupKey: text,
      status: text,
      receiver: text,
      truncatedAlerts: number,
      commonLabels: texts,
      commonAnnotations: texts,
      externalURL: text,
      alerts: z.array(AlertmanagerAlert).optional(),
    },
    { version: '4', status: 'firing', receiver: 'faultline', alerts: [alert] },
  ),
  carries: 'header',
  snippets: (address) => [
    tokenFile('/etc/alertmanager/faultline.token', 'the user of Alertmanager'),
    {
      title: 'alertmanager.yml (also reference the receiver in a route)',
      language: 'yaml',
      text: `receivers:
  - name: faultline
    webhook_configs:
      - url: ${address}
        send_resolved: true
        max_alerts: 2000
        http_config: { authorization: { credentials_file: /etc/alertmanager/faultline.token } }`,
    },
  ],
  test: alertsOf,
  byHand: true,
};
