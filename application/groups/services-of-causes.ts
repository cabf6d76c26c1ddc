import type { UseCaseContext } from '#application/access/context.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { NAMES, type NamesOf } from '#domain/correlation/grouping/group-state.ts';
import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { KnownHits } from '#domain/ports/memory.ts';

/** Of the CIs that fail with a cause, the nearest: a list walks from up to 100 causes. */
const IMPACTED = 200;
/** Walks of a tenant at once, however many read a list. */
const AT_ONCE = 8;
/** A walk that takes longer is given up, ms. */
const WALK_MS = 10_000;
/** A list that waits longer is shown with what is known by then, ms. */
const LIST_MS = 1_000;
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

/** Begins a walk that does not end with the request: others may wait for it, too. One that finds no answer is tried anew by the next list. */
function begin(asking: Asking, cause: string, { names, walks }: KnownHits): void {
  const { deadline } = asking.ports;
  const walk = deadline
    .without(() => deadline.atMost(WALK_MS, () => hitBy(asking, cause)))
    .then((hit) => names.set(cause, hit))
    .catch(() => undefined)
    .finally(() => walks.delete(cause));
  walks.set(cause, walk);
}

/** Walks from the causes that nobody has walked from; those who wait for a place take it in their turn. */
async function walkFrom(asking: Asking, causes: readonly string[], known: KnownHits, isLate: () => boolean) {
  const { names, walks } = known;
  const there = await asking.ports.topology.getCis(asking.tenant, causes);
  for (const { id } of there) {
    while (!walks.has(id) && walks.size >= AT_ONCE) await Promise.race(walks.values());
    if (isLate()) return;
    if (names.get(id) === undefined && !walks.has(id)) begin(asking, id, known);
  }
  await Promise.all(there.map(({ id }) => walks.get(id)));
}

/** The same, no longer than a list may take: then the walks that are under way go on, and no others begin. */
async function walkInTime(asking: Asking, causes: readonly string[], known: KnownHits, longestMs: number) {
  let isLate = false;
  try {
    await asking.ports.deadline.atMost(longestMs, () => walkFrom(asking, causes, known, () => isLate));
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'unavailable') throw error;
  } finally {
    isLate = true;
  }
}

/**
 * Services with a component among a cause and the CIs that fail with it, by cause; without those that the graph did not tell in time.
 * Kept as long as the services of the tenant are.
 */
export async function servicesOfCauses(
  asking: Asking,
  causes: readonly string[],
  longestMs = LIST_MS,
): Promise<ReadonlyMap<string, NamesOf>> {
  const { tenant, ports, receivedAt } = asking;
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  if (byCi.size === 0) return new Map();
  const known = ports.memory.servicesHit.get(byCi) ?? { names: new Lru(CAUSES), walks: new Map() };
  ports.memory.servicesHit.set(byCi, known);
  const different = [...new Set(causes)];
  const unknown = different.filter((cause) => known.names.get(cause) === undefined);
  if (unknown.length > 0) await walkInTime(asking, unknown, known, longestMs);
  return new Map(
    different.flatMap((cause) => {
      const names = known.names.get(cause);
      return names === undefined ? [] : [[cause, names] as const];
    }),
  );
}
