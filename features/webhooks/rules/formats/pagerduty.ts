import type { StandardBody } from '#features/webhooks/rules/body.ts';
import { type DeliveryFacts, factsOf } from './facts.ts';
import { clipped } from './read.ts';

const SUMMARY = 1_024;
const KEY = 255;

const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  warning: 'warning',
  info: 'info',
};
const ACTIONS = { open: 'trigger', acknowledged: 'acknowledge', resolved: 'resolve' } as const;

/** A test opens an alert that closes nothing and that anyone may resolve. */
const tested = (facts: DeliveryFacts, { webhook_id }: StandardBody): DeliveryFacts => ({
  ...facts,
  severity: 'info',
  state: 'open',
  key: `test ${webhook_id}`,
});

/**
 * An event of the Events API v2, without its routing key; null where nobody has to act. All deliveries about one group, or one event,
 * have one dedup key, so that they are one alert.
 */
export const pagerdutyBody = (body: StandardBody): object | null => {
  const facts = body.event === 'webhook.test' ? tested(factsOf(body), body) : factsOf(body);
  const { headline, severity, state, key, source, fields } = facts;
  if (state === null || key === null) return null;
  return {
    event_action: ACTIONS[state],
    dedup_key: clipped(`faultline ${key}`, KEY),
    payload: {
      summary: clipped(headline, SUMMARY),
      source: source ?? 'Faultline',
      severity: SEVERITIES[severity ?? 'info'] ?? 'error',
      timestamp: body.timestamp,
      class: body.event,
      custom_details: Object.fromEntries(fields),
    },
    client: 'Faultline',
  };
};
