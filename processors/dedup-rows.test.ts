import { describe, expect, test } from '@jest/globals';
import { binOf, markSeen } from '#domain/event/lifecycle/accumulated.ts';
import { HOUR, MINUTE, T0 } from '#test/setup/asks.ts';
import { openRows, recoveryOf, refillSeen, rememberRecovery, rememberSeen, seenOf } from './dedup-rows.ts';

const recovery = (n: number, receivedAt: number) => ({
  tenant: 'acme',
  conditionId: `c${n}`,
  at: receivedAt,
  receivedAt,
  position: n,
});

describe('what was seen', () => {
  test('counts for four hours behind the watermark, swept or not', () => {
    const rows = openRows();
    rows.watermark = T0;
    rememberSeen(rows, 'i', markSeen(null, T0));
    rows.watermark = T0 + 4 * HOUR + 10 * MINUTE - 1;
    expect(seenOf(rows, 'i')).toEqual({ bin: binOf(T0), bits: 1 });
    rows.watermark += 1;
    expect(rows.seen.size).toBe(1);
    expect(seenOf(rows, 'i')).toBeNull();
  });

  test('leaves memory a few entries at a time, no later than as many new ones have come', () => {
    const rows = openRows();
    rows.watermark = T0;
    for (let i = 0; i < 1_000; i++) rememberSeen(rows, `old-${i}`, markSeen(null, T0));
    rows.watermark = T0 + 12 * HOUR;
    const now = markSeen(null, rows.watermark);
    rememberSeen(rows, 'new', now);
    expect(rows.seen.size).toBeGreaterThan(990);
    for (let i = 0; i < 1_000; i++) rememberSeen(rows, `new-${i}`, now);
    expect(rows.seen.size).toBe(1_001);
  });

  test('is united over the events of an identity after a start', () => {
    const rows = openRows();
    rows.watermark = T0 + HOUR;
    refillSeen(rows, 'i', markSeen(null, T0));
    refillSeen(rows, 'i', markSeen(null, T0 + 20 * MINUTE));
    refillSeen(rows, 'i', markSeen(null, T0 - 12 * HOUR));
    expect(seenOf(rows, 'i')).toEqual({ bin: binOf(T0) + 2, bits: 0b101 });
  });
});

test('recoveries leave memory after 60 min', () => {
  const rows = openRows();
  for (let i = 0; i < 100; i++) rememberRecovery(rows, recovery(i, T0));
  expect(recoveryOf(rows, 'c7', T0 + HOUR)).toEqual(recovery(7, T0));
  expect(recoveryOf(rows, 'c7', T0 + HOUR + 1)).toBeNull();
  for (let i = 100; i < 200; i++) rememberRecovery(rows, recovery(i, T0 + HOUR + 1));
  expect(rows.recoveries.size).toBe(100);
});
