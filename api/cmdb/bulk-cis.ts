import { both } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import { known } from '#domain/known.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { BulkCis, BulkReport, type BulkRow, bulkReport, MAX_BULK } from '#schemas/http/cmdb/bulk.ts';
import { ciFilterOfSelection } from '#schemas/http/cmdb/ci-filter.ts';
import { deleteMany } from './delete-many.ts';
import { updateMany } from './update-many.ts';

/** Each CI that was asked for, null where there is none. */
interface Asked {
  readonly id: string;
  readonly ci: Ci | null;
}

async function byFilter(
  { filter, expect, dry_run }: BulkCis,
  { tenant, ports, receivedAt }: Context,
): Promise<Asked[]> {
  const page = { sort: 'name', order: 'asc', limit: MAX_BULK } as const;
  const { items, total } = await ports.topology.findCis(
    tenant,
    ciFilterOfSelection(known(filter, 'filter'), receivedAt),
    page,
  );
  if (!dry_run && total !== expect)
    throw new Fault('conflict', `The filter finds ${total} CIs, and ${expect} were expected: nothing was done`, [], {
      data: { matched: total },
    });
  if (total > MAX_BULK)
    throw new Fault(
      'unprocessable',
      `The filter finds ${total} CIs, and one request takes ${MAX_BULK}: narrow it`,
      [],
      {
        data: { matched: total },
      },
    );
  return items.map((ci) => ({ id: ci.id, ci }));
}

async function byIds(ids: readonly string[], { tenant, ports }: Context): Promise<Asked[]> {
  const different = [...new Set(ids)];
  const cis = new Map((await ports.topology.getCis(tenant, different)).map((ci) => [ci.id, ci]));
  return different.map((id) => ({ id, ci: cis.get(id) ?? null }));
}

const done = {
  method: 'post',
  path: '/cmdb/ci/bulk',
  body: BulkCis,
  read: ({ body }: { body: BulkCis }) => body,
  present: (report: BulkReport) => ({ body: report }),
} as const;

export const bulkCis = endpoint<BulkCis, BulkReport>({
  id: 'cmdb.bulk-cis',
  takesLong: true,
  summary: 'Change or delete many configuration items, by ids or by a filter',
  description:
    'At most 1,000. With a filter `expect` says how many it finds; another number refuses all (409). Each CI succeeds or fails by itself. A dry run says what would happen.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'bulk',
  alsoFaults: ['conflict', 'unprocessable'],
  mounts: both(done, BulkReport),
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
        : await updateMany(cis, { set: known(input.set, 'change'), dryRun: input.dry_run }, context);
    return bulkReport([...rows, ...missing], input.dry_run);
  },
});
