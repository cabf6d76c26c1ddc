import { expect, test } from '@jest/globals';
import { firstRows, leftOut } from './first-rows.ts';
import { reportWith } from './samples-for-tests.ts';

test('rows of the details are left out first, and columns for programs always', () => {
  const document = reportWith(30);
  const short = firstRows(document, 20);
  expect(short.sections).toEqual(document.sections);
  expect(short.details.rows).toHaveLength(11);
  expect(short.details.columns.map(({ key }) => key)).not.toContain('id');
  expect(short.details.rows[3]).toEqual(document.details.rows[3]!.slice(1));
  const { sections, details } = firstRows(document, 5);
  expect([sections[1]!.tables[0]!.rows.length, details.rows.length]).toEqual([5, 0]);
});

test('says how many are left out, and where they are', () => {
  const { details } = firstRows(reportWith(2_000), 1_000);
  expect(leftOut(details, false)).toBe('The first 991 of 2,000 rows are shown.');
  expect(leftOut(details, true)).toMatch(
    /^The first 991 of 2,000 rows are shown\. The CSV file of this report \(format csv\)/,
  );
  expect(leftOut(firstRows(reportWith(1_991), 2_000).details, true)).toBeNull();
});
