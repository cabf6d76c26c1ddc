import type { Context } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { ciEntry } from '#application/cmdb/change-entries.ts';
import { revise } from '#application/records/revise.ts';
import { Fault, isUnavailable } from '#domain/fault.ts';
import { slices } from '#domain/slices.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { BulkCis, BulkRow } from '#schemas/http/cmdb/bulk.ts';
import { changedBy } from './update-ci.ts';

/** CIs written together. */
const CHUNK = 250;

interface Update {
  readonly set: NonNullable<BulkCis['set']>;
  readonly dryRun: boolean;
}
interface PlannedUpdate {
  readonly before: Ci;
  readonly after: Ci;
}

const row = ({ id, name }: Ci, action: BulkRow['action'], error: string | null = null): BulkRow => ({
  id,
  name,
  action,
  error,
});

/** A store that is down concerns all; anything else the CIs that it is about. */
const isOfRecord = (error: unknown): error is Fault =>
  error instanceof Fault && ['conflict', 'precondition', 'invalid', 'unprocessable', 'not-found'].includes(error.kind);

/** Updates one by itself, decided again on the new state. */
async function alone(
  { before: { id }, after: planned }: PlannedUpdate,
  set: Update['set'],
  context: Context,
): Promise<BulkRow> {
  const { tenant, ports } = context;
  try {
    const { before, after } = await revise<Ci>(ports, {
      of: ['ci', tenant, id],
      ifMatch: null,
      load: () => findCi(context, id),
      change: changedBy(set, context),
      put: (ci, last) => ports.cis.put(tenant, [ci], [audited(context, ciEntry(last, ci))]),
    });
    return row(after, after === before ? 'unchanged' : 'updated');
  } catch (error) {
    if (!isOfRecord(error) && !isUnavailable(error)) throw error;
    return row(planned, 'failed', error.message);
  }
}

/** All at once; when that is refused, each by itself. */
async function written(changes: readonly PlannedUpdate[], set: Update['set'], context: Context): Promise<BulkRow[]> {
  const sideRecords = changes.map(({ before, after }) => audited(context, ciEntry(before, after)));
  const cis = changes.map(({ after }) => after);
  try {
    await context.ports.cis.put(context.tenant, cis, sideRecords);
    return cis.map((ci) => row(ci, 'updated'));
  } catch (error) {
    if (!isOfRecord(error)) throw error;
    const rows: BulkRow[] = [];
    for (const change of changes) rows.push(await alone(change, set, context));
    return rows;
  }
}

/** The next version of each CI, or the reason why there is none. */
const planned = (cis: readonly Ci[], change: (before: Ci) => Ci): (PlannedUpdate | BulkRow)[] =>
  cis.map((before) => {
    try {
      const after = change(before);
      return after === before ? row(before, 'unchanged') : { before, after };
    } catch (error) {
      if (!isOfRecord(error)) throw error;
      return row(before, 'failed', error.message);
    }
  });

/** Returns one row per CI; changed ones are first. */
export async function updateMany(cis: readonly Ci[], { set, dryRun }: Update, context: Context): Promise<BulkRow[]> {
  const plans = planned(cis, changedBy(set, context));
  const changes = plans.filter((plan): plan is PlannedUpdate => 'after' in plan);
  const others = plans.filter((plan): plan is BulkRow => !('after' in plan));
  if (dryRun) return [...changes.map(({ after }) => row(after, 'updated')), ...others];
  const rows: BulkRow[] = [];
  for (const some of slices(changes, CHUNK)) {
    // The reply lists everything that was done: CIs that the store did not accept fail, and the caller retries them.
    const refused = (error: unknown): BulkRow[] => {
      if (rows.length === 0 || !isUnavailable(error)) throw error;
      return some.map(({ after }) => row(after, 'failed', error.message));
    };
    rows.push(...(await written(some, set, context).catch(refused)));
  }
  return [...rows, ...others];
}
