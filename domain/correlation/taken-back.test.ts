import { expect, test } from '@jest/globals';
import { takenBack } from './taken-back.ts';

type Done = Parameters<typeof takenBack>[0][number];
const merge = (position: number, more: Partial<Done>): Done => ({
  position,
  eventId: 'p',
  joined: [],
  merged: [],
  ...more,
});
const split = (position: number, left: readonly string[], restores?: readonly string[]): Done => ({
  position,
  eventId: left.at(-1) ?? '',
  joined: [],
  merged: [],
  apart: { id: `s${position}`, from: 'A', left, stayed: ['p', 'q'], ...(restores && { restores }) },
});
const again = (position: number, of: number, left: readonly string[]): Done =>
  merge(position, { reunited: [{ id: `s${of}`, left, stayed: ['p'] }] });

test.each<readonly [string, readonly Done[], readonly number[]]>([
  ['a split', [split(1, ['x', 'y'])], []],
  ['a split that was joined again', [split(1, ['x', 'y']), again(2, 1, ['x', 'y'])], [1, 2]],
  ['a split of which a part came back', [split(1, ['x', 'y']), again(2, 1, ['x'])], []],
  ['another split in between', [split(1, ['x']), split(2, ['y']), again(3, 1, ['x'])], [1, 3]],
  ['the same split once more', [split(1, ['x']), again(2, 1, ['x']), split(3, ['x'])], [1, 2]],
  ['a merge', [merge(1, { merged: ['B'] })], []],
  ['a merge whose group is restored', [merge(1, { merged: ['B'] }), split(2, ['x', 'y'], ['B'])], [1, 2]],
  ['another group is restored', [merge(1, { merged: ['B'] }), split(2, ['x', 'y'], ['C'])], []],
  ['a split without the merge of it', [split(2, ['x', 'y'], ['B'])], []],
  [
    'a merge, taken back, and made again',
    [
      merge(1, { merged: ['B'] }),
      split(2, ['x'], ['B']),
      merge(3, { merged: ['B'], reunited: again(3, 2, ['x']).reunited! }),
    ],
    [1, 2],
  ],
  [
    'of three groups two are restored',
    [merge(1, { merged: ['B', 'C'] }), split(2, ['x'], ['B']), split(3, ['y'], ['C'])],
    [1, 2, 3],
  ],
  ['of three groups one is restored', [merge(1, { merged: ['B', 'C'] }), split(2, ['x'], ['B'])], []],
  ['an event in no group joins, and leaves', [merge(1, { joined: ['x'] }), split(2, ['x'])], [1, 2]],
  ['two events in no group join, and one leaves', [merge(1, { joined: ['p', 'x'] }), split(2, ['x'])], [1, 2]],
  ['an event joins, another leaves', [merge(1, { joined: ['x'] }), split(2, ['y'])], []],
  ['a group and an event join, the event leaves', [merge(1, { merged: ['B'], joined: ['x'] }), split(2, ['x'])], []],
  ['events that are together already are joined', [merge(1, {}), split(2, ['x'])], []],
])('%s', (_, decisions, expected) => {
  expect([...takenBack(decisions)].sort()).toEqual(expected);
});
