import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { Event } from '#domain/event/event.ts';
import type {
  AnsweredDelivery,
  EventKey,
  EventPart,
  Reads,
  Recovery,
  Restorable,
  StoredGroup,
} from '#domain/pipeline/processor.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** The changes of one batch of one processor; each document at most once, as the batch left it. */
export interface Changes {
  readonly events: readonly { readonly event: Event; readonly parts: ReadonlySet<EventPart> }[];
  readonly recoveries: readonly Recovery[];
  readonly deliveries: readonly AnsweredDelivery[];
  readonly enriched: readonly Enriched[];
  readonly decisions: readonly Decision[];
  readonly groups: readonly Group[];
  /** New records; one that exists stays as it is. Absent: none. */
  readonly records?: readonly SideRecord[];
}

/** The rows that a batch named, by id; what does not exist is missing. */
export interface LoadedRows {
  readonly events: ReadonlyMap<string, Event>;
  /** Deliveries by tenant, a line feed and the id: the senders choose these ids. */
  readonly deliveries: ReadonlyMap<string, AnsweredDelivery>;
  /**
   * Records by position; of records later than the key's `through`, and of those before the requested one, some may be
   * missing.
   */
  readonly enriched: ReadonlyMap<string, readonly Enriched[]>;
  /**
   * Id of the group by id of the event, from the decisions, since an event is updated later. Without events which
   * returned, by their records up to the requested one, after the group had closed.
   */
  readonly joined: ReadonlyMap<string, string>;
  readonly homes: ReadonlyMap<string, string>;
  readonly turns: ReadonlyMap<string, readonly PlacedTransition[]>;
  /** Groups by the id of the event. */
  readonly groupsOf: ReadonlyMap<string, StoredGroup>;
}

export interface RestoreOptions {
  /** Arrivals, and the newest event time per tenant, count only up to this position. */
  readonly through?: number;
  /** A newest event time later than 5 min after this counts as of a clock that was ahead, ms. */
  readonly now?: number;
}

/** The saves and sends of a batch, written before they happen: after a crash its next owner finishes them. */
export interface JournalPage {
  /** Grows by one with every batch of the owner. */
  readonly number: number;
  readonly body: string;
}

/** The largest page, in stored bytes: below the limit of Elasticsearch for one request (100 MiB). */
export const MAX_PAGE_BYTES = 64 * 2 ** 20;

/** Reads and saves of a processor of distributed mode. Throws Fault `unavailable` while the store is down. */
export interface PipelineStore {
  load(
    reads: Pick<Reads, 'events' | 'deliveries' | 'enriched' | 'joined' | 'homes' | 'turns' | 'groupsOf'>,
  ): Promise<LoadedRows>;
  /**
   * Saves fenced: a newer document stays, an existing enriched record or decision stays. Not atomic: a crash may leave
   * a part. Returns the ids of newer documents, which their owner loads again.
   */
  save(changes: Changes): Promise<{ readonly furtherOn: readonly EventKey[] }>;
  /** Rows that refill memory, of the tenants that `mine` holds. Sees everything saved before the call. */
  restorable(mine: (tenant: string) => boolean, options?: RestoreOptions): Restorable;
  /** Returns the last batch of an owner, null before the first. Reads the latest write. */
  readJournal(owner: string): Promise<JournalPage | null>;
  /**
   * Returns false, and writes nothing, when this number or a later one exists: then another process owns the partition.
   * Throws Fault `too-large` for a page above `MAX_PAGE_BYTES`.
   */
  writeJournal(owner: string, page: JournalPage): Promise<boolean>;
}
