import { type Facts, wasClosedAt } from '#domain/correlation/grouping/groups.ts';
import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { NO_TURNS, type PlacedTurn, turnsOf } from '#domain/correlation/turns.ts';
import type { Event } from '#domain/event/event.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import type {
  AnsweredDelivery,
  Effects,
  Entry,
  EventPart,
  Found,
  Reads,
  Recovery,
  StoredGroup,
} from '#domain/pipeline/processor.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import { type PackedDecision, packDecision } from '#infra/embedded/correlation/decision-row.ts';
import { NO_PARTS, withPart } from '#infra/embedded/events/parts.ts';
import type { RejectedEntry } from '#infra/embedded/records/dead-letters.ts';

/** The reads of a batch: rows as the batch before it left them, committed or pending. Synchronous, so no other change comes in between. */
export interface Sources {
  events(keys: NonNullable<Reads['events']>): readonly Event[];
  delivery(tenant: string, id: string): AnsweredDelivery | undefined;
  around(tenant: string, ciId: string, at: number): ArrivalTopology | undefined;
  settings(tenant: string): CorrelationSettings;
  enriched(tenant: string, id: string, through: number): Enriched | undefined;
  group(tenant: string, correlationId: string): Group | undefined;
  /** The group that stands for a correlationId now, with its members. */
  groupOf(tenant: string, correlationId: string): StoredGroup | undefined;
}

/** An event as the batch leaves it, and the parts to be written. */
export interface ChangedEvent {
  event: Event;
  parts: ReadonlySet<EventPart>;
}

/** One batch on its way through all processors: what it read, changed and emitted; nothing is on disk before the commit. */
export class Batch implements Effects, Found {
  readonly changed = new Map<string, ChangedEvent>();
  readonly recoveries: Recovery[] = [];
  readonly deliveries = new Map<string, AnsweredDelivery>();
  /** All of them: an event may arrive again within the batch. */
  readonly enrichedRecords: Enriched[] = [];
  readonly decisions: PackedDecision[] = [];
  readonly groups = new Map<string, Group>();
  readonly records: SideRecord[] = [];
  readonly receipts = new Map<number, Receipt>();
  /** Entries put on all topics by processors. */
  emitted = 0;
  readonly rejected: RejectedEntry[] = [];
  readonly #topics = new Map<string, Entry<unknown>[]>();
  readonly #read = new Map<string, Event>();
  readonly #newest = new Map<string, Enriched>();
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** All entries of a topic so far, in order. */
  entries(topic: string): Entry<unknown>[] {
    let list = this.#topics.get(topic);
    if (list === undefined) {
      list = [];
      this.#topics.set(topic, list);
    }
    return list;
  }

  /** Loads in one call the events that a processor is about to need; everything else is read when asked for. */
  prefetch(reads: Reads): void {
    const named = reads.joined ?? reads.events ?? [];
    const missing = named.filter(({ id }) => !this.changed.has(id) && !this.#read.has(id));
    if (missing.length > 0) for (const event of this.#sources.events(missing)) this.#read.set(event.id, event);
  }

  event(tenant: string, id: string): Event | undefined {
    const event = this.changed.get(id)?.event ?? this.#read.get(id);
    return event?.tenant === tenant ? event : undefined;
  }
  delivery(tenant: string, id: string): AnsweredDelivery | undefined {
    return this.deliveries.get(`${tenant} ${id}`) ?? this.#sources.delivery(tenant, id);
  }
  around(tenant: string, ciId: string, at: number): ArrivalTopology | undefined {
    return this.#sources.around(tenant, ciId, at);
  }
  settings(tenant: string): CorrelationSettings {
    return this.#sources.settings(tenant);
  }
  enriched(tenant: string, id: string, through = Number.POSITIVE_INFINITY): Enriched | undefined {
    const newest = this.#newest.get(id);
    if (newest === undefined) return this.#sources.enriched(tenant, id, through);
    if (newest.arrival.position <= through) return newest;
    const isWanted = ({ arrival }: Enriched): boolean => arrival.eventId === id && arrival.position <= through;
    return this.enrichedRecords.findLast(isWanted) ?? this.#sources.enriched(tenant, id, through);
  }
  turns(tenant: string, id: string): readonly PlacedTurn[] {
    const event = this.event(tenant, id);
    return event === undefined ? NO_TURNS : turnsOf(event);
  }
  joined(tenant: string, eventId: string, returned?: number): string | null {
    const id = this.event(tenant, eventId)?.correlationId ?? null;
    if (id === null || returned === undefined) return id;
    const group = this.#sources.group(tenant, id);
    return group && wasClosedAt(group, returned) ? null : id;
  }
  groupOf(tenant: string, eventId: string, through: number): StoredGroup | undefined {
    const event = this.event(tenant, eventId) ?? this.#sources.events([{ tenant, id: eventId }])[0];
    const stored = event?.correlationId ? this.#sources.groupOf(tenant, event.correlationId) : undefined;
    if (stored === undefined) return undefined;
    const asOf = (facts: Facts): Facts => {
      const record = this.enriched(tenant, facts.arrival.eventId, through);
      return record === undefined ? facts : { ...record, turns: facts.turns ?? NO_TURNS };
    };
    return { ...stored, members: stored.members.map(asOf) };
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
    this.deliveries.set(`${delivery.tenant} ${delivery.id}`, delivery);
  }
  saveEnriched(enriched: Enriched): void {
    this.enrichedRecords.push(enriched);
    this.#newest.set(enriched.arrival.eventId, enriched);
  }
  saveDecision(decision: Decision): void {
    this.decisions.push(packDecision(decision));
  }
  saveGroup(group: Group): void {
    this.groups.set(group.id, group);
  }
  saveRecord(record: SideRecord): void {
    this.records.push(record);
  }
  emit(topic: string, entry: Entry<unknown>): void {
    this.emitted++;
    this.entries(topic).push(entry);
  }
  receipt(position: number, receipt: Receipt): void {
    this.receipts.set(position, receipt);
  }
  /** What the tables remember goes with their rows. */
  forget(): void {}
  reject(rejected: RejectedEntry): void {
    this.rejected.push(rejected);
  }
}
