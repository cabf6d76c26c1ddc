import { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import type { Page } from '#domain/page.ts';
import { CI_SORTS, type CiSort } from '#domain/ports/topology/topology-queries.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { type CiQuery, ciFilterFields, ciFilterOf } from '#schemas/http/cmdb/ci-filter.ts';
import { CiListed, ciListed, V1CiListed, v1CiListed } from '#schemas/http/cmdb/cmdb.ts';
import { commaWords, sortOrder } from '#schemas/http/common.ts';
import { v1List, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';

/** Maximum of requested ids: their list fits into an address. */
const MAX_IDS = 100;

const filters = {
  ...ciFilterFields,
  ids: commaWords()
    .refine((ids) => ids.length <= MAX_IDS, `expected at most ${MAX_IDS} ids`)
    .optional()
    .meta({
      type: 'string',
      description: `CI IDs to return, in this order, skipping unknown ones: up to ${MAX_IDS}, comma-separated. Can't be combined with filters or a cursor`,
    }),
  ...pageFields({ limit: 20, max: 100 }),
};
type CisQuery = Readonly<Record<string, unknown>> & Paging & { readonly ids?: readonly string[] | undefined };
const WITH_IDS: ReadonlySet<string> = new Set(['ids', 'page', 'limit', 'sort', 'order']);
const idsAlone: z.core.CheckFn<CisQuery> = ({ value, issues }) => {
  if (value.ids === undefined) return;
  const other = Object.keys(value).find((name) => value[name] !== undefined && !WITH_IDS.has(name));
  if (other === undefined) return;
  issues.push({ code: 'custom', input: value.ids, path: ['ids'], message: `can't be combined with ${other}` });
};

const V1Query = z
  .strictObject({ ...filters, sort: z.enum(CI_SORTS).default('name'), order: sortOrder.default('asc') })
  .check(withinWindow, idsAlone);
/** A leading minus is descending, as `order=desc` is. */
const SIGNED_SORTS = CI_SORTS.flatMap((sort) => [sort, `-${sort}`] as const);
const Query = z
  .strictObject({ ...filters, sort: z.enum(SIGNED_SORTS).default('name'), order: sortOrder.optional() })
  .check(withinWindow, idsAlone);

interface ListInput {
  readonly query: CiQuery;
  readonly ids: readonly string[] | undefined;
  readonly paging: Paging;
  readonly sort: CiSort;
  readonly order: 'asc' | 'desc';
}
interface CisPage {
  readonly found: Page<Ci>;
  readonly counts: ReadonlyMap<string, number>;
  readonly lastSeen: ReadonlyMap<string, number>;
  readonly paging: Paging;
}

async function find(
  { query, ids, paging, sort, order }: ListInput,
  { tenant, ports, receivedAt }: Context,
): Promise<Page<Ci>> {
  if (ids === undefined)
    return ports.topology.findCis(tenant, ciFilterOf(query, receivedAt), pageRequest(paging, sort, order));
  const known = await ports.topology.getCis(tenant, [...new Set(ids)]);
  // Former ids lead to one CI.
  const cis = [...new Map(known.map((ci) => [ci.id, ci])).values()];
  const before = (paging.page - 1) * paging.limit;
  return { items: cis.slice(before, before + paging.limit), total: cis.length, nextCursor: null };
}

export const listCis = endpoint<ListInput, CisPage>({
  id: 'cmdb.list-cis',
  summary: 'List configuration items',
  tag: 'CMDB',
  permission: 'cmdb.read',
  mounts: [
    on.v1.get('/cmdb/ci', {
      query: V1Query,
      reply: v1List(V1CiListed),
      read: ({ query }): ListInput => ({ query, ids: query.ids, paging: query, sort: query.sort, order: query.order }),
      present: ({ found, counts, lastSeen, paging }, { baseUrl }) => ({
        body: found.items.map((ci) =>
          v1CiListed(ci, { count: counts.get(ci.id) ?? 0, lastSeen: lastSeen.get(ci.id) }, baseUrl),
        ),
        page: pageInfo(paging, found),
      }),
    }),
    on.platform.get('/cmdb/ci', {
      query: Query,
      reply: wrappedList(CiListed),
      read: ({ query }): ListInput => ({
        query,
        ids: query.ids,
        paging: query,
        sort: query.sort.replace('-', '') as CiSort,
        order: query.order ?? (query.sort.startsWith('-') ? 'desc' : 'asc'),
      }),
      present: ({ found, counts, lastSeen, paging }, { baseUrl }) => ({
        body: found.items.map((ci) =>
          ciListed(ci, { count: counts.get(ci.id) ?? 0, lastSeen: lastSeen.get(ci.id) }, baseUrl),
        ),
        page: pageInfo(paging, found),
      }),
    }),
  ],
  async handle(input, context) {
    const { tenant, ports } = context;
    const { paging } = input;
    const found = await find(input, context);
    const ids = found.items.map(({ id }) => id);
    const [counts, lastSeen] = await Promise.all([
      ports.counts.relationships(tenant, ids),
      ports.topology.lastSeen(tenant, ids),
    ]);
    return { found, counts, lastSeen, paging };
  },
});
