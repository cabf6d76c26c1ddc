import { expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import type { Commit } from '#infra/kafka/owner/commits.ts';
import type { Owner } from '#infra/kafka/owner/owner.ts';
import type { Fetched } from '#infra/kafka/owner/wire.ts';
import { until } from '#test/setup/until.ts';
import { PartitionWork } from './partition-work.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const records = (from: number, count: number): Fetched[] =>
  Array.from({ length: count }, (_, i) => ({ offset: String(from + i), timestamp: '0', key: null, value: null }));

/**
 * A partition whose owners have finished nothing before; with the requests to the client, and the reported ends of
 * batches.
 */
const workOf = (take: (offsets: readonly number[]) => Promise<void>) => {
  const asked: string[] = [];
  const commits: Commit[] = [];
  const owner = {
    open: async () => 0,
    take: async (inputs: readonly { offset: number }[]) => {
      await take(inputs.map(({ offset }) => offset));
      return { metadata: 'm' };
    },
  } as unknown as Owner;
  const work = new PartitionWork({
    control: {
      seek: (offset) => asked.push(`seek ${offset}`),
      pause: () => asked.push('pause'),
      resume: () => asked.push('resume'),
    },
    openOwner: () => owner,
    read: async (records) => records.map(({ offset }) => ({ offset: Number(offset) }) as never),
    done: (commit) => commits.push(commit),
    failed: () => 0,
    before: Promise.resolve(),
  });
  return { work, asked, commits };
};

/** A partition whose owner processes a batch when the test allows it. */
const gated = () => {
  const taken: number[] = [];
  let let1 = Promise.withResolvers<void>();
  const opened = workOf(async (offsets) => {
    await let1.promise;
    taken.push(offsets.length);
  });
  const open = async (): Promise<void> => {
    let1.resolve();
    let1 = Promise.withResolvers<void>();
    for (let i = 0; i < 5; i++) await turn();
  };
  return { ...opened, taken, open };
};

test('what comes while a batch is worked on waits, is bounded, and is taken in batches of at most 1,000', async () => {
  const { work, asked, taken, commits, open } = gated();
  expect(work.push(records(0, 10))).toBe(true);
  await turn();
  expect(work.push(records(10, 1_500))).toBe(true);
  expect(asked).toEqual([]);
  expect(work.push(records(1_510, 900))).toBe(true);
  expect(asked).toEqual(['pause']);
  for (let i = 0; i < 4; i++) await open();
  expect(taken).toEqual([10, 1_000, 1_000, 400]);
  expect(asked).toEqual(['pause', 'resume']);
  expect(commits.map(({ offset }) => offset)).toEqual([10, 1_010, 2_010, 2_410]);
});

test.each([
  ['who is stopped finishes the batch at hand, says where it ends, and takes no further one', 'stop', [5]],
  ['who has lost the partition finishes the batch at hand too, but says nothing', 'lose', []],
] as const)('%s', async (_, how, committed) => {
  const { work, taken, commits, open } = gated();
  work.push(records(0, 5));
  await turn();
  work.push(records(5, 5));
  const stopped = work[how]();
  expect(work.push(records(10, 5))).toBe(false);
  await open();
  await stopped;
  expect(taken).toEqual([5]);
  expect(commits.map(({ offset }) => offset)).toEqual(committed);
});

test('as long as nobody has finished anything, an owner begins at the first record of all', async () => {
  const taken: (readonly number[])[] = [];
  const { work, asked } = workOf(async (offsets) => {
    taken.push(offsets);
    if (taken.length === 2) throw new Error('The log is down');
  });
  const sought = () => asked.filter((one) => one.startsWith('seek'));
  const push = async (...batch: Parameters<typeof records>): Promise<void> => {
    work.push(records(...batch));
    for (let i = 0; i < 5; i++) await turn();
  };
  await push(3, 2);
  expect(sought()).toEqual(['seek 0']);
  await push(0, 5);
  await push(5, 2);
  expect(sought()).toEqual(['seek 0', 'seek 5']);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await push(5, 2);
  expect(sought()).toEqual(['seek 0', 'seek 5', 'seek 0']);
  await push(0, 7);
  expect(taken).toEqual([
    [0, 1, 2, 3, 4],
    [5, 6],
    [0, 1, 2, 3, 4, 5, 6],
  ]);
});

test('a batch that is too large for the store is cut in two until it fits, and one record alone goes on as a fault', async () => {
  const taken: string[] = [];
  let opened = 0;
  const owner = {
    open: async () => 0,
    take: async (inputs: readonly { offset: number; fault: string | null }[]) => {
      const sound = inputs.filter(({ fault }) => fault === null);
      if (sound.length > 2 || sound.some(({ offset }) => offset === 3)) throw new Fault('too-large', 'too large');
      taken.push(inputs.map(({ offset, fault }) => `${offset}${fault === null ? '' : '!'}`).join(' '));
      return { metadata: 'm' };
    },
  } as unknown as Owner;
  const log = records(0, 6);
  let next = 0;
  const work: PartitionWork = new PartitionWork({
    control: {
      seek(offset) {
        next = offset;
      },
      pause() {},
      resume: () => void setImmediate(fetch),
    },
    openOwner: () => {
      opened += 1;
      return { ...owner, open: async () => Number(taken.at(-1)?.split(' ').at(-1)?.replace('!', '') ?? -1) + 1 };
    },
    read: async (given) => given.map(({ offset }) => ({ offset: Number(offset), fault: null }) as never),
    done: () => {},
    failed: () => 0,
    before: Promise.resolve(),
  });
  const fetch = (): void => {
    if (next < log.length && work.push(log.slice(next))) next = log.length;
  };
  fetch();
  await until(async () => taken.at(-1)?.endsWith('5') ?? false);
  expect(taken.join(' ')).toBe('0 1 2 3! 4 5');
  expect(opened).toBeLessThan(8);
});

test('what an owner wants to work off without records comes before the next records, and it may go back', async () => {
  const asked: (number | null)[] = [];
  const seeks: number[] = [];
  const answers = [{ more: true }, { more: false, back: 3 }];
  const owner = {
    open: async () => 0,
    take: async (inputs: readonly { offset: number }[]) => {
      asked.push(inputs[0]?.offset ?? null);
      return { metadata: 'm', resume: 2, ...answers.shift() };
    },
  } as unknown as Owner;
  const commits: Commit[] = [];
  const work = new PartitionWork({
    control: { seek: (offset) => seeks.push(offset), pause() {}, resume() {} },
    openOwner: () => owner,
    read: async (given) => given.map(({ offset }) => ({ offset: Number(offset) }) as never),
    done: (commit) => commits.push(commit),
    failed: () => 0,
    before: Promise.resolve(),
  });
  work.push(records(0, 1_500));
  await until(async () => asked.length === 2);
  await turn();
  expect(asked).toEqual([0, null]);
  expect(seeks).toEqual([3]);
  expect(commits.map(({ offset }) => offset)).toEqual([2, 2]);
});
