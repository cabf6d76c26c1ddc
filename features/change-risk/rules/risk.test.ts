import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { PRIORS } from './change-type.ts';
import {
  baseProbability,
  blastOf,
  type EarlierChange,
  type HitCriticality,
  impactScore,
  probability,
  riskLevel,
  riskScore,
  serviceWeight,
} from './risk.ts';

const DAY = 86_400_000;
const hit = (criticality: HitCriticality['criticality'], survives = false) => ({ criticality, survives });
const earlier = (failed: number, all: number): EarlierChange[] =>
  Array.from({ length: all }, (_, i) => ({ isFailed: i < failed, ageMs: 0, isElsewhere: false }));

test.each([
  ['restart of a lone low CI', 'restart', [], 1, { criticality: 'low', impacted: 0, all: 1, services: [] }, 7],
  [
    'config on a high CI, 20 of 500 below, a high service',
    'config',
    [],
    1,
    { criticality: 'high', impacted: 20, all: 500, services: [hit('high')] },
    29,
  ],
  [
    'upgrade of a critical CI, 120 of 1,000, a critical and a high service',
    'upgrade',
    [],
    1,
    { criticality: 'critical', impacted: 120, all: 1_000, services: [hit('critical'), hit('high')] },
    40,
  ],
  [
    'database, critical CI, 60, a critical service, 4 of 8 failed, m 1.5',
    'database',
    earlier(4, 8),
    1.5,
    { criticality: 'critical', impacted: 60, all: 2_000, services: [hit('critical')] },
    68,
  ],
] as const)('%s', (_, type, changes, multiplier, affected, score) => {
  const chance = probability(baseProbability(PRIORS[type], changes), [multiplier]);
  expect(riskScore(chance, impactScore(affected))).toBe(score);
});

describe('The chance of a failure', () => {
  test.each([
    ['nothing earlier', [], 0.2],
    ['eight that went well', earlier(0, 8), 0.1],
    ['eight that failed', earlier(8, 8), 0.6],
    [
      'one that failed half a year ago counts half',
      [{ isFailed: true, ageMs: 180 * DAY, isElsewhere: false }],
      2.1 / 8.5,
    ],
    ['one elsewhere counts a quarter', [{ isFailed: true, ageMs: 0, isElsewhere: true }], 1.85 / 8.25],
  ])('%s', (_, changes, expected) => expect(baseProbability(0.2, changes)).toBeCloseTo(expected, 10));

  test('multipliers multiply, between the bounds', () => {
    expect(probability(0.2, [1.25, 1.3])).toBeCloseTo(0.325);
    expect(probability(0.9, [1.3])).toBe(0.95);
    expect(probability(0.001, [])).toBe(0.01);
  });
});

test.each([
  [0, 1, 0],
  [1, 1, 0.5],
  [20, 500, 0.245],
  [1_024, 100_000, 0.5],
  [100_000, 100_000, 0.8304],
])('%i impacted of %i: %d', (impacted, all, blast) => expect(blastOf(impacted, all)).toBeCloseTo(blast, 3));

test('a service of which enough is left counts half', () => {
  expect([serviceWeight(hit('critical')), serviceWeight(hit('critical', true))]).toEqual([0.5, 0.25]);
});

test.each([
  [0, 'low'],
  [19, 'low'],
  [20, 'medium'],
  [39, 'medium'],
  [40, 'high'],
  [59, 'high'],
  [60, 'critical'],
  [100, 'critical'],
])('%i is %s', (score, level) => expect(riskLevel(score)).toBe(level));

test('more at stake never lowers the score', () => {
  const services = fc.array(fc.record({ criticality: fc.constantFrom(...CRITICALITIES), survives: fc.boolean() }), {
    maxLength: 5,
  });
  const affected = fc.record({
    criticality: fc.constantFrom(...CRITICALITIES),
    impacted: fc.nat(2_000),
    all: fc.nat(5_000),
    services,
  });
  fc.assert(
    fc.property(affected, fc.nat(500), (one, more) => {
      const before = impactScore(one);
      expect(before).toBeGreaterThanOrEqual(0);
      expect(before).toBeLessThanOrEqual(1);
      expect(impactScore({ ...one, impacted: one.impacted + more })).toBeGreaterThanOrEqual(before);
      expect(impactScore({ ...one, services: [...one.services, hit('low')] })).toBeGreaterThanOrEqual(before);
    }),
  );
});
