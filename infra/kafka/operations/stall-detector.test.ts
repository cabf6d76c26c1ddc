import { describe, expect, test } from '@jest/globals';
import type { PartitionReport, ProcessorReport } from '#domain/ports/operations.ts';
import { StallDetector } from './stall-detector.ts';

const SECOND = 1_000;
const member = { id: 'm', host: 'h', partitions: [0, 1] };
const partition = (number: number, position: number, lag: number, reader: string | null = 'm'): PartitionReport => ({
  partition: number,
  position,
  end: position + lag,
  lag,
  member: reader,
});
type Seen = Pick<ProcessorReport, 'members' | 'partitions' | 'lastError' | 'paused'>;
const seen = (...partitions: PartitionReport[]): Seen => ({
  members: [member],
  partitions,
  lastError: null,
  paused: null,
});

/** Checks every five seconds the state that `at` returns; the last answer. */
const watched = (seconds: number, at: (second: number) => Seen) => {
  const detector = new StallDetector();
  let last = null;
  for (let second = 0; second <= seconds; second += 5) last = detector.check(at(second), second * SECOND);
  return last;
};

describe('a processor', () => {
  test('that nobody runs is missing, at once, and so is a partition that nobody reads', () => {
    const nobody = { ...seen(partition(0, 5, 7, null)), members: [] };
    expect(watched(0, () => nobody)).toEqual({ kind: 'missing', detail: 'no process runs it; 7 records queued' });
    expect(watched(0, () => seen(partition(0, 5, 0), partition(1, 5, 2, null)))).toEqual({
      kind: 'missing',
      detail: 'no consumer for partition 1; 2 records queued',
    });
  });

  test('whose batches fail says why', () => {
    const failing = { ...seen(partition(0, 5, 7)), lastError: { message: 'the store is down', at: 1 } };
    expect(watched(0, () => failing)).toEqual({ kind: 'failing', detail: 'the store is down' });
  });

  test('that reads, or has nothing to read, is well', () => {
    expect(watched(300, (second) => seen(partition(0, second, 5_000)))).toBeNull();
    expect(watched(300, () => seen(partition(0, 5, 0)))).toBeNull();
  });

  test.each([
    [55, null],
    [60, 'standing'],
  ])('that has read nothing of what waits for %d s is %s', (seconds, kind) => {
    const trouble = watched(seconds, () => seen(partition(0, 5, 3), partition(1, 9, 0)));
    expect(trouble?.kind ?? null).toBe(kind);
    if (trouble !== null) expect(trouble.detail).toBe('no progress in partition 0 for a minute; 3 records queued');
  });

  test('whose partition was idle a minute ago is given time', () => {
    expect(watched(90, (second) => seen(partition(0, 5, second < 80 ? 0 : 3)))).toBeNull();
  });

  test('that falls behind by more than 10,000 is behind, until it catches up', () => {
    const growing = (second: number) => seen(partition(0, second, 9_000 + second * 50));
    expect(watched(20, growing)).toBeNull();
    expect(watched(120, growing)).toEqual({ kind: 'behind', detail: '15000 records behind, 12000 a minute ago' });
    expect(watched(120, (second) => seen(partition(0, second, 50_000 - second)))).toBeNull();
  });
});

test('what is remembered is bounded', () => {
  const detector = new StallDetector();
  for (let at = 0; at < 1_000_000; at += 100) detector.check(seen(partition(0, at, 1)), at);
  expect(JSON.stringify(detector.check(seen(partition(0, 0, 1)), 1_000_000))).toBe('null');
});
