import { describe, expect, test } from '@jest/globals';
import { discoveries, type FollowingPair, followingPairs, type LaggedPair } from './direction.ts';
import { doubtfulEdges } from './doubtful.ts';
import { type Failures, type Incident, pairsOf } from './pairs.ts';
import { combined, poissonTail, signTail } from './tails.ts';

/** Mulberry32: chance that is the same each time. */
const dice = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

interface World {
  readonly failures: Failures;
  /** Time at which each of its CIs failed, ms, by incident. */
  readonly times: ReadonlyMap<string, ReadonlyMap<string, number>>;
}
interface Shape {
  readonly cis: number;
  readonly windows: number;
  /** Range of the failures of a CI per window. */
  readonly rates: readonly [from: number, to: number];
  /** Windows in which everything fails five times as often. */
  readonly storms?: number;
  /** The first makes the second fail 2 min later. */
  readonly hidden?: { readonly first: string; readonly second: string; readonly often: number; readonly times: number };
}

const MINUTE = 60_000;

/** Windows in which CIs fail independently, and the effect of hidden edges. */
function worldOf(seed: number, { cis, windows, rates, storms = 0, hidden }: Shape): World {
  const random = dice(seed);
  const names = Array.from({ length: cis }, (_, n) => `ci-${String(n).padStart(3, '0')}`);
  const rateOf = new Map(names.map((name) => [name, rates[0] + random() * (rates[1] - rates[0])]));
  const incidents: Incident[] = [];
  const alone = new Map<string, number>();
  const times = new Map<string, Map<string, number>>();
  for (let w = 0; w < windows; w++) {
    const many = w < storms ? 5 : 1;
    const failed = new Map<string, number>();
    for (const name of names) if (random() < many * rateOf.get(name)!) failed.set(name, random() * 10 * MINUTE);
    if (hidden !== undefined && w < hidden.times) {
      failed.set(hidden.first, random() * 5 * MINUTE);
      if (random() < hidden.often) failed.set(hidden.second, failed.get(hidden.first)! + (1 + random()) * MINUTE);
    }
    const [only] = failed.keys();
    if (failed.size === 1) alone.set(only!, (alone.get(only!) ?? 0) + 1);
    if (failed.size > 1) {
      incidents.push({ id: `w-${w}`, cis: new Set(failed.keys()) });
      times.set(`w-${w}`, failed);
    }
  }
  return { failures: { incidents, alone }, times };
}

function learn({ failures, times }: World): FollowingPair[] {
  const { pairs, tests } = pairsOf(failures);
  const lagged = pairs.map((pair): LaggedPair => {
    const lag = (id: string): number => times.get(id)!.get(pair.b)! - times.get(id)!.get(pair.a)!;
    return { ...pair, lags: pair.together.map(lag) };
  });
  return followingPairs(lagged, tests);
}

describe('Tails', () => {
  test.each([
    [0, 3, 1],
    [1, 1, 0.6321],
    [4, 0.5, 0.001752],
    [10, 2, 4.65e-5],
    [3, 5, 0.8753],
  ])('at least %d where %d are expected', (seen, expected, chance) => {
    expect(poissonTail(seen, expected)).toBeCloseTo(chance, 4);
  });
  test.each([
    [4, 4, 0.0625],
    [6, 7, 0.0625],
    [3, 6, 0.65625],
    [0, 5, 1],
  ])('%d of %d coins on one side', (most, of, chance) => {
    expect(signTail(most, of)).toBeCloseTo(chance, 6);
  });
  test('two findings together, as the tables of chi-squared say', () => {
    expect(combined(0.05, 0.05)).toBeCloseTo(0.01748, 4);
    expect(combined(1, 1)).toBe(1);
    expect(combined(0, 0.5)).toBe(0);
  });
});

test('Benjamini and Hochberg: the example of their paper', () => {
  const chances = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  const found = discoveries(chances, (chance) => chance, { tests: 15, share: 0.05 });
  expect(found.map(({ item }) => item)).toEqual([0.0001, 0.0004, 0.0019, 0.0095]);
});

describe('CIs that fail by chance', () => {
  const WORLDS = 300;
  test.each([
    ['alike', { cis: 60, windows: 300, rates: [0.03, 0.03] }],
    ['each at its own rate', { cis: 60, windows: 300, rates: [0.005, 0.1] }],
    ['often', { cis: 25, windows: 400, rates: [0.1, 0.3] }],
    ['with storms', { cis: 60, windows: 300, rates: [0.01, 0.05], storms: 20 }],
  ] as const)('%s: in at most 5 %% of the worlds any pair is found', (name, shape) => {
    const wrong = Array.from({ length: WORLDS }, (_, n) => learn(worldOf(n + 1, shape))).filter(
      (found) => found.length > 0,
    ).length;
    process.stdout.write(`worlds with a false pair, ${name}: ${wrong} of ${WORLDS}\n`);
    expect(wrong / WORLDS).toBeLessThanOrEqual(0.05);
  });
});

describe('A hidden edge', () => {
  const WORLDS = 100;
  const hidden = { first: 'ci-040', second: 'ci-007', often: 0.9, times: 12 };
  test('is found with its direction, and little else', () => {
    const worlds = Array.from({ length: WORLDS }, (_, n) =>
      learn(worldOf(n + 1, { cis: 60, windows: 300, rates: [0.005, 0.05], hidden })),
    );
    const right = worlds.filter((found) =>
      found.some(({ first, second }) => first === 'ci-040' && second === 'ci-007'),
    );
    const all = worlds.flat();
    const wrong = all.filter(({ first, second }) => first !== 'ci-040' || second !== 'ci-007');
    process.stdout.write(
      `hidden edge found: ${right.length} of ${WORLDS}; false among found: ${wrong.length} of ${all.length}\n`,
    );
    expect(right.length / WORLDS).toBeGreaterThanOrEqual(0.9);
    expect(wrong.length / all.length).toBeLessThanOrEqual(0.05);
    const [found] = right[0]!;
    expect(found!.lagMs).toBeGreaterThan(MINUTE);
    expect(found!.lagMs).toBeLessThan(3 * MINUTE);
    expect(found!.confidence).toBeGreaterThan(0.5);
  });

  test('of four failures all in one direction is found, of three it is not', () => {
    const of = (times: number) =>
      learn(
        worldOf(5, {
          cis: 40,
          windows: 300,
          rates: [0.01, 0.01],
          hidden: { ...hidden, first: 'ci-001', often: 1, times },
        }),
      );
    expect(of(4)).toMatchObject([{ first: 'ci-001', second: 'ci-007' }]);
    expect(of(3)).toEqual([]);
  });

  test('whose direction changes is none', () => {
    const pair = { a: 'a', b: 'b', together: ['1', '2', '3', '4', '5', '6'], expected: 0.01, chance: 1e-12 };
    const of = (...lags: number[]) => followingPairs([{ ...pair, lags }], 10).length;
    expect(of(1, 1, 1, 1, 1, 1)).toBe(1);
    expect(of(-1, -1, -1, -1, -1, -1)).toBe(1);
    expect(of(1, 1, 1, 1, 1, -1)).toBe(0);
    expect(of(1, 1, 1, 0, 0, 0)).toBe(0);
  });
});

test('a storm says nothing of the pairs in it', () => {
  const cis = new Set(Array.from({ length: 21 }, (_, n) => `ci-${n}`));
  const incidents = Array.from({ length: 10 }, (_, n) => ({ id: `s-${n}`, cis }));
  expect(pairsOf({ incidents, alone: new Map() })).toEqual({ pairs: [], tests: 0 });
});

describe('An edge over which no failure travelled', () => {
  const edge = { id: 'r', source: 'web', target: 'db' };
  const apart = (chances: number, webAlone = 1) => ({
    incidents: Array.from({ length: chances }, (_, n) => ({ id: `g-${n}`, cis: new Set(['db', 'other']) })),
    alone: new Map([['web', webAlone]]),
  });
  test.each([
    ['eight chances', apart(8), 1],
    ['seven', apart(7), 0],
    ['a source that never failed', apart(8, 0), 0],
    [
      'one that travelled',
      { ...apart(8), incidents: [...apart(8).incidents, { id: 'x', cis: new Set(['db', 'web']) }] },
      0,
    ],
    [
      'failures alone',
      {
        incidents: [],
        alone: new Map([
          ['db', 8],
          ['web', 1],
        ]),
      },
      1,
    ],
  ])('%s', (_, failures, found) => {
    expect(doubtfulEdges([edge], failures)).toHaveLength(found);
  });
  test('is doubtful with a confidence', () => {
    expect(doubtfulEdges([edge], apart(8))[0]).toMatchObject({ chances: 8, travelled: 0 });
    expect(doubtfulEdges([edge], apart(8))[0]!.confidence).toBeCloseTo(0.942, 3);
  });
});
