import { expect, test } from '@jest/globals';
import type { ImpactShown } from '#console/api/cmdb/topology.ts';
import { coloured, drawnAround, drawnImpact, drawnWay } from './drawings.ts';

const ci = (id: string) => ({ id, name: `name of ${id}`, type: 'server' });
const edge = (source: string, target: string, type = 'runs_on') => ({ id: `${source}${target}`, source, target, type });

test('a neighbourhood is drawn once each, without relationships that lead out of it', () => {
  const found = {
    ci: ci('a'),
    nodes: [
      { ...ci('a'), hops: 0 },
      { ...ci('b'), hops: 1 },
    ],
    edges: [edge('b', 'a'), edge('b', 'a'), edge('c', 'b')],
    paths: [],
    truncated: true,
  };
  const { nodes, edges } = drawnAround(found);
  expect(nodes.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(edges).toEqual([{ source: 'b', target: 'a', type: 'runs_on' }]);
});

const impact = {
  cis: [ci('a')],
  impacted: [
    { ...ci('b'), hops: 1, path: ['a', 'b'] },
    { ...ci('c'), hops: 2, path: ['a', 'b', 'c'] },
  ],
  protected: [{ ...ci('d'), hops: 1, groups: [] }],
} as unknown as ImpactShown;

test('what fails hangs on what it fails by, with the relationship where it is known', () => {
  const { nodes, edges } = drawnImpact(impact, [edge('b', 'a', 'powered_by'), edge('d', 'a', 'powered_by')]);
  expect(nodes.map(({ role }) => role)).toEqual(['plain', 'impacted', 'impacted', 'protected']);
  expect(edges).toEqual([
    { source: 'b', target: 'a', type: 'powered_by' },
    { source: 'd', target: 'a', type: 'powered_by' },
    { source: 'c', target: 'b', type: 'depends_on' },
  ]);
});

test('what complains is no silent victim', () => {
  const drawn = coloured(drawnImpact(impact, []), { b: { worst: 'major', open: 2 } });
  expect(drawn.nodes.map(({ role, worst, open }) => [role, worst, open])).toEqual([
    ['plain', null, 0],
    ['victim', 'major', 2],
    ['impacted', null, 0],
    ['protected', null, 0],
  ]);
});

test('a way has the relationships of its steps only, in whichever direction', () => {
  const way = { found: true, hops: 2, path: ['a', 'b', 'c'], nodes: [ci('a'), ci('b'), ci('c')] };
  expect(drawnWay(way, [edge('b', 'a'), edge('b', 'c'), edge('a', 'c')]).edges).toEqual([
    { source: 'b', target: 'a', type: 'runs_on' },
    { source: 'b', target: 'c', type: 'runs_on' },
  ]);
});
