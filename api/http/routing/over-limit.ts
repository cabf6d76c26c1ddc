import { Fault } from '#domain/fault.ts';
import type { Allowance, Budget } from './limits.ts';

const RAISE =
  'An administrator can raise the limit per token (PUT /api/admin/tokens/{id}) or per tenant (PUT /api/admin/limits)';
const BULK = 'To send more events, use POST /api/events/bulk-ingest (up to 5,000 events per request)';

/** Returns ways to send more, the cheapest first; none for the class that protects the limits themselves. */
const waysOut = (budget: Budget): string[] =>
  budget.class === 'limits' ? [] : budget.class === 'ingest' ? [BULK, RAISE] : [RAISE];

/** The refusal of a request over its limit: class, number, unit, and how to get a higher number. */
export const overLimit = ({ budget, state }: Allowance, now: number): Fault => {
  const retryAfter = Math.max(1, Math.ceil((state.resetAt - now) / 1000));
  const hints = waysOut(budget);
  const help = hints.length === 0 ? '' : `. ${hints.join('. ')}`;
  const number = `${state.limit} per ${budget.per}, class ${budget.class}`;
  const message = `Rate limit exceeded: ${number}. Retry in ${retryAfter}s${help}`;
  const data = { class: budget.class, limit: state.limit, per: budget.per, hints };
  return new Fault('rate-limited', message, [], {
    retryAfter,
    data,
    limited: { class: budget.class, reason: budget.per },
  });
};
