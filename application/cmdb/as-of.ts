import type { UseCaseContext } from '#application/access/context.ts';
import { Fault, invalid, notFound } from '#domain/fault.ts';
import { NO_KEYS } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { iso, Time } from '#schemas/http/time.ts';

/** Query field of resources with a history. */
export const asOfField = Time.optional().meta({
  description: 'Return the state at this time; ISO 8601 with offset, epoch seconds or milliseconds',
});

/** Rejects times in the future. Throws Fault `invalid`. */
export const requirePast = (asOf: number | undefined, { receivedAt }: Pick<UseCaseContext, 'receivedAt'>): void => {
  if (asOf !== undefined && asOf > receivedAt) throw invalid('as_of', 'must not be in the future');
};

/** Rejects times with incomplete history. Throws Fault `unprocessable`. */
export const assertRetained = (asOf: number | undefined, { receivedAt, ports }: UseCaseContext): void => {
  const since = receivedAt - ports.historyMs;
  if (asOf === undefined || asOf >= since) return;
  const reason = `history starts at ${iso(since)}`;
  throw new Fault('unprocessable', `as_of: ${reason}`, [{ field: 'as_of', reason }]);
};

/** Spread into the options of a store. */
export const atTime = (asOf: number | undefined): { asOf?: number } => (asOf === undefined ? {} : { asOf });

/** The CI now, or as it was; throws Fault `not-found`. */
export const findCi = async (
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  id: string,
  asOf?: number,
): Promise<Ci> => {
  const [ci] = await ports.topology.getCis(tenant, [id], asOf);
  if (ci === undefined) throw await missing({ tenant, ports }, id);
  return ci;
};

const SHOWN_KEY = 120;

/** An external key in the place of an id is the mistake that is made most. */
const missing = async ({ tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>, id: string): Promise<Fault> => {
  const [found] = await ports.matcher.match(tenant, [{ ...NO_KEYS, external_key: [id] }]);
  const fault = notFound('Configuration item', id);
  if (id.length > SHOWN_KEY || found?.external_key.length !== 1) return fault;
  const hint = `${id} is an external key. Use GET /cmdb/ci?external_key=${encodeURIComponent(id)}`;
  return new Fault(fault.kind, `${fault.message}; ${hint}`);
};
