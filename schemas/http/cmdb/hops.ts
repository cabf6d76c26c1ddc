import { z } from 'zod';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { firstItem } from '#domain/known.ts';
import { paired } from '#domain/paired.ts';
import type { Impact, Neighbourhood } from '#domain/topology/topology.ts';

/** Neighbourhoods, blast radii and ways between CIs. */

const NamedCi = z.object({ id: z.string(), name: z.string(), type: z.string() });
type NamedCi = z.output<typeof NamedCi>;
const hops = z.int().meta({ description: 'Relationships on the shortest way' });
const path = z.array(z.string()).meta({ description: 'Ids of the CIs on the way, both ends included' });
const truncated = z.boolean().meta({ description: 'There are more than are shown' });

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
        discovered_by: z.string().meta({ description: 'ai-accepted: AI proposed it, and a person accepted it' }),
      }),
    ),
    paths: z.array(path).meta({ description: 'A shortest way to each node, in the order of the nodes' }),
    truncated,
  })
  .meta({ id: 'Neighbourhood' });

const ProtectedCi = NamedCi.extend({
  hops,
  groups: z.array(
    z.object({
      group: z.string(),
      required: z.int().meta({ description: 'Paths that must be left' }),
      members: z.int().meta({ description: 'Paths of the group' }),
      surviving: z.int().meta({ description: 'Paths that are left' }),
    }),
  ),
});
export const ImpactBody = z
  .object({
    ci: NamedCi,
    impacted: z.array(NamedCi.extend({ hops, path })),
    protected: z.array(ProtectedCi).meta({ description: 'CIs that live on, because enough redundant paths are left' }),
    services: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        criticality: z.enum(CRITICALITIES),
        impact: z.enum(['full_outage', 'degraded_functionality']),
        components: z.array(z.string()).meta({ description: 'Ids of its components that fail' }),
      }),
    ),
    total: z.int().meta({ description: 'Impacted CIs found, at most 10,000; the nearest are shown' }),
    truncated,
  })
  .meta({ id: 'Impact' });
export const ImpactOfManyBody = ImpactBody.extend({
  ci: NamedCi.meta({ description: 'The first of them' }),
  cis: z.array(NamedCi).meta({ description: 'Those that fail together, each once' }),
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
interface Step {
  readonly ci: string;
  readonly via: string | null;
}

/** The ways from the starts, in the order of the steps; each step comes after the one that it goes by. */
function pathsFrom(starts: readonly string[], steps: readonly Step[]): string[][] {
  const known = new Map(starts.map((start) => [start, [start]]));
  return steps.map(({ ci, via }) => {
    const way = [...(known.get(via ?? firstItem(starts)) ?? [firstItem(starts)]), ci];
    known.set(ci, way);
    return way;
  });
}

type Named = Pick<Neighbourhood['nodes'][number], 'ci' | 'name' | 'type' | 'hops'>;
const nodeOf = ({ ci, name, type, hops: far }: Named) => ({ id: ci, name, type, hops: far });

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
  { impacted, protected: saved, truncated: more }: Impact,
  services: Hit,
  limit: number,
) => {
  const shown = impacted.slice(0, limit);
  const paths = pathsFrom(
    starts.map(({ id }) => id),
    shown,
  );
  return {
    impacted: paired(shown, paths).map(([one, path]) => ({ ...nodeOf(one), path })),
    protected: saved.slice(0, limit).map((one) => ({ ...nodeOf(one), groups: [...one.groups] })),
    services,
    total: impacted.length,
    truncated: more || impacted.length > limit || saved.length > limit,
  };
};
const named = ({ id, name, type }: NamedCi): NamedCi => ({ id, name, type });

/** The nearest `limit` of what was found. */
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
