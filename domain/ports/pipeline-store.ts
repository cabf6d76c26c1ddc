import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { PlacedTurn } from '#domain/correlation/turns.ts';
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
export interface Loaded {
  readonly events: ReadonlyMap<string, Event>;
  /** By tenant, a line feed and the id: the senders choose these ids. */
  readonly deliveries: ReadonlyMap<string, AnsweredDelivery>;
  /** By position; of records later than the key's `through`, and of those before the one that is wanted, some may be missing. */
  readonly enriched: ReadonlyMap<string, readonly Enriched[]>;
  /**
   * Id of the group by id of the event, as the decisions say, since an event hears of it later. Not that of an event which returned, by
   * its records up to the wanted one, after the group had closed.
   */
  readonly joined: ReadonlyMap<string, string>;
  readonly homes: ReadonlyMap<string, string>;
  readonly turns: ReadonlyMap<string, readonly PlacedTurn[]>;
  /** By the id of the event whose group it is. */
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
export const MOST_PAGE_BYTES = 64 * 2 ** 20;

/** Reads and saves of a processor of distributed mode. Throws Fault `unavailable` while the store is down. */
export interface PipelineStore {
  load(
    reads: Pick<Reads, 'events' | 'deliveries' | 'enriched' | 'joined' | 'homes' | 'turns' | 'groupsOf'>,
  ): Promise<Loaded>;
  /**
   * Saves fenced: a document that is further on stays, an enriched record or decision that exists stays. Not atomic: a crash may leave a
   * part. Returns the ids that were further on, which their owner loads anew.
   */
  save(changes: Changes): Promise<{ readonly furtherOn: readonly EventKey[] }>;
  /** Rows that refill memory, of the tenants that `mine` holds. Sees everything saved before the call. */
  restorable(mine: (tenant: string) => boolean, options?: RestoreOptions): Restorable;
  /** The last batch of an owner, null before the first. Sees what was written last. */
  readJournal(owner: string): Promise<JournalPage | null>;
  /**
   * False, and nothing is written, when this number or a later one is there already: then somebody else owns the partition. Throws Fault
   * `too-large` for a page above `MOST_PAGE_BYTES`.
   */
  writeJournal(owner: string, page: JournalPage): Promise<boolean>;
}
