import { expect, test } from '@jest/globals';
import { parseEventItem } from './events.ts';

const event = { source: ' s ', sourceId: '\t1', severity: 'info', title: ' Disk full\n' };

test('source, sourceId and title are kept without the spaces around them', () => {
  expect(parseEventItem(event)).toMatchObject({
    action: { draft: { source: 's', sourceId: '1', title: 'Disk full' } },
  });
  const recovery = { source: 's ', sourceId: ' 1', status: 'resolved' };
  expect(parseEventItem(recovery)).toMatchObject({ action: { action: 'resolve', source: 's', sourceId: '1' } });
});

test('a title may have spaces around its 1,024 characters only if all of them together are no more', () => {
  expect(parseEventItem({ ...event, title: 'x'.repeat(1_024) }).ok).toBe(true);
  expect(parseEventItem({ ...event, title: ` ${'x'.repeat(1_024)}` }).ok).toBe(false);
});

test.each([
  ['event', { ...event, source: ' ', sourceId: '  ', title: '\n' }, ['source', 'sourceId', 'title']],
  ['recovery', { source: ' ', sourceId: '  ', status: 'resolved' }, ['source', 'sourceId']],
])('blanks of an %s are refused by name', (_, item, fields) => {
  const parsed = parseEventItem(item);
  expect(parsed.ok ? [] : parsed.problems.map(({ field }) => field)).toEqual(fields);
  expect(JSON.stringify(parsed)).toContain('must not be blank');
});
