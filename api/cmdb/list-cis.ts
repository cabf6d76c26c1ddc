import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import type { Page } from '#domain/page.ts';
import { CI_SORTS, type CiSort } from '#domain/ports/topology/topology-queries.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { type CiQuery, ciFilterFields, ciFilterOf } from '#schemas/http/cmdb/ci-filter.ts';
import { CiListed, ciListed, V1CiListed, v1CiListed } from '#schemas/http/cmdb/cmdb.ts';
import { sortOrder } from '#schemas/http/common.ts';
import { v1List, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';

const filters = { ...ciFilterFields, ...pageFields({ limit: 20, max: 100 }) };
const V1Query = z
  .strictObject({ ...filters, sort: z.enum(CI_SORTS).default('name'), order: sortOrder.default('asc') })
  .check(withinWindow);
/** A leading minus is descending, as `order=desc` is. */
const SIGNED_SORTS = CI_SORTS.flatMap((sort) => [sort, `-${sort}`] as const);
const Query = z
  .strictObject({ ...filters, sort: z.enum(SIGNED_SORTS).default('name'), order: sortOrder.optional() })
  .check(withinWindow);

interface ListInput {
  readonly query: CiQuery;
  readonly paging: Paging;
  readonly sort: CiSort;
  readonly order: 'asc' | 'desc';
}
interface Listed {
  readonly found: Page<Ci>;
  readonly counts: ReadonlyMap<string, number>;
  readonly lastSeen: ReadonlyMap<string, number>;
  readonly paging: Paging;
}

export const listCis = endpoint<ListInput, Listed>({
  id: 'cmdb.list-cis',
  summary: 'List configuration items',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  mounts: [
    mount({
      on: 'v1',
      method: 'get',
      path: '/cmdb/ci',
      query: V1Query,
      reply: v1List(V1CiListed),
      read: ({ query }): ListInput => ({
        query,
        paging: query,
        sort: query.sort,
        order: query.order,
      }),
      present: ({ found, counts, lastSeen, paging }, { baseUrl }) => ({
        body: found.items.map((ci) =>
          v1CiListed(ci, { count: counts.get(ci.id) ?? 0, lastSeen: lastSeen.get(ci.id) }, baseUrl),
        ),
        page: pageInfo(paging, found),
      }),
    }),
    mount({
      on: 'platform',
      method: 'get',
      path: '/cmdb/ci',
      query: Query,
      reply: wrappedList(CiListed),
      read: ({ query }): ListInput => ({
        query,
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
  async handle({ query, paging, sort, order }, { tenant, ports, receivedAt }) {
    const found = await ports.topology.findCis(tenant, ciFilterOf(query, receivedAt), pageRequest(paging, sort, order));
    const ids = found.items.map(({ id }) => id);
    const [counts, lastSeen] = await Promise.all([
      ports.counts.relationships(tenant, ids),
      ports.topology.lastSeen(tenant, ids),
    ]);
    return { found, counts, lastSeen, paging };
  },
});
