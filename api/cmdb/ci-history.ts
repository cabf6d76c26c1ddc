import { z } from 'zod';
import { onBothList } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { CiChange } from '#domain/topology/topology.ts';
import { CiChangeBody, ciChangeBody } from '#schemas/http/cmdb/ci-history.ts';
import { type Paging, pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';

const Query = z.strictObject(pageFields({ limit: 20, max: 100 })).check(withinWindow);

interface PastInput {
  readonly id: string;
  readonly paging: Paging;
}
interface CiHistoryPage {
  readonly paging: Paging;
  readonly found: Page<CiChange>;
  /** Id of the CI into which it was merged. */
  readonly mergedInto: string | null;
}

const positionOf = ({ page, limit, cursor }: Paging) =>
  cursor === undefined ? { limit, offset: (page - 1) * limit } : { limit, cursor };

export const listCiHistory = endpoint<PastInput, CiHistoryPage>({
  id: 'cmdb.list-ci-history',
  summary: 'Get the history of a configuration item',
  description: 'Available for deleted and merged CIs.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  mounts: onBothList.get('/cmdb/ci/{id}/history', CiChangeBody, {
    params: z.object({ id: z.string() }),
    query: Query,
    read: ({ params, query }): PastInput => ({ id: params.id, paging: query }),
    present: ({ paging, found, mergedInto }: CiHistoryPage) => ({
      body: found.items.map((change) => ciChangeBody(change, mergedInto)),
      page: pageInfo(paging, found),
    }),
  }),
  async handle({ id, paging }, { tenant, ports }) {
    const found = await ports.history.changes(tenant, id, positionOf(paging));
    if (found.total === 0) throw notFound('Configuration item', id);
    const [ci] = await ports.topology.getCis(tenant, [id]);
    return { paging, found, mergedInto: ci === undefined || ci.id === id ? null : ci.id };
  },
});
