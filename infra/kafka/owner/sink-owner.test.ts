import { afterEach, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { PartitionWork } from '#infra/kafka/consumer/partition-work.ts';
import { sinkOwners } from '#infra/kafka/sink-owners.ts';
import { sinkRunnerContract } from '#test/contract/sink-runner.ts';
import { NOON } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { savedOf, type TestSink, testSink, type Word } from '#test/setup/sink-kit.ts';
import { until } from '#test/setup/until.ts';
import type { Commit } from './commits.ts';
import type { Input } from './owner.ts';
import type { Rejected } from './step-batch.ts';
import type { Fetched } from './wire.ts';

const metrics = { count: () => {}, gauge: () => {}, observe: () => {} };

/** The world of a failed test would work on, and fill the memory. */
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

/** A partition whose log grows, with the real work on it; commits outlive the work. */
const partition = (sink: TestSink, fetchedAtOnce = 700) => {
  const clock = setClock(NOON);
  const log: Input[] = [];
  const letters = new Map<string, Rejected>();
  let [commit, isPaused] = [null as Commit | null, false];
  const rows = (from: number): Fetched[] =>
    log
      .slice(from, from + fetchedAtOnce)
      .map(({ offset }) => ({ offset: String(offset), timestamp: '0', key: null, value: null }));

  const open = () => {
    let [next, isHeld, isOver] = [commit?.offset ?? 0, false, false];
    const feed = (): void => {
      if (isHeld || isOver || next >= log.length) return;
      const fetched = rows(next);
      if (!work.push(fetched)) return;
      next += fetched.length;
      setImmediate(feed);
    };
    const openOwner = sinkOwners(sink, {
      open: sink.open({} as never),
      clock,
      metrics,
      isPaused: () => isPaused,
      operations: { pipeline: async () => [] },
      emitter: {
        reject: async (_, given) => {
          for (const one of given) letters.set(one.id, one);
        },
      },
      committed: async () => commit,
    });
    const work = new PartitionWork({
      atOnce: 4_000,
      control: {
        seek(offset) {
          next = offset;
          setImmediate(feed);
        },
        pause: () => (isHeld = true),
        resume() {
          isHeld = false;
          setImmediate(feed);
        },
      },
      openOwner: () => openOwner(0),
      read: async (records) => records.map(({ offset }) => log[Number(offset)]!),
      done: (made) => (commit = made),
      failed: () => 1,
      before: Promise.resolve(),
    });
    const end = async (isLost: boolean) => {
      isOver = true;
      await (isLost ? work.lose() : work.stop());
    };
    return { feed, end };
  };
  let work = open();
  const append = (word: Word, rest: Partial<Input> = {}): void => {
    const offset = log.length;
    const entry = { tenant: word.tenant, position: offset + 1, value: savedOf(word) };
    const raw = Buffer.from(JSON.stringify(entry.value));
    log.push({
      offset,
      at: clock.now(),
      entry,
      writer: 'w',
      serial: offset + 1,
      reply: null,
      raw,
      fault: null,
      ...rest,
    });
  };
  const reopen = async (isLost: boolean): Promise<void> => {
    await work.end(isLost);
    work = open();
    work.feed();
  };
  const world = {
    append,
    feed: () => work.feed(),
    get commit() {
      return commit;
    },
    async say(words: readonly Word[]) {
      for (const word of words) append(word);
      work.feed();
    },
    advance: clock.advance,
    pause(paused: boolean) {
      isPaused = paused;
    },
    letters: async () => [...letters.values()].map(({ attempts = 1, ...letter }) => ({ ...letter, attempts })),
    kill: () => reopen(true),
    restart: () => reopen(false),
    close: () => work.end(false),
  };
  opened.push(world);
  return world;
};

sinkRunnerContract('Kafka', async (sink) => partition(sink));

const word = (id: string): Word => ({ tenant: 't', id, happened: 'created' });

test('a value that cannot be read becomes a dead letter, and those around it are taken', async () => {
  const sink = testSink('s');
  const world = partition(sink);
  world.append(word('A'));
  world.append(word('B'), { fault: 'its schema is not known' });
  world.append(word('C'));
  world.feed();
  await until(async () => sink.taken.length === 2 && world.commit?.offset === 3);
  expect(await world.letters()).toMatchObject([{ processor: 's', offset: 1, reason: 'its schema is not known' }]);
});

test('what its writer has sent twice is told once', async () => {
  const sink = testSink('s');
  const world = partition(sink);
  for (const serial of [1, 2]) world.append(word(`E${serial}`), { serial });
  world.feed();
  await until(async () => world.commit?.offset === 2);
  for (const serial of [1, 2, 3]) world.append(word(`E${serial}`), { serial });
  world.feed();
  await until(async () => world.commit?.offset === 5);
  expect(sink.taken).toHaveLength(3);
});

test('what is done is committed when the sink fails behind it', async () => {
  const sink = testSink('s');
  // One batch of the partition, which are two of the sink.
  const world = partition(sink, 3_000);
  sink.trouble = (batch) => {
    if (batch.some(({ position }) => position > 2_000)) throw new Fault('unavailable', 'down');
  };
  await world.say(Array.from({ length: 3_000 }, (_, n) => word(`E${n}`)));
  await until(async () => world.commit?.offset === 2_000);
  sink.trouble = null;
  await until(async () => world.commit?.offset === 3_000);
  expect(sink.taken).toHaveLength(3_000);
});
