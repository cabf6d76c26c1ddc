import { isAboutSplits, partnersIn } from '#domain/correlation/grouping/apply.ts';
import { isOn } from '#domain/correlation/grouping/group-state.ts';
import { type Facts, lastReturn, wasClosedAt } from '#domain/correlation/grouping/groups.ts';
import type { Decision, Enriched, Group, Outcome } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition, transitionsOf } from '#domain/correlation/status-transitions.ts';
import { HABITS } from '#domain/correlation/window/habits.ts';
import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { Fault } from '#domain/fault.ts';
import type {
  AnsweredDelivery,
  EnrichedKey,
  EventKey,
  LastingMember,
  Reads,
  Recovery,
  Restorable,
} from '#domain/pipeline/processor.ts';
import {
  type Changes,
  type JournalPage,
  type LoadedRows,
  MAX_PAGE_BYTES,
  type PipelineStore,
  type RestoreOptions,
} from '#domain/ports/pipeline-store.ts';
import type { SideRecord } from '#domain/side-record.ts';

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;
const byPosition = <T extends { readonly position: number }>(rows: Iterable<T>): T[] =>
  [...rows].sort((a, b) => a.position - b.position);

/** Called before each document is written; may throw, so that a save stays half done. */
export type SaveFault = () => void;

/** A pipeline store in memory that fulfills only the guarantees of the port: a save is not atomic. */
export class MemoryPipelineStore implements PipelineStore {
  readonly events = new Map<string, Event>();
  readonly recoveries = new Map<string, Recovery>();
  readonly records = new Map<string, SideRecord>();
  readonly deliveries = new Map<string, AnsweredDelivery>();
  readonly enriched = new Map<string, Enriched>();
  readonly decisions = new Map<string, Decision>();
  readonly groups = new Map<string, Group>();
  readonly journal = new Map<string, JournalPage>();
  mostPageBytes = MAX_PAGE_BYTES;
  saveFault: SaveFault = () => {};
  journalFault: (when: 'before' | 'after') => void = () => {};

  async load({ events, deliveries, enriched = [], joined, homes, turns, groupsOf }: Reads): Promise<LoadedRows> {
    const pick = <T>(keys: readonly EventKey[] | undefined, find: (key: EventKey) => T | undefined, whole = false) =>
      new Map(
        (keys ?? []).flatMap((key) => {
          const row = find(key);
          return row === undefined ? [] : [[whole ? keyOf(key.tenant, key.id) : key.id, structuredClone(row)] as const];
        }),
      );
    return {
      events: pick(events, ({ tenant, id }) => this.#event(tenant, id)),
      deliveries: pick(deliveries, ({ tenant, id }) => this.deliveries.get(keyOf(tenant, id)), true),
      enriched: pick(enriched, ({ tenant, id }) => this.#records(tenant, id)),
      joined: pick(joined, (key) => this.#joined(key, enriched.find(({ id }) => id === key.id)?.through)),
      homes: pick(homes, (key) => this.#home(key)),
      turns: pick(turns, ({ tenant, id }) => this.#turns(tenant, id)),
      groupsOf: pick(groupsOf, ({ tenant, id, through }: EnrichedKey) => this.#groupOf(tenant, id, through)),
    };
  }

  async save(changes: Changes): Promise<{ readonly furtherOn: readonly EventKey[] }> {
    const furtherOn: EventKey[] = [];
    for (const enriched of changes.enriched) {
      this.#create(this.enriched, keyOf(enriched.arrival.tenant, String(enriched.arrival.position)), enriched);
    }
    for (const decision of changes.decisions) {
      this.#create(this.decisions, keyOf(decision.tenant, String(decision.position)), decision);
    }
    for (const { event } of changes.events) {
      if (!this.#fenced(this.events, event.id, event)) furtherOn.push(event);
    }
    for (const group of changes.groups) this.#fenced(this.groups, group.id, group);
    for (const one of changes.records ?? []) this.#create(this.records, keyOf(one.tenant, one.id), one);
    for (const one of changes.recoveries) this.#fenced(this.recoveries, keyOf(one.tenant, one.conditionId), one);
    for (const one of changes.deliveries) this.#create(this.deliveries, keyOf(one.tenant, one.id), one);
    return { furtherOn };
  }

  async readJournal(owner: string): Promise<JournalPage | null> {
    return this.journal.get(owner) ?? null;
  }

  async writeJournal(owner: string, page: JournalPage): Promise<boolean> {
    if (page.body.length > this.mostPageBytes) throw new Fault('too-large', `A page has ${page.body.length} bytes`);
    this.journalFault('before');
    if ((this.journal.get(owner)?.number ?? 0) >= page.number) return false;
    this.journal.set(owner, page);
    this.journalFault('after');
    return true;
  }

  restorable(
    mine: (tenant: string) => boolean,
    { through = Number.POSITIVE_INFINITY }: RestoreOptions = {},
  ): Restorable {
    const events = byPosition([...this.events.values()].filter(({ tenant }) => mine(tenant)));
    const enriched = [...this.enriched.values()]
      .filter(({ arrival }) => mine(arrival.tenant) && arrival.position <= through)
      .sort((a, b) => a.arrival.position - b.arrival.position);
    const newest = new Map<string, number>();
    for (const { arrival } of enriched) {
      newest.set(arrival.tenant, Math.max(newest.get(arrival.tenant) ?? 0, arrival.time));
    }
    const last = new Map<string, number>();
    for (const { tenant, lastOccurrence } of events) {
      last.set(tenant, Math.max(last.get(tenant) ?? 0, lastOccurrence));
    }
    const recoveries = byPosition([...this.recoveries.values()].filter(({ tenant }) => mine(tenant)));
    const groups = byPosition(
      [...this.groups.values()].filter(({ tenant, status }) => mine(tenant) && status === 'open'),
    );
    const open = new Set(
      groups.flatMap(({ tenant, id, aliases }) => [id, ...aliases].map((one) => keyOf(tenant, one))),
    );
    const decisions = byPosition([...this.decisions.values()].filter(({ tenant }) => mine(tenant)));
    const partnersOf = (outcome: Outcome) =>
      partnersIn(outcome).flatMap((id) => this.#facts(outcome.tenant, id, outcome.position) ?? []);
    const factsOf = ({ tenant, position, eventId }: Outcome) => this.#facts(tenant, eventId, position);
    return structuredCloned({
      openEvents: () => [events.filter(({ status }) => status !== 'resolved')],
      seen: (reachMs) => [
        events.filter(({ tenant, lastOccurrence }) => lastOccurrence >= (last.get(tenant) ?? 0) - reachMs),
      ],
      recoveries: (since) => recoveries.filter(({ receivedAt }) => receivedAt >= since),
      arrivals: (reachMs) => [
        enriched
          .filter(({ arrival: { tenant, time } }) => time >= (newest.get(tenant) ?? 0) - reachMs)
          .map(({ arrival, late }) => {
            const turns = this.#turns(arrival.tenant, arrival.eventId);
            return {
              arrival,
              late,
              turns: turns.filter(({ position }) => position <= (through ?? Number.POSITIVE_INFINITY)),
            };
          }),
      ],
      habits: () =>
        [...this.records.values()]
          .filter(({ tenant, kind }) => mine(tenant) && kind === HABITS)
          .map(({ tenant, body }) => ({ tenant, saved: body })),
      openGroups: () => groups,
      lasting: (decided) => [events.flatMap((event) => this.#lasting(event, decided))],
      decisions: (since) =>
        decisions
          .filter(
            (one) => one.position >= since || isAboutSplits(one) || open.has(keyOf(one.tenant, one.groupId ?? '')),
          )
          .flatMap((decision) => {
            const facts = factsOf(decision);
            return facts === undefined ? [] : [{ decision, facts, partners: partnersOf(decision) }];
          }),
      watermarks: () =>
        [...new Set([...newest.keys(), ...last.keys()])].map((tenant) => {
          const time = newest.get(tenant) ?? null;
          const stamps = events.filter((event) => event.tenant === tenant).map(({ timestamp }) => timestamp);
          return { tenant, time, last: last.get(tenant) ?? time, newest: Math.max(time ?? 0, ...stamps) };
        }),
    });
  }

  #lasting(event: Event, decided: number): LastingMember[] {
    const { tenant, id: eventId, status, correlationId, position } = event;
    const isAsked = isOn(status) || position > decided;
    const groupId = isAsked && !isChange(event) ? this.#home({ tenant, id: eventId }, correlationId) : undefined;
    return groupId === undefined ? [] : [{ tenant, eventId, groupId, turns: transitionsOf(event) }];
  }

  #event(tenant: string, id: string): Event | undefined {
    const event = this.events.get(id);
    return event?.tenant === tenant ? event : undefined;
  }

  #records(tenant: string, eventId: string): Enriched[] {
    const records = [...this.enriched.values()].filter(
      ({ arrival }) => arrival.tenant === tenant && arrival.eventId === eventId,
    );
    return records.sort((a, b) => a.arrival.position - b.arrival.position);
  }

  #turns(tenant: string, eventId: string): readonly PlacedTransition[] {
    const event = this.#event(tenant, eventId);
    return event === undefined ? NO_TRANSITIONS : transitionsOf(event);
  }

  #facts(tenant: string, eventId: string, through = Number.POSITIVE_INFINITY): Facts | undefined {
    const record = this.#records(tenant, eventId).findLast(({ arrival }) => arrival.position <= through);
    return record && { ...record, turns: this.#turns(tenant, eventId) };
  }

  #standing(id: string): Group | undefined {
    const group = this.groups.get(id);
    return group?.mergedInto ? this.#standing(group.mergedInto) : group;
  }

  #joined({ tenant, id }: EventKey, through = Number.POSITIVE_INFINITY): string | undefined {
    const decisions = byPosition([...this.decisions.values()].filter((one) => one.tenant === tenant));
    const last = decisions.findLast(({ joined, apart }) => joined.includes(id) || apart?.left.includes(id));
    const groupId = last?.joined.includes(id) ? (last.groupId ?? undefined) : undefined;
    const returned = lastReturn(this.#records(tenant, id), through);
    const group = groupId && returned !== undefined ? this.#standing(groupId) : undefined;
    return group && wasClosedAt(group, returned!) ? undefined : groupId;
  }

  /** `told`: the group in the event itself, which counts as long as no decision names it. */
  #home({ tenant, id }: EventKey, told: string | null = null): string | undefined {
    const isNamed = [...this.decisions.values()].some(
      (one) => one.tenant === tenant && (one.joined.includes(id) || one.apart?.left.includes(id)),
    );
    const name = isNamed ? this.#joined({ tenant, id }, -1) : (told ?? undefined);
    const group = name === undefined ? undefined : this.#standing(name);
    return group?.status === 'closed' ? group.id : undefined;
  }

  #groupOf(tenant: string, eventId: string, through?: number) {
    const joined = (id: string) => this.#joined({ tenant, id }, -1) ?? '';
    const group = this.#standing(joined(eventId));
    if (!group) return undefined;
    const ids = new Set([group.id, ...group.aliases]);
    const made = [...this.decisions.values()].filter((one) => one.tenant === tenant && ids.has(one.groupId ?? ''));
    const members = new Set(made.flatMap((decision) => decision.joined).filter((id) => ids.has(joined(id))));
    return { group, members: [...members].flatMap((id) => this.#facts(tenant, id, through) ?? []) };
  }

  #create<T>(rows: Map<string, T>, key: string, row: T): void {
    this.saveFault();
    if (!rows.has(key)) rows.set(key, structuredClone(row));
  }

  #fenced<T extends { readonly position: number }>(rows: Map<string, T>, key: string, row: T): boolean {
    this.saveFault();
    if ((rows.get(key)?.position ?? -1) > row.position) return false;
    rows.set(key, structuredClone(row));
    return true;
  }
}

type Lists = { readonly [K in Exclude<keyof Restorable, 'until'>]: (reach: number) => readonly unknown[] };

/** Returns rows like an engine: copies, one after the other. */
const structuredCloned = (lists: Lists): Restorable => {
  const given = (name: keyof Lists) =>
    async function* (reach = 0) {
      for (const row of lists[name](reach)) yield structuredClone(row);
    };
  const names = Object.keys(lists) as (keyof Lists)[];
  const rows = Object.fromEntries(names.map((name) => [name, given(name)]));
  return { until: Number.POSITIVE_INFINITY, ...rows } as unknown as Restorable;
};
