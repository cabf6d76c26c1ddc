import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { Arrival, Decision, Enriched, Group, Outcome } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { PlacedTurn } from '#domain/correlation/turns.ts';
import type { Event, Seen } from '#domain/event/event.ts';
import type { ChangedPart } from '#domain/event/fields.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';

/** One entry of a topic. Everything that an incoming record causes carries its position. */
export interface Entry<T> {
  readonly tenant: string;
  readonly position: number;
  readonly value: T;
}

export interface EventKey {
  readonly tenant: string;
  readonly id: string;
}

/** `through`: the record wanted is the newest up to this position; absent: the newest of all. */
export interface EnrichedKey extends EventKey {
  readonly through?: number;
}

/** The rows that a batch must read before it can be stepped. */
export interface Reads {
  readonly events?: readonly EventKey[];
  readonly deliveries?: readonly EventKey[];
  readonly around?: readonly { readonly tenant: string; readonly ciId: string; readonly at: number }[];
  /** Tenants whose topology is asked for as it is now: what a cache holds may be older than the change that a record tells of. */
  readonly freshTopology?: readonly string[];
  readonly settings?: readonly string[];
  readonly enriched?: readonly EnrichedKey[];
  /** Ends and returns of these events. */
  readonly turns?: readonly EventKey[];
  /** Which group each of these events was put in. */
  readonly joined?: readonly EventKey[];
  /** The closed group that each of these events is in, whatever it came back for since. */
  readonly homes?: readonly EventKey[];
  /** The group that each of these events is in, closed ones too, with its members as of `through`. */
  readonly groupsOf?: readonly EnrichedKey[];
}

/** A group as stored, with the facts of all its members (those of its aliases too) as they stood at a position. */
export interface StoredGroup {
  readonly group: Group;
  readonly members: readonly Facts[];
}

/** A delivery that was answered once already. */
export interface AnsweredDelivery {
  readonly tenant: string;
  readonly id: string;
  readonly receipt: Receipt;
  readonly position: number;
  readonly at: number;
}

/** A recovery of the last 60 min; an earlier occurrence that arrives later is saved as resolved. */
export interface Recovery {
  readonly tenant: string;
  readonly conditionId: string;
  /** Event time of the recovery, and when it was received. */
  readonly at: number;
  readonly receivedAt: number;
  readonly position: number;
  /** The event whose condition ended; absent when none was open. */
  readonly eventId?: string;
}

/** Events that a batch has read, as the batch has changed them; and deliveries. */
export interface FoundEvents {
  event(tenant: string, id: string): Event | undefined;
  delivery(tenant: string, id: string): AnsweredDelivery | undefined;
}

interface FoundContext {
  around(tenant: string, ciId: string, at: number): ArrivalTopology | undefined;
  settings(tenant: string): CorrelationSettings;
}

/** Groups of events, as the batch has changed them. */
export interface FoundGroups {
  /** The newest record of the event, of those up to the position when it is given. */
  enriched(tenant: string, id: string, through?: number): Enriched | undefined;
  /** Ends and returns of the event by position, later ones too. */
  turns(tenant: string, id: string): readonly PlacedTurn[];
  /**
   * The group that merge has put the event in, also when the event itself does not say so yet; null when in none, and when it had
   * closed at `returned`, the position at which the event came back.
   */
  joined(tenant: string, eventId: string, returned?: number): string | null;
  /** The closed group that stands for where merge has put the event last; null when that is none, or is open. */
  home(tenant: string, eventId: string): string | null;
  /** The group that stands for the event's correlationId now. */
  groupOf?(tenant: string, eventId: string, through: number): StoredGroup | undefined;
}

/** Rows as they were read, with the changes of the batch. */
export interface Found extends FoundEvents, FoundContext, FoundGroups {}

/**
 * Which parts of an event a save changes; an adapter may write no more. `tally`: what occurrences gather. `assigned`: correlationId.
 * `said`: what hardly ever changes after the creation, as title, hostname and service. `state`: all else.
 */
export type EventPart = 'created' | ChangedPart;

/** Where a step puts what it wants saved. */
interface Saves {
  saveEvent(event: Event, part: EventPart): void;
  saveRecovery(recovery: Recovery): void;
  saveDelivery(delivery: AnsweredDelivery): void;
  saveEnriched(enriched: Enriched): void;
  saveDecision(decision: Decision): void;
  saveGroup(group: Group): void;
  /** A new record, stored with the batch: once, however often the batch is repeated. */
  saveRecord(record: SideRecord): void;
}

/** Where a step puts records for other processors. */
export interface Emits {
  emit(topic: string, entry: Entry<unknown>): void;
}

/** Where a step puts what it wants done; the runner saves first, then emits, then answers. */
export interface Effects extends Saves, Emits {
  receipt(position: number, receipt: Receipt): void;
  /** After the batch nothing may be remembered of what the tenant had saved before. */
  forget(tenant: string): void;
}

/** The fields by which deduplication finds an event; `details` may be `sourceIds` alone. */
export type OpenEvent = Pick<
  Event,
  'tenant' | 'id' | 'identity' | 'source' | 'sourceId' | 'conditions' | 'details' | 'createdPosition' | 'position'
>;

/** How often an identity was seen, as one of its events knows it. */
interface SeenIdentity {
  readonly tenant: string;
  readonly identity: string;
  readonly seen: Seen;
}

/** An arrival as windows and rates had it. */
export interface Arrived {
  readonly arrival: Arrival;
  readonly late: boolean;
  /** Ends and returns of its event by position, those after the arrival too. */
  readonly turns: readonly PlacedTurn[];
}

/** A member of a closed group. */
export interface LastingMember {
  readonly tenant: string;
  readonly eventId: string;
  /** The group that stands. */
  readonly groupId: string;
  /** Ends and returns by position; absent: it is on, and was at every position that is asked for. */
  readonly turns?: readonly PlacedTurn[];
}

interface LastingMembers {
  /** Those that are open or acknowledged, or were at some position after `decided`, in any order; changes are none. */
  lasting(decided: number): AsyncIterable<readonly LastingMember[]>;
}

/**
 * Rows that refill memory after a start, in order of position unless said otherwise. Large kinds come in pieces: one turn for each
 * row takes as long as all else. Times in ms of event time.
 */
export interface Restorable extends LastingMembers {
  /** No newest time is later than this: what came while a clock was ahead would hide all else. */
  readonly until: number;
  /** In any order. */
  openEvents(): AsyncIterable<readonly OpenEvent[]>;
  /** How often each identity was seen lately: events with lastOccurrence at most `reachMs` before their tenant's newest. */
  seen(reachMs: number): AsyncIterable<readonly SeenIdentity[]>;
  recoveries(receivedSince: number): AsyncIterable<Recovery>;
  /** Arrivals at most `reachMs` before their tenant's newest, late ones too. */
  arrivals(reachMs: number): AsyncIterable<readonly Arrived[]>;
  /** Groups that are open. */
  openGroups(): AsyncIterable<Group>;
  /**
   * Decisions whose group (or its alias) is open, and those at or after `since`, with the arrival's facts and, as `partners`, those of
   * other events that `joined` by it, as they stood then; with all turns since.
   */
  decisions(since: number): AsyncIterable<{ decision: Outcome; facts: Facts; partners: readonly Facts[] }>;
  /**
   * Newest event time per tenant: of its arrivals (`time`, null when its events were saved and nobody has made arrivals of them yet),
   * of all occurrences (`last`), and of the first occurrence of its events (`newest`).
   */
  watermarks(): AsyncIterable<{ tenant: string; time: number | null; last: number; newest: number }>;
}

interface Processor<State, In> {
  /** Also consumer group, metrics label and log field. */
  readonly name: string;
  readonly input: string;
  /** Memory of one partition. */
  open(): State;
  restore(state: State, from: Restorable, now: number): Promise<void>;
  /** Sizes for metrics at the time `now`, ms, for example `{ open_events: 12 }`. */
  sizes?(state: State, now: number): Readonly<Record<string, number>>;
  /** A marker only for types. */
  readonly __in?: In;
}

/** Owns state: takes records one by one and says what to save and emit. */
export interface Fold<State, In> extends Processor<State, In> {
  readonly kind: 'fold';
  /** `settled`: what `settled` said at the last durable batch, or the newest position of it; absent: no log has a batch. */
  restore(state: State, from: Restorable, now: number, settled?: number): Promise<void>;
  reads(state: State, batch: readonly Entry<In>[]): Reads;
  /** Computes before it changes `state`, so that a throw leaves it as it was. */
  step(state: State, entry: Entry<In>, found: Found, effects: Effects): void;
  /** After the last entry of a batch: works off at most `most` of what waits in memory. True when more of it could be done now. */
  proceed?(state: State, effects: Effects, work: BacklogWork): boolean;
  /** After the last entry of a batch and `proceed`: what is worth doing once per batch. */
  settle?(state: State, effects: Effects): void;
  /** Nothing of records up to this position lives in memory only; absent: of none does. */
  settled?(state: State): number;
  /** Absent: nothing waits in memory for other records. */
  readonly backlog?: Backlog<State>;
}

/** How much of what waits in memory is worked off, and where an entry goes that cannot be: it holds up none behind it. */
export interface BacklogWork {
  readonly most: number;
  failed(entry: Entry<unknown>, error: unknown): void;
}

/**
 * Bounds what waits in memory. When it is full, the owner of the partition reads ahead: it takes only entries that are `wanted`, and
 * comes back to the others when the backlog is empty.
 */
export interface Backlog<State> {
  isFull(state: State): boolean;
  isEmpty(state: State): boolean;
  /** Whether the entry is about what waits already, or says how far a writer is. */
  wants(state: State, entry: Entry<unknown>): boolean;
  /** Reading ahead begins: entries that do not wait yet are left for later. */
  leave(state: State): void;
  /** Reading ahead ends: what was said about entries that were left is forgotten, since it will be read again. */
  return(state: State): void;
}

/** Matches arrivals within a window; keeps nothing in a store. */
export interface Join<State, In> extends Processor<State, In> {
  readonly kind: 'join';
  match(state: State, entry: Entry<In>, effects: Emits): void;
  /** The best of what was emitted that `fits` in a record; null when nothing does. */
  smaller?(value: unknown, fits: (value: unknown) => boolean): unknown;
  /** Emits how far this processor is. */
  passed(through: Entry<null>, effects: Emits): void;
}

// biome-ignore lint/suspicious/noExplicitAny: a pipeline holds processors of differing state and input; each is sound by itself.
export type AnyProcessor = Fold<any, any> | Join<any, any>;
export type Pipeline = readonly AnyProcessor[];
