import { onBoth } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { assertInNoService, servicesWith } from '#application/services/leave-services.ts';
import { everyService } from '#application/services/service-store.ts';
import { assertDefined } from '#domain/assert.ts';
import { Fault, isUnavailable } from '#domain/fault.ts';
import type { Service } from '#domain/services/service.ts';
import { assertNoRelationships } from '#domain/topology/refusals.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { BulkCis, BulkReport, type BulkRow, bulkReport, MAX_BULK } from '#schemas/http/cmdb/bulk.ts';
import { ciFilterOfSelection } from '#schemas/http/cmdb/ci-filter.ts';
import { deleted } from './delete-ci.ts';
import { updateMany } from './update-many.ts';

/** An engine needs time for each; the caller's wait is limited. */
const MAX_MS = 10_000;

interface Deletion {
  readonly cascade: boolean;
  readonly dryRun: boolean;
}

const failed = ({ id, name }: Ci, error: string): BulkRow => ({ id, name, action: 'failed', error });

/** Throws errors that concern all, unless something was deleted: then the rest is reported as failed. */
async function told(ci: Ci, isFirst: boolean, remove: () => Promise<unknown>): Promise<BulkRow> {
  try {
    const gone = await remove();
    return gone === null ? failed(ci, 'Already deleted') : { id: ci.id, name: ci.name, action: 'deleted', error: null };
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
        if (!cascade) assertInNoService(ci, servicesWith(services, ci.id));
        assertNoRelationships(ci.id, counts.get(ci.id) ?? 0, cascade);
      }),
    ),
  );
}

/** Returns one row per CI. Those not processed in time fail, and the caller retries them. */
async function deleteMany(cis: readonly Ci[], { cascade, dryRun }: Deletion, context: Context): Promise<BulkRow[]> {
  const { tenant, ports } = context;
  const services = await everyService(ports.records, tenant);
  if (dryRun) return planned(cis, { cascade, services }, context);
  const until = ports.clock.now() + MAX_MS;
  const rows: BulkRow[] = [];
  for (const ci of cis) {
    if (ports.clock.now() > until) rows.push(failed(ci, 'Not processed in time. Retry'));
    else rows.push(await told(ci, rows.length === 0, () => deleted(context, ci, { cascade, services })));
  }
  return rows;
}

/** Each requested CI, null where there is none. */
interface CiLookup {
  readonly id: string;
  readonly ci: Ci | null;
}

async function byFilter(
  { filter, expect, dry_run }: BulkCis,
  { tenant, ports, receivedAt }: Context,
): Promise<CiLookup[]> {
  const page = { sort: 'name', order: 'asc', limit: MAX_BULK } as const;
  const { items, total } = await ports.topology.findCis(
    tenant,
    ciFilterOfSelection(assertDefined(filter, 'filter'), receivedAt),
    page,
  );
  if (!dry_run && total !== expect)
    throw new Fault('conflict', `Filter matches ${total} CIs, expected ${expect}. Nothing changed`, [], {
      data: { matched: total },
    });
  if (total > MAX_BULK)
    throw new Fault('unprocessable', `Filter matches ${total} CIs; the maximum is ${MAX_BULK}. Narrow the filter`, [], {
      data: { matched: total },
    });
  return items.map((ci) => ({ id: ci.id, ci }));
}

async function byIds(ids: readonly string[], { tenant, ports }: Context): Promise<CiLookup[]> {
  const different = [...new Set(ids)];
  const cis = new Map((await ports.topology.getCis(tenant, different)).map((ci) => [ci.id, ci]));
  return different.map((id) => ({ id, ci: cis.get(id) ?? null }));
}

export const bulkCis = endpoint<BulkCis, BulkReport>({
  id: 'cmdb.bulk-cis',
  takesLong: true,
  summary: 'Update or delete configuration items in bulk',
  description:
    'Up to 1,000 CIs. With a filter, `expect` must equal the number of matches; otherwise 409. Each CI succeeds or fails individually. A dry run returns a preview.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'bulk',
  alsoFaults: ['conflict', 'unprocessable'],
  mounts: onBoth.post('/cmdb/ci/bulk', BulkReport, {
    body: BulkCis,
    read: ({ body }) => body,
    present: (report: BulkReport) => ({ body: report }),
  }),
  async handle(input, context) {
    const asked = input.ids === undefined ? await byFilter(input, context) : await byIds(input.ids, context);
    const missing = asked
      .filter(({ ci }) => ci === null)
      .map(
        ({ id }): BulkRow => ({ id, name: null, action: 'failed', error: `Configuration item ${id} was not found` }),
      );
    const cis = asked.flatMap(({ ci }) => ci ?? []);
    const rows =
      input.action === 'delete'
        ? await deleteMany(cis, { cascade: input.cascade, dryRun: input.dry_run }, context)
        : await updateMany(cis, { set: assertDefined(input.set, 'change'), dryRun: input.dry_run }, context);
    return bulkReport([...rows, ...missing], input.dry_run);
  },
});
