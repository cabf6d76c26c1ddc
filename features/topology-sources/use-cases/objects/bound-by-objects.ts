import type { Ports } from '#domain/ports/ports.ts';
import type { CiMatcher } from '#domain/ports/topology/ci-matcher.ts';
import type { BindingQuery } from '#domain/topology/binding.ts';
import { withKnownObjects } from '#features/topology-sources/rules/known-objects.ts';
import { KNOWN_OBJECTS } from './known-objects.ts';

type Hearing = Pick<Ports, 'memory' | 'clock'>;

/** Binds events that name a pod, or a Kubernetes object without its cluster. */
export const boundByObjects = (matcher: CiMatcher, { memory, clock }: Hearing): CiMatcher => {
  const known = memory.of(KNOWN_OBJECTS);
  const prepared = async (tenant: string, queries: readonly BindingQuery[]): Promise<readonly BindingQuery[]> => {
    // While the store is down, events are bound by their own fields only.
    const objects = await known.of(tenant, clock.now()).catch(() => null);
    if (objects === null || objects.clusters.length === 0) return queries;
    return queries.map((query) => withKnownObjects(query, objects));
  };
  return {
    bind: async (tenant, queries) => matcher.bind(tenant, await prepared(tenant, queries)),
    bindInTime: async (tenant, queries) => matcher.bindInTime(tenant, await prepared(tenant, queries)),
    match: (tenant, machines) => matcher.match(tenant, machines),
  };
};
