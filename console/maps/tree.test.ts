import { expect, test } from '@jest/globals';
import type { Drawing, DrawnNode } from './drawn.ts';
import { treeOf } from './tree.ts';

const node = (id: string): DrawnNode => ({ id, name: id, type: 'server', role: 'victim', worst: null, open: 0 });
const drawing = (ids: string, ...ways: string[]): Drawing => ({
  nodes: [...ids].map(node),
  edges: ways.map((way) => ({ source: way.charAt(0), target: way.charAt(1), type: 'depends_on' })),
});
const shown = (map: Drawing, start: string | null): string[] =>
  treeOf(map, start).map(({ node: { id }, depth, by }) => `${'-'.repeat(depth)}${id}${by === null ? '?' : ''}`);

test('what depends on the start stands below it, each once', () => {
  expect(shown(drawing('abcd', 'ba', 'cb', 'ca', 'db'), 'a')).toEqual(['a?', '-b', '--d', '-c']);
});

test('rounds end, and what is not connected comes last', () => {
  expect(shown(drawing('abx', 'ba', 'ab'), 'a')).toEqual(['a?', '-b', 'x?']);
});

test('without a start that is drawn the first node is one', () => {
  expect(shown(drawing('ab', 'ba'), 'gone')).toEqual(['a?', '-b']);
  expect(shown(drawing(''), null)).toEqual([]);
});

test('a chain of 250 is no problem, and every node is there', () => {
  const ids = Array.from({ length: 250 }, (_, at) => String.fromCharCode(0x4e00 + at));
  const ways = ids.slice(1).map((id, at) => `${id}${ids[at]}`);
  expect(treeOf(drawing(ids.join(''), ...ways), ids[0] ?? null)).toHaveLength(250);
});
