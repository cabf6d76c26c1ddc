import { firstItem, lastItem } from '#domain/assert.ts';
import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { Event } from '#domain/event/event.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type {
  AnsweredDelivery,
  AnyProcessor,
  BatchRows,
  Effects,
  Entry,
  EventPart,
  Pipeline,
  Reads,
  Recovery,
  StoredGroup,
} from './processor.ts';

const PARTS: readonly EventPart[] = ['created', 'tally', 'state', 'said', 'assigned'];
/** Every combination once, so that a batch makes no set for each event. The place of a set has one bit for each part. */
const SETS: readonly ReadonlySet<EventPart>[] = Array.from(
  { length: 2 ** PARTS.length },
  (_, place) => new Set(PARTS.filter((_, bit) => (place & (1 << bit)) !== 0)),
);
const PLACES: ReadonlyMap<ReadonlySet<EventPart>, number> = new Map(SETS.map((set, place) => [set, place]));

export const NO_PARTS = firstItem(SETS);
export const EVERY_PART = lastItem(SETS);

/** The shared set with one part more; `parts` is such a set. */
export const withPart = (parts: ReadonlySet<EventPart>, part: EventPart): ReadonlySet<EventPart> =>
  parts.has(part) ? parts : SETS[PLACES.get(parts)! | (1 << PARTS.indexOf(part))]!;

/** Events and records as the batch leaves them. */
export type BatchView = Pick<BatchRows, 'event' | 'enriched'>;

interface GroupSources {
  turns(tenant: string, id: string, batch: BatchView): readonly PlacedTransition[];
  joined(tenant: string, eventId: string, returned: number | undefined, batch: BatchView): string | null;
  home(tenant: string, eventId: string, batch: BatchView): string | null;
  groupOf(tenant: string, eventId: string, through: number, batch: BatchView): StoredGroup | undefined;
}

/** Sources of unchanged data for a batch: tables in embedded mode, rows loaded before in distributed mode. */
export interface Sources extends GroupSources {
  delivery(tenant: string, id: string): AnsweredDelivery | undefined;
  around(tenant: string, ciId: string, at: number): ArrivalTopology | undefined;
  settings(tenant: string): CorrelationSettings;
  enriched(tenant: string, id: string, through: number): Enriched | undefined;
}

/** An event as the batch leaves it, and the parts to be written. */
interface ChangedEvent {
  event: Event;
  parts: ReadonlySet<EventPart>;
}

interface BatchOptions<Decided> {
  readonly sources: Sources;
  /** Events that were read, by id. */
  readonly read: ReadonlyMap<string, Event>;
  /** Form in which a decision waits for the end of the batch: its links are large. */
  readonly pack: (decision: Decision) => Decided;
}

/** Returns the key of a row that has a tenant and an id. */
export const rowKey = (tenant: string, id: string): string => `${tenant}\n${id}`;

/**
 * Reads, changes and emitted records of a batch. Embedded mode runs one through all processors, distributed mode one
 * through each. Nothing is stored before the batch is submitted or in the journal.
 */
export class Batch<Decided, Rejected> implements Effects, BatchRows {
  readonly changed = new Map<string, ChangedEvent>();
  readonly recoveries: Recovery[] = [];
  /** Deliveries by `rowKey`. */
  readonly deliveries = new Map<string, AnsweredDelivery>();
  /** All of them: an event may arrive again within the batch. */
  readonly enrichedRecords: Enriched[] = [];
  readonly decisions: Decided[] = [];
  readonly groups = new Map<string, Group>();
  readonly records: SideRecord[] = [];
  readonly receipts = new Map<number, Receipt>();
  readonly rejected: Rejected[] = [];
  /** Tenants of which nothing may be remembered after the batch. */
  readonly forgotten: string[] = [];
  readonly topics = new Map<string, Entry<unknown>[]>();
  /** Entries put on all topics by processors. */
  emitted = 0;
  readonly #newest = new Map<string, Enriched>();
  readonly #options: BatchOptions<Decided>;

  constructor(options: BatchOptions<Decided>) {
    this.#options = options;
  }

  /** All entries of a topic so far, in order. */
  entries(topic: string): Entry<unknown>[] {
    let list = this.topics.get(topic);
    if (list === undefined) {
      list = [];
      this.topics.set(topic, list);
    }
    return list;
  }

  event(tenant: string, id: string): Event | undefined {
    const event = this.changed.get(id)?.event ?? this.#options.read.get(id);
    return event?.tenant === tenant ? event : undefined;
  }
  delivery(tenant: string, id: string): AnsweredDelivery | undefined {
    return this.deliveries.get(rowKey(tenant, id)) ?? this.#options.sources.delivery(tenant, id);
  }
  around(tenant: string, ciId: string, at: number): ArrivalTopology | undefined {
    return this.#options.sources.around(tenant, ciId, at);
  }
  settings(tenant: string): CorrelationSettings {
    return this.#options.sources.settings(tenant);
  }
  enriched(tenant: string, id: string, through = Number.POSITIVE_INFINITY): Enriched | undefined {
    const newest = this.#newest.get(id);
    if (newest === undefined || newest.arrival.tenant !== tenant)
      return this.#options.sources.enriched(tenant, id, through);
    if (newest.arrival.position <= through) return newest;
    const isWanted = ({ arrival }: Enriched): boolean => arrival.eventId === id && arrival.position <= through;
    return this.enrichedRecords.findLast(isWanted) ?? this.#options.sources.enriched(tenant, id, through);
  }
  turns(tenant: string, id: string): readonly PlacedTransition[] {
    return this.#options.sources.turns(tenant, id, this);
  }
  joined(tenant: string, eventId: string, returned?: number): string | null {
    return this.#options.sources.joined(tenant, eventId, returned, this);
  }
  home(tenant: string, eventId: string): string | null {
    return this.#options.sources.home(tenant, eventId, this);
  }
  groupOf(tenant: string, eventId: string, through: number): StoredGroup | undefined {
    return this.#options.sources.groupOf(tenant, eventId, through, this);
  }

  saveEvent(event: Event, part: EventPart): void {
    const known = this.changed.get(event.id);
    if (known === undefined) this.changed.set(event.id, { event, parts: withPart(NO_PARTS, part) });
    else {
      known.event = event;
      known.parts = withPart(known.parts, part);
    }
  }
  saveRecovery(recovery: Recovery): void {
    this.recoveries.push(recovery);
  }
  saveDelivery(delivery: AnsweredDelivery): void {
    this.deliveries.set(rowKey(delivery.tenant, delivery.id), delivery);
  }
  saveEnriched(enriched: Enriched): void {
    this.enrichedRecords.push(enriched);
    this.#newest.set(enriched.arrival.eventId, enriched);
  }
  saveDecision(decision: Decision): void {
    this.decisions.push(this.#options.pack(decision));
  }
  saveGroup(group: Group): void {
    this.groups.set(group.id, group);
  }
  saveRecord(record: SideRecord): void {
    this.records.push(record);
  }
  emit(topic: string, entry: Entry<unknown>): void {
    this.emitted += 1;
    this.entries(topic).push(entry);
  }
  receipt(position: number, receipt: Receipt): void {
    this.receipts.set(position, receipt);
  }
  forget(tenant: string): void {
    this.forgotten.push(tenant);
  }
}

/** A processor with its memory. */
export interface Stage {
  readonly processor: AnyProcessor;
  readonly state: unknown;
}

/** Measurements of a step in both modes. */
export interface StepMeter {
  /** Monotonic, ms. */
  now(): number;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  count(name: string, labels: Readonly<Record<string, string>>, by: number): void;
}

/** Differences between the modes. */
export interface StepWork {
  /** Entries that wait in memory and are worked off at most. */
  readonly most: number;
  readonly meter: StepMeter;
  /** Reads the rows that the entries need. Absent: they were read before. */
  read?(reads: Reads): void;
  /**
   * Returns true if the processor accepts the entry at `index` now; throws when the entry cannot be decoded. Absent: it
   * accepts all.
   */
  admits?(index: number): boolean;
  /** Sets an entry aside that the processor cannot handle, so that it holds up no other. Throws when the whole batch has failed. */
  reject(entry: Entry<unknown>, error: unknown): void;
}

/** Runs a batch of entries through one processor. True when more of its backlog could be processed now. */
export const step = (
  { processor, state }: Stage,
  entries: readonly Entry<unknown>[],
  batch: Effects & BatchRows,
  work: StepWork,
): boolean => {
  const { meter } = work;
  const began = meter.now();
  let taken = 0;
  if (processor.kind === 'fold') work.read?.(processor.reads(state, entries));
  let index = 0;
  for (const entry of entries) {
    try {
      if (work.admits?.(index++) === false) continue;
      if (processor.kind === 'fold') processor.step(state, entry, batch, batch);
      else processor.match(state, entry, batch);
    } catch (error) {
      work.reject(entry, error);
    }
    taken += 1;
  }
  const more = processor.kind === 'fold' && settle(processor, state, batch, work);
  const labels = { processor: processor.name };
  meter.observe('faultline_processor_step_seconds', labels, (meter.now() - began) / 1000);
  meter.count('faultline_processor_records_total', { ...labels, direction: 'in' }, taken);
  return more;
};

type AnyFold = Extract<AnyProcessor, { kind: 'fold' }>;

/** Work of a fold once for all entries of the batch. */
const settle = (fold: AnyFold, state: unknown, batch: Effects, { most, reject }: StepWork): boolean => {
  const more = fold.proceed?.(state, batch, { most, failed: reject }) ?? false;
  fold.settle?.(state, batch);
  return more;
};

export const openStages = (pipeline: Pipeline): Stage[] =>
  pipeline.map((processor) => ({ processor, state: processor.open() }));
