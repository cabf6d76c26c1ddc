import { counter, gauge, histogram, type Measurement } from '#domain/pipeline/measurement.ts';
import { ATTEMPT_OUTCOMES } from './rules/webhook.ts';

export const measurements: readonly Measurement[] = [
  counter(
    'faultline_outgoing_attempts_total',
    'Attempts to deliver to webhooks; dead: the last one of a delivery failed',
    ['outcome'],
    {
      outcome: ATTEMPT_OUTCOMES,
    },
  ),
  histogram('faultline_outgoing_attempt_seconds', 'One attempt, to the status of the reply', []),
  gauge('faultline_outgoing_lag_seconds', 'How long the oldest delivery is due of webhooks that do not rest', []),
  gauge('faultline_outgoing_resting', 'Webhooks whose receiver failed five times in a row and that rest', []),
];
