import type { Context } from '#api/surfaces/endpoint.ts';
import { refuseComponent, servicesWith } from '#application/services/leave-services.ts';
import { everyService } from '#application/services/service-store.ts';
import { Fault, isUnavailable } from '#domain/fault.ts';
import type { Service } from '#domain/services/service.ts';
import { refuseHeld } from '#domain/topology/refusals.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { BulkRow } from '#schemas/http/cmdb/bulk.ts';
import { deleted } from './delete-ci.ts';

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

async function planned(
  cis: readonly Ci[],
  { cascade, services }: { readonly cascade: boolean; readonly services: readonly Service[] },
  { ports, tenant }: Context,
): Promise<BulkRow[]> {
  const counts = await ports.counts.relationships(
    tenant,
    cis.map(({ id }) => id),
  );
  return Promise.all(
    cis.map((ci) =>
      told(ci, true, async () => {
        if (!cascade) refuseComponent(ci, servicesWith(services, ci.id));
        refuseHeld(ci.id, counts.get(ci.id) ?? 0, cascade);
      }),
    ),
  );
}

/** One row per CI. Those that were not reached in time fail, and the caller asks again for them. */
export async function deleteMany(
  cis: readonly Ci[],
  { cascade, dryRun }: Deletion,
  context: Context,
): Promise<BulkRow[]> {
  const { tenant, ports } = context;
  const services = await everyService(ports.records, tenant);
  if (dryRun) return planned(cis, { cascade, services }, context);
  const until = ports.clock.now() + MAX_MS;
  const rows: BulkRow[] = [];
  for (const ci of cis) {
    if (ports.clock.now() > until) rows.push(failed(ci, 'It was not reached in time: ask again for it'));
    else rows.push(await told(ci, rows.length === 0, () => deleted(context, ci, { cascade, services })));
  }
  return rows;
}
