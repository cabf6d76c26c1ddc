import { expect, test } from '@jest/globals';
import { columnsOf } from './histogram-bars.ts';

const MINUTE = 60_000;
const iso = (minutes: number): string => new Date(minutes * MINUTE).toISOString();
const counted = (from: number, to: number, buckets: Parameters<typeof columnsOf>[0]['buckets'], stepMs = MINUTE) => ({
  from: iso(from),
  to: iso(to),
  stepMs,
  buckets,
});

test('columns reach over the whole range, also where nothing happened, as high as what they count', () => {
  const columns = columnsOf(
    counted(9, 13, [
      { at: iso(10), bySeverity: { critical: 1, info: 3 } },
      { at: iso(12), bySeverity: { major: 2 } },
    ]),
  );
  expect(
    columns.map(({ from, total, parts }) => [
      from / MINUTE,
      total,
      parts.map(({ severity, height }) => `${severity} ${height}`),
    ]),
  ).toEqual([
    [9, 0, []],
    [10, 4, ['critical 0.25', 'info 0.75']],
    [11, 0, []],
    [12, 2, ['major 0.5']],
    [13, 0, []],
  ]);
  expect(columns[0]?.to).toBe(10 * MINUTE - 1);
});

test('five events and half a million have equally many columns', () => {
  const few = counted(0, 1_440, [{ at: iso(1_425), bySeverity: { critical: 5 } }], 15 * MINUTE);
  const many = { ...few, buckets: [{ at: iso(0), bySeverity: { info: 500_000 } }, ...few.buckets] };
  expect([columnsOf(few).length, columnsOf(many).length]).toEqual([97, 97]);
  expect(columnsOf(few).filter(({ total }) => total > 0)).toHaveLength(1);
});

test('a range that begins within a step has the column of that step, and none has more than 120', () => {
  expect(columnsOf(counted(7, 31, [], 10 * MINUTE)).map(({ from }) => from / MINUTE)).toEqual([0, 10, 20, 30]);
  expect(columnsOf(counted(0, 100_000, []))).toHaveLength(120);
  expect(columnsOf(counted(0, 5, [], 0))).toEqual([]);
});
