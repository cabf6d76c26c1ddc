import type { KafkaMessage } from 'kafkajs';
import type { CorrelationInput, Decision, Group, Hit } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { AnyProcessor, Entry } from '#domain/pipeline/processor.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import type { Input } from '#infra/kafka/owner/owner.ts';
import { isRepeat } from '#infra/kafka/owner/sequence-filter.ts';
import { changesOf, emittedBy, NO_ROWS, openBatch, type ReadRows } from '#infra/kafka/owner/step-batch.ts';
import { toInputs } from '#infra/kafka/owner/wire.ts';
import { dedup } from '#processors/dedup.ts';
import { merge } from '#processors/merge.ts';
import { pipeline } from '#processors/pipeline.ts';
import { correlationHits, eventsEnriched, eventsIncoming } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { ALL } from '#test/setup/all-work.ts';
import { POISON } from './poison.ts';
import type { Records } from './read-topics.ts';

/** Result of one process that never died for one log. */
export interface Replayed {
  readonly events: readonly Event[];
  readonly decisions: readonly Decision[];
  readonly groups: readonly Group[];
  /** Notes of the changes of status that the log has and that did not fit. */
  readonly refused: ReadonlySet<string>;
  /** Hits by strategy and arrival, of which an event may have several: it may be bound late, or become more severe. */
  readonly hits: ReadonlyMap<string, readonly Hit[]>;
}

export interface Log {
  readonly topics: ReadonlyMap<TopicName, Records>;
  readonly codecs: Codecs;
  readonly epoch: number;
  /**
   * Tenants of this run. Events left unbound by an earlier run are bound in this one's log when their CI can be found
   * again.
   */
  readonly tenants: ReadonlySet<string>;
}

/** Progress of a strategy concerns all tenants: it has no tenant of its own. */
const isOurs = ({ tenants }: Log, { entry }: Input): boolean => {
  const { kind } = (entry.value ?? {}) as { readonly kind?: string };
  return tenants.has(entry.tenant) || kind === 'passed';
};

/** The records of one partition that can be read and were not read before, in order. */
async function* inputsOf(log: Log, topic: TopicName, partition: number): AsyncGenerator<Input> {
  const { topics, codecs, epoch } = log;
  const read = new Map<string, { serial: number; at: number }>();
  const messages = topics.get(topic)!.get(partition) as readonly KafkaMessage[];
  const sound = messages.filter(({ headers }) => headers?.[POISON] === undefined);
  for (const input of await toInputs({ topic, epoch, codec: codecs.of(topic) }, sound)) {
    if (isRepeat(read, input.writer, input.serial)) continue;
    if (input.serial > 0) read.set(input.writer, { serial: input.serial, at: input.at });
    if (input.fault === null && isOurs(log, input)) yield input;
  }
}

const replayDedup = async (log: Log, partition: number, refused: Set<string>): Promise<readonly Event[]> => {
  const batch = openBatch(NO_ROWS);
  const state = dedup.open();
  for await (const { entry } of inputsOf(log, eventsIncoming, partition)) {
    dedup.step(state, entry as Entry<never>, batch, batch);
    const { ask } = entry.value as Incoming;
    if (ask.kind === 'status-set' && ask.notes !== undefined && batch.receipts.get(entry.position)?.ok === false)
      refused.add(ask.notes);
  }
  return changesOf(batch).events.map(({ event }) => event);
};

const replayMerge = async (log: Log, partition: number, enriched: ReadRows['enriched']) => {
  const joined = new Map<string, string>();
  const batch = openBatch({ ...NO_ROWS, enriched, joined });
  const state = merge.open();
  let known = 0;
  for await (const { entry } of inputsOf(log, correlationHits, partition)) {
    merge.step(state, entry as Entry<never>, batch, batch);
    merge.proceed!(state, batch, ALL);
    merge.settle!(state, batch);
    const { decisions } = batch;
    for (const { groupId, joined: ids } of decisions.slice(known))
      if (groupId !== null) for (const id of ids) joined.set(id, groupId);
    known = decisions.length;
  }
  return changesOf(batch);
};

const hitKey = ({ eventId, strategy }: { eventId: string; strategy: string }, { position }: Entry<unknown>): string =>
  `${eventId}/${strategy}/${position}`;

const replayJoins = async (log: Log, partition: number, hits: Map<string, readonly Hit[]>): Promise<void> => {
  for (const join of pipeline as readonly AnyProcessor[]) {
    if (join.kind !== 'join') continue;
    const batch = openBatch(NO_ROWS);
    const state = join.open();
    for await (const { entry } of inputsOf(log, eventsEnriched, partition)) {
      join.match(state, entry, batch);
    }
    for (const { entry } of emittedBy(batch)) {
      const value = entry.value as CorrelationInput;
      if (value.kind === 'hits') hits.set(hitKey(value, entry), value.hits);
    }
  }
};

/** Reads the log once more with memory alone. */
export const replay = async (log: Log, stored: ReadRows['enriched']): Promise<Replayed> => {
  const events: Event[] = [];
  const decisions: Decision[] = [];
  const groups: Group[] = [];
  const hits = new Map<string, readonly Hit[]>();
  const refused = new Set<string>();
  for (const partition of log.topics.get(eventsIncoming)!.keys()) {
    events.push(...(await replayDedup(log, partition, refused)));
    await replayJoins(log, partition, hits);
    const merged = await replayMerge(log, partition, stored);
    decisions.push(...merged.decisions);
    groups.push(...merged.groups);
  }
  return { events, decisions, groups, refused, hits };
};

/** Records sent to merge: the findings of each strategy, with repetitions, and the events with facts. */
export interface Sent {
  readonly hits: ReadonlyMap<string, readonly (readonly Hit[])[]>;
  readonly facts: ReadonlySet<string>;
}

export const sentToMerge = async (log: Log): Promise<Sent> => {
  const hits = new Map<string, (readonly Hit[])[]>();
  const facts = new Set<string>();
  for (const partition of log.topics.get(correlationHits)!.keys())
    for await (const { entry } of inputsOf(log, correlationHits, partition)) {
      const value = entry.value as CorrelationInput;
      if (value.kind === 'facts') facts.add(value.arrival.eventId);
      if (value.kind !== 'hits') continue;
      const key = hitKey(value, entry);
      hits.set(key, [...(hits.get(key) ?? []), value.hits]);
    }
  return { hits, facts };
};
