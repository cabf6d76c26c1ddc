import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Redundancy, redundancyOf } from '#domain/topology/topology.ts';
import { addEdge, PRESENT } from './edges.ts';
import { addNode, emptyGraph } from './graph.ts';
import { IMPACT_HOPS, impactOf } from './impact.ts';
import { type Dependency, impactByRounds, type UnnamedImpact, unnamedImpact } from './impact-by-rounds.ts';

const TYPES: Readonly<Record<string, string>> = { '>': 'depends_on', '=': 'powered_by', '~': 'peers_with' };
/** `source>target`, with `group` or `group:required` behind a blank; `=` for another type, `~` for one over which no fault travels. */
function dependency(text: string): Dependency {
  const [ends = '', path] = text.split(' ');
  const [source = '', target = ''] = ends.split(/[>=~]/);
  const [group, required] = path?.split(':') ?? [];
  const redundancy = group === undefined ? null : { group, required: Number(required ?? 1) };
  return { source, target, type: TYPES[/[>=~]/.exec(ends)?.[0] ?? '>']!, redundancy };
}

function onGraph(dependencies: readonly Dependency[], starts: readonly string[], limit: number): UnnamedImpact {
  const graph = emptyGraph();
  const ids = new Set([...starts, ...dependencies.flatMap(({ source, target }) => [source, target])]);
  const nodes = new Map([...ids].sort().map((id) => [id, addNode(graph, id)]));
  const redundancy = new Map<number, Redundancy>();
  for (const { source, target, type, redundancy: path } of dependencies) {
    const facts = { type, critical: false, since: -Infinity, until: Infinity };
    const edge = addEdge(graph, nodes.get(source)!, nodes.get(target)!, facts);
    if (path !== null) redundancy.set(edge, path);
  }
  const query = { redundancy, limit, at: PRESENT };
  return unnamedImpact(
    graph,
    impactOf(
      graph,
      starts.map((id) => nodes.get(id)!),
      query,
    ),
  );
}

/** Reads like a store: only the requested data. */
function piecewise(dependencies: readonly Dependency[], starts: readonly string[], limit: number): UnnamedImpact {
  const travelling = dependencies.filter(({ type }) => type !== 'peers_with');
  const run = impactByRounds(starts, { limit });
  for (let next = run.next(); ; ) {
    if (next.done) return next.value;
    const asked = next.value;
    const on = travelling.filter(({ target }) => asked.includes(target));
    const groups = new Set(
      on.flatMap(({ source, redundancy }) => (redundancy ? [`${source} ${redundancy.group}`] : [])),
    );
    const beside = travelling.filter(
      ({ source, redundancy }) => redundancy && groups.has(`${source} ${redundancy.group}`),
    );
    next = run.next([...on, ...beside]);
  }
}

const told = ({ impacted, protected: saved, truncated }: UnnamedImpact): string =>
  [
    ...impacted.map(({ ci, hops, via }) => `${ci}${hops}<${via}`),
    ...saved.map(
      ({ ci, hops, groups }) => `(${ci}${hops} ${groups.map((g) => `${g.surviving}/${g.members}:${g.required}`)})`,
    ),
    ...(truncated ? ['…'] : []),
  ].join(' ');

describe('What fails with x', () => {
  test.each([
    ['nothing', [], ''],
    ['what depends on it, and what depends on that', ['a>x', 'b>a', 'c>b'], 'a1<x b2<a c3<b'],
    ['not what it depends on', ['x>a'], ''],
    ['not over other types', ['a~x'], ''],
    ['each once, the nearest way', ['a>x', 'b>a', 'b>x'], 'a1<x b1<x'],
    ['not round and round', ['a>x', 'x>a', 'b>a', 'a>b'], 'a1<x b2<a'],
    ['one path of two is left', ['a>x g', 'a>y g', 'b>a'], '(a1 1/2:1)'],
    ['both paths of a group fall', ['a>x g', 'a>y g', 'y>x', 'b>a'], 'y1<x a2<y b3<a'],
    ['two of three are required and left', ['a>x g:2', 'a>y g:2', 'a>z g:2'], '(a1 2/3:2)'],
    ['two of three are required and one is left', ['a>x g:2', 'a>y g:2', 'a>z g:2', 'z>x'], 'z1<x a2<z'],
    ['the most required counts', ['a>x g', 'a>y g:2'], 'a1<x'],
    ['more required than there are: all', ['a>x g:9', 'a>y g:9'], 'a1<x'],
    ['a group of one is no redundancy', ['a>x g'], 'a1<x'],
    ['groups of one CI stand for themselves', ['a>x net', 'a>y net', 'a=x power', 'a=z power'], '(a1 1/2:1,1/2:1)'],
    ['one group lost is enough', ['a>x net', 'a>y net', 'a=x power'], 'a1<x'],
    ['the same name at another CI is another group', ['a>x g', 'b>y g', 'b>z g'], 'a1<x'],
    ['a path without group is one too many', ['a>x g', 'a>y g', 'a=x'], 'a1<x'],
    ['what hangs on a protected CI is safe', ['a>x g', 'a>y g', 'b>a', 'c>x'], 'c1<x (a1 1/2:1)'],
  ])('%s', (_, texts, expected) => {
    const dependencies = texts.map(dependency);
    expect(told(onGraph(dependencies, ['x'], 100))).toBe(expected);
    expect(told(piecewise(dependencies, ['x'], 100))).toBe(expected);
  });

  test('the nearest, when there are more than asked for', () => {
    const dependencies = ['c>x', 'b>x', 'd>x', 'a>c'].map(dependency);
    for (const found of [onGraph, piecewise]) {
      expect(told(found(dependencies, ['x'], 2))).toBe('b1<x c1<x …');
      expect(told(found(dependencies, ['x'], 4))).toBe('b1<x c1<x d1<x a2<c');
    }
  });

  test(`chains end after ${IMPACT_HOPS} hops`, () => {
    const chain = Array.from({ length: 60 }, (_, i) => dependency(`${i + 1}>${i}`));
    for (const found of [onGraph, piecewise])
      expect(found(chain, ['0'], 100)).toMatchObject({ impacted: { length: IMPACT_HOPS }, truncated: true });
  });
});

/** Computes in rounds, in the simplest way. */
function naive(dependencies: readonly Dependency[], starts: readonly string[]): Map<string, number> {
  const failed = new Map(starts.map((id) => [id, 0]));
  const sources = [...new Set(dependencies.map(({ source }) => source))];
  const falls = (id: string): boolean => {
    const own = dependencies.filter(({ source, type }) => source === id && type !== 'peers_with');
    if (own.some(({ target, redundancy }) => redundancy === null && failed.has(target))) return true;
    const groups = Map.groupBy(
      own.filter(({ redundancy }) => redundancy !== null),
      ({ redundancy }) => redundancy!.group,
    );
    return [...groups.values()].some((paths) => {
      const required = Math.min(paths.length, Math.max(...paths.map(({ redundancy }) => redundancy!.required)));
      return paths.filter(({ target }) => !failed.has(target)).length < required;
    });
  };
  for (let round = 1; ; round++) {
    const next = sources.filter((id) => !failed.has(id) && falls(id));
    if (next.length === 0) return failed;
    for (const id of next) failed.set(id, round);
  }
}

const cis = [...'abcdefgh'];
const end = fc.constantFrom(...cis);
const path = fc.option(fc.record({ group: fc.constantFrom('g', 'h'), required: fc.integer({ min: 1, max: 3 }) }), {
  freq: 1,
});
const estates = fc
  .uniqueArray(
    fc.record({
      source: end,
      target: end,
      type: fc.constantFrom('depends_on', 'powered_by', 'peers_with'),
      redundancy: path,
    }),
    { maxLength: 20, selector: ({ source, target, type }) => `${source}${target}${type}` },
  )
  .map((edges) => edges.filter(({ source, target }) => source !== target));

describe('Whatever the estate', () => {
  test('the same fail, in the same round, as in the plainest search', () => {
    fc.assert(
      fc.property(estates, fc.uniqueArray(end, { minLength: 1, maxLength: 3 }), (edges, starts) => {
        const expected = [...naive(edges, starts)].filter(([, round]) => round > 0).sort();
        for (const found of [onGraph, piecewise]) {
          const { impacted, protected: saved } = found(edges, starts, 100);
          expect(impacted.map(({ ci, hops }) => [ci, hops]).sort()).toEqual(expected);
          const fallen = new Set([...starts, ...impacted.map(({ ci }) => ci)]);
          for (const { ci, groups } of saved) {
            expect(fallen.has(ci)).toBe(false);
            for (const { surviving, required, members } of groups)
              expect(surviving).toBeGreaterThanOrEqual(Math.min(required, members));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('reading piece by piece finds what the whole graph shows', () => {
    fc.assert(
      fc.property(estates, end, fc.integer({ min: 1, max: 5 }), (edges, start, limit) => {
        expect(piecewise(edges, [start], limit).impacted).toEqual(onGraph(edges, [start], limit).impacted);
      }),
    );
  });
});

test.each([
  [{}, null],
  [{ redundancy_group: 'lb' }, { group: 'lb', required: 1 }],
  [
    { redundancy_group: 'lb', redundancy_required: 2 },
    { group: 'lb', required: 2 },
  ],
  [
    { redundancy_group: 'lb', redundancy_required: 0 },
    { group: 'lb', required: 1 },
  ],
  [
    { redundancy_group: 'lb', redundancy_required: '2' },
    { group: 'lb', required: 1 },
  ],
  [{ redundancy_group: '', redundancy_required: 2 }, null],
  [{ redundancy_group: 7 }, null],
])('attributes %j are redundancy %j', (attributes, expected) => expect(redundancyOf({ attributes })).toEqual(expected));

describe('While others are down', () => {
  const saying = (dependencies: readonly string[], down: readonly string[], start = 'x'): string => {
    const all = dependencies.map(dependency);
    const run = impactByRounds([start], { limit: 9, down });
    let next = run.next();
    while (!next.done) next = run.next(all.filter(({ type }) => type !== 'peers_with'));
    const { partnersDown } = next.value;
    return [told(next.value), ...partnersDown.map(({ ci }) => `!${ci}`)].join(' ').trim();
  };
  test.each([
    ['they stand in for none', ['a>x g', 'a>y g', 'b>a'], ['y'], 'a1<x b2<a !y'],
    ['enough others do', ['a>x g', 'a>y g', 'a>z g'], ['y'], '(a1 1/3:1)'],
    ['more is required than is left', ['a>x g:2', 'a>y g:2', 'a>z g:2'], ['y'], 'a1<x !y'],
    ['one that is down itself is counted once', ['a>x g', 'a>y g'], ['x'], '(a1 1/2:1)'],
    ['what they take along is none of its impact', ['a>y', 'b>x g', 'b>z g'], ['y'], '(b1 1/2:1)'],
    ['nothing changes for what has no redundancy', ['a>x', 'a>y'], ['y'], 'a1<x'],
    ['those of other groups do not matter', ['a>x g', 'a>y g', 'a>z h'], ['z'], '(a1 1/2:1)'],
  ])('%s', (_, dependencies, down, expected) => expect(saying(dependencies, down)).toBe(expected));
});
