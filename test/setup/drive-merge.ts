import { isAboutSplits, partnersIn } from '#domain/correlation/grouping/apply.ts';
import { type Facts, wasClosedAt } from '#domain/correlation/grouping/groups.ts';
import { canLast } from '#domain/correlation/grouping/lasting.ts';
import type { CorrelationInput, Decision, Enriched, Group, GroupChange } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import type { BatchRows, Effects, Entry, EventKey, Restorable, StoredGroup } from '#domain/pipeline/processor.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { merge } from '#processors/merge.ts';
import type { MergeState } from '#processors/merge-state.ts';
import { correlationChanges, eventsIncoming } from '#schemas/topics/topics.ts';
import { ALL } from './all-work.ts';
import { enrichedOf } from './merge-kit.ts';

/**
 * Merge with a store around it: saves of a batch are found from the next batch on. One tenant; keys are event and group
 * ids.
 */
export interface MergeDrive {
  readonly state: MergeState;
  readonly decisions: Decision[];
  readonly groups: Map<string, Group>;
  /** Groups that were closed and reopened manually. */
  readonly reopened: Set<string>;
  readonly assigned: { eventId: string; correlationId: string | null; position: number }[];
  /** Side records of decisions. */
  readonly records: SideRecord[];
  readonly changes: GroupChange[];
  readonly receipts: Map<number, Receipt>;
  /** All facts of each event by position, as enrich would have stored them. */
  readonly enriched: Map<string, Enriched[]>;
  /** Ends and returns of each event. */
  readonly turns: Map<string, PlacedTransition[]>;
  batch(entries: readonly Entry<CorrelationInput>[]): void;
  /** Returns a new merge, restored from stored rows. */
  restored(): Promise<MergeState>;
  /** Restarts the process; `settled`: nothing up to this position waited. */
  restart(settled: number): Promise<void>;
}

const unexpected = (): never => {
  throw new Error('merge does not use this');
};

const standing = (groups: ReadonlyMap<string, Group>, id: string): Group | undefined => {
  const group = groups.get(id);
  return group?.mergedInto ? standing(groups, group.mergedInto) : group;
};

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

export function driveMerge(stored: readonly Enriched[] = []): MergeDrive {
  let state = merge.open();
  const decisions: Decision[] = [];
  const groups = new Map<string, Group>();
  const reopened = new Set<string>();
  const assigned: MergeDrive['assigned'] = [];
  const changes: GroupChange[] = [];
  const receipts = new Map<number, Receipt>();
  const records: SideRecord[] = [];
  const enriched = Map.groupBy(stored, ({ arrival }) => arrival.eventId);
  const turns = new Map<string, PlacedTransition[]>();
  const correlationIds = new Map<string, string>();

  const groupOf = (eventId: string, through: number): StoredGroup | undefined => {
    const group = standing(groups, correlationIds.get(eventId) ?? '');
    if (!group) return undefined;
    const members = [...correlationIds].filter(([, id]) => standing(groups, id) === group);
    return { group, members: members.flatMap(([id]) => factsOf(id, through) ?? []) };
  };
  const recordOf = (id: string, through = Number.POSITIVE_INFINITY): Enriched | undefined =>
    enriched.get(id)?.findLast(({ arrival }) => arrival.position <= through);
  const factsOf = (id: string, through?: number): Facts | undefined => {
    const record = recordOf(id, through);
    return record && { ...record, turns: turns.get(id) ?? NO_TRANSITIONS };
  };

  const foundBy = (reads: ReturnType<typeof merge.reads>): BatchRows => {
    const named = (keys: readonly EventKey[] | undefined, id: string): void => {
      if (!keys?.some((key) => key.id === id)) throw new Error(`${id} was not named by reads`);
    };
    return {
      delivery: unexpected,
      around: unexpected,
      settings: unexpected,
      event: unexpected,
      joined(_, id, returned) {
        named(reads.joined, id);
        const group = standing(groups, correlationIds.get(id) ?? '');
        if (group && returned !== undefined && wasClosedAt(group, returned)) return null;
        return correlationIds.get(id) ?? null;
      },
      home(_, id) {
        named(reads.homes, id);
        const group = standing(groups, correlationIds.get(id) ?? '');
        return group?.status === 'closed' ? group.id : null;
      },
      enriched(_, id, through) {
        named(reads.enriched, id);
        return recordOf(id, through);
      },
      turns(_, id) {
        named(reads.turns, id);
        return turns.get(id) ?? NO_TRANSITIONS;
      },
      groupOf: (_, id, through) => (reads.groupsOf?.some((key) => key.id === id) ? groupOf(id, through) : undefined),
    };
  };

  const add = <T>(lists: Map<string, T[]>, id: string, isKnown: (one: T) => boolean, one: T): void => {
    const list = lists.get(id) ?? [];
    lists.set(id, list);
    if (!list.some(isKnown)) list.push(one);
  };
  /** Stores the rows that enrich and dedup would have stored before merge receives it. */
  const keep = (position: number, value: CorrelationInput): void => {
    if (value.kind === 'facts' && !value.links)
      add(
        enriched,
        value.arrival.eventId,
        ({ arrival }: Enriched) => arrival.position === position,
        enrichedOf(value.arrival, value.upstream, value.settings),
      );
    // Dedup has put the event where the other was.
    if (
      value.kind === 'facts' &&
      value.arrival.supersedes !== undefined &&
      !correlationIds.has(value.arrival.eventId)
    ) {
      const before = correlationIds.get(value.arrival.supersedes);
      if (before !== undefined) correlationIds.set(value.arrival.eventId, before);
    }
    if (value.kind === 'ended' || value.kind === 'returned')
      add(turns, value.eventId, (turn) => turn.position === position, { ...value, position });
  };

  const batch = (entries: readonly Entry<CorrelationInput>[]): void => {
    for (const { position, value } of entries) keep(position, value);
    const later: (() => void)[] = [];
    const effects: Effects = {
      saveEvent: unexpected,
      saveRecovery: unexpected,
      saveRecord: (record) => void records.push(record),
      saveDelivery: unexpected,
      saveEnriched: unexpected,
      saveDecision: (decision) => void decisions.push(decision),
      saveGroup(group) {
        later.push(() => {
          if (groups.get(group.id)?.status === 'closed' && group.status === 'open') reopened.add(group.id);
          groups.set(group.id, group);
        });
      },
      forget: unexpected,
      receipt: (position, receipt) => void receipts.set(position, receipt),
      emit(topic, { position, value }) {
        if (topic === correlationChanges) changes.push(value as GroupChange);
        if (topic !== eventsIncoming) return;
        const { ask } = value as Incoming;
        if (ask.kind !== 'assigned') throw new Error(`merge asked for ${ask.kind}`);
        const { eventId, correlationId, moves = false, leaves = false } = ask;
        assigned.push({ eventId, correlationId: leaves ? null : correlationId, position });
        later.push(() => {
          if (leaves) correlationIds.delete(eventId);
          else if (!correlationIds.has(eventId) || moves) correlationIds.set(eventId, correlationId);
        });
      },
    };
    const found = foundBy(merge.reads(state, entries));
    for (const entry of entries) merge.step(state, entry, found, effects);
    merge.proceed?.(state, effects, ALL);
    merge.settle?.(state, effects);
    for (const save of later) save();
  };

  const restored = async (settled?: number): Promise<MergeState> => {
    const open = [...groups.values()].filter(({ status }) => status === 'open');
    const names = new Set(open.flatMap(({ id, aliases }) => [id, ...aliases]));
    const rows = decisions
      .filter((one) => isAboutSplits(one) || names.has(one.groupId ?? ''))
      .map((decision) => ({
        decision,
        facts: factsOf(decision.eventId, decision.position)!,
        partners: partnersIn(decision).flatMap((id) => factsOf(id, decision.position) ?? []),
      }));
    const isOn = (eventId: string): boolean => {
      const { arrival, turns: told = NO_TRANSITIONS } = factsOf(eventId)!;
      return canLast({ arrival, turns: told }, Number.POSITIVE_INFINITY);
    };
    const lasting = [...correlationIds].flatMap(([eventId, correlationId]) => {
      const group = standing(groups, correlationId);
      return group?.status === 'closed' && isOn(eventId) ? [{ tenant: group.tenant, eventId, groupId: group.id }] : [];
    });
    const from = {
      openGroups: () => each(open),
      decisions: () => each(rows),
      lasting: () => each([lasting]),
    } as unknown as Restorable;
    const fresh = merge.open();
    await merge.restore(fresh, from, 0, settled);
    return fresh;
  };

  const restart = async (settled: number): Promise<void> => {
    state = await restored(settled);
  };

  return {
    decisions,
    groups,
    reopened,
    assigned,
    changes,
    receipts,
    records,
    enriched,
    turns,
    batch,
    restored,
    restart,
    get state() {
      return state;
    },
  };
}
