import { expect, test } from '@jest/globals';
import type { Incoming } from '#domain/event/incoming.ts';
import { fitsJsonLimit } from '#domain/json-size.ts';
import type { AnyProcessor } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { PartitionBuffer } from '#infra/kafka/consumer/partition-work.ts';
import type { Producer } from '#infra/kafka/producer/producer.ts';
import { recordBatches } from '#infra/kafka/producer/record-batches.ts';
import { pipeline } from '#processors/pipeline.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { NOON, occurs, ulidOf } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEmitter } from './emitter.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner } from './fold-owner.ts';
import { JoinOwner } from './join-owner.ts';
import type { ReceiptReply } from './journal.ts';
import { type Owner, RECORDS_AT_ONCE } from './owner.ts';
import type { Rejected } from './step-batch.ts';
import { type Fetched, toInputs } from './wire.ts';

/* The largest requests that the API accepts, through the whole pipeline. */

const metrics: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };
const AMOUNT = { records: RECORDS_AT_ONCE, bytes: 8 * 2 ** 20 };
/** Three bytes a character, and no two alike, so that nothing is packed away. */
const wide = (length: number, seed: number): string => {
  const codes = Array.from(
    { length },
    (_, n) => 0x4e00 + ((n * 7919 + seed * 104_729 + ((n * n * seed) % 977)) % 20_000),
  );
  return String.fromCharCode(...codes);
};
const name = (seed: number): string => wide(4_096, seed);
const SERVICES = Array.from({ length: 100 }, (_, n) => ({ id: name(n), name: name(n), criticality: name(n) }));
const details = { text: wide(20_000, 1) };

const largest = (n: number): Incoming =>
  occurs({
    id: `b${n}`,
    source: name(n),
    title: wide(1_024, n),
    description: wide(32_768, n),
    category: name(2),
    service: name(101),
    application: name(102),
    environment: name(5),
    details,
    timestamp: NOON + n,
    tags: Array.from({ length: 100 }, (_, tag) => wide(256, tag)),
    receivedAt: NOON + n,
    hostname: `h${n}`,
    businessImpact: { level: name(6), affectedServices: SERVICES, affectedUsers: name(7) },
    assignedTo: { id: name(8), username: name(9), name: name(10) },
  });

const small = (n: number): Incoming =>
  occurs({ id: `s${n}`, title: `Job ${n} failed`, hostname: `host-${n}`, timestamp: NOON + n, receivedAt: NOON + n });

/** Record of `correlate-manually` for 1,000 ids with a reason and notes of 4,096 characters. */
const byHand = (count: number): Incoming => {
  const links = Array.from({ length: count }, (_, n) => {
    const reason = n === 0 ? name(11) : 'set_by_hand';
    const why = { strategy: 'manual', score: 1, literalScore: 1, reason, details: {} };
    return { other: ulidOf(`s${n + 1}`), score: 1, literalScore: 1, reasons: [why] };
  });
  const by = { id: name(12), username: name(13), name: name(14) };
  const ask = { kind: 'related', eventId: ulidOf('s0'), links, manual: true, by, notes: name(15) } as const;
  return { ask, receivedAt: NOON + 5_000 };
};

/** A log in memory with the limits of the broker, which reports its size. */
const openLog = () => {
  const logs = new Map<string, Fetched[]>();
  const largestOf = new Map<string, number>();
  const producer: Producer = {
    async send(topic, _partition, records) {
      const parts = recordBatches(
        topic,
        records.map(({ headers = {}, ...record }) => ({ ...record, headers })),
      );
      for (const { messages } of parts)
        for (const { key, value, headers } of messages) {
          largestOf.set(topic, Math.max(largestOf.get(topic) ?? 0, value.length));
          const log = logs.get(topic) ?? [];
          logs.set(topic, log);
          log.push({ offset: String(log.length), timestamp: String(NOON), key: Buffer.from(key), value, headers });
        }
      return { offset: 0 };
    },
    waiting: () => 0,
    close: async () => {},
  };
  return { logs, largestOf, producer };
};

const openCluster = async () => {
  const codecs = await openCodecs(openMemoryRegistry());
  const { logs, largestOf, producer } = openLog();
  const store = new MemoryPipelineStore();
  const rejected: Rejected[] = [];
  const answers: ReceiptReply[] = [];
  const ownerOf = (processor: AnyProcessor): Owner => {
    const real = openEmitter({
      producer,
      codecs,
      records: { put: async () => 1 } as never,
      writer: `@${processor.name}`,
    });
    const emitter = {
      ...real,
      reject: async (partition: number, letters: readonly Rejected[]) => {
        rejected.push(...letters);
        await real.reject(partition, letters);
      },
      answer: async (given: readonly ReceiptReply[]) => {
        answers.push(...given);
        await real.answer(given);
      },
    };
    const common = { partition: 0, store, emitter, clock: setClock(NOON), metrics, mine: () => true };
    if (processor.kind === 'join') return new JoinOwner({ ...common, join: processor, committed: async () => null });
    const sources = { graph: { around: async () => null }, records: { get: async () => null } };
    return new FoldOwner({ ...common, epoch: 1, fold: processor, sources, saved: openEventCache() });
  };
  const run = async (processor: AnyProcessor): Promise<void> => {
    const topic = processor.input as TopicName;
    const owner = ownerOf(processor);
    const buffer = new PartitionBuffer({ seek() {}, pause() {}, resume() {} }, AMOUNT);
    buffer.push((logs.get(topic) ?? []).slice(await owner.open()));
    const reader = { topic, epoch: 0, codec: codecs.of(topic) };
    for (let more = false; more || buffer.size > 0; )
      more = (await owner.take(await toInputs(reader, more ? [] : buffer.take(AMOUNT)))).more ?? false;
  };
  const say = (records: readonly Incoming[]) =>
    producer.send(
      eventsIncoming,
      0,
      records.map((record, n) => ({
        key: 'acme',
        value: codecs.encode(eventsIncoming, record),
        headers: { reply: `api/r${n}/0`, writer: 'api00001', serial: String(n + 1) },
      })),
    );
  return { logs, largestOf, store, rejected, answers, run, say, codecs };
};

test('the largest events and the largest group by hand become records and pages that the log and the store take', async () => {
  expect(fitsJsonLimit(details)).toBe(true);
  const cluster = await openCluster();
  const smalls = Array.from({ length: 1_001 }, (_, n) => small(n));
  await cluster.say([...smalls, ...Array.from({ length: 14 }, (_, n) => largest(n)), byHand(1_000)]);
  for (const processor of pipeline) await cluster.run(processor);
  expect(cluster.rejected.map(({ processor, reason }) => `${processor}: ${reason}`)).toEqual([]);
  expect([...cluster.largestOf.keys()].sort()).toEqual([
    'correlation.changes',
    'correlation.hits',
    'events.enriched',
    'events.incoming',
    'events.receipts',
    'events.saved',
  ]);
  expect(cluster.largestOf.get('correlation.hits')).toBeLessThan(2 ** 20);
  const byHandGroup = [...cluster.store.groups.values()].find(({ size }) => size >= 1_001);
  expect(byHandGroup).toBeDefined();
  expect(cluster.answers.filter(({ receipt }) => !receipt.ok)).toEqual([]);
}, 60_000);

test('a record that a program of before could not send becomes a dead letter with an error receipt, and the partition goes on', async () => {
  const cluster = await openCluster();
  const links = Array.from({ length: 1_000 }, (_, n) => ({
    other: ulidOf(`s${n + 1}`),
    score: 1,
    literalScore: 1,
    reasons: [{ strategy: 'manual', score: 1, literalScore: 1, reason: 'é'.repeat(4_096), details: {} }],
  }));
  const wedge = {
    ...byHand(1),
    ask: { kind: 'related', eventId: ulidOf('s0'), links, manual: true, by: null },
  } as const;
  await cluster.say([small(0), wedge, small(1)]);
  for (const processor of pipeline) await cluster.run(processor);
  expect(cluster.rejected.map(({ processor, position }) => [processor, position])).toEqual([['enrich', 1]]);
  expect(cluster.answers.filter(({ receipt }) => !receipt.ok).map(({ reply }) => reply)).toEqual(['api/r1/0']);
  expect(cluster.store.enriched.size).toBe(2);
}, 60_000);

test('a page of an older program with an output that the log does not take is finished without it', async () => {
  const cluster = await openCluster();
  const [dedup, enrich] = pipeline as [AnyProcessor, AnyProcessor];
  await cluster.say([small(0), small(1)]);
  await cluster.run(dedup);
  await cluster.run(enrich);
  const page = cluster.store.journal.get('1/enrich/0')!;
  const { outputs, ...rest } = JSON.parse(page.body) as { outputs: { topic: string; entry: object; there?: object }[] };
  const [facts, ...others] = outputs;
  const swollen = {
    ...facts!,
    there: undefined,
    entry: { ...facts!.entry, value: { kind: 'hits', eventId: 'x'.repeat(2 ** 22) } },
  };
  cluster.store.journal.set('1/enrich/0', {
    ...page,
    body: JSON.stringify({ ...rest, outputs: [swollen, ...others] }),
  });
  const before = cluster.logs.get('events.enriched')!.length;
  await cluster.run(enrich);
  expect(cluster.rejected.map(({ processor, isDocument }) => [processor, isDocument])).toEqual([['enrich', true]]);
  expect(cluster.logs.get('events.enriched')!.length).toBe(2 * before);
});
