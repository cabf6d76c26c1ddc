import { expect, test } from '@jest/globals';
import type { MemberData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { causeChoices, verdictWords } from './cause-choices.ts';

const member = (id: string, second: number, title: string, host: string): MemberData =>
  ({
    eventId: id,
    title,
    hostname: host,
    ciId: null,
    firstOccurrence: new Date(second * 1_000).toISOString(),
  }) as unknown as MemberData;
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
} as unknown as GroupDetailData['cause'];

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
  ({ cause: 'wrong', members: 'right', by: { name: 'Ann' }, ...given }) as unknown as GroupDetailData['verdict'];
test.each([
  [null, 'Is this the root cause?'],
  [verdict({}), 'Ann: root cause wrong'],
  [verdict({ cause: 'right' }), 'Ann: root cause correct'],
  [verdict({ rootEventId: 'b' }), 'Ann: root cause wrong, should be “Disk full on db-1”'],
  [verdict({ rootEventId: 'gone' }), 'Ann: root cause wrong'],
])('%j is said as %j', (given, expected) => {
  expect(verdictWords({ verdict: given, cause }, MEMBERS)).toBe(expected);
});
