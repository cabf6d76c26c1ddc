import { expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { eventsOfProblem, problemDocument, problemIdOf } from './problem-document.ts';

const event = (n: number, changes: Partial<Event> = {}): Event =>
  ({
    id: `01M7W6C380MPERMECQSZ${String(n).padStart(6, '0')}`,
    title: `Disk ${n} % full`,
    severity: 'major',
    hostname: `h-${n}`,
    source: 'zabbix',
    ci: null,
    lastOccurrence: n,
    status: 'open',
    ...changes,
  }) as Event;
const grown = (events: readonly Event[]): SearchDocument =>
  events.reduce<SearchDocument | null>((before, one) => problemDocument('c', before, [one]), null)!;

test.each([
  ['numbers', { title: 'Disk 91 % full' }, { title: 'Disk 7 % full' }, true],
  ['capitals', { title: 'DISK full' }, { title: 'disk FULL' }, true],
  ['hosts', { title: 'db-1: disk full', hostname: 'db-1' }, { title: 'db-2: disk full', hostname: 'db-2' }, true],
  ['words', { title: 'Disk full' }, { title: 'Link down' }, false],
  ['what has no words', { title: '404' }, { title: '500' }, false],
])('%s in titles make complaints of their own, or do not', (_, one, other, isSame) => {
  expect(problemIdOf(one) === problemIdOf(other)).toBe(isSame);
});

test('a document is as large after the ten-thousandth event as after the hundredth, and knows the newest', () => {
  const some = grown(Array.from({ length: 100 }, (_, n) => event(n)));
  const many = grown(
    Array.from({ length: 10_000 }, (_, n) => event(n, { title: `Disk ${n} % full ${'x'.repeat(2_000)}` })),
  );
  expect(eventsOfProblem(many)).toEqual(Array.from({ length: 10 }, (_, i) => event(9_999 - i).id));
  expect(JSON.stringify(many).length).toBeLessThan(12_000);
  expect([some.title, some.at, many.title.length]).toEqual(['Disk 99 % full', 99, 300]);
  expect(some.text).toContain('h-99');
  expect(some.text).not.toContain('h-1,');
});

test('the same events once more change nothing, and older ones change neither title nor time', () => {
  const all = Array.from({ length: 10 }, (_, n) => event(n + 5));
  const document = problemDocument('c', null, all);
  expect(problemDocument('c', document, all)).toEqual(document);
  const older = problemDocument('c', document, [event(1, { hostname: 'old-1' })]);
  expect([older.title, older.at, eventsOfProblem(older)]).toEqual([
    document.title,
    document.at,
    eventsOfProblem(document),
  ]);
  expect(older.text).toContain('old-1');
});

test('what people say of its end is kept, and what rules say is not', () => {
  const byRule = event(1, { status: 'resolved', resolutionNotes: 'no updates for 24h' });
  const byPerson = event(2, {
    status: 'resolved',
    resolutionNotes: 'Deleted old logs',
    resolvedBy: { id: 'u', username: 'ann', name: 'Ann' },
  });
  const { text } = problemDocument('c', null, [byRule, byPerson]);
  expect([text.includes('Deleted old logs'), text.includes('no updates')]).toEqual([true, false]);
});
