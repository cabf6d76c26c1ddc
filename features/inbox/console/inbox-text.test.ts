import { expect, test } from '@jest/globals';
import { deliveryWords, entryPath, titleWith, titleWords } from './inbox-text.ts';

test.each([
  [0, 'Groups', 'Groups'],
  [3, 'Groups', '(3) Groups'],
  [2, '(3) Groups', '(2) Groups'],
  [0, '(12) Groups', 'Groups'],
])('%i unread and the title %s: %s', (unread, title, expected) => expect(titleWith(unread, title)).toBe(expected));

test.each([
  [{ channel: 'email', result: 'skipped', reason: 'outside your hours' }, 'Email: not sent, outside your hours'],
  [{ channel: 'browser', result: 'sent', reason: null }, 'Browser: sent'],
] as const)('the delivery %j: %s', (delivery, words) => expect(deliveryWords(delivery)).toBe(words));

test('entries lead to what they are about', () => {
  expect(entryPath({ subject: { kind: 'silence', id: 'SIL-1' } })).toBe('/silences');
  expect(entryPath({ subject: { kind: 'group', id: 'COR-1' } })).toBe('/groups/COR-1');
  expect(entryPath({ subject: { kind: 'event', id: 'EVT-1' } })).toBe('/events?event=EVT-1');
  expect(titleWords({ kind: 'source', title: 'Zabbix' })).toBe('No data from Zabbix');
});
