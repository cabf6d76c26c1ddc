import { expect, test } from '@jest/globals';
import type { ImpactData } from '#console/api/cmdb/topology.ts';
import { coloured, drawnAround, drawnImpact, drawnWay, openEventsOf, withProposed } from './drawings.ts';

const ci = (id: string) => ({ id, name: `name of ${id}`, type: 'server' });
const edge = (source: string, target: string, type = 'runs_on', by = 'manual') => ({
  id: `${source}${target}`,
  source,
  target,
  type,
  discovered_by: by,
});
const plain = (source: string, target: string, type: string) => ({ source, target, type });

test('a neighbourhood is drawn once each, without relationships that lead out of it', () => {
  const found = {
    ci: ci('a'),
    nodes: [
      { ...ci('a'), hops: 0 },
      { ...ci('b'), hops: 1 },
    ],
    edges: [edge('b', 'a'), edge('b', 'a'), edge('c', 'b'), edge('b', 'a', 'uses', 'ai-accepted')],
    paths: [],
    truncated: true,
  };
  const { nodes, edges } = drawnAround(found);
  expect(nodes.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(edges).toEqual([plain('b', 'a', 'runs_on'), { ...plain('b', 'a', 'uses'), isFromAi: true }]);
});

const impact = {
  cis: [ci('a')],
  impacted: [
    { ...ci('b'), hops: 1, path: ['a', 'b'] },
    { ...ci('c'), hops: 2, path: ['a', 'b', 'c'] },
  ],
  protected: [{ ...ci('d'), hops: 1, groups: [{ group: 'power', required: 1, members: 2, surviving: 1 }] }],
} as unknown as ImpactData;

test('what fails hangs on what it fails by, with the relationship where it is known', () => {
  const known = [plain('b', 'a', 'powered_by'), plain('d', 'a', 'powered_by')];
  const { nodes, edges } = drawnImpact(impact, known);
  expect(nodes.map(({ role }) => role)).toEqual(['plain', 'impacted', 'impacted', 'protected']);
  expect(nodes.map(({ saved }) => saved)).toEqual([undefined, undefined, undefined, '1 of 2 available, 1 required']);
  expect(edges).toEqual([
    { source: 'b', target: 'a', type: 'powered_by' },
    { source: 'd', target: 'a', type: 'powered_by' },
    { source: 'c', target: 'b', type: 'depends_on' },
  ]);
});

test('what complains is no silent victim', () => {
  const drawn = coloured(drawnImpact(impact, []), { b: { worst: 'major', open: 2, acknowledged: 1 } });
  expect(drawn.nodes.map(({ role, worst, open }) => [role, worst, open])).toEqual([
    ['plain', null, 0],
    ['victim', 'major', 2],
    ['impacted', null, 0],
    ['protected', null, 0],
  ]);
});

test('a way has the relationships of its steps only, in whichever direction', () => {
  const way = { found: true, hops: 2, path: ['a', 'b', 'c'], nodes: [ci('a'), ci('b'), ci('c')] };
  expect(
    drawnWay(way, [plain('b', 'a', 'runs_on'), plain('b', 'c', 'runs_on'), plain('a', 'c', 'runs_on')]).edges,
  ).toEqual([
    { source: 'b', target: 'a', type: 'runs_on' },
    { source: 'b', target: 'c', type: 'runs_on' },
  ]);
});

test('what is open on a map is one list, those with most first and at most 100 CIs', () => {
  const node = (id: string, open: number) => ({
    ...ci(id),
    role: 'plain' as const,
    worst: null,
    open,
    acknowledged: 0,
  });
  expect(openEventsOf({ nodes: [node('a', 0)], edges: [] })).toBeNull();
  expect(openEventsOf({ nodes: [node('a', 0), node('b', 1), node('c', 4)], edges: [] })).toEqual({
    to: '/events?status=open,acknowledged&ciId=c,b',
    cis: 2,
  });
  const many = Array.from({ length: 101 }, (_, at) => node(`n${at}`, 1 + at));
  expect(openEventsOf({ nodes: many, edges: [] })).toMatchObject({ to: expect.not.stringMatching(/\bn0\b/), cis: 100 });
});

test('proposals between CIs of the map are drawn beside its relationships, unless these say the same', () => {
  const drawing = drawnAround({
    ci: ci('a'),
    nodes: [{ ...ci('b'), hops: 1 }],
    edges: [edge('b', 'a')],
    paths: [],
    truncated: false,
  });
  const proposed = (proposal: string, source: string, target: string, type: string) => ({
    ...plain(source, target, type),
    isFromAi: true,
    proposal,
  });
  const asked = [
    proposed('p1', 'a', 'b', 'depends_on'),
    proposed('p2', 'a', 'far', 'depends_on'),
    proposed('p3', 'b', 'a', 'runs_on'),
  ];
  expect(withProposed(drawing, asked).edges).toEqual([
    proposed('p1', 'a', 'b', 'depends_on'),
    plain('b', 'a', 'runs_on'),
  ]);
  expect(withProposed(drawing, [])).toEqual(drawing);
});
