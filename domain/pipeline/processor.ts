import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { Arrival, Decision, Enriched, Group, Outcome } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { SavedHabits } from '#domain/correlation/window/habits.ts';
import type { Event, Recency } from '#domain/event/event.ts';
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
  /** Tenants whose current topology is required: a cache may be older than the change in a record. */
  readonly freshTopology?: readonly string[];
  readonly settings?: readonly string[];
  readonly enriched?: readonly EnrichedKey[];
  /** Ends and returns of these events. */
  readonly turns?: readonly EventKey[];
  /** Events whose group is requested. */
  readonly joined?: readonly EventKey[];
  /** Events whose closed group is requested, regardless of later returns. */
  readonly homes?: readonly EventKey[];
  /** The group that each of these events is in, closed ones too, with its members as of `through`. */
  readonly groupsOf?: readonly EnrichedKey[];
}

/** A group as stored, with the facts of all its members (those of its aliases too) in their state at a position. */
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
  turns(tenant: string, id: string): readonly PlacedTransition[];
  /**
   * Returns the group to which merge has assigned the event, also when the event does not contain it yet; null when in
   * none, and when it had closed at `returned`, the position at which the event returned.
   */
  joined(tenant: string, eventId: string, returned?: number): string | null;
  /** Returns the current closed group of the event's last assignment; null when that is none, or is open. */
  home(tenant: string, eventId: string): string | null;
  /** Returns the current group of the event's correlationId. */
  groupOf?(tenant: string, eventId: string, through: number): StoredGroup | undefined;
}

/** Rows as they were read, with the changes of the batch. */
export interface BatchRows extends FoundEvents, FoundContext, FoundGroups {}

/**
 * Parts of an event that a save changes; an adapter may write no more. `tally`: fields that occurrences accumulate.
 * `assigned`: correlationId. `said`: fields that hardly ever change after creation, as title, hostname and service.
 * `state`: all else.
 */
export type EventPart = 'created' | ChangedPart;

/** Target for objects that a step saves. */
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

/** Target for records to other processors. */
export interface Emits {
  emit(topic: string, entry: Entry<unknown>): void;
}

/** Target for all effects of a step; the runner saves first, then emits, then answers. */
export interface Effects extends Saves, Emits {
  receipt(position: number, receipt: Receipt): void;
  /** Clears the tenant: no earlier saved state may be cached after the batch. */
  forget(tenant: string): void;
}

/** The fields by which deduplication finds an event; `details` may be `sourceIds` alone. */
export type OpenEvent = Pick<
  Event,
  'tenant' | 'id' | 'identity' | 'source' | 'sourceId' | 'conditions' | 'details' | 'createdPosition' | 'position'
>;

/** Occurrences of an identity, as one of its events knows them. */
interface SeenIdentity {
  readonly tenant: string;
  readonly identity: string;
  readonly seen: Recency;
}

/** An arrival as windows and rates had it. */
export interface Arrived {
  readonly arrival: Arrival;
  readonly late: boolean;
  /** Ends and returns of its event by position, those after the arrival too. */
  readonly turns: readonly PlacedTransition[];
}

/** A member of a closed group. */
export interface LastingMember {
  readonly tenant: string;
  readonly eventId: string;
  /** The current group. */
  readonly groupId: string;
  /** Ends and returns by position; absent: it is active, and was at every requested position. */
  readonly turns?: readonly PlacedTransition[];
}

interface LastingMembers {
  /**
   * Returns events that are open or acknowledged, or were at some position after `decided`, in any order; without
   * changes.
   */
  lasting(decided: number): AsyncIterable<readonly LastingMember[]>;
}

interface HabitRecords {
  /** Habits of CIs, the older records of a tenant first. */
  habits(): AsyncIterable<{ readonly tenant: string; readonly saved: SavedHabits }>;
}

/**
 * Rows that refill memory after a start, in order of position unless stated otherwise. Large kinds arrive in pieces:
 * one turn for each row would double the time. Times in ms of event time.
 */
export interface Restorable extends LastingMembers, HabitRecords {
  /** Maximum of all newest times: events that arrived while a clock was ahead would hide all else. */
  readonly until: number;
  /** Returns open events in any order. */
  openEvents(): AsyncIterable<readonly OpenEvent[]>;
  /**
   * Returns recent occurrences by identity: events with lastOccurrence at most `reachMs` before their tenant's newest.
   */
  seen(reachMs: number): AsyncIterable<readonly SeenIdentity[]>;
  recoveries(receivedSince: number): AsyncIterable<Recovery>;
  /** Arrivals at most `reachMs` before their tenant's newest, late ones too. */
  arrivals(reachMs: number): AsyncIterable<readonly Arrived[]>;
  /** Groups that are open. */
  openGroups(): AsyncIterable<Group>;
  /**
   * Returns decisions whose group (or its alias) is open, and those at or after `since`, with the arrival's facts and,
   * as `partners`, those of others that `joined` by it or had returned, as of then; with all transitions since.
   */
  decisions(since: number): AsyncIterable<{ decision: Outcome; facts: Facts; partners: readonly Facts[] }>;
  /**
   * Returns the newest event time per tenant: of its arrivals (`time`, null when its events were saved but have no
   * arrivals yet), of all occurrences (`last`), and of the first occurrence of its events (`newest`).
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

/** Owns state: processes records one by one and returns what to save and emit. */
export interface Fold<State, In> extends Processor<State, In> {
  readonly kind: 'fold';
  /**
   * `settled`: the value of `settled` at the last durable batch, or its newest position; absent: no log has a batch.
   */
  restore(state: State, from: Restorable, now: number, settled?: number): Promise<void>;
  reads(state: State, batch: readonly Entry<In>[]): Reads;
  /** Computes before it changes `state`, so that a throw leaves it as it was. */
  step(state: State, entry: Entry<In>, found: BatchRows, effects: Effects): void;
  /**
   * Runs after the last entry of a batch: processes at most `most` of the backlog. True when more of it could be done
   * now.
   */
  proceed?(state: State, effects: Effects, work: BacklogWork): boolean;
  /** Runs after the last entry of a batch and `proceed`: work to be done once per batch. */
  settle?(state: State, effects: Effects): void;
  /** Nothing of records up to this position lives in memory only; absent: of none does. */
  settled?(state: State): number;
  /** Absent: nothing waits in memory for other records. */
  readonly backlog?: Backlog<State>;
}

/** Amount of backlog to process, and the target for an entry that cannot be processed: it blocks none behind it. */
export interface BacklogWork {
  readonly most: number;
  failed(entry: Entry<unknown>, error: unknown): void;
}

/**
 * Bounds the backlog. When it is full, the owner of the partition reads ahead: it accepts only entries that are
 * `wanted`, and returns to the others when the backlog is empty.
 */
export interface Backlog<State> {
  isFull(state: State): boolean;
  isEmpty(state: State): boolean;
  /** True if the entry is about a waiting one, or reports the progress of a writer. */
  wants(state: State, entry: Entry<unknown>): boolean;
  /** Reading ahead begins: entries that do not wait yet are left for later. */
  leave(state: State): void;
  /** Ends reading ahead: information about skipped entries is forgotten, since it will be read again. */
  return(state: State): void;
}

/** Matches arrivals within a window; stores nothing. */
export interface Join<State, In> extends Processor<State, In> {
  readonly kind: 'join';
  match(state: State, entry: Entry<In>, effects: Emits): void;
  /** Returns the best part of an emitted value that `fits` in a record; null when nothing does. */
  smaller?(value: unknown, fits: (value: unknown) => boolean): unknown;
  /** Emits how far this processor is. */
  passed(through: Entry<null>, effects: Emits): void;
}

// biome-ignore lint/suspicious/noExplicitAny: a pipeline holds processors of differing state and input; each is sound by itself.
export type AnyProcessor = Fold<any, any> | Join<any, any>;
export type Pipeline = readonly AnyProcessor[];
