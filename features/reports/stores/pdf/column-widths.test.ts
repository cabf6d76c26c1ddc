import { expect, test } from '@jest/globals';
import { textWidth } from '#features/reports/rules/charts/text-width.ts';
import { brokenWords, columnWidths, TABLE_FONT, unbroken } from './pdf-table.ts';

const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0);
const ROOM = 450;
const width = (text: string): number => textWidth(text, TABLE_FONT);

test('columns share the room, and none is narrower than its longest word', () => {
  expect(columnWidths([{ width: 2 }, {}], [['a', 'b']], 300)).toEqual([200, 100]);
  const columns = [{ width: 8 }, {}, {}, { width: 0.5 }];
  const rows = [
    ['Name', 'Type', 'State', 'Lasted'],
    ['ams2-ad-01', 'virtual_machine', 'active', unbroken('3 min 20 s')],
  ];
  const widths = columnWidths(columns, rows, ROOM);
  expect(sum(widths)).toBeCloseTo(ROOM);
  expect(widths[1]).toBeGreaterThanOrEqual(width('virtual_machine'));
  expect(widths[3]).toBeGreaterThanOrEqual(width('3 min 20 s'));
});

test('a word of any length leaves the others room', () => {
  const long = 'x'.repeat(2_000);
  const widths = columnWidths([{}, {}, {}], [[long, 'critical', 'resolved']], ROOM);
  expect(sum(widths)).toBeCloseTo(ROOM);
  expect(Math.min(...widths)).toBeGreaterThan(width('resolved'));
  const all = columnWidths(Array(9).fill({}), [Array(9).fill(long)], ROOM);
  expect(sum(all)).toBeCloseTo(ROOM);
});

test.each([
  ['Interface Te1/1/1 is flapping', 60, ['Interface Te1/1/1 is flapping']],
  ['fra1-notifications-01.corp.example:8080 is down', 90, ['fra1-notifications-01.', 'corp.example:8080 is down']],
  ['see EVT-01M86X2BVPMQCXAVFM4XZBX22S', 110, ['see', 'EVT-01M86X2BVPMQCXAV', 'FM4XZBX22S']],
  ['', 50, ['']],
])('%s within %d points', (text, room, lines) => {
  const broken = brokenWords(text, room);
  expect(broken).toEqual(lines);
  for (const word of broken.join(' ').split(' ')) expect(width(word)).toBeLessThanOrEqual(room);
});
