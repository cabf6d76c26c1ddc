import { counter, gauge, histogram, type Measurement } from '#domain/pipeline/measurement.ts';
import { ATTEMPT_OUTCOMES } from './rules/webhook.ts';

export const measurements: readonly Measurement[] = [
  counter(
    'faultline_outgoing_attempts_total',
    'Webhook delivery attempts by outcome (dead: final attempt failed)',
    ['outcome'],
    { outcome: ATTEMPT_OUTCOMES },
  ),
  histogram(
    'faultline_outgoing_attempt_seconds',
    'Time from the start of a delivery attempt to the response status',
    [],
  ),
  gauge('faultline_outgoing_lag_seconds', 'Age of the oldest due delivery, excluding paused webhooks', []),
  gauge('faultline_outgoing_resting', 'Webhooks paused after five consecutive failures', []),
];
