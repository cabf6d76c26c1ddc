import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { above } from '#test/setup/merge-kit.ts';
import {
  at,
  busy,
  found,
  HALF_HOUR,
  hitOf,
  inputsOf,
  MINUTE,
  NONE,
  record,
  scoreOf,
  settingsOf,
  strategySet,
} from '#test/setup/pair-kit.ts';
import { dependency } from './dependency.ts';
import { pattern } from './pattern.ts';
import { service } from './service.ts';
import { strategies } from './strategies.ts';
import { temporal } from './temporal.ts';
import { topology } from './topology.ts';

const near = (ci: string, hops: number, criticalHops = 0) => ({ ci, hops, via: null, criticalHops });
const PROFILES = ['specified', 'calibrated'] as const;

test('the list has every strategy once, in the order of their names', () => {
  expect(strategies.map(({ name }) => name)).toEqual([...STRATEGY_NAMES]);
});

describe('temporal: exp(-(Δt / W) · 2), related above 0.5', () => {
  test.each([
    [0, 1],
    [MINUTE, Math.exp(-1 / 15)],
    [-MINUTE, Math.exp(-1 / 15)],
    [10 * MINUTE, 0.513417119032592],
    [10.4 * MINUTE, NONE],
    [HALF_HOUR / 2, NONE],
    [HALF_HOUR, NONE],
  ])('Δt %d ms scores %d', (gap, score) => {
    expect(scoreOf(temporal, record(), at('b', gap))).toBeCloseTo(score, 12);
  });

  const lonely = record({ arrival: { ciId: 'x', hasRelationships: true }, rates: busy() });
  const other = at('b', 0, { ciId: 'y', hasRelationships: true });
  test.each([
    ['the topology knows both CIs and nothing joins them', lonely, other, 0.7],
    ['a way of 3 hops joins them', { ...lonely, near: [near('y', 3)] }, other, 1],
    ['the neighbourhood was truncated within 2 hops', { ...lonely, truncated: true, reach2: 1 }, other, 1],
    ['the neighbourhood was truncated beyond 2 hops', { ...lonely, truncated: true, reach2: 0 }, other, 0.7],
    ['the other CI has no relationships', lonely, { ...other, hasRelationships: false }, 1],
    ['the other CI is unknown', lonely, { ...other, ciId: null }, 1],
    ['it is the same CI', lonely, { ...other, ciId: 'x' }, 1],
    ['the tenant is quiet', { ...lonely, rates: busy({ quiet: true }) }, other, 1],
    ['the profile is specified', { ...lonely, settings: settingsOf('specified') }, other, 1],
  ])('%s', (_, arrival, partner, score) => {
    expect(scoreOf(temporal, arrival, partner)).toBe(score);
  });
});

describe('dependency: 0.9, 0.7, 0.5 by length, + 0.2 · (1 − Δt/W), at most 1', () => {
  const W = 15 * MINUTE;
  const arrival = record({ arrival: { ciId: 'app', chain: above('db', 'vm', 'rack') } });
  test.each([
    ['same CI', 'app', 0, 1],
    ['same CI', 'app', W, 0.9],
    ['direct', 'db', 0, 1],
    ['direct', 'db', W / 2, 1],
    ['direct', 'db', W, 0.9],
    ['one hop', 'vm', 0, 0.9],
    ['one hop', 'vm', W / 2, 0.8],
    ['one hop', 'vm', W, 0.7],
    ['two hops', 'rack', 0, 0.7],
    ['two hops', 'rack', W / 2, 0.6],
    ['two hops', 'rack', W, 0.5],
    ['no chain', 'other', 0, NONE],
  ])('%s (%s) at %d ms scores %d', (_, ciId, gap, score) => {
    expect(scoreOf(dependency, arrival, at('b', gap, { ciId }))).toBeCloseTo(score, 12);
  });

  test('two hops at once do not join: 0.5 + 0.2 is not greater than 0.7', () => {
    expect(scoreOf(dependency, arrival, at('b', 0, { ciId: 'rack' })) > 0.7).toBe(false);
  });

  test('a dependant is found downstream, siblings are not related', () => {
    const hub = record({ arrival: { ciId: 'db' } });
    expect(found(dependency, hub, at('b', 0, { ciId: 'app', chain: above('db') })).details).toMatchObject({
      hops: 1,
      direction: 'downstream',
    });
    const sibling = at('b', 0, { ciId: 'app2', chain: above('db') });
    expect(hitOf(dependency, arrival, sibling)).toBeNull();
    expect(hitOf(dependency, record(), at('b', 0))).toBeNull();
  });

  test('the path is shown from the arrival to the other', () => {
    expect(inputsOf(dependency, arrival, at('b', 0, { ciId: 'vm' })).path).toEqual(['app', 'db', 'vm']);
    const hub = record({ arrival: { ciId: 'vm' } });
    const dependant = at('b', 0, { ciId: 'app', chain: above('db', 'vm') });
    expect(inputsOf(dependency, hub, dependant).path).toEqual(['vm', 'db', 'app']);
  });

  const chains = fc
    .uniqueArray(fc.constantFrom('p', 'q', 'r', 's'), { maxLength: 4 })
    .map((cis): NearCi[] => cis.map((ci, i) => ({ ci, hops: (i % 3) + 1, via: null })));
  const side = fc.record({
    ciId: fc.constantFrom('p', 'q', 'r'),
    chain: chains,
    commonness: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    above3: fc.nat(9),
    below3: fc.nat(9),
    gap: fc.integer({ min: -W / 2, max: W / 2 }),
  });

  test('property: the score does not depend on which of the two arrives first', () => {
    const rates = { ...busy({ tenant: 1e-6, ci: 1e-7 }), uncommon: 5e-7, rare: 1e-7 };
    fc.assert(
      fc.property(side, side, ({ gap: s, ...left }, { gap: t, ...right }) => {
        const [a, b] = [at('a', s, left), at('b', t, right)];
        const forth = hitOf(dependency, record({ arrival: a, rates, all: 20 }), b);
        const back = hitOf(dependency, record({ arrival: b, rates, all: 20 }), a);
        expect(forth?.score).toBe(back?.score);
        expect(forth?.literalScore).toBe(back?.literalScore);
      }),
    );
  });
});

describe('topology: 0.7, critical 0.9, × (1 − 0.3 · Δt/W)', () => {
  const W = 10 * MINUTE;
  const around = [near('n1', 1), near('c1', 1, 1), near('n2', 2), near('c2', 2, 2), near('c3', 2, 3), near('n3', 3, 3)];
  const arrival = record({ arrival: { ciId: 'x' }, near: around });
  test.each([
    ['x', 0, 0.7],
    ['n1', 0, 0.7],
    ['n1', W / 2, 0.595],
    ['n1', W, 0.49],
    ['c1', 0, 0.9],
    ['c1', W / 2, 0.765],
    ['c1', W, 0.63],
    ['n2', 0, 0.7],
    ['c2', 0, 0.9],
    ['c3', 0, 0.7],
    ['n3', 0, NONE],
    ['far', 0, NONE],
  ])('%s at %d ms scores %d', (ciId, gap, score) => {
    expect(scoreOf(topology, arrival, at('b', gap, { ciId }))).toBeCloseTo(score, 12);
  });

  test('three hops are within reach of a tenant that asks for three', () => {
    const settings = strategySet(settingsOf(), 'topology', { hops: 3 });
    expect(scoreOf(topology, { ...arrival, settings }, at('b', 0, { ciId: 'n3' }))).toBe(0.9);
  });
});

describe('topology, where the short way is not critical and a longer one is', () => {
  const direct = { ...near('b', 1, 2), via: 'x' };
  const detour = { ...near('c', 1, 1), via: 'x' };
  const arrival = record({ arrival: { ciId: 'x' }, near: [direct, detour] });
  const other = at('b', MINUTE, { ciId: 'b' });

  test('shows the way that made it critical', () => {
    expect(inputsOf(topology, arrival, other)).toMatchObject({ hops: 2, critical: true, path: ['x', 'c', 'b'] });
    expect(found(topology, arrival, other).details).toMatchObject({ hops: 2, critical: true });
    const more = record({ arrival: { ciId: 'x' }, near: [direct, detour, { ...near('d', 2, 3), via: 'c' }] });
    const settings = strategySet(settingsOf(), 'topology', { hops: 3 });
    const third = at('d', 0, { ciId: 'd' });
    const { path } = inputsOf(topology, { ...more, settings }, third);
    expect(path).toEqual(['x', 'c', 'b', 'd']);
  });

  test.each([
    ['two CIs may be the one before', { near: [direct, detour, near('e', 1, 1)] }],
    ['the neighbourhood was truncated', { truncated: true }],
  ])('shows no way when %s', (_, more) => {
    expect(inputsOf(topology, { ...arrival, ...more }, other)).toMatchObject({ hops: 2, critical: true, path: [] });
  });

  test('the direct way that is critical is shown however many others are', () => {
    const around = [near('b', 1, 1), detour];
    expect(inputsOf(topology, { ...arrival, near: around, truncated: true }, other).path).toEqual(['x', 'b']);
  });

  test('chance is reckoned from the length of that way', () => {
    const rates = busy({ tenant: 1e-4 });
    const { score, literalScore } = found(topology, { ...arrival, rates, all: 100, degree: 2, reach2: 40 }, other);
    expect(literalScore).toBeCloseTo(0.9 * (1 - 0.3 / 10), 12);
    expect(score / literalScore).toBeCloseTo(Math.exp(-20 * 1e-4 * (40 / 100) * MINUTE), 12);
  });
});

describe('pattern: 0.9 + 0.1 · (1 − Δt/W) on different systems', () => {
  test.each([
    [0, 1],
    [MINUTE, 0.9 + 0.1 * (1 - 1 / 60)],
    [HALF_HOUR, 0.95],
    [2 * HALF_HOUR, 0.9],
  ])('at %d ms scores %d', (gap, score) => {
    expect(scoreOf(pattern, record(), at('b', gap))).toBeCloseTo(score, 12);
  });
  test.each([{ system: 'a' }, { signature: 'other' }, { signature: '' }])('%j is not the pattern', (partner) => {
    expect(hitOf(pattern, record(), at('b', 0, partner))).toBeNull();
  });
});

describe('the same complaint on CIs that nothing joins counts 0.85 times', () => {
  const lonely = record({ arrival: { ciId: 'x', hasRelationships: true }, rates: busy() });
  const other = at('b', 0, { ciId: 'y', hasRelationships: true });
  test.each([
    ['nothing joins them', lonely, other, 0.85],
    ['a way of 3 hops joins them', { ...lonely, near: [near('y', 3)] }, other, 1],
    ['the other CI is unknown', lonely, { ...other, ciId: null }, 1],
    ['the tenant is quiet', { ...lonely, rates: busy({ quiet: true }) }, other, 1],
    ['the profile is specified', { ...lonely, settings: settingsOf('specified') }, other, 1],
  ])('%s', (_, arrival, partner, score) => {
    expect(scoreOf(pattern, arrival, partner)).toBe(score);
  });
});

describe('what comes after a rarer complaint upstream may be its effect', () => {
  const rates = { ...busy({ tenant: 2e-4, ci: 0 }), uncommon: 2e-5, rare: 2e-6 };
  const mine = { ciId: 'app', chain: above('db'), above3: 9 };
  const arrival = record({ arrival: { ...mine, commonness: 2 }, rates, all: 100 });
  const upper = at('b', -MINUTE, { ciId: 'db', below3: 41, commonness: 0 });
  const lower = at('b', MINUTE, { ciId: 'app', chain: above('db'), above3: 9, commonness: 2 });
  const hub = record({ arrival: { ciId: 'db', below3: 41, commonness: 0 }, rates, all: 100 });
  test.each([
    ['a rare one upstream, before: the commoner on its own CI', arrival, upper, 2e-4 * (1 / 100)],
    [
      'an uncommon one upstream, before: such ones near enough',
      arrival,
      { ...upper, commonness: 1 as const },
      2e-5 * (50 / 100),
    ],
    ['the same when the one upstream arrives last', hub, lower, 2e-4 * (1 / 100)],
    ['it came after', arrival, { ...upper, time: arrival.arrival.time + MINUTE }, 2e-4 * (50 / 100)],
    ['it is no rarer', arrival, { ...upper, commonness: 2 as const }, 2e-4 * (50 / 100)],
    ['it lies downstream', hub, { ...lower, time: hub.arrival.time - MINUTE }, 2e-4 * (50 / 100)],
    [
      'both are rare',
      { ...arrival, arrival: { ...arrival.arrival, commonness: 0 as const } },
      upper,
      2e-6 * (50 / 100),
    ],
    ['the CI itself is noisy', { ...arrival, rates: { ...rates, ci: 7e-6 } }, upper, 7e-6],
  ])('%s', (_, last, partner, rate) => {
    const { score, literalScore } = found(dependency, last, partner);
    expect(score / literalScore).toBeCloseTo(Math.exp(-20 * rate * MINUTE), 12);
  });
});

describe('service: 0.8 for a shared name', () => {
  const arrival = record({ arrival: { services: ['shop', 'checkout'] } });
  test.each([
    [['checkout'], 0.8],
    [['shop', 'checkout'], 0.8],
    [['billing'], NONE],
    [[], NONE],
  ])('%j scores %d', (services, score) => {
    expect(scoreOf(service, arrival, at('b', 15 * MINUTE, { services }))).toBe(score);
  });
});

describe('two events 60 s apart', () => {
  const quiet = { ciId: 'app', chain: above('db'), services: ['shop'] };
  const other = at('b', MINUTE, { ciId: 'db', services: ['shop'] });
  const literal: Readonly<Record<string, number>> = {
    dependency: 1,
    temporal: Math.exp(-(60 / 1800) * 2),
    topology: 0.9 * (1 - 0.3 * (60 / 600)),
    pattern: 0.9 + 0.1 * (1 - 60 / 3600),
    service: 0.8,
  };
  test.each(PROFILES)('in a quiet tenant score literally under %s, to the last digit', (profile) => {
    const arrival = record({ arrival: quiet, near: [near('db', 1, 1)], settings: settingsOf(profile), all: 9 });
    for (const strategy of strategies) {
      const { score, literalScore } = found(strategy, arrival, other);
      expect([strategy.name, score, literalScore]).toEqual([
        strategy.name,
        literal[strategy.name],
        literal[strategy.name],
      ]);
    }
  });

  test('in a busy tenant score × exp(−20 λ Δt), with the λ and the share of each strategy', () => {
    const rates = busy({ tenant: 1e-5, ci: 1e-7, signature: 2e-6, service: { shop: 3e-6 } });
    const arrival = record({ arrival: { ...quiet, above3: 2 }, near: [near('db', 1, 1)], rates, all: 100, degree: 4 });
    const partner = { ...other, below3: 6 };
    const lambda: Readonly<Record<string, number>> = {
      dependency: 1e-5 * (8 / 100),
      temporal: 1e-5,
      topology: 1e-5 * (5 / 100),
      pattern: 2e-6,
      service: 3e-6,
    };
    for (const strategy of strategies) {
      const { score, literalScore } = found(strategy, arrival, partner);
      expect(literalScore).toBe(literal[strategy.name]);
      expect(score).toBeCloseTo(literal[strategy.name]! * Math.exp(-20 * lambda[strategy.name]! * MINUTE), 12);
    }
  });

  test.each([
    ['both speak at any time', undefined, undefined, MINUTE],
    ['the arrival comes of a look every 45 s', 45_000, undefined, 15_000],
    ['the other one comes of a look every 45 s', undefined, 45_000, 15_000],
    ['one looks every 5 min', 45_000, 300_000, 1_000],
  ])('what lies between two looks is no distance: %s', (_, mine, theirs, apart) => {
    const rates = busy({ tenant: 1e-5, ci: 1e-5, signature: 1e-5, service: { shop: 1e-5 } });
    const mineToo = { ...quiet, ...(mine !== undefined && { rhythm: mine }) };
    const arrival = record({ arrival: mineToo, near: [near('db', 1, 1)], rates, all: 100, degree: 4 });
    const partner = { ...other, ...(theirs !== undefined && { rhythm: theirs }) };
    for (const strategy of strategies) {
      const { score, literalScore } = found(strategy, arrival, partner);
      expect(literalScore).toBe(literal[strategy.name]);
      expect(score / literalScore).toBeCloseTo(Math.exp(-20 * 1e-5 * apart), 12);
    }
  });

  test.each([
    ['at one moment', 0, 1_000],
    ['within a second', -999, 1_000],
    ['a second and a bit', 1_001, 1_001],
  ])('nothing is nearer than a second: %s', (_, gap, apart) => {
    const rates = busy({ tenant: 1e-5, ci: 1e-5, signature: 1e-5, service: { shop: 1e-5 } });
    const arrival = record({ arrival: quiet, near: [near('db', 1, 1)], rates, all: 100, degree: 4 });
    const partner = at('b', gap, { ciId: 'db', services: ['shop'] });
    for (const strategy of strategies) {
      const { score, literalScore } = found(strategy, arrival, partner);
      expect(score / literalScore).toBeCloseTo(Math.exp(-20 * 1e-5 * apart), 12);
    }
  });

  const change = { kind: 'unknown', known: 'change' } as const;
  test.each([
    ['no change', {}, {}, 2e-4],
    ['the earlier one is a rare change', { complaint: change, commonness: 0 as const }, {}, 1e-6],
    ['the later one is a rare change', {}, { complaint: change, commonness: 0 as const }, 2e-4],
    ['changes are as common as all else', { complaint: change, commonness: 2 as const }, {}, 2e-4],
  ])('trouble near a change is judged by how often changes come: %s', (_, earlier, later, rate) => {
    const rates = { ...busy({ tenant: 2e-4, ci: 0 }), rare: 1e-6 };
    const mine = { ...quiet, commonness: 2 as const, ...later };
    const arrival = record({ arrival: mine, near: [near('db', 1, 1)], rates, all: 10, degree: 0 });
    const partner = at('b', -MINUTE, { ciId: 'db', commonness: 2, ...earlier });
    const { score, literalScore } = found(topology, arrival, partner);
    expect(score / literalScore).toBeCloseTo(Math.exp(-20 * (rate / 10) * MINUTE), 12);
    // Nearness in time alone knows nothing of where the change was.
    const timely = found(temporal, arrival, partner);
    expect(timely.score / timely.literalScore).toBeCloseTo(Math.exp(-20 * 2e-4 * MINUTE), 12);
  });

  test.each([
    ['same CI', 'app', 1],
    ['two hops', 'vm', 40],
  ])('topology reckons with the share of CIs that are as near: %s', (_, ciId, reach) => {
    const rates = busy({ tenant: 1e-4 });
    const arrival = record({ arrival: quiet, near: [near('vm', 2)], rates, all: 100, degree: 4, reach2: 40 });
    const { score, literalScore } = found(topology, arrival, at('b', MINUTE, { ciId }));
    expect(score / literalScore).toBeCloseTo(Math.exp(-20 * 1e-4 * (reach / 100) * MINUTE), 12);
  });

  test('the rate of the CI counts when it is higher than the share of the tenant', () => {
    const rates = busy({ tenant: 1e-5, ci: 4e-6 });
    const arrival = record({ arrival: quiet, rates, all: 1_000 });
    expect(scoreOf(dependency, arrival, other)).toBeCloseTo(Math.exp(-20 * 4e-6 * MINUTE), 12);
  });
});
