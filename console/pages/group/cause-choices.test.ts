import { expect, test } from '@jest/globals';
import type { MemberShown } from '#console/api/group-parts.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { causeChoices, verdictWords } from './cause-choices.ts';

const member = (id: string, second: number, title: string, host: string): MemberShown =>
  ({
    eventId: id,
    title,
    hostname: host,
    ciId: null,
    firstOccurrence: new Date(second * 1_000).toISOString(),
  }) as unknown as MemberShown;
const MEMBERS = [
  member('c', 30, 'HTTP 503', 'web-1'),
  member('a', 10, 'Link down', 'sw-1'),
  member('b', 20, 'Disk full', 'db-1'),
  member('d', 5, 'UPS on battery', 'ups-1'),
];
const cause = {
  event: { eventId: 'a' },
  alternatives: [
    { eventId: 'b', score: 0.6, title: 'Disk full', ciName: 'db-1' },
    { eventId: 'c', score: 0.4, title: 'HTTP 503', ciName: 'web-1' },
  ],
} as unknown as GroupDetailShown['cause'];

test.each([
  ['', ['b', 'c', 'd']],
  ['disk', ['b']],
  ['WEB 503', ['c']],
  ['link', []],
])('in place of the cause, with the words %j: %j', (search, expected) => {
  expect(causeChoices({ cause }, MEMBERS, search).map(({ eventId }) => eventId)).toEqual(expected);
});

test('each is called by what it says and where', () => {
  expect(causeChoices({ cause }, MEMBERS, 'ups')).toEqual([{ eventId: 'd', words: 'UPS on battery on ups-1' }]);
  expect(causeChoices({ cause: null }, MEMBERS, '').map(({ eventId }) => eventId)).toEqual(['d', 'a', 'b', 'c']);
});

const verdict = (given: object) =>
  ({ cause: 'wrong', members: 'right', by: { name: 'Ann' }, ...given }) as unknown as GroupDetailShown['verdict'];
test.each([
  [null, 'Was this the cause?'],
  [verdict({}), 'Ann says: the cause was wrong'],
  [verdict({ cause: 'right' }), 'Ann says: the cause was right'],
  [verdict({ rootEventId: 'b' }), 'Ann says: the cause was wrong, it was “Disk full on db-1”'],
  [verdict({ rootEventId: 'gone' }), 'Ann says: the cause was wrong'],
])('%j is said as %j', (given, expected) => {
  expect(verdictWords({ verdict: given, cause }, MEMBERS)).toBe(expected);
});
