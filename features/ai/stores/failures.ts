import { APIConnectionError, APIError } from 'openai';
import type { NotCompleted, TokenUsage } from '#domain/ai/model.ts';

const NO_TOKENS: TokenUsage = { input: 0, output: 0, estimated: false };
/** The provider has the conflict, or is not ready; the question is fine. */
const LATER: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Returns ms; from seconds, ms or a date. */
const retryAfterOf = (headers: Headers | undefined, now: number): number | undefined => {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const text = headers?.get('retry-after');
  if (text === null || text === undefined) return undefined;
  const given = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(given) ? undefined : Math.max(0, given);
};

const statusFailure = (error: APIError, status: number, now: number): NotCompleted => {
  const retryAfterMs = retryAfterOf(error.headers, now);
  return {
    failure: status === 429 ? 'rate_limited' : 'provider',
    usage: NO_TOKENS,
    again: LATER.has(status) || status >= 500 ? 'later' : 'never',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    detail: `the provider answered ${status}`,
  };
};

/** A refusal of the server, a broken connection, or an error within a stream. `spent`: tokens that were sent and read until then. */
export const failureOf = (error: unknown, spent: TokenUsage, now: number): NotCompleted => {
  if (error instanceof APIError && !(error instanceof APIConnectionError) && typeof error.status === 'number')
    return statusFailure(error, error.status, now);
  const inStream = error instanceof APIError && !(error instanceof APIConnectionError);
  const detail = inStream ? 'the provider stopped with an error' : 'the connection was lost';
  return { failure: 'provider', usage: spent, again: 'later', detail };
};
