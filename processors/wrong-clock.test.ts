import { describe, expect, test } from '@jest/globals';
import type { CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { pattern } from '#domain/correlation/strategies/pattern.ts';
import { dayCount } from '#domain/correlation/window/rates.ts';
import type { Event } from '#domain/event/event.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import { driveDedup, HOUR, MINUTE, T0, TENANT, ulid } from '#test/setup/asks.ts';
import { driveFold } from '#test/setup/drive-fold.ts';
import { restorableOf } from '#test/setup/drive-join.ts';
import { correlate } from './correlate.ts';
import { enrich } from './enrich.ts';
import { pollingIntervalAt } from './polling-interval.ts';

const DAY = 24 * HOUR;
/** Amounts by which the clock was ahead for one event. */
const AHEAD = [20 * MINUTE, 90 * MINUTE, 3 * HOUR, DAY, 30 * DAY, 400 * DAY];

const eventAt = (n: number, timestamp: number): Event => ({
  ...(driveDedup().occur({ timestamp }).saved[0]?.event as Event),
  id: ulid(n),
  timestamp,
  identity: `i${n}`,
  signature: 'disk-full',
  hostname: `h${n}`,
});
/** Event without a time of its own: it happened at its receipt. */
const saved = (n: number, at: number) => ({
  tenant: TENANT,
  position: n,
  value: { happened: 'created' as const, event: eventAt(n, at), receivedAt: at },
});

/** A minute between each: ten events, one while the clock is off, and ten again. */
const timesWith = (off: number): number[] =>
  Array.from({ length: 21 }, (_, n) => T0 + n * MINUTE + (n === 10 ? off : 0));

const enrichedOf = (times: readonly number[], driven = driveFold(enrich)): readonly Enriched[] =>
  times.flatMap((at, n) => driven.batch([saved(n + 1, at)]).enriched);

/** Positions of the arrivals that have found partners. */
const matched = async (records: readonly Enriched[], restored: readonly Enriched[] = []): Promise<number[]> => {
  const join = correlate(pattern);
  const state = join.open();
  await join.restore(state, restorableOf(restored, T0 + 30 * MINUTE), T0);
  const found: number[] = [];
  for (const value of records)
    join.match(
      state,
      { tenant: TENANT, position: value.arrival.position, value },
      { emit: (_, { position }: Entry<unknown>) => void found.push(position) },
    );
  return found;
};

describe('a clock that is ahead for one event', () => {
  test.each(AHEAD)('%d ms: nothing that comes after it is late', (off) => {
    const records = enrichedOf(timesWith(off));
    expect(records.filter(({ late }) => late)).toEqual([]);
  });

  test.each(AHEAD)('%d ms: what comes after it finds its partners, also after a restart', async (off) => {
    const records = enrichedOf(timesWith(off));
    const fresh = await matched(records);
    // A window that advanced this far had forgotten earlier events.
    expect(fresh).toEqual(expect.arrayContaining([13, 14, 15, 16, 17, 18, 19, 20, 21]));
    expect(await matched(records.slice(12), records.slice(0, 12))).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21]);
  });

  test.each(AHEAD)('%d ms: rates and rhythms are those of the right times', (off) => {
    const driven = driveFold(enrich);
    enrichedOf(timesWith(off), driven);
    const { rates, rhythms, watermark } = driven.state.tenants.get(TENANT)!;
    const now = T0 + 20 * MINUTE;
    // All before is forgotten when it is as far as the memory of a day reaches.
    expect(dayCount(rates, now)).toBe(off <= DAY ? 20 : 10);
    expect(dayCount(rates, now + 500 * DAY)).toBe(0);
    expect([pollingIntervalAt(rhythms, 'zabbix', now), watermark]).toEqual([MINUTE, now]);
  });

  test('after a restart the store says nothing of that time', async () => {
    const times = timesWith(DAY);
    const records = enrichedOf(times);
    const again = driveFold(enrich);
    await enrich.restore(again.state, restorableOf(records, T0 + 30 * MINUTE), T0 + 25 * MINUTE);
    expect(dayCount(again.state.tenants.get(TENANT)!.rates, T0 + 25 * MINUTE)).toBe(20);
    expect(again.batch([saved(22, T0 + 25 * MINUTE)]).enriched.map(({ late }) => late)).toEqual([false]);
  });
});

test.each([30 * MINUTE, 2 * HOUR, DAY])(
  'a clock that is set back by %d ms costs no grouping, nor when it is right again',
  async (off) => {
    const times = Array.from({ length: 30 }, (_, n) => T0 + n * MINUTE - (n >= 10 && n < 20 ? off : 0));
    const records = enrichedOf(times);
    expect(records.filter(({ late }) => late)).toEqual([]);
    const found = await matched(records);
    expect(found).toEqual(expect.arrayContaining([12, 13, 20, 22, 23, 30]));
  },
);

test('a sender that is late stays late: only the time of receipt says that a clock was wrong', () => {
  const driven = driveFold(enrich);
  enrichedOf([T0, T0 + 3 * HOUR], driven);
  const late = { ...saved(3, T0), value: { ...saved(3, T0).value, receivedAt: T0 + 3 * HOUR } };
  expect(driven.batch([late]).enriched.map((record) => record.late)).toEqual([true]);
});

describe('dedup, after a clock was ahead', () => {
  const occurAt = (driven: ReturnType<typeof driveDedup>, at: number, more: object = {}) =>
    driven.occur({ timestamp: at, ...more }, { receivedAt: at });

  test.each([8 * DAY, 30 * DAY])('%d ms: the times of senders are believed again', (off) => {
    const driven = driveDedup();
    occurAt(driven, T0);
    occurAt(driven, T0 + off, { identity: 'meanwhile' });
    const said = T0 + MINUTE;
    driven.occur({ timestamp: said, identity: 'after' }, { receivedAt: T0 + 2 * MINUTE });
    expect([driven.event(3).timestamp, driven.event(3).tags]).toEqual([said, []]);
  });

  test.each(AHEAD)('%d ms: a recovery of that time ends nothing that begins later', (off) => {
    const driven = driveDedup();
    occurAt(driven, T0, { conditionId: 'c' });
    driven.recover('c', T0 + off, { receivedAt: T0 + off });
    occurAt(driven, T0 + MINUTE, { conditionId: 'c' });
    expect(driven.event(3).status).toBe('open');
  });

  test.each(AHEAD)(
    '%d ms: an event that began then ends by its recovery, and its times are mended by a repeat',
    (off) => {
      for (const conditionId of ['c', null]) {
        const driven = driveDedup();
        occurAt(driven, T0 + off, { conditionId });
        occurAt(driven, T0 + MINUTE, { conditionId });
        expect([driven.event(1).lastOccurrence, driven.event(1).updatedAt]).toEqual([T0 + MINUTE, T0 + MINUTE]);
        driven.recover(conditionId, T0 + 2 * MINUTE, { receivedAt: T0 + 2 * MINUTE });
        expect(driven.event(1).status).toBe('resolved');
      }
    },
  );

  test.each([MINUTE, 4 * MINUTE, 30 * MINUTE, 2 * HOUR])(
    '%d ms behind the beginning: an end is compared with it as both were said',
    (back) => {
      for (const conditionId of ['c', null]) {
        const driven = driveDedup();
        occurAt(driven, T0, { conditionId });
        driven.recover(conditionId, T0 + HOUR, { receivedAt: T0 - back });
        expect(driven.event(1).status).toBe('resolved');
        occurAt(driven, T0 + 2 * HOUR, { conditionId });
        expect(driven.event(3).status).toBe('open');
      }
    },
  );

  test.each([5 * HOUR, DAY, 30 * DAY])('%d ms: what was there all the time is usual again', (off) => {
    const driven = driveDedup();
    const bin = 10 * MINUTE;
    occurAt(driven, T0 + off);
    for (let n = 0; n < 14; n++) occurAt(driven, T0 + n * bin, { conditionId: 'c' });
    driven.recover('c', T0 + 14 * bin - 1, { receivedAt: T0 + 14 * bin - 1 });
    occurAt(driven, T0 + 14 * bin, { conditionId: 'c' });
    const events = [...driven.events.values()];
    expect(events.at(-1)?.usual).toBe(true);
  });
});

test('late facts wait for no strategy, whatever clock was wrong before', () => {
  const driven = driveFold(enrich);
  enrichedOf(timesWith(DAY), driven);
  const { emitted } = driven.batch([saved(30, T0 + 30 * MINUTE)]);
  const facts = emitted.map(({ entry: { value } }) => value as CorrelationInput).filter(({ kind }) => kind === 'facts');
  expect(facts).toEqual([expect.not.objectContaining({ late: true })]);
});
