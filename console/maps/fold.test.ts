import { expect, test } from '@jest/globals';
import type { Drawing, DrawnNode } from './drawn.ts';
import { fansOf, folded, isFold } from './fold.ts';

const node = (id: string, more: Partial<DrawnNode> = {}): DrawnNode => ({
  id,
  name: id,
  type: 'server',
  role: 'victim',
  worst: 'critical',
  open: 1,
  acknowledged: 0,
  ...more,
});
const many = (prefix: string, length: number): string[] => Array.from({ length }, (_, at) => `${prefix}${at}`);
const below = (parent: string, ids: readonly string[]): Drawing['edges'] =>
  ids.map((source) => ({ source, target: parent, type: 'depends_on' }));

/** A core with switches, each with servers. */
const estate = (switches: number, servers: number): Drawing => {
  const all = many('sw-', switches);
  const fans = all.map((one) => many(`${one}-s`, servers));
  return {
    nodes: [
      node('core', { role: 'cause', type: 'switch' }),
      ...all.map((id) => node(id, { type: 'switch' })),
      ...fans.flat().map((id) => node(id)),
    ],
    edges: [...below('core', all), ...fans.flatMap((fan, at) => below(`sw-${at}`, fan))],
  };
};

test('leaves of one parent and state become one node with their number, and open again', () => {
  const drawing = estate(1, 49);
  const { nodes, edges, foldOf } = folded(drawing, new Set());
  expect(nodes.map(({ name, open }) => [name, open])).toEqual([
    ['core', 1],
    ['sw-0', 1],
    ['49 servers', 49],
  ]);
  expect(edges).toHaveLength(2);
  const [fold = ''] = foldOf.values();
  expect(isFold(fold)).toBe(true);
  expect(folded(drawing, new Set([fold])).nodes).toHaveLength(51);
});

test('another state is another node; a cause and what something depends on are never folded', () => {
  const drawing = estate(1, 20);
  const nodes = drawing.nodes.map((one, at) => (at % 2 === 0 ? one : { ...one, worst: null }));
  expect(folded({ ...drawing, nodes }, new Set()).nodes.map(({ name, worst }) => [name, worst])).toEqual([
    ['core', 'critical'],
    ['sw-0', null],
    ['10 servers', 'critical'],
    ['10 servers', null],
  ]);
});

test('500 CIs are at most 60 shapes, and none is lost', () => {
  const drawing = estate(20, 24);
  const { nodes, foldOf } = folded(drawing, new Set());
  expect(nodes.length).toBeLessThanOrEqual(60);
  expect(nodes.filter(({ id }) => !isFold(id)).length + foldOf.size).toBe(drawing.nodes.length);
});

test('with little room parents that look the same are one node, too, and open one after the other', () => {
  const drawing = estate(9, 30);
  const shown = folded(drawing, new Set(), 18);
  expect(shown.nodes.map(({ name }) => name)).toEqual(['core', '9 switches', '270 servers']);
  expect(shown.edges).toHaveLength(2);
  const parents = shown.foldOf.get('sw-3') ?? '';
  const opened = folded(drawing, new Set([parents]), 18).nodes.map(({ name }) => name);
  expect(opened).toHaveLength(19);
  expect(opened.filter((name) => name === '30 servers')).toHaveLength(9);
});

test('dependencies with the same dependents are one node, and a map that is cut counts no more than it knows', () => {
  const parts = many('part-', 20);
  const edges = parts.map((target) => ({ source: 'shop', target, type: 'runs_on' }));
  const drawing = { nodes: [...parts.map((id) => node(id)), node('shop', { type: 'service' })], edges };
  expect(folded(drawing, new Set()).nodes.map(({ name }) => name)).toEqual(['shop', '20 servers']);
  expect(folded({ ...drawing, isCut: true }, new Set()).nodes[1]?.name).toBe('20+ servers');
});

test('small maps and ends of proposals stay as they are', () => {
  expect(folded(estate(1, 10), new Set()).nodes).toHaveLength(12);
  const drawing = estate(1, 20);
  const proposal = { source: 'sw-0-s3', target: 'core', type: 'uses', proposal: 'p' };
  const { nodes } = folded({ ...drawing, edges: [...drawing.edges, proposal] }, new Set());
  expect(nodes.map(({ name }) => name)).toContain('sw-0-s3');
});

test('fans are leaves with the same parents, the largest first', () => {
  expect(fansOf(estate(2, 3)).map((fan) => fan.length)).toEqual([3, 3]);
});
