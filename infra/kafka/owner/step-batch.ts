import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { NO_TURNS, type PlacedTurn } from '#domain/correlation/turns.ts';
import type { Event } from '#domain/event/event.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import type {
  AnsweredDelivery,
  Effects,
  Entry,
  EventPart,
  Found,
  Recovery,
  StoredGroup,
} from '#domain/pipeline/processor.ts';
import type { Changes, Loaded } from '#domain/ports/pipeline-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';

/** Everything that a batch has named, read before its first step. */
export interface ReadRows extends Loaded {
  readonly around: ReadonlyMap<string, ArrivalTopology>;
  readonly settings: ReadonlyMap<string, CorrelationSettings>;
}

export interface Emitted {
  readonly topic: string;
  readonly entry: Entry<unknown>;
}

/** A record that could not be handled. */
export interface Rejected {
  /** Sorts by the time at which the record came, and is the same whenever it is rejected again. */
  readonly id: string;
  readonly tenant: string;
  readonly topic: string;
  readonly offset: number;
  readonly position: number;
  readonly processor: string;
  readonly reason: string;
  /** ms. */
  readonly at: number;
  /** As it was received, in base64. */
  readonly value: string;
  /** True for a document that the store refuses, in JSON: its record was carried out otherwise. */
  readonly isDocument: boolean;
  /** 1 when it is absent. */
  readonly attempts?: number;
}

export const aroundKey = (tenant: string, ciId: string, at: number): string => `${tenant}\n${ciId}\n${at}`;
const rowKey = (tenant: string, id: string): string => `${tenant}\n${id}`;

interface Touched {
  event: Event;
  readonly parts: Set<EventPart>;
}

/** One batch of one fold: what it read and what it wants done; nothing is saved or sent before the batch is in the journal. */
export class StepBatch implements Effects, Found {
  readonly emitted: Emitted[] = [];
  readonly receipts = new Map<number, Receipt>();
  readonly rejected: Rejected[] = [];
  /** Tenants of which nothing may be remembered after the batch. */
  readonly forgotten = new Set<string>();
  readonly #touched = new Map<string, Touched>();
  readonly #recoveries = new Map<string, Recovery>();
  readonly #deliveries = new Map<string, AnsweredDelivery>();
  /** All of them, and the newest of each event: it may arrive again within the batch. */
  readonly #enriched: Enriched[] = [];
  readonly #newest = new Map<string, Enriched>();
  readonly #decisions: Decision[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #records: SideRecord[] = [];
  readonly #rows: ReadRows;

  constructor(rows: ReadRows) {
    this.#rows = rows;
  }

  /** Each document once, as the batch leaves it. */
  get changes(): Changes {
    return {
      events: [...this.#touched.values()],
      recoveries: [...this.#recoveries.values()],
      deliveries: [...this.#deliveries.values()],
      enriched: this.#enriched,
      decisions: this.#decisions,
      groups: [...this.#groups.values()],
      ...(this.#records.length > 0 && { records: this.#records }),
    };
  }

  event(tenant: string, id: string): Event | undefined {
    const event = this.#touched.get(id)?.event ?? this.#rows.events.get(id);
    return event?.tenant === tenant ? event : undefined;
  }
  delivery(tenant: string, id: string): AnsweredDelivery | undefined {
    return this.#deliveries.get(rowKey(tenant, id)) ?? this.#rows.deliveries.get(rowKey(tenant, id));
  }
  around(tenant: string, ciId: string, at: number): ArrivalTopology | undefined {
    return this.#rows.around.get(aroundKey(tenant, ciId, at));
  }
  settings(tenant: string): CorrelationSettings {
    const settings = this.#rows.settings.get(tenant);
    if (settings === undefined) throw new Error(`The settings of tenant ${tenant} were not read before the step`);
    return settings;
  }
  enriched(tenant: string, id: string, through = Number.POSITIVE_INFINITY): Enriched | undefined {
    const isWanted = ({ arrival }: Enriched): boolean => arrival.position <= through && arrival.tenant === tenant;
    const newest = this.#newest.get(id);
    if (newest !== undefined && isWanted(newest)) return newest;
    return this.#rows.enriched.get(id)?.findLast(isWanted);
  }
  turns(_tenant: string, id: string): readonly PlacedTurn[] {
    return this.#rows.turns.get(id) ?? NO_TURNS;
  }
  joined(_tenant: string, eventId: string): string | null {
    return this.#rows.joined.get(eventId) ?? null;
  }
  groupOf(tenant: string, eventId: string): StoredGroup | undefined {
    const stored = this.#rows.groupsOf.get(eventId);
    return stored?.group.tenant === tenant ? stored : undefined;
  }

  saveEvent(event: Event, part: EventPart): void {
    const known = this.#touched.get(event.id);
    if (known === undefined) this.#touched.set(event.id, { event, parts: new Set([part]) });
    else {
      known.event = event;
      known.parts.add(part);
    }
  }
  saveRecovery(recovery: Recovery): void {
    this.#recoveries.set(rowKey(recovery.tenant, recovery.conditionId), recovery);
  }
  saveDelivery(delivery: AnsweredDelivery): void {
    this.#deliveries.set(rowKey(delivery.tenant, delivery.id), delivery);
  }
  saveEnriched(enriched: Enriched): void {
    this.#enriched.push(enriched);
    this.#newest.set(enriched.arrival.eventId, enriched);
  }
  saveDecision(decision: Decision): void {
    this.#decisions.push(decision);
  }
  saveGroup(group: Group): void {
    this.#groups.set(group.id, group);
  }
  saveRecord(record: SideRecord): void {
    this.#records.push(record);
  }
  emit(topic: string, entry: Entry<unknown>): void {
    this.emitted.push({ topic, entry });
  }
  receipt(position: number, receipt: Receipt): void {
    this.receipts.set(position, receipt);
  }
  forget(tenant: string): void {
    this.forgotten.add(tenant);
  }
}
