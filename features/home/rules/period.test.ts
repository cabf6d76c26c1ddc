import { expect, test } from '@jest/globals';
import { actionsByUser, longestOf } from './period.ts';

const row = (id: string, from: number, to: number | null) => ({ id, from, to });

test('the longest are first; those that have not ended last until now', () => {
  const rows = [row('short', 0, 10), row('open', 60, null), row('long', 0, 50), row('none', 5, 5)];
  expect(longestOf(rows, 100).map(({ id }) => id)).toEqual(['long', 'open', 'short']);
});

test('actions are counted by user and kind', () => {
  const [ann, bo] = ['ann', 'bo'].map((id) => ({ id, username: id, name: id }));
  const did = (actor: typeof ann, action: string, at: number) => ({ actor: actor!, action, at });
  const all = [did(bo, 'b', 1), did(ann, 'a', 2), did(ann, 'b', 5), did(ann, 'b', 3)];
  expect(actionsByUser(all)).toEqual([
    {
      user: ann,
      last: 5,
      actions: [
        { action: 'b', count: 2 },
        { action: 'a', count: 1 },
      ],
    },
    { user: bo, last: 1, actions: [{ action: 'b', count: 1 }] },
  ]);
  expect(actionsByUser([])).toEqual([]);
});
