import { Fault } from '#domain/fault.ts';
import type { Allowance, Budget } from './limits.ts';

const RAISE =
  'an administrator can raise the number for one token ("limits" of PUT /api/admin/tokens/{id}) or for the tenant (PUT /api/admin/limits)';
const BULK = 'POST /api/events/bulk-ingest takes up to 5,000 events in one request';

/** Ways to send more, the cheapest first; none for the class that protects the limits themselves. */
const waysOut = (budget: Budget): string[] =>
  budget.class === 'limits' ? [] : budget.class === 'ingest' ? [BULK, RAISE] : [RAISE];

/** The refusal of a request over its limit: class, number, unit, and how to get a higher number. */
export const overLimit = ({ budget, state }: Allowance, now: number): Fault => {
  const retryAfter = Math.max(1, Math.ceil((state.resetAt - now) / 1000));
  const hints = waysOut(budget);
  const help = hints.length === 0 ? '' : `. To send more: ${hints.join('; or ')}`;
  const number = `${state.limit} per ${budget.per} of the class ${budget.class}`;
  const message = `Too many requests: ${number} are allowed; try again in ${retryAfter} s${help}`;
  const data = { class: budget.class, limit: state.limit, per: budget.per, hints };
  return new Fault('rate-limited', message, [], {
    retryAfter,
    data,
    limited: { class: budget.class, reason: budget.per },
  });
};
