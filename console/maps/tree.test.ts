import { describe, expect, test } from '@jest/globals';
import type { Drawing, DrawnNode } from './drawn.ts';
import { above, isOpenAtFirst, treeOf, unfolded } from './tree.ts';

const node = (id: string): DrawnNode => ({
  id,
  name: id,
  type: 'server',
  role: 'victim',
  worst: null,
  open: 0,
  acknowledged: 0,
});
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

test('a proposal that nobody has accepted leads nowhere', () => {
  const { nodes, edges } = drawing('abc', 'ba', 'cb');
  const proposed = edges.map((one) => (one.source === 'c' ? { ...one, isFromAi: true, proposal: 'p' } : one));
  expect(treeOf({ nodes, edges: proposed }, 'a').map(({ node: { id }, depth, by }) => [id, depth, by])).toEqual([
    ['a', 0, null],
    ['b', 1, 'depends on'],
    ['c', 0, null],
  ]);
});

test('each row says how many stand below it, and what AI proposed', () => {
  const { nodes, edges } = drawing('abcd', 'ba', 'cb', 'da');
  const rows = treeOf({ nodes, edges: edges.map((one) => ({ ...one, isFromAi: one.source === 'd' })) }, 'a');
  expect(rows.map(({ node: { id }, below, by }) => [id, below, by])).toEqual([
    ['a', 3, null],
    ['b', 1, 'depends on'],
    ['c', 0, 'depends on'],
    ['d', 0, 'depends on · proposed by AI'],
  ]);
});

describe('folding', () => {
  const rows = treeOf(drawing('abcdex', 'ba', 'cb', 'dc', 'ea'), 'a');
  const ids = (folded: string): string =>
    unfolded(rows, ({ node }) => !folded.includes(node.id))
      .map(({ node }) => node.id)
      .join('');
  test.each([
    ['', 'abcdex'],
    ['b', 'abex'],
    ['bc', 'abex'],
    ['a', 'ax'],
    ['ae', 'ax'],
  ])('without what is below %j: %s', (folded, shown) => {
    expect(ids(folded)).toBe(shown);
  });

  test.each([
    ['d', ['a', 'b', 'c']],
    ['e', ['a']],
    ['x', []],
    ['gone', []],
  ])('the rows above %s are %j', (id, expected) => {
    expect(above(rows, id)).toEqual(expected);
  });

  test('a small map begins open, a large one with what is near', () => {
    expect(rows.every((row) => isOpenAtFirst(rows, row))).toBe(true);
    const many = Array.from({ length: 25 }, () => rows[0]!);
    expect([0, 1, 2, 3].map((depth) => isOpenAtFirst(many, { ...rows[0]!, depth }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
