import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Arrival, Enriched } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { dependency } from '#domain/correlation/strategies/dependency.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import { topology } from '#domain/correlation/strategies/topology.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';
import { at, record, settingsOf, T } from '#test/setup/pair-kit.ts';
import {
  admit,
  byNearness,
  candidatesOf,
  evict,
  KEPT_PER_KEY,
  openTenantWindow,
  REACH_MS,
  type TenantWindow,
  turn,
} from './window.ts';

const W = 30 * 60_000;
const windowWith = (strategy: Strategy, arrivals: readonly Arrival[]): TenantWindow => {
  const window = openTenantWindow();
  for (const arrival of arrivals) {
    admit(window, strategy, arrival);
    evict(window, strategy);
  }
  return window;
};
const namesOf = (window: TenantWindow, strategy: Strategy, arrival: Enriched): string[] =>
  candidatesOf(window, strategy, arrival).partners.map(({ eventId }) => eventId);

describe('candidates', () => {
  test.each([
    [W, ['b']],
    [-W, ['b']],
    [W + 1, []],
    [-W - 1, []],
  ])('the window is inclusive: %d ms apart gives %j', (gap, names) => {
    expect(namesOf(windowWith(temporal, [at('b', gap)]), temporal, record())).toEqual(names);
  });

  test('an event is never its own partner', () => {
    expect(namesOf(windowWith(temporal, [at('a', 0)]), temporal, record())).toEqual([]);
  });

  const times = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 80 });
  test('property: they are the K nearest of a naive search, and the rest inside the window is counted', () => {
    fc.assert(
      fc.property(times, (gaps) => {
        const others = gaps.map((gap, i) => at(`e${String(i).padStart(3, '0')}`, gap * 60_000));
        const inside = others.filter(({ time }) => Math.abs(time - T) <= W);
        const naive = inside.toSorted(byNearness(record().arrival)).slice(0, 20);
        const seen = candidatesOf(windowWith(temporal, others), temporal, record());
        expect(seen.partners.map((p) => p.eventId)).toEqual(naive.map((p) => p.eventId));
        expect(seen.cut).toBe(inside.length - naive.length);
      }),
    );
  });

  test('property: they do not depend on the order in which partners came', () => {
    fc.assert(
      fc.property(times, fc.infiniteStream(fc.nat()), (gaps, randoms) => {
        const others = gaps.map((gap, i) => at(`e${i}`, gap));
        const weights = new Map(others.map((other) => [other, randoms.next().value as number]));
        const shuffled = others.toSorted((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0));
        const names = namesOf(windowWith(temporal, others), temporal, record());
        expect(namesOf(windowWith(temporal, shuffled), temporal, record())).toEqual(names);
      }),
    );
  });

  test('of one key the newest 512 in time are looked at', () => {
    const older = Array.from({ length: 600 }, (_, i) => at(`e${i}`, i - 600));
    const early = record({ arrival: { time: T - 600 } });
    const [nearest] = namesOf(windowWith(temporal, older), temporal, early);
    expect(nearest).toBe(`e${600 - KEPT_PER_KEY}`);
  });

  test('structure takes three per CI and 60 in all, also of the many below a hub', () => {
    const chain = [{ ci: 'hub', hops: 1, via: null }];
    const below = Array.from({ length: 100 }, (_, i) => at(`e${i}`, -i, { ciId: `c${i % 25}`, chain }));
    const hub = record({ arrival: { ciId: 'hub' } });
    const { partners, cut } = candidatesOf(windowWith(dependency, below), dependency, hub);
    expect(partners.length).toBe(60);
    expect(cut).toBe(40);
    const few = candidatesOf(
      windowWith(
        dependency,
        below.map((b) => ({ ...b, ciId: 'one' })),
      ),
      dependency,
      hub,
    );
    expect([few.partners.map((p) => p.eventId), few.cut]).toEqual([['e0', 'e1', 'e2'], 97]);
  });

  test('60 in all are the nearest in time, whatever their CI', () => {
    const near = Array.from({ length: 40 }, (_, i) => ({ ci: `c${i}`, hops: 1, via: null, criticalHops: 0 }));
    const others = Array.from({ length: 120 }, (_, i) => at(`e${i}`, i - 120, { ciId: `c${i % 40}` }));
    const { partners, cut } = candidatesOf(
      windowWith(topology, others),
      topology,
      record({ arrival: { ciId: 'x' }, near }),
    );
    expect(partners.map((p) => p.time)).toEqual(Array.from({ length: 60 }, (_, i) => T - 1 - i));
    expect(cut).toBe(60);
  });

  test('a partner found under two keys is one candidate', () => {
    const circle = at('b', 0, { ciId: 'y', chain: [{ ci: 'x', hops: 1, via: null }] });
    const arrival = record({ arrival: { ciId: 'x', chain: [{ ci: 'y', hops: 1, via: null }] } });
    expect(namesOf(windowWith(dependency, [circle]), dependency, arrival)).toEqual(['b']);
  });
});

describe('a second arrival', () => {
  const first = at('b', 0, { position: 1, ciId: null });
  const second = at('b', 0, { position: 5, ciId: 'x', rebound: true });

  test('replaces the first under the same key', () => {
    const window = windowWith(temporal, [first, second]);
    expect(candidatesOf(window, temporal, record()).partners).toEqual([second]);
  });

  test('hides the first under another key', () => {
    const moved = { ...first, ciId: 'old' };
    const window = windowWith(topology, [moved, second]);
    expect(namesOf(window, topology, record({ arrival: { ciId: 'old' } }))).toEqual([]);
    expect(namesOf(window, topology, record({ arrival: { ciId: 'x' } }))).toEqual(['b']);
  });
});

test('an event that takes the place of another one hides it, and lets it go with itself', () => {
  const successor = at('c', 0, { position: 5, rebound: true, again: 'supersedes', supersedes: 'b' });
  const window = windowWith(temporal, [at('b', 0, { position: 1 }), successor]);
  expect(candidatesOf(window, temporal, record()).partners).toEqual([successor]);
  admit(window, temporal, at('d', 2 * REACH_MS));
  evict(window, temporal);
  expect(window.replaced.size).toBe(0);
});

describe('turns', () => {
  const ended = (eventId: string, gap: number, position = 2) =>
    ({ kind: 'ended', eventId, at: T + gap, position }) as const;
  const partnersOf = (window: TenantWindow, arrival: Partial<Arrival>, profile: Profile = 'calibrated') =>
    candidatesOf(window, temporal, record({ arrival, settings: settingsOf(profile) })).partners.map(
      ({ eventId }) => eventId,
    );

  test.each([
    ['is on', [], { position: 9, time: T + 5 }, ['b']],
    ['is over', [ended('b', 5)], { position: 9, time: T + 5 }, []],
    ['was on when the other began', [ended('b', 5)], { position: 9, time: T + 4 }, ['b']],
    ['was not known to be over', [ended('b', 5, 9)], { position: 8, time: T + 5 }, ['b']],
    ['came back', [ended('b', 5), { ...ended('b', 6, 3), kind: 'returned' }], { position: 9, time: T + 7 }, ['b']],
    [
      'had not come back yet',
      [ended('b', 5), { ...ended('b', 6, 9), kind: 'returned' }],
      { position: 8, time: T + 7 },
      [],
    ],
  ] as const)('an event that %s', (_, turns, arrival, partners) => {
    const window = windowWith(temporal, [at('b', 0)]);
    for (const told of turns) turn(window, told);
    expect(partnersOf(window, arrival)).toEqual(partners);
    expect(partnersOf(window, arrival, 'specified')).toEqual(['b']);
  });

  test('leave faster than they come once no window reaches them', () => {
    const window = windowWith(temporal, []);
    for (let i = 0; i < 1_000; i++) turn(window, ended(`old${i}`, i));
    admit(window, temporal, at('b', 2 * REACH_MS));
    for (let i = 0; i < 1_010; i++) turn(window, ended(`new${i}`, 2 * REACH_MS));
    expect([...window.turns.keys()].filter((id) => id.startsWith('old'))).toEqual([]);
  });
});

test('an arrival that is taken in again, as after a restart, is one partner', () => {
  const window = windowWith(temporal, [at('b', 0), at('c', 0), at('b', 0)]);
  expect(namesOf(window, temporal, record())).toEqual(['b', 'c']);
});

describe('memory', () => {
  test('is freed where no window and no lateness that can be set reaches', () => {
    const old = [at('b', 0, { ciId: 'x' }), at('c', 1, { ciId: 'y' })];
    const window = windowWith(topology, [...old, at('d', REACH_MS, { ciId: 'z' })]);
    expect([...window.partners.keys()]).toEqual(['x', 'y', 'z']);
    for (const later of [at('e', REACH_MS + 1, { ciId: 'z' })]) admit(window, topology, later);
    evict(window, topology);
    expect([...window.partners.keys()]).toEqual(['y', 'z']);
  });

  test('property: nothing is kept once everything is far behind, replaced ones neither', () => {
    const arrivals = fc.array(
      fc.tuple(fc.nat(9), fc.integer({ min: -60_000, max: 0 }), fc.constantFrom('x', 'y'), fc.boolean()),
    );
    fc.assert(
      fc.property(arrivals, (made) => {
        const all = made.map(([id, gap, ciId, rebound], position) => at(`e${id}`, gap, { ciId, rebound, position }));
        const window = windowWith(topology, [...all, at('last', 10 * W, { ciId: 'z' })]);
        expect([...window.partners.keys()]).toEqual(['z']);
        expect(window.queue.length - window.head).toBe(1);
        expect(window.replaced.size).toBe(0);
      }),
    );
  });
});
