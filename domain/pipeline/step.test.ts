import { expect, test } from '@jest/globals';
import { Batch, type Stage, type StepWork, step } from './batch.ts';
import type { BatchRows, Effects, Entry, Reads } from './processor.ts';

const NOTHING_STORED = {
  delivery: () => undefined,
  around: () => undefined,
  enriched: () => undefined,
  turns: () => [],
  joined: () => null,
  home: () => null,
  groupOf: () => undefined,
  settings(): never {
    throw new Error('not asked for');
  },
};

const openWork = (more: Partial<StepWork> = {}) => {
  const seen: unknown[] = [];
  let time = 0;
  const work: StepWork = {
    most: 7,
    meter: {
      now: () => (time += 500),
      observe: (name, labels, value) => seen.push([name, labels, value]),
      count: (name, labels, by) => seen.push([name, labels, by]),
    },
    reject: (entry, error) => seen.push(['rejected', entry.value, (error as Error).message]),
    ...more,
  };
  return { seen, work };
};
const entriesOf = (...values: string[]): Entry<string>[] =>
  values.map((value, index) => ({ tenant: 't', position: index + 1, value }));
const newBatch = () => new Batch<unknown, never>({ sources: NOTHING_STORED, read: new Map(), pack: (one) => one });

/** Logs its calls, fails at `bad` and has one entry more that it cannot process. */
const foldStage = (calls: unknown[]): Stage => ({
  state: calls,
  processor: {
    kind: 'fold',
    name: 'f',
    input: 'in',
    open: () => calls,
    restore: async () => {},
    reads: (_: unknown, batch: readonly Entry<string>[]): Reads => {
      calls.push(`reads ${batch.length}`);
      return { settings: ['t'] };
    },
    step(_: unknown, { tenant, position, value }: Entry<string>, _found: BatchRows, effects: Effects) {
      if (value === 'bad') throw new Error('cannot');
      calls.push(value);
      effects.emit('out', { tenant, position, value });
    },
    proceed(_: unknown, _effects: Effects, { most, failed }) {
      calls.push(`proceed ${most}`);
      failed({ tenant: 't', position: 9, value: 'waiting' }, new Error('too old'));
      return true;
    },
    settle: () => calls.push('settle'),
  },
});

const measured = (processor: string, taken: number) => [
  ['faultline_processor_step_seconds', { processor }, 0.5],
  ['faultline_processor_records_total', { processor, direction: 'in' }, taken],
];

test('a fold reads, steps each entry, works off what waits, and settles; what it cannot handle holds up nothing', () => {
  const calls: unknown[] = [];
  const { seen, work } = openWork({ read: (reads) => calls.push(reads) });
  const batch = newBatch();
  expect(step(foldStage(calls), entriesOf('a', 'bad', 'b'), batch, work)).toBe(true);
  expect(calls).toEqual(['reads 3', { settings: ['t'] }, 'a', 'b', 'proceed 7', 'settle']);
  expect(batch.entries('out').map(({ value }) => value)).toEqual(['a', 'b']);
  expect(seen).toEqual([['rejected', 'bad', 'cannot'], ['rejected', 'waiting', 'too old'], ...measured('f', 3)]);
});

test('what was read before is not asked for', () => {
  const calls: unknown[] = [];
  step(foldStage(calls), entriesOf('a'), newBatch(), openWork().work);
  expect(calls).toEqual(['a', 'proceed 7', 'settle']);
});

test('an entry that is not admitted is not stepped; one that cannot be decoded is rejected', () => {
  const admits = (index: number): boolean => {
    if (index === 1) throw new Error('no Avro');
    return index !== 0;
  };
  const { seen, work } = openWork({ admits });
  const matched: string[] = [];
  const join: Stage = {
    state: null,
    processor: {
      kind: 'join',
      name: 'j',
      input: 'in',
      open: () => null,
      restore: async () => {},
      passed: () => {},
      match: (_: unknown, { value }: Entry<string>) => matched.push(value),
    },
  };
  expect(step(join, entriesOf('a', 'b', 'c'), newBatch(), work)).toBe(false);
  expect(matched).toEqual(['c']);
  expect(seen).toEqual([['rejected', 'b', 'no Avro'], ...measured('j', 2)]);
});

test('a batch that has failed as a whole ends at once', () => {
  const calls: unknown[] = [];
  const failing = (): never => {
    throw new Error('the disk is gone');
  };
  const { seen, work } = openWork({ reject: failing });
  expect(() => step(foldStage(calls), entriesOf('bad', 'a'), newBatch(), work)).toThrow('the disk is gone');
  expect([calls, seen]).toEqual([[], []]);
});
