import type { TimedContext } from '#application/access/context.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { type GroupCis, isOn, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Event, Severity } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { KnownHits } from '#domain/ports/memory.ts';
import { UPSTREAM } from '#domain/services/health.ts';
import { zip } from '#domain/zip.ts';
import { isLone, type ListedRow } from './listing/list-rows.ts';

/** Maximum of the CIs that fail with a cause, the nearest, as far as the health of a service reaches: a list walks from up to 100 causes. */
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
export const NO_HIT: GroupHit = { now: [], ever: [] };

/** A group, or an event in none, as far as its effects on services are concerned. */
export interface HitSource extends GroupCis {
  /** CI of its cause, and if that is not over. */
  readonly cause: string | undefined;
  readonly isCauseOn: boolean;
  /** Highest severity that is not over. */
  readonly severity: Severity | null;
}

/** Matches the health of services: only a critical event stops one. */
const asSevere = (hits: readonly ServiceHit[], severity: Severity | null): readonly ServiceHit[] =>
  severity === 'critical' ? hits : hits.map((hit) => ({ ...hit, impact: 'degraded_functionality' }));

/** Maximum of open members whose dependents are walked to, by group: they may be further from the cause than a walk reaches. */
const MEMBERS = 50;

/** Services that each of them affects: by its cause while that is open, and by its other open members. */
export async function hitsOf(asking: TimedContext, sources: readonly HitSource[]): Promise<readonly GroupHit[]> {
  const behind = await failingWithCauses(
    asking,
    sources.flatMap(({ cause }) => cause ?? []),
  );
  const reached = sources.map(({ cause }) => behind.get(cause ?? '') ?? []);
  const others = sources.map(({ on }) => on.slice(0, MEMBERS));
  const further = await failingWithCauses(asking, others.flat());
  return Promise.all(
    sources.map(async ({ on, all, isCauseOn, severity }, at) => {
      const failing = reached[at] ?? [];
      const members = (others[at] ?? []).flatMap((ci) => further.get(ci) ?? []);
      const ever = await servicesHit(asking, new Set([...all, ...failing, ...members]));
      const now = new Set([...on, ...(isCauseOn ? failing : []), ...members]);
      return { now: ever.length === 0 ? ever : asSevere(await servicesHit(asking, now), severity), ever };
    }),
  );
}

const sourceOfEvent = ({ ci, status, severity }: Event): HitSource => {
  const all = ci === null ? [] : [ci.id];
  return { on: isOn(status) ? all : [], all, cause: ci?.id, isCauseOn: isOn(status), severity };
};

/** The same of rows of a list; `rootOf` is the event that a row began with. */
export async function hitsOfRows(
  asking: TimedContext,
  rows: readonly ListedRow[],
  rootOf: (row: ListedGroup) => Event | undefined,
): Promise<ReadonlyMap<string, GroupHit>> {
  const sources = rows.map((row): HitSource => {
    if (isLone(row)) return sourceOfEvent(row);
    const root = rootOf(row);
    const cause = row.group.candidate?.ciId ?? undefined;
    const { cis, severity } = row.state;
    return { ...cis, cause, isCauseOn: root !== undefined && isOn(root.status), severity };
  });
  const hits = await hitsOf(asking, sources);
  return new Map(zip(rows, hits).map(([row, hit]) => [isLone(row) ? row.id : row.group.id, hit]));
}

async function failingWith({ tenant, ports }: TimedContext, cause: string): Promise<readonly string[]> {
  const { impacted } = await ports.graph.impact(tenant, [cause], { limit: IMPACTED });
  return [cause, ...impacted.flatMap(({ ci, hops }) => (hops <= UPSTREAM.hops ? [ci] : []))];
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
