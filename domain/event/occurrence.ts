import { entryOf, type Stamp, withEntry } from './change.ts';
import type { Condition, Event, Seen, Status } from './event.ts';
import type { Occurrence } from './incoming.ts';
import { isUsual, markSeen } from './seen.ts';
import { unitedDetails, unitedTags } from './union.ts';

export const MAX_CONDITIONS = 1_000;

export interface Newcomer {
  readonly tenant: string;
  readonly occurrence: Occurrence;
  /** How often the identity was seen before, on resolved events too. */
  readonly seen: Seen | null;
  /** Event time of a recovery that is later than this occurrence but came first: the event is saved as resolved. */
  readonly recoveredAt: number | null;
}

const statusFields = (status: Status, at: number): Partial<Event> => {
  if (status === 'resolved') return { resolvedAt: at, resolutionCategory: 'auto-resolved' };
  return status === 'acknowledged' ? { acknowledgedAt: at } : {};
};

/** A new event, made from the record alone and what was seen of its identity. */
export const create = ({ tenant, occurrence, seen, recoveredAt }: Newcomer, stamp: Stamp): Event => {
  const {
    newId,
    conditionId,
    timestamp,
    status: wished = 'open',
    dedupWindowMs: _window,
    ongoing: _,
    ...rest
  } = occurrence;
  const status = recoveredAt === null ? wished : 'resolved';
  const at = recoveredAt ?? timestamp;
  const late = recoveredAt === null ? null : { notes: 'recovered before it was reported' };
  return {
    ...rest,
    tenant,
    id: newId,
    status,
    timestamp,
    conditions: conditionId === null || status === 'resolved' ? [] : [{ id: conditionId, position: stamp.position }],
    count: 1,
    firstOccurrence: timestamp,
    lastOccurrence: timestamp,
    correlationId: null,
    ...statusFields(status, at),
    history: [{ at, by: null, from: null, to: status, ...late, position: stamp.position }],
    usual: isUsual(seen, timestamp),
    seen: markSeen(seen, timestamp),
    createdAt: stamp.receivedAt,
    updatedAt: stamp.receivedAt,
    createdPosition: stamp.position,
    position: stamp.position,
  };
};

const holds = (conditions: readonly Condition[], id: string): boolean => conditions.some((held) => held.id === id);

const withCondition = (event: Event, id: string | null, position: number): readonly Condition[] =>
  id === null || holds(event.conditions, id) ? event.conditions : [...event.conditions, { id, position }];

/** False when the event is full: a further condition starts a new event. */
export const hasRoomFor = (event: Event, conditionId: string | null): boolean =>
  conditionId === null || event.conditions.length < MAX_CONDITIONS || holds(event.conditions, conditionId);

/** Longer silent than the tenant's window, in event time: the next occurrence supersedes it. */
export const isSilent = (event: Event, { timestamp, dedupWindowMs }: Occurrence): boolean =>
  timestamp - event.lastOccurrence > dedupWindowMs;

/** A condition may change its severity: history has the change; status and identity stay. */
const escalation = (event: Event, { severity, timestamp }: Occurrence, stamp: Stamp): Event['history'] => {
  if (severity === event.severity) return event.history;
  const moved = { at: timestamp, to: event.status, severity: { from: event.severity, to: severity } };
  return withEntry(event.history, entryOf(event, moved, stamp));
};

export interface Further {
  readonly occurrence: Occurrence;
  /** What is remembered of the event's identity. */
  readonly seen: Seen | null;
  /** Found by its condition, so that severity and signature may have changed. */
  readonly byCondition: boolean;
}

/** When it was last there. */
const lastSeen = ({ timestamp, ongoing }: Occurrence, { receivedAt }: Stamp): number =>
  ongoing ? Math.max(timestamp, receivedAt) : timestamp;

/** One more occurrence of an open event. One literal, because nine of ten records come through here. */
export const repeat = (event: Event, { occurrence, seen, byCondition }: Further, stamp: Stamp): Event => {
  const { timestamp, description } = occurrence;
  const latest = byCondition ? occurrence : event;
  const repeated = {
    ...event,
    severity: latest.severity,
    signature: latest.signature,
    history: byCondition ? escalation(event, occurrence, stamp) : event.history,
    conditions: withCondition(event, occurrence.conditionId, stamp.position),
    count: event.count + 1,
    firstOccurrence: Math.min(event.firstOccurrence, timestamp),
    lastOccurrence: Math.max(event.lastOccurrence, lastSeen(occurrence, stamp)),
    tags: unitedTags(event.tags, occurrence.tags),
    details: unitedDetails(event, occurrence),
    seen: markSeen(seen, timestamp),
    position: Math.max(event.position, stamp.position),
    updatedAt: Math.max(event.updatedAt, stamp.receivedAt),
  };
  if (description !== undefined) repeated.description = description;
  return repeated;
};

/** Whether an occurrence changed more than what every occurrence changes: severity, signature. */
export const isEscalated = (before: Event, after: Event): boolean =>
  before.history !== after.history || before.signature !== after.signature;

/** Whether a change of another kind touched what occurrences gather. */
export const changedTally = (before: Event, after: Event): boolean =>
  before.conditions !== after.conditions || before.tags !== after.tags;
