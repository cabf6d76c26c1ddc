import { z } from 'zod';
import { anything, body, HOST, iso, type SourceCard, sh, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'AzureMonitorBody',
    {
      schemaId: text,
      data: z.looseObject({ essentials: anything, alertContext: anything, customProperties: anything }).optional(),
    },
    {
      schemaId: 'azureMonitorCommonAlertSchema',
      data: {
        essentials: {
          alertId: '/subscriptions/0aaaaaaa/providers/Microsoft.AlertsManagement/alerts/a1b2',
          alertRule: 'Heartbeat lost',
          severity: 'Sev0',
          monitorCondition: 'Fired',
          firedDateTime: '2026-11-21T11:38:17Z',
        },
      },
    },
  ),
  carries: 'query',
  snippets: (address) => [
    sh(
      'Action group',
      `az monitor action-group create --resource-group monitoring --name faultline --short-name faultline \\
  --action webhook faultline "${address}?token=${TOKEN_PLACE}" usecommonalertschema`,
    ),
  ],
  test: (test) => ({
    schemaId: 'azureMonitorCommonAlertSchema',
    data: {
      essentials: {
        alertId: `/subscriptions/0/providers/Microsoft.AlertsManagement/alerts/${test.serial}`,
        alertRule: titleOf(test),
        severity: 'Sev4',
        signalType: 'Metric',
        monitorCondition: 'Fired',
        configurationItems: [HOST],
        firedDateTime: iso(test),
        description: test.what,
      },
      alertContext: {},
    },
  }),
  byHand: true,
};
