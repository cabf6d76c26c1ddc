import type { TimedContext } from '#application/access/context.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { type GroupCis, isOn, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { KnownHits } from '#domain/ports/memory.ts';
import { isLone, type ListedRow } from './listing/list-rows.ts';

/** Maximum of the CIs that fail with a cause, the nearest: a list walks from up to 100 causes. */
const IMPACTED = 200;
/** Walks of a tenant at once, however many read a list. */
const AT_ONCE = 8;
/** Time limit of a walk, ms. */
const WALK_MS = 10_000;
/** Maximum delay of a list, which is then shown with the available data, ms. */
const LIST_MS = 1_000;
const CAUSES = 5_000;

/** Services that a group affects now, and ones that it ever affected. */
export interface GroupHit {
  readonly now: readonly ServiceHit[];
  readonly ever: readonly ServiceHit[];
}
/** `failing`: the CIs that fail with its cause, itself among them; they do as long as the cause is on. */
export async function hitsOf(
  asking: TimedContext,
  { on, all }: GroupCis,
  failing: readonly string[],
  isCauseOn: boolean,
): Promise<GroupHit> {
  const ever = await servicesHit(asking, new Set([...all, ...failing]));
  if (ever.length === 0) return { now: ever, ever };
  return { now: await servicesHit(asking, new Set(isCauseOn ? [...on, ...failing] : on)), ever };
}

/** The same of an event in no group. */
const hitsOfEvent = (asking: TimedContext, { ci, status }: Event, failing: readonly string[]): Promise<GroupHit> => {
  const own = ci === null ? [] : [ci.id];
  return hitsOf(asking, { on: isOn(status) ? own : [], all: own }, failing, isOn(status));
};

/** The same of rows of a list; `rootOf` is the event that a row began with. */
export async function hitsOfRows(
  asking: TimedContext,
  rows: readonly ListedRow[],
  rootOf: (row: ListedGroup) => Event | undefined,
): Promise<ReadonlyMap<string, GroupHit>> {
  const causeOf = (row: ListedRow): string => (isLone(row) ? row.ci?.id : row.group.candidate?.ciId) ?? '';
  const failing = await failingWithCauses(
    asking,
    rows.map(causeOf).filter((cause) => cause !== ''),
  );
  const hits = rows.map(async (row) => {
    const behind = failing.get(causeOf(row)) ?? [];
    if (isLone(row)) return [row.id, await hitsOfEvent(asking, row, behind)] as const;
    const root = rootOf(row);
    return [
      row.group.id,
      await hitsOf(asking, row.state.cis, behind, root !== undefined && isOn(root.status)),
    ] as const;
  });
  return new Map(await Promise.all(hits));
}

async function failingWith({ tenant, ports }: TimedContext, cause: string): Promise<readonly string[]> {
  const { impacted } = await ports.graph.impact(tenant, [cause], { limit: IMPACTED });
  return [cause, ...impacted.map(({ ci }) => ci)];
}

/**
 * Begins a walk that does not end with the request: others may wait for it, too. A failed one is retried by the next
 * list.
 */
function begin(asking: TimedContext, cause: string, { failing, walks }: KnownHits): void {
  const { deadline } = asking.ports;
  const walk = deadline
    .without(() => deadline.atMost(WALK_MS, () => failingWith(asking, cause)))
    .then((cis) => failing.set(cause, cis))
    .catch(() => undefined)
    .finally(() => walks.delete(cause));
  walks.set(cause, walk);
}

/** Walks from causes without a walk; waiting callers get a slot in turn. */
async function walkFrom(asking: TimedContext, causes: readonly string[], known: KnownHits, isLate: () => boolean) {
  const { failing, walks } = known;
  const there = await asking.ports.topology.getCis(asking.tenant, causes);
  for (const { id } of there) {
    while (!walks.has(id) && walks.size >= AT_ONCE) await Promise.race(walks.values());
    if (isLate()) return;
    if (failing.get(id) === undefined && !walks.has(id)) begin(asking, id, known);
  }
  await Promise.all(there.map(({ id }) => walks.get(id)));
}

/** The same, within the time limit of a list: then current walks continue, and no others begin. */
async function walkInTime(asking: TimedContext, causes: readonly string[], known: KnownHits, longestMs: number) {
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
 * Returns CIs that fail with a cause, itself among them, by cause; without those not returned in time, and none for a
 * tenant without services. Cached as long as the services of the tenant are.
 */
export async function failingWithCauses(
  asking: TimedContext,
  causes: readonly string[],
  longestMs = LIST_MS,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { tenant, ports, receivedAt } = asking;
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  if (byCi.size === 0) return new Map();
  const known = ports.memory.servicesHit.get(byCi) ?? { failing: new Lru(CAUSES), walks: new Map() };
  ports.memory.servicesHit.set(byCi, known);
  const different = [...new Set(causes)];
  const unknown = different.filter((cause) => known.failing.get(cause) === undefined);
  if (unknown.length > 0) await walkInTime(asking, unknown, known, longestMs);
  return new Map(
    different.flatMap((cause) => {
      const cis = known.failing.get(cause);
      return cis === undefined ? [] : [[cause, cis] as const];
    }),
  );
}
