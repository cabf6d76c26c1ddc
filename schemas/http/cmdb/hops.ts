import { z } from 'zod';
import { firstItem } from '#domain/assert.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import type { Impact, Neighbourhood } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';

/** Neighborhoods, blast radii and paths between CIs. */

const NamedCi = z.object({ id: z.string(), name: z.string(), type: z.string() });
type NamedCi = z.output<typeof NamedCi>;
const hops = z.int().meta({ description: 'Hops on the shortest path' });
const path = z.array(z.string()).meta({ description: 'CI IDs on the path, including both ends' });
const truncated = z.boolean().meta({ description: 'True if more results exist' });

export const NeighbourhoodBody = z
  .object({
    ci: NamedCi,
    nodes: z.array(NamedCi.extend({ hops })),
    edges: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        source: z.string(),
        target: z.string(),
        discovered_by: z.string().meta({ description: 'ai-accepted: AI proposal accepted by a user' }),
      }),
    ),
    paths: z.array(path).meta({ description: 'Shortest path to each node, in node order' }),
    truncated,
  })
  .meta({ id: 'Neighbourhood' });

const ProtectedCi = NamedCi.extend({
  hops,
  groups: z.array(
    z.object({
      group: z.string(),
      required: z.int().meta({ description: 'Paths required' }),
      members: z.int().meta({ description: 'Paths in the group' }),
      surviving: z.int().meta({ description: 'Paths still available' }),
    }),
  ),
});
export const ImpactBody = z
  .object({
    ci: NamedCi,
    impacted: z.array(NamedCi.extend({ hops, path })),
    protected: z.array(ProtectedCi).meta({ description: 'CIs protected by redundancy' }),
    partnersDown: z.array(NamedCi).meta({
      description: 'CIs that are down now, so the redundancy they provide is not counted; empty for the past',
    }),
    services: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        criticality: z.enum(CRITICALITIES),
        impact: z.enum(['full_outage', 'degraded_functionality']),
        components: z.array(z.string()).meta({ description: 'IDs of impacted components' }),
      }),
    ),
    total: z.int().meta({ description: 'Impacted CIs, up to 10,000; the nearest are returned' }),
    truncated,
  })
  .meta({ id: 'Impact' });
export const ImpactOfManyBody = ImpactBody.extend({
  ci: NamedCi.meta({ description: 'First CI' }),
  cis: z.array(NamedCi).meta({ description: 'CIs that fail together' }),
}).meta({ id: 'ImpactTogether' });

export const PathBody = z
  .object({
    found: z.boolean(),
    hops: hops.nullable(),
    path,
    nodes: z.array(NamedCi).meta({ description: 'The CIs of the path' }),
  })
  .meta({ id: 'CiPath' });

/** A CI of a walk: `via` is the one before it. */
interface WalkStep {
  readonly ci: string;
  readonly via: string | null;
}

/** Returns the paths from the starts, in the order of the steps; each step is after its predecessor. */
function pathsFrom(starts: readonly string[], steps: readonly WalkStep[]): string[][] {
  const known = new Map(starts.map((start) => [start, [start]]));
  return steps.map(({ ci, via }) => {
    const way = [...(known.get(via ?? firstItem(starts)) ?? [firstItem(starts)]), ci];
    known.set(ci, way);
    return way;
  });
}

type HopNode = Pick<Neighbourhood['nodes'][number], 'ci' | 'name' | 'type' | 'hops'>;
const nodeOf = ({ ci, name, type, hops: far }: HopNode) => ({ id: ci, name, type, hops: far });

export const neighbourhoodBody = (ci: NamedCi, { nodes, edges, truncated: more }: Neighbourhood) => ({
  ci,
  nodes: nodes.map(nodeOf),
  edges: edges.map(({ id, type, source, target, discoveredBy }) => ({
    id,
    type,
    source,
    target,
    discovered_by: discoveredBy,
  })),
  paths: pathsFrom([ci.id], nodes),
  truncated: more,
});

type Hit = z.output<typeof ImpactBody>['services'];

const impactFrom = (
  starts: readonly NamedCi[],
  { impacted, protected: saved, truncated: more, partnersDown = [] }: Impact,
  services: Hit,
  limit: number,
) => {
  const shown = impacted.slice(0, limit);
  const paths = pathsFrom(
    starts.map(({ id }) => id),
    shown,
  );
  return {
    impacted: zip(shown, paths).map(([one, path]) => ({ ...nodeOf(one), path })),
    protected: saved.slice(0, limit).map((one) => ({ ...nodeOf(one), groups: [...one.groups] })),
    partnersDown: partnersDown.slice(0, limit).map(({ ci, name, type }) => ({ id: ci, name, type })),
    services,
    total: impacted.length,
    truncated: more || impacted.length > limit || saved.length > limit,
  };
};
const named = ({ id, name, type }: NamedCi): NamedCi => ({ id, name, type });

/** Returns the nearest `limit` results. */
export const impactBody = (ci: NamedCi, impact: Impact, services: Hit, limit: number): z.output<typeof ImpactBody> => ({
  ci: named(ci),
  ...impactFrom([ci], impact, services, limit),
});

/** The same of several CIs, one at least. */
export const impactOfManyBody = (
  cis: readonly NamedCi[],
  impact: Impact,
  services: Hit,
  limit: number,
): z.output<typeof ImpactOfManyBody> => ({
  ci: named(firstItem(cis)),
  cis: cis.map(named),
  ...impactFrom(cis, impact, services, limit),
});
