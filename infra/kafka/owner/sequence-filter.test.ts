import { describe, expect, test } from '@jest/globals';
import { dropSilentWriters, isRepeat, writerOf } from './sequence-filter.ts';

const MINUTE = 60_000;
const readOf = (...rows: readonly (readonly [writer: string, serial: number, at: number])[]) =>
  new Map(rows.map(([writer, serial, at]) => [writer, { serial, at }]));

describe('a record is a repeat', () => {
  const read = readOf(['api00001', 7, 0], ['@correlate.temporal', 900, 0]);
  test.each([
    ['when its number is not above the highest of its writer', 'api00001', 7, true],
    ['when it is older still', 'api00001', 1, true],
    ['not when it is the next', 'api00001', 8, false],
    ['not when another writer is further on', '@correlate.service', 8, false],
    ['not when it has no number', 'api00001', 0, false],
  ])('%s', (_, writer, serial, expected) => {
    expect(isRepeat(read, writer, serial)).toBe(expected);
  });
});

describe('writers are forgotten', () => {
  test('when they have been silent for more than 10 minutes of append time', () => {
    const read = readOf(['old', 1, 0], ['young', 1, 1]);
    dropSilentWriters(read, 10 * MINUTE + 1);
    expect([...read.keys()]).toEqual(['young']);
  });

  test('beyond the 128 newest, the longest silent first', () => {
    const read = readOf(...Array.from({ length: 130 }, (_, n) => [`w${n}`, 1, n] as const));
    dropSilentWriters(read, 130);
    expect(read.size).toBe(128);
    expect([read.has('w0'), read.has('w1'), read.has('w2')]).toEqual([false, false, true]);
  });

  test('but never a processor, which writes under its name for ever', () => {
    const read = readOf([writerOf('merge'), 5, 0]);
    dropSilentWriters(read, 1_000 * MINUTE);
    expect(isRepeat(read, writerOf('merge'), 5)).toBe(true);
  });
});
