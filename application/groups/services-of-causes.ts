import type { TimedContext } from '#application/access/context.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { type GroupCis, isOn, type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Event, Severity } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { KnownHits } from '#domain/ports/memory.ts';
import { UPSTREAM } from '#domain/services/health.ts';
import { zip } from '#domain/zip.ts';
import { isLone, type ListedRow } from './listing/list-rows.ts';

/** Maximum of the CIs that fail with each start of a walk, and with all of them, the nearest. */
const IMPACTED = { each: 200, all: 1_000 };
/** Walks of a tenant at once, however many read a list. */
const AT_ONCE = 8;
/** Time limit of a walk, ms. */
const WALK_MS = 10_000;
/** Maximum delay of a list, which is then shown with the available data, ms. */
const LIST_MS = 1_000;
const WALKS = 1_000;

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
const MEMBERS = 300;

/** CIs that fail together, sorted: a cause, or the open members of a group and its open cause. */
type FailedCis = readonly string[];
const keyOf = (failed: FailedCis): string => failed.join(' ');

/** Services that each of them affects: by its cause while that is open, and by its other open members. A group that is over affected the services behind all of its members. */
export async function hitsOf(asking: TimedContext, sources: readonly HitSource[]): Promise<readonly GroupHit[]> {
  const starts = sources.map(({ cause, isCauseOn, on, all }) => {
    const causes = cause === undefined ? [] : [cause];
    const open = [...new Set([...(isCauseOn ? causes : []), ...on.slice(0, MEMBERS)])].sort();
    const over = open.length === 0 ? all.slice(0, MEMBERS) : [];
    return { open, ended: isCauseOn ? [] : [...new Set([...causes, ...over])].sort() };
  });
  const known = await failingWith(
    asking,
    starts.flatMap(({ open, ended }) => [open, ended]),
  );
  const failingOf = (failed: FailedCis): readonly string[] => known.get(keyOf(failed)) ?? [];
  return Promise.all(
    zip(sources, starts).map(async ([{ on, all, severity }, { open, ended }]) => {
      const failing = failingOf(open);
      const ever = await servicesHit(asking, new Set([...all, ...failing, ...failingOf(ended)]));
      const now = new Set([...on, ...failing]);
      return { now: ever.length === 0 ? ever : asSevere(await servicesHit(asking, now), severity), ever };
    }),
  );
}

/** `root`: the event that leads it, as far as known. */
export const sourceOfGroup = (row: ListedGroup, root: Event | undefined): HitSource => {
  const { candidate } = row.group;
  const { cis, severity } = row.state;
  const isScored = leadingEventOf(row) === (candidate?.eventId ?? null);
  const cause = (isScored ? candidate?.ciId : root?.ci?.id) ?? undefined;
  return { ...cis, cause, isCauseOn: root !== undefined && isOn(root.status), severity };
};

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
  const sources = rows.map((row) => (isLone(row) ? sourceOfEvent(row) : sourceOfGroup(row, rootOf(row))));
  const hits = await hitsOf(asking, sources);
  return new Map(zip(rows, hits).map(([row, hit]) => [isLone(row) ? row.id : row.group.id, hit]));
}

async function walkFrom({ tenant, ports }: TimedContext, starts: FailedCis): Promise<readonly string[]> {
  const limit = Math.min(IMPACTED.all, IMPACTED.each * starts.length);
  const { impacted } = await ports.graph.impact(tenant, starts, { limit, hops: UPSTREAM.hops });
  return [...starts, ...impacted.map(({ ci }) => ci)];
}

/**
 * Begins a walk that does not end with the request: others may wait for it, too. A failed one is retried by the next
 * list.
 */
function begin(asking: TimedContext, key: string, starts: FailedCis, { failing, walks }: KnownHits): void {
  const { deadline } = asking.ports;
  const walk = deadline
    .without(() => deadline.atMost(WALK_MS, () => walkFrom(asking, starts)))
    .then((cis) => failing.set(key, cis))
    .catch(() => undefined)
    .finally(() => walks.delete(key));
  walks.set(key, walk);
}

/** Begins the walks that are not running; waiting callers get a slot in turn. */
async function walkAll(asking: TimedContext, sets: readonly FailedCis[], known: KnownHits, isLate: () => boolean) {
  const { failing, walks } = known;
  const there = new Set(
    (await asking.ports.topology.getCis(asking.tenant, [...new Set(sets.flat())])).map(({ id }) => id),
  );
  for (const set of sets) {
    const [key, starts] = [keyOf(set), set.filter((id) => there.has(id))];
    while (!walks.has(key) && walks.size >= AT_ONCE) await Promise.race(walks.values());
    if (isLate()) return;
    if (starts.length > 0 && failing.get(key) === undefined && !walks.has(key)) begin(asking, key, starts, known);
  }
  await Promise.all(sets.map((set) => walks.get(keyOf(set))));
}

/** The same, within the time limit of a list: then current walks continue, and no others begin. */
async function walkInTime(asking: TimedContext, sets: readonly FailedCis[], known: KnownHits, longestMs: number) {
  let isLate = false;
  try {
    await asking.ports.deadline.atMost(longestMs, () => walkAll(asking, sets, known, () => isLate));
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'unavailable') throw error;
  } finally {
    isLate = true;
  }
}

/**
 * Returns CIs that fail with these, themselves among them, by their ids with spaces; without those not returned in time,
 * and none for a tenant without services. Cached as long as the services of the tenant are.
 */
export async function failingWith(
  asking: TimedContext,
  sets: readonly FailedCis[],
  longestMs = LIST_MS,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { tenant, ports, receivedAt } = asking;
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  if (byCi.size === 0) return new Map();
  const known = ports.memory.servicesHit.get(byCi) ?? { failing: new Lru(WALKS), walks: new Map() };
  ports.memory.servicesHit.set(byCi, known);
  const different = new Map(sets.flatMap((set) => (set.length === 0 ? [] : [[keyOf(set), set] as const])));
  const unknown = [...different].flatMap(([key, set]) => (known.failing.get(key) === undefined ? [set] : []));
  if (unknown.length > 0) await walkInTime(asking, unknown, known, longestMs);
  return new Map(
    [...different.keys()].flatMap((key) => {
      const cis = known.failing.get(key);
      return cis === undefined ? [] : [[key, cis] as const];
    }),
  );
}
