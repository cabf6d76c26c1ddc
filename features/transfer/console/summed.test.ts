import { expect, test } from '@jest/globals';
import { NO_REPORT, summed } from './summed.ts';

const report = (created: number, failed: number) => ({
  ...NO_REPORT,
  total: created + failed,
  created,
  failed,
  rows: [
    ...Array.from({ length: created }, (_, at) => ({ row: at + 1, action: 'created' as const, id: null, error: null })),
    ...Array.from({ length: failed }, (_, at) => ({
      row: created + at + 1,
      action: 'failed' as const,
      id: null,
      error: 'bad',
    })),
  ],
});

test('rows are counted through the whole file', () => {
  const sum = summed(summed(NO_REPORT, report(1, 1), { before: 0 }), report(1, 0), { before: 2 });
  expect(sum.rows.map(({ row, action }) => `${row} ${action}`)).toEqual(['1 created', '2 failed', '3 created']);
  expect([sum.total, sum.created, sum.failed]).toEqual([3, 2, 1]);
});

test('of many rows those that failed stay', () => {
  const sum = summed(summed(NO_REPORT, report(2_000, 0), { before: 0 }), report(0, 3), { before: 2_000 });
  expect(sum.rows).toHaveLength(2_000);
  expect(sum.rows.slice(-3).map(({ row }) => row)).toEqual([2_001, 2_002, 2_003]);
  expect(sum.truncated).toBe(true);
});
