import { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { asOfField, assertRetained, atTime, findCi, requirePast } from '#application/cmdb/as-of.ts';
import type { NeighbourhoodOptions } from '#domain/ports/topology/graph-queries.ts';
import { type Ci, type Neighbourhood, relationshipType } from '#domain/topology/topology.ts';
import { NeighbourhoodBody, neighbourhoodBody } from '#schemas/http/cmdb/hops.ts';
import { commaWords, wholeNumber } from '#schemas/http/common.ts';

/** CIs shown. */
const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const MAX_HOPS = 3;

export const directionField = z
  .enum(['up', 'down', 'both'])
  .default('both')
  .meta({ description: 'up: what it depends on, from source to target; down: what depends on it' });
export const typesField = commaWords().optional();

const Query = z.strictObject({
  hops: wholeNumber(1, MAX_HOPS).default(1),
  direction: directionField,
  types: typesField,
  limit: wholeNumber(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  as_of: asOfField,
});
interface NeighbourhoodRequest {
  readonly id: string;
  readonly options: NeighbourhoodOptions;
}
interface NeighbourhoodResult {
  readonly ci: Ci;
  readonly neighbourhood: Neighbourhood;
}

export const getNeighbourhood = endpoint<NeighbourhoodRequest, NeighbourhoodResult>({
  id: 'cmdb.get-neighbourhood',
  summary: 'Get the neighborhood of a configuration item',
  description: 'Nearest CIs, the relationships between them and a shortest path to each.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  alsoFaults: ['unprocessable'],
  mounts: onBoth.get('/cmdb/ci/{id}/neighbourhood', NeighbourhoodBody, {
    params: z.object({ id: z.string() }),
    query: Query,
    read: ({ params, query }): NeighbourhoodRequest => {
      const { types = [], as_of, ...way } = query;
      return { id: params.id, options: { ...way, types: types.map(relationshipType), ...atTime(as_of) } };
    },
    present: ({ ci: { id, name, type }, neighbourhood }: NeighbourhoodResult) => ({
      body: neighbourhoodBody({ id, name, type }, neighbourhood),
    }),
  }),
  async handle({ id, options }, context) {
    requirePast(options.asOf, context);
    const ci = await findCi(context, id, options.asOf);
    assertRetained(options.asOf, context);
    return { ci, neighbourhood: await context.ports.graph.neighbourhood(context.tenant, ci.id, options) };
  },
});
