import { anything, body, HOST, type SourceCard, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'OpsgenieBody',
    { action: text, alert: anything },
    {
      action: 'Create',
      alert: { alias: 'backup/nightly', message: 'Nightly backup failed', entity: 'backup-1', priority: 'P2' },
    },
  ),
  carries: 'header',
  snippets: (_, base) => [
    {
      title: 'Use in place of https://api.opsgenie.com',
      language: 'text',
      text: `API URL: ${base}/\nAPI key: ${TOKEN_PLACE}`,
    },
  ],
  test: (test) => ({
    action: 'Create',
    alert: { alias: test.serial, message: titleOf(test), entity: HOST, priority: 'P5', description: test.what },
  }),
  byHand: true,
};
