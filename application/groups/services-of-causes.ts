import type { UseCaseContext } from '#application/access/context.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { NAMES, type NamesOf } from '#domain/correlation/grouping/group-state.ts';
import { Lru } from '#domain/lru.ts';
import { slices } from '#domain/slices.ts';

/** Of the CIs that fail with a cause, the nearest: a list walks from up to 100 causes. */
const IMPACTED = 200;
const AT_ONCE = 8;
const CAUSES = 5_000;

type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>;

/** Those that are down come first. */
export const namesOfHits = (hits: readonly ServiceHit[]): NamesOf => {
  const names = [...hits]
    .sort((a, b) => Number(b.impact === 'full_outage') - Number(a.impact === 'full_outage'))
    .map(({ service }) => service.name);
  return { names: names.slice(0, NAMES), count: names.length };
};

async function hitBy(asking: Asking, cause: string): Promise<NamesOf> {
  const { impacted } = await asking.ports.graph.impact(asking.tenant, [cause], { limit: IMPACTED });
  return namesOfHits(await servicesHit(asking, new Set([cause, ...impacted.map(({ ci }) => ci)])));
}

/**
 * Services with a component among a cause and the CIs that fail with it, by cause. Kept as long as the services of the tenant are,
 * so a list that is read again walks no more.
 */
export async function servicesOfCauses(
  asking: Asking,
  causes: readonly string[],
): Promise<ReadonlyMap<string, NamesOf>> {
  const { tenant, ports, receivedAt } = asking;
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  if (byCi.size === 0) return new Map();
  const known = ports.memory.servicesHit.get(byCi) ?? new Lru<string, NamesOf>(CAUSES);
  ports.memory.servicesHit.set(byCi, known);
  const hits = new Map<string, NamesOf>();
  const unknown: string[] = [];
  for (const cause of new Set(causes)) {
    const names = known.get(cause);
    if (names === undefined) unknown.push(cause);
    else hits.set(cause, names);
  }
  const there = unknown.length === 0 ? [] : await ports.topology.getCis(tenant, unknown);
  for (const some of slices(there, AT_ONCE))
    await Promise.all(
      some.map(async ({ id }) => {
        const names = await hitBy(asking, id);
        known.set(id, names);
        hits.set(id, names);
      }),
    );
  return hits;
}
