import { expect, test } from '@jest/globals';
import { columnsOf } from './histogram-bars.ts';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();

test('columns follow each other, also where nothing happened, as high as what they count', () => {
  const columns = columnsOf(
    [
      { at: at(0), bySeverity: { critical: 1, info: 3 } },
      { at: at(2), bySeverity: { major: 2 } },
    ],
    60_000,
  );
  expect(
    columns.map(({ from, total, parts }) => [
      from,
      total,
      parts.map(({ severity, height }) => `${severity} ${height}`),
    ]),
  ).toEqual([
    [0, 4, ['critical 0.25', 'info 0.75']],
    [60_000, 0, []],
    [120_000, 2, ['major 0.5']],
  ]);
  expect(columns[0]?.to).toBe(59_999);
});

test('nothing found is no column, and a gap makes no more than 120', () => {
  expect(columnsOf([], 60_000)).toEqual([]);
  const far = columnsOf(
    [
      { at: at(0), bySeverity: { info: 1 } },
      { at: at(100_000), bySeverity: { info: 1 } },
    ],
    60_000,
  );
  expect(far).toHaveLength(120);
});
