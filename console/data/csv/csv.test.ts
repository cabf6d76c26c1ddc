import { expect, test } from '@jest/globals';
import { csvOf, readAll } from './csv.ts';

test('cells are quoted, empty values are empty, and no text is a formula', () => {
  const rows = [
    { title: 'Disk "var", full', n: 3 },
    { title: '=HYPERLINK("x")', n: null },
    { title: '-1', n: -1 },
  ];
  expect(
    csvOf(rows, [
      ['Title', (row) => row.title],
      ['Count', (row) => row.n],
    ]),
  ).toBe('Title,Count\r\n"Disk ""var"", full",3\r\n"\'=HYPERLINK(""x"")",\r\n\'-1,-1\r\n');
});

test.each([
  [10, 5, false],
  [5, 5, false],
  [4, 4, true],
])('at most %i of five rows are read: %i, cut %s', async (most, length, isCut) => {
  const read = (cursor: string | undefined) => {
    const from = Number(cursor ?? 0);
    const rows = [0, 1, 2, 3, 4].slice(from, from + 2);
    return Promise.resolve({ rows, next: from + 2 < 5 ? String(from + 2) : null });
  };
  const found = await readAll(read, most);
  expect([found.rows.length, found.isCut]).toEqual([length, isCut]);
});
