import { describe, expect, test } from '@jest/globals';
import { boundedScore, SCALE_VALUES, scoreOf, withValue } from './anomaly.ts';
import { anomalyScoreOf, EPISODE_GAP_MS, HISTORY_MS } from './anomaly-score.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Thursday, at noon. */
const AT = Date.UTC(2026, 0, 15, 12);
const MONTH_AGO = AT - HISTORY_MS;
const of = (earlier: readonly number[], since = MONTH_AGO) => anomalyScoreOf({ at: AT, earlier, since });

/** 30 days as they count, and an event of so many days ago. */
const T = (14 / Math.LN2) * (1 - 2 ** (-30 / 14));
const weight = (days: number) => 2 ** (-days / 14);
const rarity = (episodes: number, days = T) => -Math.log2(1 - Math.exp(-(episodes + 0.5) / (days + 0.5)));
const burst = (run: number, n: number, c: number) =>
  -(run - 1) * Math.log2(1 - 1 / Math.max(1.5, (n + 1) / (c + 1) + 0.5));

describe('how strange an event is', () => {
  test('never before in a month: rare alone', () => {
    expect(of([])).toMatchObject({ events: 0, episodes: 0, days: 30, run: 1, lastAt: null });
    expect(of([]).value).toBeCloseTo(rarity(0), 12);
    expect(of([]).value).toBeCloseTo(5.035, 2);
  });

  test('nothing is known yet: less than a bit', () => expect(of([], AT).value).toBeCloseTo(rarity(0, 0), 12));

  test('what came once counts by its age, half as much after 14 days', () => {
    expect(of([AT - 14 * DAY]).value).toBeCloseTo(rarity(0.5), 12);
    expect(of([AT - DAY]).value).toBeCloseTo(rarity(weight(1)), 12);
  });

  test.each([
    ['at the edge of 30 days', AT - HISTORY_MS, 1],
    ['before', AT - HISTORY_MS - 1, 0],
    ['at the same time', AT, 1],
    ['later', AT + 1, 0],
  ])('what counts as earlier: %s', (_, time, events) => expect(of([time]).events).toBe(events));

  test.each([
    ['20 min apart: one episode', EPISODE_GAP_MS, 1],
    ['a moment more: two', EPISODE_GAP_MS + 1, 2],
  ])('%s', (_, gap, episodes) => expect(of([AT - DAY, AT - DAY + gap]).episodes).toBe(episodes));

  test.each([
    ['20 min ago belongs to the run', EPISODE_GAP_MS, 2],
    ['a moment more does not', EPISODE_GAP_MS + 1, 1],
  ])('an event %s', (_, gap, run) => expect(of([AT - gap]).run).toBe(run));

  test('an episode that still runs is no sign that it is frequent, and many at once are strange', () => {
    const earlier = [AT - 10 * MINUTE, AT - 5 * MINUTE];
    const n = earlier.reduce((sum, time) => sum + weight((AT - time) / DAY), 0);
    const [rare, many] = [rarity(0), burst(3, n, weight(10 / 1_440))];
    expect(of(earlier).run).toBe(3);
    expect(of(earlier).value).toBeCloseTo(Math.max(rare, many) + Math.min(rare, many) / 2, 9);
  });

  test('the time of day counts from 20 events on', () => {
    const nights = (count: number) => Array.from({ length: count }, (_, i) => AT - 10 * HOUR - i * HOUR * 0.1);
    const few = nights(20);
    expect(of(few).value).toBeCloseTo(rarity(of(few).episodes === 1 ? weight((AT - few.at(-1)!) / DAY) : 0), 9);
    const many = nights(24);
    const n = many.reduce((sum, time) => sum + weight((AT - time) / DAY), 0);
    const odd = Math.min(3, Math.log2(5 / 28 / (0.15 / (n + 1.2))));
    expect(n).toBeGreaterThan(20);
    expect(of(many).value).toBeCloseTo(rarity(weight((AT - many.at(-1)!) / DAY)) + odd / 2, 9);
  });

  test('the time of day is that of the zone: the first early shift in UTC is the usual morning two hours further east', () => {
    const at = Date.UTC(2026, 0, 15, 6, 30);
    const mornings = Array.from({ length: 30 }, (_, i) => at - DAY * Math.floor(i / 10) - HOUR - i * MINUTE);
    const value = (zoneOffset: number) => anomalyScoreOf({ at, earlier: mornings, since: MONTH_AGO, zoneOffset }).value;
    expect(value(0)).toBeGreaterThan(value(2 * HOUR) + 1);
    expect(anomalyScoreOf({ at, earlier: mornings, since: MONTH_AGO }).value).toBe(value(0));
  });

  test('the order of what is given does not matter', () => {
    const earlier = [AT - DAY, AT - 3 * DAY, AT - HOUR, AT - 10 * MINUTE];
    expect(of(earlier)).toEqual(of([...earlier].reverse()));
  });
});

describe('the score', () => {
  const scale = { newest: Array.from({ length: SCALE_VALUES }, (_, i) => i / 100) };

  test('is the share of the last values that were less strange', () => {
    expect(scoreOf(9.5, scale)).toBeCloseTo((950 + 100 * (1 - Math.exp(-9.5 / 2))) / 1_101, 12);
    expect(scoreOf(0, scale)).toBe(0);
    expect(scoreOf(99, scale)).toBeCloseTo(1_100 / 1_101, 6);
  });

  test('of a young tenant follows the curve', () => {
    expect(scoreOf(5, { newest: [] })).toBeCloseTo((100 * (1 - Math.exp(-2.5))) / 101, 12);
  });

  test('keeps the newest thousand', () => {
    const grown = withValue(scale, 42);
    expect(grown.newest).toHaveLength(SCALE_VALUES);
    expect([grown.newest[0], grown.newest.at(-1)]).toEqual([0.01, 42]);
  });

  test.each([
    ['as it is', { usual: false, days: 1 }, 0.9],
    ['usual', { usual: true, days: 30 }, 0.2],
    ['less than a day of history', { usual: false, days: 0.99 }, 0.5],
    ['both', { usual: true, days: 0 }, 0.2],
  ])('is bounded: %s', (_, known, expected) => expect(boundedScore(0.9, known)).toBe(expected));
});
