import { z } from 'zod';
import { bothList } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { invalid, notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import { TopologyChangeBody, topologyChangeBody } from '#schemas/http/cmdb/changes.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';
import { Time } from '#schemas/http/time.ts';

/** CIs of which changes are told, the nearest. */
const MAX_AREA = 1_000;
const DAY_MS = 24 * 3_600_000;

const Query = z
  .strictObject({
    near: z.string().min(1).max(255).meta({ description: 'Id of a CI, also of one that is gone' }),
    hops: wholeNumber(0, 3).default(1),
    from: Time.optional().meta({ description: 'A day before `to`, unless it is given' }),
    to: Time.optional().meta({ description: 'Now, unless it is given' }),
    ...pageFields({ limit: 20, max: 100 }),
  })
  .check(withinWindow);
type Query = z.output<typeof Query>;

interface Listed {
  readonly query: Query;
  readonly found: Page<VersionChange>;
  readonly names: ReadonlyMap<string, string>;
}
const listed = {
  method: 'get',
  path: '/cmdb/changes',
  query: Query,
  read: ({ query }: { query: Query }) => query,
  present: ({ query, found, names }: Listed) => ({
    body: found.items.map((change) => topologyChangeBody(change, names)),
    page: pageInfo(query, found),
  }),
} as const;

/** The id of the CI now, when it was merged into another one. */
async function standing(near: string, { tenant, ports }: Context): Promise<string> {
  const [ci] = await ports.topology.getCis(tenant, [near]);
  if (ci !== undefined) return ci.id;
  const { total } = await ports.history.changes(tenant, near, { limit: 1 });
  if (total === 0) throw notFound('Configuration item', near);
  return near;
}

const endsOf = (change: VersionChange): string[] => {
  const version = change.after ?? change.before;
  return version !== null && 'source' in version ? [version.source, version.target] : [];
};

export const listTopologyChanges = endpoint<Query, Listed>({
  id: 'cmdb.list-changes',
  summary: 'What changed around a configuration item, newest first',
  description:
    'CIs within `hops` that were created, changed or deleted, and the relationships among them; those that were near at some time of the range count. At most the nearest 1,000 CIs.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  alsoFaults: ['not-found'],
  mounts: bothList(listed, TopologyChangeBody),
  async handle(query, context) {
    const { tenant, ports, receivedAt } = context;
    const to = query.to ?? receivedAt;
    const from = query.from ?? to - DAY_MS;
    if (from > to) throw invalid('from', 'lies after to');
    const ci = await standing(query.near, context);
    const { ids: ciIds } = await ports.history.area(tenant, { ci, hops: query.hops, from, to, limit: MAX_AREA });
    const { limit, page, cursor } = query;
    const where = cursor === undefined ? { limit, offset: (page - 1) * limit } : { limit, cursor };
    const found = await ports.history.changesAmong(tenant, { ciIds, from, to }, where);
    const ends = [...new Set(found.items.flatMap(endsOf))];
    return { query, found, names: await ports.history.lastNames(tenant, ends) };
  },
});
