import { anything, body, HOST, type SourceCard, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'PagerDutyBody',
    { routing_key: text, event_action: text, dedup_key: text, payload: anything },
    {
      routing_key: 'any',
      event_action: 'trigger',
      dedup_key: 'backup/nightly',
      payload: { summary: 'Nightly backup failed', source: 'backup-1', severity: 'error' },
    },
  ),
  carries: 'query',
  snippets: (address) => [
    {
      title: 'Use in place of https://events.pagerduty.com/v2/enqueue',
      language: 'text',
      text: `${address}?token=${TOKEN_PLACE}`,
    },
  ],
  test: (test) => ({
    event_action: 'trigger',
    dedup_key: test.serial,
    payload: { summary: titleOf(test), source: HOST, severity: 'info', custom_details: { description: test.what } },
  }),
  byHand: true,
};
