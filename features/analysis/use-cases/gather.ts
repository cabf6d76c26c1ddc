import type { Enriched, Group } from '#domain/correlation/records.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import { isLearning } from '#domain/correlation/window/learning.ts';
import type { CiRef, Event } from '#domain/event/event.ts';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import { lastItem } from '#domain/known.ts';
import type { PastEvent } from '#domain/ports/events/event-history.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { RESOLUTIONS } from '#features/analysis/rules/actions.ts';
import type { Case, GroupFacts } from '#features/analysis/rules/case.ts';
import { HISTORY_MS, type Strangeness, strangenessOf } from '#features/analysis/rules/strangeness.ts';
import { calendarOf } from '#features/questions/rules/time/calendar.ts';
import { type Links, linksOf } from './links.ts';
import { changesFor, type Suspects, suspectsFor, upstreamFor } from './surroundings.ts';

/** Earlier events of a signature that are looked at. */
const PAST = 200;
/** Of the candidate's alternatives. */
const ALTERNATIVES = 2;
/** CIs that a candidate explains and that are looked up, the nearest. */
const EXPLAINED = 3;

type Reading = Pick<Ports, 'events' | 'sweeps' | 'eventHistory' | 'correlation' | 'topology'>;

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
}

/** All that is read for a batch. */
interface Found {
  readonly past: ReadonlyMap<string, readonly PastEvent[]>;
  readonly enriched: ReadonlyMap<string, Enriched>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly suspects: Suspects;
  readonly links: ReadonlyMap<string, Links>;
  /** CIs that candidates explain, by id. */
  readonly cis: ReadonlyMap<string, CiRef>;
  /** Candidates, their alternatives and earlier events that were resolved, by id. */
  readonly events: ReadonlyMap<string, Event>;
}

const byId = (events: readonly Event[]): Map<string, Event> => new Map(events.map((event) => [event.id, event]));

const groupsOf = async ({ correlation }: Reading, { tenant, events }: Batch): Promise<Map<string, Group>> => {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))];
  const groups = await Promise.all(ids.map((id) => correlation.group(tenant, id)));
  return new Map(ids.flatMap((id, i) => (groups[i] ? [[id, groups[i]]] : [])));
};

const pastOf = ({ eventHistory }: Reading, { tenant, events }: Batch): Promise<Found['past']> => {
  const times = events.map(({ timestamp }) => timestamp);
  const signatures = events.map(({ signature }) => signature);
  const range = { from: Math.min(...times) - HISTORY_MS, to: Math.max(...times), limit: PAST };
  return eventHistory.history(tenant, [...new Set(signatures)], range);
};

/** Earlier than the event, in the order of times, then ids. */
const isEarlier = (event: Event, { id, timestamp }: PastEvent): boolean =>
  timestamp < event.timestamp || (timestamp === event.timestamp && id < event.id);

const earlierThan = (event: Event, past: Found['past']): PastEvent[] =>
  (past.get(event.signature) ?? []).filter((one) => isEarlier(event, one));

const resolvedBefore = (event: Event, past: Found['past']): string[] =>
  earlierThan(event, past)
    .filter(({ resolvedAt }) => resolvedAt !== null)
    .slice(0, RESOLUTIONS)
    .map(({ id }) => id);

const suspectIds = ({ candidate }: Group): string[] =>
  candidate === null
    ? []
    : [candidate.eventId, ...candidate.alternatives.slice(0, ALTERNATIVES).map(({ eventId }) => eventId)];

/** The group is cited for those that cannot be read. */
const explainedOf = async (
  { topology }: Reading,
  { tenant }: Batch,
  groups: Iterable<Group>,
): Promise<Map<string, CiRef>> => {
  const ids = [...groups].flatMap(({ candidate }) => candidate?.explains.slice(0, EXPLAINED) ?? []);
  if (ids.length === 0) return new Map();
  const cis = await topology.getCis(tenant, [...new Set(ids.map(({ ciId }) => ciId))]).catch(() => []);
  return new Map(cis.map(({ id, name, type }) => [id, { id, name, type }]));
};

const find = async (ports: Reading, batch: Batch): Promise<Found> => {
  const { tenant, events, now } = batch;
  const ids = events.map(({ id }) => id);
  const [past, records, groups, links] = await Promise.all([
    pastOf(ports, batch),
    ports.correlation.enriched(tenant, ids),
    groupsOf(ports, batch),
    linksOf(ports, tenant, events),
  ]);
  const enriched = new Map(records.map((record) => [record.arrival.eventId, record]));
  const named = [...groups.values()].flatMap(suspectIds);
  const resolved = events.flatMap((event) => resolvedBefore(event, past));
  const [suspects, cis, others] = await Promise.all([
    suspectsFor(ports, tenant, enriched, now),
    explainedOf(ports, batch, groups.values()),
    ports.events.getMany(tenant, [...new Set([...named, ...resolved])]),
  ]);
  return { past, enriched, groups, suspects, links, cis, events: byId(others) };
};

/** The past of a signature of which more is stored than was read begins with the oldest that was read. */
const strangenessIn = (event: Event, { past }: Found, { since }: Batch, zoneOffset: number): Strangeness => {
  const all = past.get(event.signature) ?? [];
  const known = all.length < PAST ? since : Math.max(since, lastItem(all).timestamp);
  const earlier = earlierThan(event, past).map(({ timestamp }) => timestamp);
  return strangenessOf({ at: event.timestamp, earlier, since: known, zoneOffset });
};

/** Events that the candidate explains are related by the CMDB, whichever strategy found them. */
const isByTimeAlone = ({ id, ci }: Event, { candidate }: Group, { links }: Found): boolean => {
  const { strategies } = links.get(id) ?? { strategies: new Set() };
  const isExplained = candidate?.explains.some(({ ciId }) => ciId === ci?.id) ?? false;
  return strategies.size === 1 && strategies.has(temporal.name) && !isExplained;
};

const groupFacts = (event: Event, found: Found, { since }: Batch): GroupFacts | null => {
  const group = event.correlationId === null ? undefined : found.groups.get(event.correlationId);
  if (group === undefined) return null;
  const { id, size, candidate, foundedAt } = group;
  return {
    id,
    size,
    candidate,
    suspects: suspectIds(group).flatMap((one) => found.events.get(one) ?? []),
    explained: (candidate?.explains ?? []).slice(0, EXPLAINED).flatMap(({ ciId }) => found.cis.get(ciId) ?? []),
    byTimeAlone: isByTimeAlone(event, group, found),
    isLearning: isLearning(since, foundedAt),
  };
};

/** All that rules need of each event, with a few calls for the whole batch of at most 500. */
export const gather = async (ports: Reading, batch: Batch): Promise<Unscored[]> => {
  const found = await find(ports, batch);
  const zoneOffset = calendarOf(batch.zone).offset(batch.now);
  return batch.events.map((event) => {
    const enriched = found.enriched.get(event.id);
    return {
      event,
      complaint: complaintOf(event),
      ci: event.ci,
      // Of what is not known nothing is missed.
      hasRelationships: enriched?.arrival.hasRelationships ?? true,
      strangeness: strangenessIn(event, found, batch, zoneOffset),
      group: groupFacts(event, found, batch),
      changes: changesFor(event, enriched, found.suspects),
      upstream: upstreamFor(event, enriched, found.suspects),
      related: found.links.get(event.id)?.others ?? [],
      resolved: resolvedBefore(event, found.past).flatMap((id) => found.events.get(id) ?? []),
    };
  });
};
