import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS, makeResolver, settingsWith } from '#domain/correlation/settings/tenant-settings.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import { at, T } from '#test/setup/pair-kit.ts';
import { BIN_MS, commonnessAt, count, dayCount, openTenantRates, QUIET, rateOf, ratesAt } from './rates.ts';

const bins = (busy: number, each: number) => Uint16Array.from({ length: 24 }, (_, i) => (i < busy ? each : 0));

describe('rateOf: max(−ln(1 − (busy + 1)/26), lower median) per 600 s', () => {
  test.each([
    [0, 0, 6.536786e-5],
    [1, 1, 1.334044e-4],
    [12, 1, 1.155245e-3],
    [12, 500, 1.155245e-3],
    [13, 1, 1.666667e-3],
    [13, 6, 1e-2],
    [24, 1, 5.430161e-3],
    [24, 60, 0.1],
  ])('%d busy bins of %d events: %d per second', (busy, each, perSecond) => {
    expect(rateOf(bins(busy, each)) * 1_000).toBeCloseTo(perSecond, 8);
  });
});

const inBin = (back: number, more = {}) => at(`e${back}`, -back * BIN_MS, more);

describe('ratesAt', () => {
  test.each([
    [11, true],
    [12, false],
  ])('a tenant with %d busy bins of the 24 is quiet: %p', (busyBins, quiet) => {
    const rates = openTenantRates();
    count(rates, inBin(60));
    for (let back = 1 + busyBins; back >= 2; back--) count(rates, inBin(back));
    expect(ratesAt(rates, at('a', 0), T).quiet).toBe(quiet);
  });

  test.each([
    [14, false],
    [15, true],
    [254, true],
    [255, false],
  ])('at any second of the clock: an event %d min before counts: %p', (minutes, counts) => {
    const rates = openTenantRates();
    const later = 7 * 60_000 + 31_000;
    for (let back = 25; back >= 2; back--) count(rates, at(`e${back}`, later - back * BIN_MS));
    count(rates, at('x', later - minutes * 60_000, { ciId: 'x' }));
    expect(ratesAt(rates, at('a', later, { ciId: 'x' }), T + later).ci).toBe(rateOf(bins(counts ? 1 : 0, 1)));
  });

  test('the last quarter of an hour and what is older than the 24 bins do not count', () => {
    const rates = openTenantRates();
    for (const back of [40, 30, 26, 1, 0]) for (let n = 0; n < 50; n++) count(rates, inBin(back));
    expect(ratesAt(rates, at('a', 0), T)).toBe(QUIET);
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [6, 1],
    [7, 2],
    [24, 2],
  ])('a template that was there in %d of the 24 bins is of commonness %d', (busyBins, commonness) => {
    const rates = openTenantRates();
    for (const back of [0, 1, 26, 40]) count(rates, inBin(back, { template: 'now or long ago' }));
    for (let back = 1 + busyBins; back >= 2; back--) count(rates, inBin(back, { template: 'x' }));
    expect(commonnessAt(rates, 'x', T)).toBe(commonness);
    expect(commonnessAt(rates, 'now or long ago', T)).toBe(0);
  });

  test('rates of rarer events count those that were no commoner when they came', () => {
    const rates = openTenantRates();
    for (let back = 25; back >= 2; back--) {
      count(rates, inBin(back, { commonness: 2 }));
      if (back % 2 === 0) count(rates, inBin(back, { commonness: 1 }));
      if (back % 4 === 0) count(rates, inBin(back, { commonness: 0 }));
    }
    const { tenant, uncommon, rare } = ratesAt(rates, at('a', 0), T);
    expect([tenant, uncommon, rare]).toEqual(
      [rateOf(bins(24, 1)), rateOf(bins(12, 1)), rateOf(bins(6, 1))].map((rate, i) =>
        i === 0 ? rate : expect.closeTo(rate, 9),
      ),
    );
  });

  test.each([
    ['1 of 1', [2], true],
    ['1 of 2', [3], true],
    ['2 of 2', [2, 3], false],
    ['2 of 4', [2, 5], true],
    ['3 of 4', [2, 3, 5], false],
  ])('a tenant that is young is judged by the bins that have passed: %s busy', (_, busyBins, quiet) => {
    const rates = openTenantRates();
    for (const back of busyBins) count(rates, inBin(back));
    expect(ratesAt(rates, at('a', 0), T).quiet).toBe(quiet);
  });

  test('each key has its own rate', () => {
    const rates = openTenantRates();
    for (let back = 25; back >= 2; back--) {
      count(rates, inBin(back, { ciId: back % 2 ? 'x' : 'y', signature: 'all', services: ['shop', 'web'] }));
    }
    const seen = ratesAt(rates, at('a', 0, { ciId: 'x', signature: 'never', services: ['shop', 'new'] }), T);
    expect(seen).toEqual({
      quiet: false,
      tenant: rateOf(bins(24, 1)),
      uncommon: rateOf(bins(0, 0)),
      rare: rateOf(bins(0, 0)),
      ci: rateOf(bins(12, 1)),
      signature: rateOf(bins(0, 0)),
      service: { shop: rateOf(bins(24, 1)), new: rateOf(bins(0, 0)) },
    });
  });

  test('an event out of order counts in its own bin, in whatever order they come', () => {
    const orders = [
      [25, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 25],
    ];
    const [forward, backward] = orders.map((order) => {
      const rates = openTenantRates();
      for (const back of order) count(rates, inBin(back, { ciId: 'x' }));
      return ratesAt(rates, at('a', 0, { ciId: 'x' }), T);
    });
    expect(forward).toEqual(backward);
    expect(forward).toMatchObject({ quiet: false, ci: rateOf(bins(14, 1)) });
  });

  test('keys unseen for 26 bins are forgotten, and their memory used again', () => {
    const rates = openTenantRates();
    for (let n = 0; n < 5_000; n++) count(rates, at(`e${n}`, n * 60_000, { signature: `s${n}`, ciId: `c${n}` }));
    expect(rates.signature.slots.size).toBeLessThan(600);
    expect(rates.signature.newest.length).toBeLessThanOrEqual(1_024);
    expect(rates.ci.slots.size).toBeLessThan(600);
  });
});

describe('the auto window', () => {
  test.each([
    [0, 30],
    [999, 30],
    [1_000, 15],
    [10_000, 15],
    [10_001, 10],
  ])('%d new events in 24 h: %d min', (events, minutes) => {
    expect(temporal.auto?.windowMs(events)).toBe(minutes * 60_000);
  });

  test('counts the minute of the event and the 1,439 before it', () => {
    const rates = openTenantRates();
    for (const back of [144, 143.9, 100, 1, 0]) count(rates, inBin(back));
    expect(dayCount(rates, T)).toBe(4);
  });

  test('equal settings are one object; a fixed window is not counted for', () => {
    const resolve = makeResolver();
    const quarter = resolve(DEFAULT_SETTINGS, () => 900_000);
    expect(quarter.strategies.temporal?.windowMs).toBe(900_000);
    expect(resolve(DEFAULT_SETTINGS, () => 900_000)).toBe(quarter);
    expect(resolve(DEFAULT_SETTINGS, () => 600_000)).not.toBe(quarter);
    const fixed = settingsWith({ strategies: { temporal: { windowMs: 300_000 } } });
    const never = () => {
      throw new Error('counted');
    };
    expect(resolve(fixed, never).strategies.temporal).toEqual({ enabled: true, windowMs: 300_000 });
  });
});
