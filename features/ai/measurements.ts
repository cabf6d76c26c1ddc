import { DEGRADED } from '#domain/ai/degraded.ts';
import { counter, gauge, histogram, type Measurement } from '#domain/pipeline/measurement.ts';
import { CLAIM_CHECKS } from './rules/claims/claim-checks.ts';
import { USAGE_OUTCOMES } from './rules/usage.ts';

/** A model writes for seconds to two minutes. */
const MODEL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];
const TOKEN_DIRECTIONS = ['input', 'output'];

export const measurements: readonly Measurement[] = [
  counter('faultline_ai_requests_total', 'Requests to the model provider, by outcome', ['outcome'], {
    outcome: USAGE_OUTCOMES,
  }),
  counter('faultline_ai_tokens_total', 'Model tokens, input and output', ['direction'], {
    direction: TOKEN_DIRECTIONS,
  }),
  histogram('faultline_ai_request_seconds', 'Duration of a model provider request', [], MODEL_SECONDS),
  counter('faultline_ai_degraded_total', 'Rule-based fallback answers, by reason', ['reason'], {
    reason: DEGRADED.filter((reason) => reason !== 'no_model'),
  }),
  counter('faultline_ai_claims_dropped_total', 'Model claims that failed a check', ['check'], { check: CLAIM_CHECKS }),
  gauge('faultline_ai_queue', 'Queued model requests', []),
];
