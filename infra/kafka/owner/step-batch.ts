import type { Decision, Enriched } from '#domain/correlation/records.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { NO_TRANSITIONS } from '#domain/correlation/status-transitions.ts';
import { Batch, rowKey, type Sources } from '#domain/pipeline/batch.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { Changes, LoadedRows } from '#domain/ports/pipeline-store.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';

/** Everything that a batch has named, read before its first step. */
export interface ReadRows extends LoadedRows {
  readonly around: ReadonlyMap<string, ArrivalTopology>;
  readonly settings: ReadonlyMap<string, CorrelationSettings>;
}

export const NO_ROWS: ReadRows = {
  events: new Map(),
  deliveries: new Map(),
  enriched: new Map(),
  joined: new Map(),
  homes: new Map(),
  groupsOf: new Map(),
  turns: new Map(),
  around: new Map(),
  settings: new Map(),
};

export interface Emitted {
  readonly topic: string;
  readonly entry: Entry<unknown>;
}

/** A record that could not be handled. */
export interface Rejected {
  /** Sorts by the arrival time of the record, and is the same whenever it is rejected again. */
  readonly id: string;
  readonly tenant: string;
  readonly topic: string;
  readonly offset: number;
  readonly position: number;
  readonly processor: string;
  readonly reason: string;
  /** ms. */
  readonly at: number;
  /** Value as received, in base64. */
  readonly value: string;
  /** True for a document that the store refuses, in JSON: its record was carried out otherwise. */
  readonly isDocument: boolean;
  /** 1 when it is absent. */
  readonly attempts?: number;
}

/** One batch of one processor; nothing is saved or sent before it is in the journal. */
export type StepBatch = Batch<Decision, Rejected>;

export const aroundKey = (tenant: string, ciId: string, at: number): string => `${tenant}\n${ciId}\n${at}`;

/** Rows before the batch: a processor reads nothing that it changes in the same batch, except events and records. */
const sourcesOf = (rows: ReadRows): Sources => ({
  delivery: (tenant, id) => rows.deliveries.get(rowKey(tenant, id)),
  around: (tenant, ciId, at) => rows.around.get(aroundKey(tenant, ciId, at)),
  settings(tenant) {
    const settings = rows.settings.get(tenant);
    if (settings === undefined) throw new Error(`The settings of tenant ${tenant} were not read before the step`);
    return settings;
  },
  enriched(tenant, id, through) {
    const isWanted = ({ arrival }: Enriched): boolean => arrival.position <= through && arrival.tenant === tenant;
    return rows.enriched.get(id)?.findLast(isWanted);
  },
  turns: (_tenant, id) => rows.turns.get(id) ?? NO_TRANSITIONS,
  joined: (_tenant, eventId) => rows.joined.get(eventId) ?? null,
  home: (_tenant, eventId) => rows.homes.get(eventId) ?? null,
  groupOf(tenant, eventId) {
    const stored = rows.groupsOf.get(eventId);
    return stored?.group.tenant === tenant ? stored : undefined;
  },
});

export const openBatch = (rows: ReadRows): StepBatch =>
  new Batch({ sources: sourcesOf(rows), read: rows.events, pack: (decision) => decision });

/** Each document once, as the batch leaves it. */
export const changesOf = (batch: StepBatch): Changes => {
  const recoveries = new Map(batch.recoveries.map((one) => [rowKey(one.tenant, one.conditionId), one]));
  return {
    events: [...batch.changed.values()],
    recoveries: [...recoveries.values()],
    deliveries: [...batch.deliveries.values()],
    enriched: batch.enrichedRecords,
    decisions: batch.decisions,
    groups: [...batch.groups.values()],
    ...(batch.records.length > 0 && { records: batch.records }),
  };
};

/** Returns outputs by topic, in the order in which they were emitted. */
export const emittedBy = ({ topics }: StepBatch): Emitted[] =>
  [...topics].flatMap(([topic, entries]) => entries.map((entry) => ({ topic, entry })));
