import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRepeat } from '#infra/kafka/owner/sequence-filter.ts';
import { systemClock } from '#infra/system/time.ts';
import { eventsIncoming, eventsReceipts, eventsSaved } from '#schemas/topics/topics.ts';
import { FakeBroker, type Fate } from '#test/setup/fake-broker.ts';
import type { ProducerConnection } from './appender.ts';
import { openProducer } from './producer.ts';

const log = { info: () => undefined };
const open = (connect: () => ProducerConnection, connections = 6) =>
  openProducer({ connect, connections, writer: 'writer-1', clock: systemClock, log });
const record = (text: string) => ({ key: 't', value: Buffer.from(text) });

/** Returns the records that a reader accepts: it skips those not above the highest serial of the writer. */
const taken = (broker: FakeBroker, partition: number): string[] => {
  const highest = new Map<string, { serial: number; at: number }>();
  return (broker.partitions.get(partition) ?? []).flatMap(({ writer, serial, text }) => {
    if (isRepeat(highest, writer, serial)) return [];
    highest.set(writer, { serial, at: 0 });
    return [text];
  });
};

const fate = fc.constantFrom<Fate>('well', 'well', 'well', 'slow', 'refused', 'lost');
const sends = fc.array(
  fc.record({ partition: fc.nat({ max: 2 }), size: fc.integer({ min: 1, max: 3 }), wait: fc.boolean() }),
  { minLength: 10, maxLength: 40 },
);

/** Connections for three partitions. */
const shared = fc.constantFrom(1, 2, 6);

describe('whatever happens to appends, what is acknowledged', () => {
  test('is read once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        sends,
        fc.array(fate, { minLength: 1, maxLength: 6 }),
        shared,
        async (asked, fates, connections) => {
          let left = [...fates];
          const broker = new FakeBroker(() => left.shift() ?? 'well');
          const producer = open(broker.connect, connections);
          const expected = new Map<number, string[]>();
          const sent: Promise<unknown>[] = [];
          for (const [n, { partition, size, wait }] of asked.entries()) {
            const texts = Array.from({ length: size }, (_, i) => `${n}.${i}`);
            expected.set(partition, [...(expected.get(partition) ?? []), ...texts]);
            const sending = producer.send(eventsIncoming, partition, texts.map(record));
            sent.push(sending);
            if (wait) await sending;
          }
          await Promise.all(sent);
          left = [];
          expect(broker.violations).toEqual([]);
          for (const [partition, texts] of expected) expect(taken(broker, partition)).toEqual(texts);
          await producer.close(0);
        },
      ),
      { numRuns: 20 },
    );
  }, 60_000);

  test('was written by a connection that had never rejected', async () => {
    const fates: Fate[] = ['well', 'lost', 'well', 'well'];
    const broker = new FakeBroker(() => fates.shift() ?? 'well');
    const producer = open(broker.connect);
    for (const text of ['a', 'b', 'c', 'd']) await producer.send(eventsIncoming, 0, [record(text)]);
    expect(broker.partitions.get(0)?.map(({ text, serial }) => [text, serial])).toEqual([
      ['a', 1],
      ['b', 2],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ]);
    expect(broker.connections).toBe(2);
  });
});

test('after an append whose outcome stays unknown the next one is written, and not taken for it', async () => {
  const fates: Fate[] = ['lost', 'well'];
  const broker = new FakeBroker(() => fates.shift() ?? 'well');
  let now = 0;
  // Six minutes pass at each reading of the clock: nothing may be sent a second time.
  const clock = { steady: () => (now += 6 * 60_000) };
  const producer = openProducer({ connect: broker.connect, writer: 'writer-1', clock, log });
  await expect(producer.send(eventsIncoming, 0, [record('a')])).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await producer.send(eventsIncoming, 0, [record('b')])).toEqual({ offset: 1 });
  expect(taken(broker, 0)).toEqual(['a', 'b']);
});

/** A connection whose appends wait until the test ends them. */
const heldConnection = () => {
  const held: { texts: string[]; end: (error?: Error) => void }[] = [];
  const connect = (): ProducerConnection => ({
    append: ({ messages }) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve({ baseOffset: 7 }));
        held.push({ texts: messages.map(({ value }) => String(value)), end });
      }),
    end: () => held.splice(0).forEach(({ end }) => void end(new Error('ended'))),
  });
  return { held, connect };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what waits while an append is under way shares the next one, and each learns its own offset', async () => {
  const { held, connect } = heldConnection();
  const producer = open(connect);
  const first = producer.send(eventsIncoming, 0, [record('a')]);
  await turn();
  const rest = [['b', 'c'], ['d']].map((texts) => producer.send(eventsIncoming, 0, texts.map(record)));
  await turn();
  expect(held.map(({ texts }) => texts)).toEqual([['a']]);
  held[0]?.end();
  await first;
  await turn();
  expect(held.map(({ texts }) => texts)).toEqual([['a'], ['b', 'c', 'd']]);
  held[1]?.end();
  expect(await Promise.all(rest)).toEqual([{ offset: 7 }, { offset: 9 }]);
});

test('partitions do not wait for the outcome of appends to others, as far as there are connections', async () => {
  const { held, connect } = heldConnection();
  let opened = 0;
  const producer = open(() => {
    opened += 1;
    return connect();
  }, 2);
  const sent = [0, 1, 2].map((partition) => producer.send(eventsIncoming, partition, [record(`p${partition}`)]));
  await turn();
  expect(held.map(({ texts }) => texts)).toEqual([['p0'], ['p1'], ['p2']]);
  expect(opened).toBe(2);
  for (const { end } of held) end();
  await Promise.all(sent);
  const again = producer.send(eventsIncoming, 0, [record('again')]);
  await turn();
  held.at(-1)?.end();
  await again;
  expect(opened).toBe(2);
});

test('after its deadline a send is refused; one that was not under way is never sent', async () => {
  const { held, connect } = heldConnection();
  const producer = open(connect);
  const first = producer.send(eventsIncoming, 0, [record('a')], { deadlineMs: 5 });
  await turn();
  const second = producer.send(eventsIncoming, 0, [record('b')], { deadlineMs: 5 });
  await expect(first).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  await expect(second).rejects.toMatchObject({ kind: 'unavailable' });
  const third = producer.send(eventsIncoming, 0, [record('c')]);
  held[0]?.end();
  await turn();
  expect(held.map(({ texts }) => texts)).toEqual([['a'], ['c']]);
  held[1]?.end();
  await third;
});

test('while brokers are away a processor gives its sends up and sends again; they are read once', async () => {
  const broker = new FakeBroker(() => 'well');
  const back = Promise.withResolvers<void>();
  const connect = (): ProducerConnection => {
    const { append, end } = broker.connect();
    return { append: (given) => back.promise.then(() => append(given)), end };
  };
  const producer = openProducer({ connect, writer: 'writer-1', longestMs: 5, clock: systemClock, log });
  const outputs = ['a', 'b'].map((text, n) => ({
    ...record(text),
    headers: { writer: '@dedup', serial: String(n + 1) },
  }));
  const send = () => producer.send(eventsSaved, 0, outputs);
  const late = { kind: 'unavailable', message: 'Event log timed out' };
  await expect(send()).rejects.toMatchObject(late);
  await expect(send()).rejects.toMatchObject(late);
  const last = send();
  back.resolve();
  await last;
  // The one in flight and the last; those in between were withdrawn.
  expect(broker.partitions.get(0)?.map(({ text }) => text)).toEqual(['a', 'b', 'a', 'b']);
  expect(taken(broker, 0)).toEqual(['a', 'b']);
});

const big = (bytes: number) => ({ key: 't', value: Buffer.alloc(bytes) });
const MIB = 2 ** 20;

test.each([
  ['a request of 15 MiB is one batch', eventsIncoming, [5 * MIB, 5 * MIB, 5 * MIB], [3]],
  ['outputs of 2.5 MiB are cut', eventsSaved, [MIB / 2, MIB / 4, MIB, MIB / 2, MIB / 4], [2, 1, 2]],
  ['one output of 15 MiB goes alone', eventsSaved, [15 * MIB, 10], [1, 1]],
])('%s', async (_name, topic, sizes, expected) => {
  const counts: number[] = [];
  const connect = (): ProducerConnection => ({
    append: async ({ messages }) => ({ baseOffset: counts.push(messages.length) }),
    end: () => undefined,
  });
  await open(connect).send(topic, 0, sizes.map(big), { whole: topic === eventsIncoming });
  expect(counts).toEqual(expected);
});

test.each([
  ['a request above 16 MiB', eventsIncoming, [8 * MIB, 8 * MIB]],
  ['a record above 4 MiB', eventsReceipts, [4 * MIB]],
])('%s is refused before it is sent', async (_name, topic, sizes) => {
  const connect = (): ProducerConnection => ({
    append: () => Promise.reject(new Error('sent all the same')),
    end: () => undefined,
  });
  const sending = open(connect).send(topic, 0, sizes.map(big), { whole: true });
  await expect(sending).rejects.toMatchObject({ kind: 'too-large' });
});

test('a batch that the broker refuses is tried in its parts: only the one that is wrong is refused', async () => {
  const connect = (): ProducerConnection => ({
    async append({ messages }) {
      const bad = messages.some(({ value }) => String(value) === 'bad');
      if (bad) throw Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' });
      return { baseOffset: 1 };
    },
    end: () => undefined,
  });
  const producer = open(connect);
  const results = await Promise.allSettled(
    ['a', 'bad', 'b'].map((text) => producer.send(eventsSaved, 0, [record(text)])),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { name: 'Fault', kind: 'too-large' } });
});

test('more than 64 MiB do not wait when there is a deadline', async () => {
  const { held, connect } = heldConnection();
  const producer = open(connect);
  const options = { deadlineMs: 60_000 };
  const waiting = Array.from({ length: 4 }, () => producer.send(eventsIncoming, 0, [big(15 * MIB)], options));
  const outcomes = Promise.allSettled(waiting);
  await expect(producer.send(eventsIncoming, 1, [big(15 * MIB)], options)).rejects.toMatchObject({
    kind: 'rate-limited',
  });
  await turn();
  expect(held).toHaveLength(1);
  await producer.close(0);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
});

test('records that name their writer keep their number', async () => {
  const broker = new FakeBroker(() => 'well');
  const own = { ...record('b'), headers: { writer: '@dedup', serial: '40' } };
  await open(broker.connect).send(eventsSaved, 0, [record('a'), own, record('c')]);
  expect(broker.partitions.get(0)?.map(({ writer, serial }) => `${writer} ${serial}`)).toEqual([
    'writer-1 1',
    '@dedup 40',
    'writer-1 2',
  ]);
});
