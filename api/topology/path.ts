import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { asOfField, assertRetained, atTime, findCi, requirePast } from '#application/cmdb/as-of.ts';
import type { PathOptions } from '#domain/ports/topology/graph-queries.ts';
import { type Ci, relationshipType } from '#domain/topology/topology.ts';
import { PathBody } from '#schemas/http/cmdb/hops.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { directionField, typesField } from './neighbourhood.ts';

const MAX_HOPS = 20;
const id = z.string().min(1).max(256);

const Query = z.strictObject({
  from: id,
  to: id,
  max_hops: wholeNumber(1, MAX_HOPS).default(MAX_HOPS),
  direction: directionField,
  types: typesField,
  as_of: asOfField,
});
interface PathRequest {
  readonly from: string;
  readonly to: string;
  readonly options: PathOptions;
}
const got = {
  method: 'get',
  path: '/cmdb/path',
  query: Query,
  read: ({ query }: { query: z.output<typeof Query> }): PathRequest => {
    const { from, to, max_hops: maxHops, direction, types = [], as_of } = query;
    return { from, to, options: { maxHops, direction, types: types.map(relationshipType), ...atTime(as_of) } };
  },
  /** CIs of the path; null when there is none. */
  present: (way: readonly Ci[] | null) => ({
    body: {
      found: way !== null,
      hops: way === null ? null : way.length - 1,
      path: (way ?? []).map((ci) => ci.id),
      nodes: (way ?? []).map((ci) => ({ id: ci.id, name: ci.name, type: ci.type })),
    },
  }),
} as const;

export const getPath = endpoint<PathRequest, readonly Ci[] | null>({
  id: 'cmdb.get-path',
  summary: 'Get the shortest path between configuration items',
  tag: 'CMDB',
  permission: 'cmdb.read',
  alsoFaults: ['not-found', 'unprocessable'],
  mounts: [mount({ on: 'v1', ...got, reply: PathBody }), mount({ on: 'platform', ...got, reply: wrapped(PathBody) })],
  async handle({ from, to, options }, context) {
    const { asOf } = options;
    requirePast(asOf, context);
    const [start, end] = [await findCi(context, from, asOf), await findCi(context, to, asOf)];
    assertRetained(asOf, context);
    const way = await context.ports.graph.path(context.tenant, start.id, end.id, options);
    return way === null ? null : context.ports.topology.getCis(context.tenant, way, asOf);
  },
});
