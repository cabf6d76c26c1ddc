import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allOrNone, kept, NOTHING, ranged, type Selection, toggled } from './selection.ts';
import { stabilized, withNewer } from './stable-rows.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const ids = ({ ids: selected }: Selection): string => [...selected].sort().join('');

describe('a selection', () => {
  test('grows by toggling and by ranges from where it began, in both directions', () => {
    const one = toggled(NOTHING, 'c');
    expect(ids(ranged(one, 'e', ORDER))).toBe('cde');
    expect(ids(ranged(ranged(one, 'e', ORDER), 'a', ORDER))).toBe('abcde');
    expect(ids(toggled(one, 'c'))).toBe('');
    expect(ids(ranged(NOTHING, 'b', ORDER))).toBe('b');
  });

  test('of all is none when all are selected', () => {
    const all = allOrNone(NOTHING, ORDER);
    expect([ids(all), ids(allOrNone(all, ORDER)), ids(allOrNone(NOTHING, []))]).toEqual(['abcde', '', '']);
  });

  test('loses what is not listed any more, and is the same object otherwise', () => {
    const some = allOrNone(NOTHING, ORDER);
    expect(ids(kept(some, ['a', 'x']))).toBe('a');
    expect(kept(some, ORDER)).toBe(some);
  });
});

interface Row {
  readonly id: string;
  readonly version: number;
}
const idOf = ({ id }: Row): string => id;
const rows = fc.uniqueArray(fc.record({ id: fc.constantFrom(...'abcdefghij'), version: fc.nat(9) }), {
  selector: idOf,
});

describe('a list that is held', () => {
  test('shows the row in focus as it was read beside it, in its place', () => {
    const listed = ['a', 'b', 'c'].map((id) => ({ id, version: 1 }));
    const newer = { id: 'b', version: 2 };
    expect(withNewer(listed, newer, idOf)).toEqual([listed[0], newer, listed[2]]);
    expect(withNewer(listed, undefined, idOf)).toBe(listed);
    expect(withNewer(listed, { id: 'x', version: 2 }, idOf)).toEqual(listed);
  });

  test('never moves a row, shows the newest of each, and counts what waits', () => {
    fc.assert(
      fc.property(rows, rows, (shown, read) => {
        const calm = stabilized<Row>(shown, read, idOf, true);
        if (shown.length === 0) return expect(calm.rows).toEqual(read);
        expect(calm.rows.map(idOf)).toEqual(shown.map(idOf));
        for (const row of calm.rows)
          expect(row).toEqual(read.find(({ id }) => id === row.id) ?? shown.find(({ id }) => id === row.id));
        const known = new Set(shown.map(idOf));
        expect(calm.waiting).toEqual(read.filter(({ id }) => !known.has(id)));
        expect([...calm.left].every((id) => known.has(id) && !read.some((row) => row.id === id))).toBe(true);
      }),
    );
  });

  test('that is not held is what was read', () => {
    const read = [{ id: 'b', version: 1 }];
    expect(stabilized([{ id: 'a', version: 1 }], read, idOf, false)).toEqual({
      rows: read,
      left: new Set(),
      waiting: [],
    });
  });
});
