import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Event } from '#domain/event/event.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import type { AnyProcessor } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { openEventTable } from '#infra/embedded/events/table.ts';
import { mergeWith } from '#processors/merge.ts';
import { pipeline as whole } from '#processors/pipeline.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { NOON, occurs, openRunner, ulidOf } from '#test/setup/runner-kit.ts';
import { runs } from '#test/setup/runs.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { prepareTopology, recordsOf, type Sent, step } from '#test/setup/storm-steps.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner } from './fold-owner.ts';
import { JoinOwner } from './join-owner.ts';
import type { Output, ReceiptReply } from './journal.ts';
import { type Emitter, type Input, LostPartition, type Owner } from './owner.ts';
import { writerOf } from './sequence-filter.ts';

class Killed extends Error {}

/** Merge has room for few arrivals, so that it often has to skip some and return to them. */
const pipeline = whole.map((processor) => (processor.name === 'merge' ? mergeWith(5) : processor));

const HOUR = 3_600_000;
const NO_BYTES = Buffer.alloc(0);
type Sending = Omit<Input, 'offset' | 'raw' | 'fault'>;

const silent: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };

/** The topics of one partition; a send may be cut off anywhere, as when its process is killed. */
class Topics {
  readonly logs = new Map<string, Input[]>();
  readonly answers: ReceiptReply[] = [];
  sendFault: () => void = () => {};

  log(topic: string): Input[] {
    const log = this.logs.get(topic) ?? [];
    this.logs.set(topic, log);
    return log;
  }

  append(topic: string, { at, entry: said, writer, serial, reply }: Sending): void {
    const log = this.log(topic);
    const offset = log.length;
    // Only dedup counts positions from the log.
    const entry = structuredClone(topic === eventsIncoming ? { ...said, position: offset + 1 } : said);
    log.push({ offset, at, entry, writer, serial, reply, raw: NO_BYTES, fault: null });
  }

  emitter(writer: string): Emitter {
    return {
      refuses: () => null,
      send: async (_partition, outputs: readonly Output[]) => {
        for (const { topic, entry, serial, reply } of outputs) {
          this.sendFault();
          this.append(topic, { at: NOON, entry, writer, serial, reply });
        }
      },
      answer: async (answers) => {
        this.sendFault();
        this.answers.push(...answers);
      },
      reject: async (_partition, rejected) => {
        throw new Error(rejected[0]?.reason);
      },
    };
  }
}

const copy = (input: Input): Input => ({ ...input, entry: structuredClone(input.entry) });

interface Running {
  readonly owner: Owner;
  next: number;
  /** True if it has work without further records. */
  more: boolean;
}

/** Positions count repeated records, and causes named between two batches depend on their ends. */
const isOfBatches = (key: string): boolean => /position$/i.test(key) || key === 'named';

/** The whole pipeline on one partition: processors that read, die and return by a seeded random sequence. */
class Cluster {
  readonly topics = new Topics();
  readonly store = new MemoryPipelineStore();
  readonly #committed = new Map<string, { offset: number; metadata: string }>();
  readonly #running = new Map<string, Running>();
  readonly #clock = setClock(NOON);
  readonly #database = memoryDatabase();
  readonly #topology = memoryTopology().ports;
  /** Cache of all owners, former ones too, as if they were in one process. */
  readonly #saved = openEventCache();

  async prepare(sent: readonly Sent[]): Promise<void> {
    await prepareTopology(this.#topology);
    for (const [n, one] of sent.entries()) this.say(one, n);
    this.#clock.set(Math.max(NOON, ...sent.map(({ record }) => record.receivedAt)));
  }

  /** The `n`th request. */
  say({ tenant, record }: Sent, n: number): void {
    const entry = { tenant, position: 0, value: record };
    const said = { entry, at: record.receivedAt, writer: 'api00001', serial: n + 1, reply: `r${n}` };
    this.topics.append(eventsIncoming, said);
  }

  make(processor: AnyProcessor): Owner {
    const common = {
      partition: 0,
      store: this.store,
      clock: this.#clock,
      metrics: silent,
      mine: () => true,
      emitter: this.topics.emitter(writerOf(processor.name)),
    };
    const sources = { graph: this.#topology.graph, records: { get: async () => null } };
    const committed = async () => this.#committed.get(processor.name) ?? null;
    return processor.kind === 'fold'
      ? new FoldOwner({ ...common, epoch: 1, fold: processor, saved: this.#saved, sources })
      : new JoinOwner({ ...common, join: processor, committed });
  }

  async running(processor: AnyProcessor): Promise<Running> {
    const known = this.#running.get(processor.name);
    if (known !== undefined) return known;
    const owner = this.make(processor);
    const running = { owner, next: await owner.open(), more: false };
    this.#running.set(processor.name, running);
    return running;
  }

  kill(processor: AnyProcessor): void {
    this.#running.delete(processor.name);
  }

  /** False when there was nothing to read; an owner who was opened may have sent what another had left. */
  async turn(processor: AnyProcessor, size: number, commits: boolean): Promise<boolean> {
    const opens = !this.#running.has(processor.name);
    try {
      const running = await this.running(processor);
      const inputs = running.more ? [] : this.topics.log(processor.input).slice(running.next, running.next + size);
      if (inputs.length === 0 && !running.more) return opens;
      const { metadata, resume, more, back } = await running.owner.take(inputs.map(copy), size);
      running.next = back ?? running.next + inputs.length;
      running.more = more ?? false;
      if (commits) this.#committed.set(processor.name, { offset: resume ?? running.next, metadata });
    } catch (error) {
      if (!(error instanceof Killed || error instanceof LostPartition)) throw error;
      this.kill(processor);
    }
    return true;
  }

  async drain(processors: readonly AnyProcessor[] = pipeline): Promise<void> {
    for (let busy = true; busy; ) {
      busy = false;
      for (const processor of processors) busy = (await this.turn(processor, 1_000, true)) || busy;
    }
  }

  /** Returns the visible state. */
  snapshot(): unknown {
    const { events, groups, enriched, records } = this.store;
    const rows = [events, groups, enriched, records].flatMap((kept) => [...kept.values()]);
    const shown = rows.map((row) => JSON.stringify(row, (key, part) => (isOfBatches(key) ? undefined : part)));
    this.#database.close();
    return shown.map((row) => JSON.parse(row)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }

  /** Returns the number of pages that the processor has written. */
  pages({ name }: AnyProcessor): number {
    return this.store.journal.get(`1/${name}/0`)?.number ?? 0;
  }

  /** Returns the amounts of everything that is written. */
  written(): unknown {
    const { journal, events, groups, decisions, enriched } = this.store;
    const pages = [...journal].map(([owner, { number }]) => `${owner} ${number}`).sort();
    const records = [...this.topics.logs].map(([topic, log]) => [topic, log.length]);
    return {
      pages,
      records,
      answers: this.topics.answers.length,
      rows: [events, groups, decisions, enriched].map(({ size }) => size),
    };
  }

  receipts(): Map<string, Receipt> {
    return new Map(this.topics.answers.map(({ reply, receipt }) => [reply, { ...receipt, correlationId: null }]));
  }
}

/** One thing at a time, in order: the result that every other run must reach. */
const reference = async (sent: readonly Sent[]) => {
  const cluster = new Cluster();
  await cluster.prepare(sent);
  await cluster.drain(whole);
  return { receipts: cluster.receipts(), snapshot: cluster.snapshot() };
};

const act = fc.record({
  processor: fc.nat({ max: pipeline.length - 1 }),
  size: fc.integer({ min: 1, max: 40 }),
  goes: fc.constantFrom('well', 'well', 'well', 'uncommitted', 'save', 'send', 'before', 'after', 'kill', 'stale'),
  /** Documents or records until the fault strikes. */
  count: fc.nat({ max: 30 }),
});

/** Removes some members from the groups of these records, before the others arrive. */
const withSplits = async (sent: readonly Sent[]): Promise<Sent[]> => {
  const half = Math.floor(sent.length / 2);
  const cluster = new Cluster();
  await cluster.prepare(sent.slice(0, half));
  await cluster.drain(whole);
  const standing = (id: string): string => {
    const into = cluster.store.groups.get(id)?.mergedInto;
    return into ? standing(into) : id;
  };
  const grouped = [...cluster.store.events.values()].filter(({ correlationId }) => correlationId !== null);
  const groups = Map.groupBy(grouped, ({ correlationId }) => standing(correlationId!));
  const at = sent[half - 1]!.record.receivedAt;
  const splits = [...groups].flatMap(([from, members], n): Sent[] => {
    const eventIds = members.filter((_, place) => place % 2 === n % 2).map(({ id }) => id);
    const [eventId] = eventIds;
    if (eventId === undefined) return [];
    const by = { id: 'u', username: 'u', name: 'U' };
    const trail = { id: ulidOf(`split${n}`), address: '::1', department: null, expiresAt: at + HOUR };
    const apart = { id: ulidOf(`apart${n}`), from, eventIds, reason: 'two faults' };
    const ask = { kind: 'related', eventId, links: [], manual: true, by, trail, apart } as const;
    return [{ tenant: members[0]!.tenant, record: { ask, receivedAt: at, deliveryId: `split${n}` } }];
  });
  return [...sent.slice(0, half), ...splits, ...sent.slice(half)];
};

const LEAVES = 'past';
/** One of the tenants ends halfway. */
const withLeave = (sent: readonly Sent[]): Sent[] => {
  const half = Math.floor(sent.length / 2);
  const [before, after] = [sent.slice(0, half), sent.slice(half).filter(({ tenant }) => tenant !== LEAVES)];
  const last: Sent = { tenant: LEAVES, record: { ask: { kind: 'forgotten' }, receivedAt: NOON } };
  return [...before, last, ...after];
};

const striking = (count: number) => {
  let left = count;
  return () => {
    if (left-- === 0) throw new Killed();
  };
};

/** A former owner that was only asleep continues where it was. */
const wakeStale = async (cluster: Cluster, processor: AnyProcessor, size: number): Promise<void> => {
  const stale = await cluster.running(processor);
  const inputs = cluster.topics.log(processor.input).slice(stale.next, stale.next + size);
  const pages = cluster.pages(processor);
  cluster.kill(processor);
  if (!(await cluster.turn(processor, size, true)) || inputs.length === 0 || stale.more) return;
  const before = cluster.written();
  const isOver = processor.kind === 'fold' && cluster.pages(processor) > pages;
  try {
    await stale.owner.take(inputs.map(copy));
  } catch (error) {
    if (!(error instanceof LostPartition)) throw error;
  }
  // Once the new owner has written, the former one writes nothing any more; before, the first to write continues.
  if (isOver) expect(cluster.written()).toEqual(before);
};

test('kills, half saves, half sends, lost commits and stale owners change neither events nor groups nor answers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 160, size: 'max' }),
      fc.array(act, { minLength: 40, maxLength: 200, size: 'max' }),
      async (steps, acts) => {
        const sent = withLeave(await withSplits(recordsOf(steps)));
        const cluster = new Cluster();
        await cluster.prepare(sent);
        for (const { processor: index, size, goes, count } of acts) {
          const processor = pipeline[index] as AnyProcessor;
          if (goes === 'save') cluster.store.saveFault = striking(count);
          if (goes === 'send') cluster.topics.sendFault = striking(count);
          if (goes === 'before' || goes === 'after') {
            cluster.store.journalFault = (when) => {
              if (when === goes) throw new Killed();
            };
          }
          if (goes === 'stale') await wakeStale(cluster, processor, size);
          else await cluster.turn(processor, size, goes !== 'uncommitted');
          if (goes === 'kill' || goes === 'uncommitted') cluster.kill(processor);
          cluster.store.saveFault = () => {};
          cluster.store.journalFault = () => {};
          cluster.topics.sendFault = () => {};
        }
        await cluster.drain();
        const receipts = cluster.receipts();
        const expected = await reference(sent);
        expect(cluster.snapshot()).toEqual(expected.snapshot);
        expect(receipts).toEqual(expected.receipts);
        const last = sent.findIndex(({ record }) => record.ask.kind === 'forgotten');
        expect(receipts.get(`r${last}`)).toMatchObject({ ok: true, outcome: 'changed' });
      },
    ),
    { numRuns: runs({ short: 5, long: 200 }), endOnFailure: true },
  );
}, 120_000);

test('what was seen too long ago is forgotten after a restart too, when nobody has made arrivals of the events yet', async () => {
  const cluster = new Cluster();
  const at = (hours: number) => ({ timestamp: NOON + hours * HOUR, receivedAt: NOON + hours * HOUR });
  const records = [
    occurs({ id: 'a', ...at(0) }),
    occurs({ id: 'b', title: 'Link down', ...at(5) }),
    occurs({ id: 'c', ...at(3), receivedAt: NOON + 5 * HOUR }),
  ];
  await cluster.prepare(records.map((record) => ({ tenant: 'acme', record })));
  const [dedup] = pipeline as [AnyProcessor];
  await cluster.turn(dedup, 2, true);
  cluster.kill(dedup);
  await cluster.turn(dedup, 1, true);
  expect(cluster.store.events.get(ulidOf('a'))).toMatchObject({ count: 2, seen: { bits: 1 } });
});

test.each([
  [2, 'brings back what merge assigned between the last records'],
  [3, 'holds nothing of the tenant any more'],
])('after %i last records the last page of an owner %s', async (records) => {
  const cluster = new Cluster();
  const last: Sent = { tenant: LEAVES, record: { ask: { kind: 'forgotten' }, receivedAt: NOON } };
  const events = ['Link down', 'Database unreachable'].map((title, n) => occurs({ id: `e${n}`, title }));
  await cluster.prepare([...events.map((record) => ({ tenant: LEAVES, record })), last]);
  const once = async (): Promise<void> => {
    for (const processor of pipeline) await cluster.turn(processor, 1_000, true);
  };
  await once();
  for (let n = 2; n <= records; n++) {
    cluster.say(last, n + 1);
    await once();
    expect(cluster.receipts().get(`r${n + 1}`)).toMatchObject({ ok: true, outcome: 'changed' });
  }
  expect(cluster.store.groups.size).toBe(1);
  cluster.store.events.clear();
  const [dedup] = pipeline as [AnyProcessor];
  cluster.kill(dedup);
  await cluster.running(dedup);
  expect(cluster.store.events.size).toBe(records === 2 ? 2 : 0);
});

/** Returns events without positions, which are counted differently in each mode. */
const shownEvents = (events: Iterable<Event>): unknown[] =>
  [...events]
    .map(
      (event) => JSON.parse(JSON.stringify(event, (key, part) => (/position$/i.test(key) ? undefined : part))) as Event,
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));

test('embedded and distributed make the same of the same records', async () => {
  let splits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), async (steps) => {
      const steady = recordsOf(steps);
      const sent = await withSplits(steady);
      const cluster = new Cluster();
      await cluster.prepare(sent);
      await cluster.drain();
      const kit = await openRunner({ clock: setClock(NOON) });
      await prepareTopology(kit.topology);
      kit.clock.set(Math.max(NOON, ...sent.map(({ record }) => record.receivedAt)));
      for (const { tenant, record } of sent) await kit.runner.submit(tenant, [record], 5_000);
      await kit.runner.idle();
      kit.database.waitApplied();
      const keys = steady.map(({ tenant }, n) => ({ tenant, id: ulidOf(`e${n}`) }));
      const embedded = shownEvents(openEventTable(kit.database).getMany(keys));
      await kit.close();
      splits += [...cluster.store.decisions.values()].filter(({ apart }) => apart !== undefined).length;
      expect(embedded).toEqual(shownEvents(cluster.store.events.values()));
      expect(embedded.length).toBeGreaterThan(0);
    }),
    { numRuns: runs({ short: 2, long: 100 }), endOnFailure: true },
  );
  expect(splits).toBeGreaterThan(0);
}, 60_000);
