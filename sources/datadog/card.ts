import { body, HOST, type SourceCard, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'DatadogBody',
    {
      id: text,
      alert_cycle_key: text,
      alert_transition: text,
      alert_type: text,
      alert_priority: text,
      title: text,
      hostname: text,
      tags: text,
      alert_scope: text,
      date: text,
      body: text,
    },
    {
      id: '777',
      alert_cycle_key: '1795261097999',
      alert_transition: 'Triggered',
      alert_type: 'error',
      title: 'Redis memory high',
      hostname: 'cache-1',
      tags: 'env:prod,service:cache',
    },
  ),
  carries: 'header',
  snippets: (address) => [
    { title: 'Integrations → Webhooks: URL', language: 'text', text: address },
    { title: 'Custom headers', language: 'json', text: `{"Authorization": "Bearer ${TOKEN_PLACE}"}` },
    {
      title: 'Payload',
      language: 'json',
      text: `{
  "id": "$ID", "title": "$EVENT_TITLE", "body": "$TEXT_ONLY_MSG", "date": "$DATE",
  "alert_id": "$ALERT_ID", "alert_cycle_key": "$ALERT_CYCLE_KEY", "aggreg_key": "$AGGREG_KEY",
  "alert_transition": "$ALERT_TRANSITION", "alert_type": "$ALERT_TYPE", "alert_priority": "$ALERT_PRIORITY",
  "alert_status": "$ALERT_STATUS", "alert_scope": "$ALERT_SCOPE", "alert_query": "$ALERT_QUERY",
  "hostname": "$HOSTNAME", "tags": "$TAGS", "link": "$LINK", "snapshot": "$SNAPSHOT"
}`,
    },
  ],
  test: (test) => ({
    id: test.serial,
    alert_cycle_key: test.serial,
    alert_transition: 'Triggered',
    alert_type: 'info',
    alert_priority: 'P5',
    title: titleOf(test),
    hostname: HOST,
    date: String(test.at),
    body: test.what,
  }),
  byHand: true,
};
