import { describe, expect, test } from '@jest/globals';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { above } from '#test/setup/merge-kit.ts';
import { at, busy, hitOf, MINUTE, record, settingsOf, strategySet } from '#test/setup/pair-kit.ts';
import { explain } from './explain.ts';
import { relate, strategiesUsed } from './relate.ts';

const later = record({ arrival: { ciId: 'app', chain: above('db'), services: ['shop'], system: 'x' } });
const earlier = record({
  arrival: { ...at('b', -MINUTE, { position: 1, ciId: 'db', services: ['shop'], system: 'x' }) },
});

const of = (name: string, a = later, b = earlier) => explain(a, b).find(({ strategy }) => strategy === name);

describe('explain', () => {
  test('says for every strategy what it saw', () => {
    expect(explain(later, earlier).map(({ strategy, joined, reason }) => [strategy, joined, reason])).toEqual([
      ['dependency', true, 'match: score 1.00 > threshold 0.70'],
      ['temporal', true, 'match: score 0.94 > threshold 0.70'],
      ['topology', false, 'no match: no path within the hop limit'],
      ['pattern', false, 'no match: different signatures, or the same system'],
      ['service', true, 'match: score 0.80 > threshold 0.70'],
    ]);
  });

  test('the later one by position is the arrival, however they are given', () => {
    expect(explain(earlier, later)).toEqual(explain(later, earlier));
    expect(of('dependency')?.inputs).toMatchObject({
      direction: 'upstream',
      hops: 1,
      path: ['app', 'db'],
      gapMs: MINUTE,
    });
  });

  test('names the chance that counted against a pair', () => {
    const rates = busy({ tenant: 14 / 60_000 });
    const arrival = { ...later, rates, arrival: { ...later.arrival, time: earlier.arrival.time + 40_000 } };
    const found = of('temporal', arrival);
    expect(found).toMatchObject({ joined: false, threshold: 0.7 });
    expect(found?.factor).toBeCloseTo(Math.exp((-20 * 14 * 40) / 60), 12);
    expect(found?.reason).toBe(
      'no match: background rate 14 events/min (both are common, all events counted): a coincidence within 40s is likely; raw score 0.96, adjusted 0.00',
    );
  });

  test.each([
    [
      'rare',
      0,
      0,
      0.1,
      '; background rate 0.10 events/min at most as common as these two (rare): a coincidence within 2s is unlikely',
    ],
    [
      'uncommon',
      1,
      0,
      0.2,
      '; background rate 0.20 events/min at most as common as these two (uncommon): a coincidence within 2s is unlikely',
    ],
    [
      'common beside rare',
      0,
      2,
      0.4,
      '; background rate 0.40 events/min (both are common, all events counted): a coincidence within 2s is unlikely',
    ],
  ] as const)(
    '%s events say their class and the rate of events no commoner',
    (_, mine, theirs, ratePerMinute, said) => {
      const rates = busy({ tenant: 0.4 / 60_000, uncommon: 0.2 / 60_000, rare: 0.1 / 60_000 });
      const arrival = record({ rates, arrival: { commonness: mine } });
      const reason = of(
        'temporal',
        arrival,
        record({ arrival: at('b', -2_000, { position: 1, commonness: theirs }) }),
      )?.reason;
      expect(reason?.slice(reason.indexOf(';'))).toBe(said);
      expect(of('temporal', arrival)?.inputs.ratePerMinute).toBeGreaterThan(0);
      expect(ratePerMinute).toBeGreaterThan(0);
    },
  );

  test('says that no way joins two CIs that are known', () => {
    const known = { ciId: 'one', hasRelationships: true };
    const arrival = record({ rates: busy({ tenant: 0.01 / 60_000 }), arrival: known });
    const other = record({ arrival: at('b', -2_000, { ...known, position: 1, ciId: 'two' }) });
    expect(of('temporal', arrival, other)?.reason).toMatch(
      /^no match: .*; raw score 1\.00, adjusted 0\.69\d*; no path between the CIs: weighted × 0\.7$/,
    );
  });

  test('says that the same complaint counts less on CIs that nothing joins', () => {
    const known = { ciId: 'one', hasRelationships: true, signature: 'same' };
    const arrival = record({ rates: busy({ signature: 0.01 / 60_000 }), arrival: known });
    const other = record({ arrival: at('b', -MINUTE, { ...known, position: 1, ciId: 'two' }) });
    expect(of('pattern', arrival, other)?.reason).toMatch(
      /^no match: .*, adjusted 0\.69\d*; no path between the CIs: weighted × 0\.85$/,
    );
  });

  test('says that an event came just after a rarer one upstream', () => {
    const rates = { ...busy({ tenant: 60 / 60_000 }), rare: 0.01 / 60_000 };
    const arrival = record({ rates, all: 3_000, arrival: { ciId: 'app', chain: above('db'), commonness: 2 } });
    const other = record({ arrival: at('b', -30_000, { position: 1, ciId: 'db', commonness: 0 }) });
    expect(of('dependency', arrival, other)?.reason).toBe(
      'match: score 0.82 > threshold 0.70; background rate 0.020 events/min on the same CI right after a rarer upstream event: a coincidence within 30s is unlikely',
    );
  });

  test("what lies within the sender's rhythm counts as at once", () => {
    const arrival = record({ rates: busy({ tenant: 1 / 60_000 }), arrival: { rhythm: 60_000 } });
    const other = record({ arrival: at('b', -50_000, { position: 1, rhythm: 60_000 }) });
    const found = of('temporal', arrival, other);
    expect(found).toMatchObject({ joined: false, inputs: { rhythmMs: 60_000 } });
    expect(found?.factor).toBeCloseTo(Math.exp(-20 / 60), 12);
    expect(found?.reason).toBe(
      'no match: background rate 1.0 events/min (both are common, all events counted): a coincidence within 1s is likely; raw score 0.95, adjusted 0.68; the source polls every 60s, so smaller gaps count as simultaneous',
    );
  });

  test('a literal score at the threshold does not join, and says so', () => {
    const far = { ...earlier, arrival: { ...earlier.arrival, time: later.arrival.time - 15 * MINUTE, ciId: 'vm' } };
    const arrival = { ...later, arrival: { ...later.arrival, chain: above('db', 'vm') } };
    expect(of('dependency', arrival, far)).toMatchObject({
      score: 0.7,
      joined: false,
      reason: 'no match: raw score 0.70 ≤ threshold 0.70',
    });
  });

  test('a score just below the threshold is shown with the digits that tell the two apart', () => {
    const time = later.arrival.time - 15 * MINUTE + 10_000;
    const near = { ...earlier, arrival: { ...earlier.arrival, time, ciId: 'vm' } };
    const arrival = { ...later, arrival: { ...later.arrival, chain: above('db', 'vm') } };
    expect(of('dependency', arrival, near)?.reason).toBe('match: score 0.7022 > threshold 0.70');
  });

  test('an event without a CI is named as the reason', () => {
    const unbound = { ...earlier, arrival: { ...earlier.arrival, ciId: null } };
    expect(of('dependency', later, unbound)?.reason).toBe('no match: one of the events is not bound to a CI');
    const both = { ...later, arrival: { ...later.arrival, ciId: null, chain: [] } };
    expect(of('topology', both, unbound)?.reason).toBe('no match: neither event is bound to a CI');
    expect(of('service', both, unbound)?.joined).toBe(true);
  });

  test('outside the window, and switched off', () => {
    const far = { ...earlier, arrival: { ...earlier.arrival, time: later.arrival.time - 20 * MINUTE } };
    expect(of('service', later, far)?.reason).toBe('no match: 20m apart, window is 15m');
    const settings = strategySet(settingsOf(), 'service', { enabled: false });
    expect(of('service', { ...later, settings })?.reason).toBe('no match: strategy disabled');
    expect(strategiesUsed({ ...later, settings })).toEqual(['dependency', 'temporal', 'topology', 'pattern']);
  });
});

describe('relate', () => {
  test('is the maximum over strategies with all reasons, best first', () => {
    const [link, ...rest] = relate(later, [earlier]);
    expect(rest).toEqual([]);
    expect(link).toMatchObject({ other: 'b', score: 1, literalScore: 1 });
    expect(link?.reasons.map(({ strategy }) => strategy)).toEqual(['dependency', 'temporal', 'service']);
  });

  test('agrees with what the strategies say one by one', () => {
    const scores = strategies.map((strategy) => hitOf(strategy, later, earlier.arrival)?.score ?? 0);
    expect(relate(later, [earlier])[0]?.score).toBe(Math.max(...scores));
  });

  test.each([
    [15 * MINUTE, []],
    [15 * MINUTE - 1, ['b']],
  ])('lists what is strictly above 0.5: two hops %d ms apart give %j', (gap, others) => {
    const arrival = record({ arrival: { ciId: 'app', chain: above('db', 'vm', 'rack'), signature: 'else' } });
    const far = record({ arrival: { ...at('b', -gap, { ciId: 'rack' }) } });
    expect(relate(arrival, [far]).map(({ other }) => other)).toEqual(others);
  });
});
