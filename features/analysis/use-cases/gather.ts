import { causeLessons } from '#application/groups/cause-lessons.ts';
import { wholeIn } from '#application/groups/cause-wholes.ts';
import type { RunbookRule } from '#domain/ai/settings.ts';
import { entryOf, lastItem } from '#domain/assert.ts';
import { GROUP_CARE, type GroupAssignment, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import type { Arrival, Enriched, Group } from '#domain/correlation/records.ts';
import type { CauseLesson } from '#domain/correlation/root-cause/cause-lesson.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import { isLearning } from '#domain/correlation/window/learning.ts';
import { canCause } from '#domain/event/complaints/kind.ts';
import { type CiRef, type Event, isSevere, severityRank } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { Lru } from '#domain/lru.ts';
import type { EventLinks, LinkStore } from '#domain/ports/events/correlation-history.ts';
import type { PastEvent } from '#domain/ports/events/event-history.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Calendar, calendarOf } from '#features/ai/rules/time/calendar.ts';
import { RESOLUTIONS } from '#features/analysis/rules/actions.ts';
import { type AnomalyScore, anomalyScoreOf, HISTORY_MS } from '#features/analysis/rules/anomaly-score.ts';
import type { Above, Case, GroupFacts, JudgedCause, LearnedCause } from '#features/analysis/rules/case.ts';
import { isNamedByGroup } from '#features/analysis/rules/hypothesis.ts';
import { learnedCause } from '#features/analysis/rules/learned.ts';
import { ownRunbookOf, runbookFor } from '#features/analysis/rules/runbooks.ts';
import { toldProblem } from './told-problems.ts';

const MINUTE_MS = 60_000;
/** Maximum time between a change and an event that it may cause. */
const CHANGE_MS = 60 * MINUTE_MS;
const UPSTREAM_MS = 24 * 60 * MINUTE_MS;
const SOON_MS = 60 * MINUTE_MS;
/** Earlier occurrences on the CI, fading over days, from which on a problem is usual there; a severe one needs more. */
const USUAL_FROM = { severe: 10, other: 2.5 } as const;
/** CIs that are asked about at once, the nearest of all events first. */
const MAX_CIS = 2_000;
/** Events read for a batch: changes, and those upstream. */
const PAGE = 500;
const PAGES = 4;

type SurroundingsPorts = Pick<Ports, 'events' | 'sweeps' | 'correlation' | 'memory'>;

/** Suspects behind the events of a batch. */
interface CauseCandidates {
  /** Changes by CI, newest first. */
  readonly changes: ReadonlyMap<string, readonly Event[]>;
  readonly open: ReadonlyMap<string, readonly Event[]>;
  /** Minimum severity of an open event at which another cause applies. */
  readonly below: ReadonlyMap<Event, number>;
}

const byCi = (events: readonly Event[]): Map<string, Event[]> => {
  const found = new Map<string, Event[]>();
  for (const event of events) {
    if (event.ci === null) continue;
    const known = found.get(event.ci.id);
    if (known) known.push(event);
    else found.set(event.ci.id, [event]);
  }
  return found;
};

/** Changes that are not resolved, which they are when the longest window is over. */
const changesOf = async ({ sweeps }: SurroundingsPorts, tenant: string, before: number): Promise<Event[]> => {
  const changes: Event[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const part: Awaited<ReturnType<typeof sweeps.silent>> = await sweeps.silent(
      tenant,
      { before, changes: true },
      { limit: PAGE, ...(cursor !== null && { cursor }) },
    );
    changes.push(...part.items);
    cursor = part.nextCursor;
    if (cursor === null) break;
  }
  return changes.sort((a, b) => b.timestamp - a.timestamp);
};

/** The CIs upstream of the events, the nearest first. */
const upstreamCis = (records: Iterable<Enriched>): string[] => {
  const hops = new Map<string, number>();
  for (const { upstream } of records)
    for (const { ci, hops: far } of upstream) hops.set(ci, Math.min(far, hops.get(ci) ?? far));
  return [...hops]
    .sort((a, b) => a[1] - b[1])
    .slice(0, MAX_CIS)
    .map(([ci]) => ci);
};

const isUsualOn = ({ usual, severity }: Event, habit: number | undefined): boolean =>
  usual || (habit ?? 0) >= USUAL_FROM[isSevere(severity) ? 'severe' : 'other'];

const causesBelow = (ports: SurroundingsPorts, above: Event): number => {
  if (isChange(above)) return -1;
  return toldProblem(ports, above).kind.stops === 'none' ? severityRank(above.severity) + 1 : Number.POSITIVE_INFINITY;
};

/** `above`: records of events that a change may have caused; `effects`: records of events with a possible cause upstream. `now`: ms. */
const causeCandidatesFor = async (
  ports: SurroundingsPorts,
  tenant: string,
  { above, effects }: Readonly<Record<'above' | 'effects', ReadonlyMap<string, Enriched>>>,
  now: number,
): Promise<CauseCandidates> => {
  const cis = upstreamCis(effects.values());
  const isBound = [...above.values()].some(({ arrival }) => arrival.ciId !== null);
  const page = { sort: 'timestamp', order: 'desc', limit: PAGE } as const;
  const [changes, open] = await Promise.all([
    isBound ? changesOf(ports, tenant, now + UPSTREAM_MS) : [],
    cis.length === 0
      ? []
      : ports.events
          .part(tenant, { ciId: cis, statuses: ['open', 'acknowledged'], from: now - 2 * UPSTREAM_MS }, page)
          .then(({ items }) => items),
  ]);
  const unusual = await unusualOf(ports, tenant, open);
  return {
    changes: byCi(changes),
    open: byCi(unusual),
    below: new Map(unusual.map((event) => [event, causesBelow(ports, event)])),
  };
};

/** Habits of arrivals, by tenant and event; the next batch asks about most of them again. */
const HABITS: MemorySlot<Lru<string, number>> = { name: 'analysis-habits', open: () => new Lru(20_000) };

async function habitsOf(
  { correlation, memory }: SurroundingsPorts,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, number>> {
  const known = memory.of(HABITS);
  const habits = new Map(
    events.flatMap(({ id }) => {
      const habit = known.get(`${tenant}/${id}`);
      return habit === undefined ? [] : [[id, habit]];
    }),
  );
  const asked = events.flatMap(({ id }) => (habits.has(id) ? [] : [id]));
  if (asked.length === 0) return habits;
  for (const { arrival } of await correlation.enriched(tenant, asked)) {
    noteHabit({ memory }, arrival);
    habits.set(arrival.eventId, arrival.habit ?? 0);
  }
  return habits;
}

const noteHabit = ({ memory }: Pick<Ports, 'memory'>, { tenant, eventId, habit = 0 }: Arrival): void => {
  memory.of(HABITS).set(`${tenant}/${eventId}`, habit);
};

async function unusualOf(ports: SurroundingsPorts, tenant: string, events: readonly Event[]): Promise<Event[]> {
  const maybe = events.filter((event) => !event.usual && toldProblem(ports, event).kind.causes.length > 0);
  const habits = await habitsOf(ports, tenant, maybe);
  return maybe.filter((event) => !isUsualOn(event, habits.get(event.id)));
}

const MAX_AROUND = 50;
const READ_AROUND = 200;

/** Changes, and events that were on then, around an event of any age: what is resolved by now was not then. */
async function suspectsAround(
  ports: SurroundingsPorts,
  tenant: string,
  event: Event,
  enriched: Enriched | undefined,
): Promise<CauseCandidates> {
  const ciIds = around(event, enriched)
    .slice(0, MAX_AROUND)
    .map(({ ci }) => ci);
  if (ciIds.length === 0) return { changes: new Map(), open: new Map(), below: new Map() };
  const page = { sort: 'timestamp', order: 'desc', limit: READ_AROUND } as const;
  const filter = { ciId: ciIds, from: event.timestamp - UPSTREAM_MS, to: event.timestamp };
  const { items } = await ports.events.part(tenant, filter, page);
  const wasOn = ({ resolvedAt = Number.POSITIVE_INFINITY }: Event): boolean => resolvedAt > event.timestamp;
  const open = await unusualOf(
    ports,
    tenant,
    items.filter((one) => !isChange(one) && wasOn(one) && one.status !== 'suppressed'),
  );
  return {
    changes: byCi(items.filter((one) => isChange(one))),
    open: byCi(open),
    below: new Map(open.map((one) => [one, causesBelow(ports, one)])),
  };
}

const nearest = (a: Above, b: Above): number => a.hops - b.hops || b.event.timestamp - a.event.timestamp;

/** The CI of the event, and those above it. */
const around = (event: Event, enriched: Enriched | undefined): { ci: string; hops: number }[] => {
  if (event.ci === null) return [];
  return [{ ci: event.ci.id, hops: 0 }, ...(enriched?.upstream ?? []).filter(({ hops }) => hops > 0)];
};

const within = (event: Event, { timestamp }: Event, ms: number): boolean =>
  timestamp <= event.timestamp && timestamp >= event.timestamp - ms;

const changesFor = (event: Event, enriched: Enriched | undefined, { changes }: CauseCandidates): Above[] =>
  around(event, enriched)
    .flatMap(({ ci, hops }) => (changes.get(ci) ?? []).map((change) => ({ event: change, hops })))
    .filter(({ event: change }) => change.id !== event.id && within(event, change, CHANGE_MS))
    .sort(nearest);

/** It began in time for its kind, and is of a kind that can cause this one. */
const mayExplain = (ports: SurroundingsPorts, event: Event, above: Event): boolean => {
  const { kind } = toldProblem(ports, above);
  return within(event, above, kind.isSlow ? UPSTREAM_MS : SOON_MS) && canCause(kind, toldProblem(ports, event).kind);
};

const upstreamFor = (
  ports: SurroundingsPorts,
  event: Event,
  enriched: Enriched | undefined,
  { open, below }: CauseCandidates,
): Above[] =>
  around(event, enriched)
    .filter(({ hops }) => hops > 0)
    .flatMap(({ ci, hops }) => (open.get(ci) ?? []).map((above) => ({ event: above, hops })))
    .filter(({ event: above }) => severityRank(event.severity) < below.get(above)! && mayExplain(ports, event, above))
    .sort(nearest);

/** The links of events that are in a group, by event. */
const linksOf = (
  { links }: Pick<Ports, 'links'>,
  tenant: string,
  events: readonly Event[],
): ReturnType<LinkStore['linksOf']> =>
  links.linksOf(
    tenant,
    events.filter(({ correlationId }) => correlationId !== null),
  );

/** Earlier events of a signature that are looked at. */
const PAST = 200;
/** Number of alternatives to the candidate. */
const ALTERNATIVES = 2;
/** CIs that a candidate explains and that are looked up, the nearest. */
const EXPLAINED = 3;

type EvidencePorts = Pick<
  Ports,
  'events' | 'sweeps' | 'eventHistory' | 'links' | 'correlation' | 'topology' | 'memory' | 'records'
>;

/** A case that was not scored yet. */
export type Unscored = Omit<Case, 'score' | 'abstainBelow'>;

interface Batch {
  readonly tenant: string;
  readonly events: readonly Event[];
  /** Event time of the tenant's first event, ms. */
  readonly since: number;
  /** ms. */
  readonly now: number;
  /** IANA name of the tenant's time zone. */
  readonly zone: string;
  /** Confidence below which no cause is named. */
  readonly abstainBelow: number;
  /** False: of an event whose cause its group names, changes and open events above it are not read. */
  readonly isWhole: boolean;
  readonly runbooks: readonly RunbookRule[];
}

/** All that is read for a batch. */
interface BatchEvidence {
  readonly past: ReadonlyMap<string, readonly PastEvent[]>;
  readonly enriched: ReadonlyMap<string, Enriched>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly links: ReadonlyMap<string, EventLinks>;
  /** CIs that candidates explain, or are named by their parts, by id. */
  readonly cis: ReadonlyMap<string, CiRef>;
  /** Candidates, their alternatives and earlier events that were resolved, by id. */
  readonly events: ReadonlyMap<string, Event>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly lessons: ReadonlyMap<string, CauseLesson>;
  readonly runbooks: ReadonlyMap<string, string>;
}

const byId = (events: readonly Event[]): Map<string, Event> => new Map(events.map((event) => [event.id, event]));

const groupsOf = async ({ correlation }: EvidencePorts, { tenant, events }: Batch): Promise<Map<string, Group>> => {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))];
  const groups = await Promise.all(ids.map((id) => correlation.group(tenant, id)));
  return new Map(ids.flatMap((id, i) => (groups[i] ? [[id, groups[i]]] : [])));
};

const pastOf = (
  { eventHistory }: Pick<Ports, 'eventHistory'>,
  { tenant, events }: Batch,
): Promise<BatchEvidence['past']> => {
  const times = events.map(({ timestamp }) => timestamp);
  const signatures = events.map(({ signature }) => signature);
  const range = { from: Math.min(...times) - HISTORY_MS, to: Math.max(...times), limit: PAST };
  return eventHistory.history(tenant, [...new Set(signatures)], range);
};

/** Earlier than the event, in the order of times, then ids. */
const isEarlier = (event: Event, { id, timestamp }: PastEvent): boolean =>
  timestamp < event.timestamp || (timestamp === event.timestamp && id < event.id);

const earlierThan = (event: Event, past: BatchEvidence['past']): PastEvent[] =>
  (past.get(event.signature) ?? []).filter((one) => isEarlier(event, one));

const resolvedBefore = (event: Event, past: BatchEvidence['past']): string[] =>
  earlierThan(event, past)
    .filter(({ resolvedAt }) => resolvedAt !== null)
    .slice(0, RESOLUTIONS)
    .map(({ id }) => id);

const causeCandidateIds = ({ candidate }: Group): string[] =>
  candidate === null
    ? []
    : [candidate.eventId, ...candidate.alternatives.slice(0, ALTERNATIVES).map(({ eventId }) => eventId)];

const verdictsOf = async (
  { records }: EvidencePorts,
  tenant: string,
  groups: Iterable<Group>,
): Promise<Map<string, Verdict>> => {
  const found = await Promise.all(
    [...groups].map(async ({ id }) => [id, await records.get<GroupAssignment>(tenant, GROUP_CARE, id)] as const),
  );
  return new Map(found.flatMap(([id, care]) => (care?.body.verdict ? [[id, care.body.verdict] as const] : [])));
};

/** Runbooks that CIs name themselves. */
const runbooksOf = async ({ topology }: EvidencePorts, { tenant, events }: Batch): Promise<Map<string, string>> => {
  const ids = [...new Set(events.flatMap(({ ci }) => ci?.id ?? []))];
  const cis = ids.length === 0 ? [] : await topology.getCis(tenant, ids).catch(() => []);
  return new Map(
    cis.flatMap((ci) => {
      const text = ownRunbookOf(ci);
      return text === null ? [] : [[ci.id, text] as const];
    }),
  );
};

/** Unreadable CIs are cited as their group. */
const explainedOf = async (
  { topology }: EvidencePorts,
  { tenant }: Batch,
  groups: Iterable<Group>,
): Promise<Map<string, CiRef>> => {
  const ids = [...groups].flatMap(({ candidate }) => [
    ...(candidate?.explains.slice(0, EXPLAINED).map(({ ciId }) => ciId) ?? []),
    ...[wholeIn(candidate)].flatMap((id) => id ?? []),
  ]);
  if (ids.length === 0) return new Map();
  const cis = await topology.getCis(tenant, [...new Set(ids)]).catch(() => []);
  return new Map(cis.map(({ id, name, type }) => [id, { id, name, type }]));
};

const find = async (ports: EvidencePorts, batch: Batch): Promise<BatchEvidence> => {
  const { tenant, events } = batch;
  const ids = events.map(({ id }) => id);
  const [past, records, groups, links, lessons, runbooks] = await Promise.all([
    pastOf(ports, batch),
    ports.correlation.enriched(tenant, ids),
    groupsOf(ports, batch),
    linksOf(ports, tenant, events),
    causeLessons(ports, tenant),
    runbooksOf(ports, batch),
  ]);
  // Later events need the habits of those above them, and most of these are in this batch.
  for (const { arrival } of records) noteHabit(ports, arrival);
  const verdicts = await verdictsOf(ports, tenant, groups.values());
  const enriched = new Map(records.map((record) => [record.arrival.eventId, record]));
  const roots = [...verdicts.values()].flatMap(({ rootEventId }) => rootEventId ?? []);
  const named = [...[...groups.values()].flatMap(causeCandidateIds), ...roots];
  const resolved = events.flatMap((event) => resolvedBefore(event, past));
  const [cis, others] = await Promise.all([
    explainedOf(ports, batch, groups.values()),
    ports.events.getMany(tenant, [...new Set([...named, ...resolved])]),
  ]);
  return { past, enriched, groups, links, cis, events: byId(others), verdicts, lessons, runbooks };
};

/** The past of a signature of which more is stored than was read begins with the oldest that was read. */
const anomalyScoreIn = (
  event: Event,
  past: BatchEvidence['past'],
  { since }: Batch,
  zoneOffset: number,
): AnomalyScore => {
  const all = past.get(event.signature) ?? [];
  const known = all.length < PAST ? since : Math.max(since, lastItem(all).timestamp);
  const earlier = earlierThan(event, past).map(({ timestamp }) => timestamp);
  return anomalyScoreOf({ at: event.timestamp, earlier, since: known, zoneOffset });
};

/** Events that the candidate explains are related by the CMDB, whichever strategy found them. */
const isByTimeAlone = ({ id, ci }: Event, { candidate }: Group, { links }: BatchEvidence): boolean => {
  const { strategies } = links.get(id) ?? { strategies: new Set() };
  const isExplained = candidate?.explains.some(({ ciId }) => ciId === ci?.id) ?? false;
  return strategies.size === 1 && strategies.has(temporal.name) && !isExplained;
};

const groupFacts = (event: Event, found: BatchEvidence, { since }: Batch): GroupFacts | null => {
  const group = event.correlationId === null ? undefined : found.groups.get(event.correlationId);
  if (group === undefined) return null;
  const { id, size, candidate, foundedAt } = group;
  const whole = found.cis.get(wholeIn(candidate) ?? '');
  return {
    id,
    size,
    candidate,
    suspects: causeCandidateIds(group).flatMap((one) => found.events.get(one) ?? []),
    ...(whole && { whole }),
    explained: (candidate?.explains ?? []).slice(0, EXPLAINED).flatMap(({ ciId }) => found.cis.get(ciId) ?? []),
    byTimeAlone: isByTimeAlone(event, group, found),
    isLearning: isLearning(since, foundedAt),
  };
};

/** Calendars by time zone: building one costs as much as the analysis of a few events. */
const CALENDARS: MemorySlot<Lru<string, Calendar>> = { name: 'analysis-calendars', open: () => new Lru(100) };

const zoneOffsetOf = ({ memory }: Pick<Ports, 'memory'>, { zone, now }: Batch): number => {
  const calendars = memory.of(CALENDARS);
  const calendar = calendars.get(zone) ?? calendarOf(zone);
  calendars.set(zone, calendar);
  return calendar.offset(now);
};

/** Scores events without the other data of an analysis. */
export const anomalyScoresOf = async (
  ports: Pick<Ports, 'eventHistory' | 'memory'>,
  batch: Batch,
): Promise<AnomalyScore[]> => {
  if (batch.events.length === 0) return [];
  const past = await pastOf(ports, batch);
  const zoneOffset = zoneOffsetOf(ports, batch);
  return batch.events.map((event) => anomalyScoreIn(event, past, batch, zoneOffset));
};

const judgedIn = ({ correlationId }: Event, { groups, verdicts, events }: BatchEvidence): JudgedCause | null => {
  const group = correlationId === null ? undefined : groups.get(correlationId);
  const verdict = group && verdicts.get(group.id);
  if (verdict === undefined || verdict.cause === 'unknown') return null;
  const { by, at, cause, rootEventId, note = null } = verdict;
  const root = rootEventId === undefined ? null : (events.get(rootEventId) ?? null);
  return { by: by.name, at, isRight: cause === 'right', root, note };
};

const learnedIn = (group: GroupFacts | null, { lessons }: BatchEvidence): LearnedCause | null =>
  group === null || lessons.size === 0
    ? null
    : learnedCause(
        group.suspects.find(({ id }) => id === group.candidate?.eventId),
        group.suspects,
        lessons.values(),
      );

const MOST_WHOLE = 5;

/** All that rules need of each event, with a few calls for the whole batch of at most 500. */
export const gather = async (ports: EvidencePorts, batch: Batch): Promise<Unscored[]> => {
  const { tenant, now, abstainBelow, isWhole } = batch;
  const found = await find(ports, batch);
  const zoneOffset = zoneOffsetOf(ports, batch);
  const groups = new Map(batch.events.map((event) => [event, groupFacts(event, found, batch)]));
  const told = new Map(batch.events.map((event) => [event, toldProblem(ports, event)]));
  const usual = new Set(batch.events.filter((event) => isUsualOn(event, found.enriched.get(event.id)?.arrival.habit)));
  // Nothing is behind what is usual.
  const asked = batch.events.filter(
    (event) =>
      !usual.has(event) &&
      (isWhole ||
        entryOf(groups, event)?.candidate?.eventId === event.id ||
        !isNamedByGroup({ event, group: entryOf(groups, event), kind: entryOf(told, event).kind, abstainBelow })),
  );
  const recordsOf = (events: readonly Event[]): Map<string, Enriched> =>
    new Map(events.flatMap(({ id }) => found.enriched.get(id) ?? []).map((one) => [one.arrival.eventId, one]));
  const above = recordsOf(asked);
  // Only a change is behind a problem of the CI itself.
  const effects = recordsOf(asked.filter((event) => entryOf(told, event).kind.shows !== 'own'));
  const isFew = isWhole && asked.length <= MOST_WHOLE;
  const shared = isFew ? null : await causeCandidatesFor(ports, tenant, { above, effects }, now);
  const suspectsOf = async (event: Event): Promise<CauseCandidates> =>
    shared ?? (await suspectsAround(ports, tenant, event, above.get(event.id)));
  const suspects = new Map<Event, CauseCandidates>();
  for (const event of batch.events) suspects.set(event, await suspectsOf(event));
  return batch.events.map((event) => {
    const enriched = found.enriched.get(event.id);
    const strangeness = anomalyScoreIn(event, found.past, batch, zoneOffset);
    return {
      event,
      ...entryOf(told, event),
      isUsual: usual.has(event),
      judged: judgedIn(event, found),
      lesson: found.lessons.get(event.signature) ?? null,
      learned: learnedIn(entryOf(groups, event), found),
      runbook: found.runbooks.get(event.ci?.id ?? '') ?? runbookFor(event, batch.runbooks),
      ci: event.ci,
      // Unknown relationships do not count as missing.
      hasRelationships: enriched?.arrival.hasRelationships ?? true,
      strangeness,
      group: entryOf(groups, event),
      changes: changesFor(event, above.get(event.id), entryOf(suspects, event)),
      upstream: upstreamFor(ports, event, above.get(event.id), entryOf(suspects, event)),
      related: found.links.get(event.id)?.others ?? [],
      resolved: resolvedBefore(event, found.past).flatMap((id) => found.events.get(id) ?? []),
    };
  });
};
