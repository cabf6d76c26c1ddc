import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { Event } from '#domain/event/event.ts';
import { EVENT_FIELDS, fieldsOf } from '#domain/event/fields.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import type {
  AnsweredDelivery,
  BatchRows,
  Effects,
  Entry,
  EventKey,
  EventPart,
  Fold,
  Reads,
  Recovery,
} from '#domain/pipeline/processor.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import { ALL } from './all-work.ts';

/** Effects of one batch, in order. `parts` are united per event, like in the runner. */
export interface Asked {
  readonly events: Map<string, Event>;
  readonly parts: Map<string, Set<EventPart>>;
  readonly recoveries: Recovery[];
  readonly deliveries: AnsweredDelivery[];
  readonly enriched: Enriched[];
  readonly decisions: Decision[];
  readonly groups: Group[];
  readonly emitted: { topic: string; entry: Entry<unknown> }[];
  readonly receipts: Map<number, Receipt>;
  readonly records: SideRecord[];
  readonly forgotten: string[];
}

export interface Around {
  readonly events?: readonly Event[];
  readonly enriched?: readonly Enriched[];
  readonly settings?: CorrelationSettings | ((tenant: string) => CorrelationSettings);
  readonly around?: (tenant: string, ciId: string, at: number) => ArrivalTopology | undefined;
}

const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;

/** Answers from the batch, else from stored rows, and refuses keys that `reads` has not named. */
const lookup = <T>(what: string, batch: Map<string, T>, stored: Map<string, T>, named: readonly EventKey[] = []) => {
  const allowed = new Set(named.map(({ tenant, id }) => keyOf(tenant, id)));
  return (tenant: string, id: string): T | undefined => {
    const key = keyOf(tenant, id);
    if (batch.has(key)) return batch.get(key);
    if (stored.has(key) && !allowed.has(key)) throw new Error(`${what} ${key} was not named by reads`);
    return stored.get(key);
  };
};

const nothingAsked = (): Asked => ({
  events: new Map(),
  parts: new Map(),
  recoveries: [],
  deliveries: [],
  enriched: [],
  decisions: [],
  groups: [],
  emitted: [],
  receipts: new Map(),
  records: [],
  forgotten: [],
});

/** Fields that belong to no part: every save writes them. */
const ALWAYS: ReadonlySet<string> = new Set(fieldsOf('fence'));

/** Fields that changed although the save named no part that holds them: a store would lose them. */
const lost = (before: Event, after: Event, parts: ReadonlySet<EventPart>): string[] => {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((field) => was.get(field) !== is.get(field));
  return changed.filter((field) => !ALWAYS.has(field) && !parts.has(EVENT_FIELDS[field as keyof Event] as EventPart));
};

/** Adds the effects of a step to `asked`, and rows visible to later steps of the batch to the two maps. */
const collect = (asked: Asked, deliveries: Map<string, AnsweredDelivery>): Effects => ({
  saveEvent(event, part) {
    const key = keyOf(event.tenant, event.id);
    asked.events.set(key, event);
    asked.parts.set(key, (asked.parts.get(key) ?? new Set()).add(part));
  },
  saveRecovery: (recovery) => void asked.recoveries.push(recovery),
  saveDelivery(delivery) {
    asked.deliveries.push(delivery);
    deliveries.set(keyOf(delivery.tenant, delivery.id), delivery);
  },
  saveEnriched: (record) => void asked.enriched.push(record),
  saveDecision: (decision) => void asked.decisions.push(decision),
  saveGroup: (group) => void asked.groups.push(group),
  saveRecord: (record) => void asked.records.push(record),
  emit: (topic, entry) => void asked.emitted.push({ topic, entry }),
  receipt: (position, receipt) => void asked.receipts.set(position, receipt),
  forget: (tenant) => void asked.forgotten.push(tenant),
});

/**
 * Runs one fold by itself, like the runner: read the rows of the batch, step, settle, save. Keys of `events` and
 * `asked.events` are `tenant/id`.
 */
export function driveFold<State, In>(fold: Fold<State, In>, given: Around = {}) {
  const state = fold.open();
  const events = new Map((given.events ?? []).map((event) => [keyOf(event.tenant, event.id), event]));
  const deliveries = new Map<string, AnsweredDelivery>();
  const enriched = new Map((given.enriched ?? []).map((e) => [keyOf(e.arrival.tenant, e.arrival.eventId), e]));
  /** All of them, in the order of saving. */
  const records = [...(given.enriched ?? [])];
  const recoveries: Recovery[] = [];
  const settings = given.settings ?? DEFAULT_SETTINGS;

  const batch = (entries: readonly Entry<In>[]): Asked => {
    const named: Reads = fold.reads(state, entries);
    const asked = nothingAsked();
    const newDeliveries = new Map<string, AnsweredDelivery>();
    const effects = collect(asked, newDeliveries);
    const storedRecord = (tenant: string, id: string, isWanted: (record: Enriched) => boolean) => {
      const record = records.findLast(isWanted);
      const isNamed = named.enriched?.some((key) => key.tenant === tenant && key.id === id) ?? false;
      if (record && !isNamed) throw new Error(`enriched record ${id} was not named by reads`);
      return record;
    };
    const found: BatchRows = {
      event: lookup('event', asked.events, events, named.events),
      delivery: lookup('delivery', newDeliveries, deliveries, named.deliveries),
      joined: () => {
        throw new Error('only merge asks for groups');
      },
      home: () => {
        throw new Error('only merge asks for groups');
      },
      turns: () => {
        throw new Error('only merge asks for turns');
      },
      enriched(tenant, id, through = Number.POSITIVE_INFINITY) {
        const isWanted = ({ arrival }: Enriched) =>
          arrival.tenant === tenant && arrival.eventId === id && arrival.position <= through;
        return asked.enriched.findLast(isWanted) ?? storedRecord(tenant, id, isWanted);
      },
      around: (tenant, ciId, at) => given.around?.(tenant, ciId, at),
      settings: (tenant) => (typeof settings === 'function' ? settings(tenant) : settings),
    };
    for (const entry of entries) fold.step(state, entry, found, effects);
    fold.proceed?.(state, effects, ALL);
    fold.settle?.(state, effects);
    for (const [key, event] of asked.events) {
      const before = events.get(key);
      const missing = before === undefined ? [] : lost(before, event, asked.parts.get(key) ?? new Set());
      if (missing.length > 0) throw new Error(`event ${key} was saved without ${missing.join(', ')}`);
      events.set(key, event);
    }
    for (const [key, delivery] of newDeliveries) deliveries.set(key, delivery);
    for (const record of asked.enriched) enriched.set(keyOf(record.arrival.tenant, record.arrival.eventId), record);
    records.push(...asked.enriched);
    recoveries.push(...asked.recoveries);
    return asked;
  };
  return { state, events, deliveries, enriched, recoveries, batch };
}
