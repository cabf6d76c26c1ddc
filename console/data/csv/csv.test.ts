import { expect, test } from '@jest/globals';
import { csvOf, fieldsOf, readAll, wholeList } from './csv.ts';

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
    const data = [0, 1, 2, 3, 4].slice(from, from + 2);
    return Promise.resolve({ data, pagination: { nextCursor: from + 2 < 5 ? String(from + 2) : null } });
  };
  const found = await readAll(read, most);
  expect([found.rows.length, found.isCut]).toEqual([length, isCut]);
});

test('columns of a table are columns of a file: values, else texts and numbers of cells', async () => {
  const fields = fieldsOf<{ readonly n: number }>([
    { title: 'Name', cell: () => ({ type: 'strong' }), value: ({ n }) => `row ${n}` },
    { title: 'Count', cell: ({ n }) => n },
    { title: 'Events', isNumber: true, cell: () => '1,204' },
    { title: 'Mail', cell: () => '–' },
    { title: 'Seen', cell: () => ({ type: 'time' }) },
  ]);
  const { rows, isCut } = await readAll(() => Promise.resolve(wholeList([{ n: 1 }])), 10);
  expect([isCut, csvOf(rows, fields)]).toEqual([false, 'Name,Count,Events,Mail,Seen\r\nrow 1,1,1204,,\r\n']);
});
