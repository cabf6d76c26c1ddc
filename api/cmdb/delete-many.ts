import type { Context } from '#api/surfaces/endpoint.ts';
import { Fault, isUnavailable } from '#domain/fault.ts';
import { refuseHeld } from '#domain/topology/refusals.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { BulkRow } from '#schemas/http/cmdb/bulk.ts';
import { deletedEntry } from './delete-ci.ts';

/** An engine takes its time for each; the caller does not wait for ever. */
const MAX_MS = 10_000;

interface Deletion {
  readonly cascade: boolean;
  readonly dryRun: boolean;
}

const failed = ({ id, name }: Ci, error: string): BulkRow => ({ id, name, action: 'failed', error });

/** Throws what concerns all, unless something was deleted: then the rest is told to have failed. */
async function told(ci: Ci, isFirst: boolean, remove: () => Promise<unknown>): Promise<BulkRow> {
  try {
    const gone = await remove();
    return gone === null
      ? failed(ci, 'It has gone meanwhile')
      : { id: ci.id, name: ci.name, action: 'deleted', error: null };
  } catch (error) {
    if (!(error instanceof Fault) || (isFirst && isUnavailable(error))) throw error;
    return failed(ci, error.message);
  }
}

async function planned(cis: readonly Ci[], cascade: boolean, { ports, tenant }: Context): Promise<BulkRow[]> {
  const counts = await ports.counts.relationships(
    tenant,
    cis.map(({ id }) => id),
  );
  return Promise.all(cis.map((ci) => told(ci, true, async () => refuseHeld(ci.id, counts.get(ci.id) ?? 0, cascade))));
}

/** One row per CI. Those that were not reached in time fail, and the caller asks again for them. */
export async function deleteMany(
  cis: readonly Ci[],
  { cascade, dryRun }: Deletion,
  context: Context,
): Promise<BulkRow[]> {
  if (dryRun) return planned(cis, cascade, context);
  const { tenant, ports, caller, receivedAt } = context;
  const until = ports.clock.now() + MAX_MS;
  const rows: BulkRow[] = [];
  for (const ci of cis) {
    if (ports.clock.now() > until) rows.push(failed(ci, 'It was not reached in time: ask again for it'));
    else
      rows.push(
        await told(ci, rows.length === 0, () =>
          ports.cis.remove(tenant, ci.id, receivedAt, {
            ...{ by: caller.id, cascade, sideRecords: (gone) => [deletedEntry(context, gone)] },
          }),
        ),
      );
  }
  return rows;
}
