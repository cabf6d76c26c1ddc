import { RESOLUTIONS } from '#domain/analysis/actions.ts';
import type { Case, GroupFacts } from '#domain/analysis/case.ts';
import { HISTORY_MS, type Strangeness, strangenessOf } from '#domain/analysis/strangeness.ts';
import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import type { PastEvent } from '#domain/ports/events/event-history.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { changesFor, type Suspects, suspectsFor, upstreamFor } from './surroundings.ts';

/** Earlier events of a signature that are looked at. */
const PAST = 200;
const RELATED = 10;
/** Of the candidate's alternatives. */
const ALTERNATIVES = 2;
const DECISIONS_OF = 50;
const DECISIONS = 2_000;

export type Reading = Pick<Ports, 'events' | 'sweeps' | 'eventHistory' | 'correlation'>;

/** A case that was not scored yet. */
export type Unscored = Omit<Case, 'score' | 'abstainBelow'>;

interface Batch {
  readonly tenant: string;
  readonly events: readonly Event[];
  /** Event time of the tenant's first event, ms. */
  readonly since: number;
  /** ms. */
  readonly now: number;
}

/** All that is read for a batch. */
interface Found {
  readonly past: ReadonlyMap<string, readonly PastEvent[]>;
  readonly enriched: ReadonlyMap<string, Enriched>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly suspects: Suspects;
  readonly related: ReadonlyMap<string, readonly string[]>;
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

/** Both ends of every accepted link, the best score of each pair first. */
const linked = (decisions: readonly Decision[]): Map<string, string[]> => {
  const scores = new Map<string, Map<string, number>>();
  const add = (one: string, other: string, score: number): void => {
    const known = scores.get(one) ?? new Map<string, number>();
    scores.set(one, known.set(other, Math.max(score, known.get(other) ?? 0)));
  };
  for (const { eventId, accepted } of decisions)
    for (const { other, score } of accepted) {
      add(eventId, other, score);
      add(other, eventId, score);
    }
  const best = (found: Map<string, number>): string[] =>
    [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  return new Map([...scores].map(([id, found]) => [id, best(found).slice(0, RELATED)]));
};

const relatedOf = async ({ correlation }: Reading, { tenant, events }: Batch): Promise<Map<string, string[]>> => {
  const ids = events.filter(({ correlationId }) => correlationId !== null).map(({ id }) => id);
  const decisions: Decision[] = [];
  for (let from = 0; from < ids.length; from += DECISIONS_OF)
    decisions.push(...(await correlation.decisionsOf(tenant, ids.slice(from, from + DECISIONS_OF), DECISIONS)));
  return linked(decisions);
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

const find = async (ports: Reading, batch: Batch): Promise<Found> => {
  const { tenant, events, now } = batch;
  const ids = events.map(({ id }) => id);
  const [past, records, groups, related] = await Promise.all([
    pastOf(ports, batch),
    ports.correlation.enriched(tenant, ids),
    groupsOf(ports, batch),
    relatedOf(ports, batch),
  ]);
  const enriched = new Map(records.map((record) => [record.arrival.eventId, record]));
  const named = [...groups.values()].flatMap(suspectIds);
  const resolved = events.flatMap((event) => resolvedBefore(event, past));
  const [suspects, others] = await Promise.all([
    suspectsFor(ports, tenant, enriched, now),
    ports.events.getMany(tenant, [...new Set([...named, ...resolved])]),
  ]);
  return { past, enriched, groups, suspects, related, events: byId(others) };
};

/** The past of a signature of which more is stored than was read begins with the oldest that was read. */
const strangenessIn = (event: Event, { past }: Found, { since }: Batch): Strangeness => {
  const all = past.get(event.signature) ?? [];
  const known = all.length < PAST ? since : Math.max(since, all.at(-1)!.timestamp);
  const earlier = earlierThan(event, past).map(({ timestamp }) => timestamp);
  return strangenessOf({ at: event.timestamp, earlier, since: known });
};

const groupFacts = ({ correlationId }: Event, { groups, events }: Found): GroupFacts | null => {
  const group = correlationId === null ? undefined : groups.get(correlationId);
  if (group === undefined) return null;
  const suspects = suspectIds(group).flatMap((id) => events.get(id) ?? []);
  return { id: group.id, size: group.size, candidate: group.candidate, suspects };
};

/** All that rules need of each event, with a few calls for the whole batch of at most 500. */
export const gather = async (ports: Reading, batch: Batch): Promise<Unscored[]> => {
  const found = await find(ports, batch);
  return batch.events.map((event) => {
    const enriched = found.enriched.get(event.id);
    return {
      ...{ event, complaint: complaintOf(event), ci: event.ci },
      // Of what is not known nothing is missed.
      hasRelationships: enriched?.arrival.hasRelationships ?? true,
      strangeness: strangenessIn(event, found, batch),
      group: groupFacts(event, found),
      changes: changesFor(event, enriched, found.suspects),
      upstream: upstreamFor(event, enriched, found.suspects),
      related: found.related.get(event.id) ?? [],
      resolved: resolvedBefore(event, found.past).flatMap((id) => found.events.get(id) ?? []),
    };
  });
};
