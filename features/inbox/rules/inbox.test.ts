import { describe, expect, test } from '@jest/globals';
import type { AuditRecord } from '#domain/access/records.ts';
import {
  actionsFor,
  type InboxItem,
  isIncluded,
  isRead,
  mentionsIn,
  NO_RULES,
  NOTHING_READ,
  withRead,
} from './inbox.ts';

const user = (id: string) => ({ id, username: id, name: id });
const [ann, bo] = [user('ann'), user('bo')];
const to = { user: ann, ids: ['ann', 'night'] };
let at = 0;
const record = (parts: Partial<AuditRecord>): AuditRecord => ({
  id: String(++at),
  at,
  actor: bo,
  action: 'group.assigned',
  target: { kind: 'group', id: 'G' },
  before: null,
  after: null,
  address: '',
  department: null,
  ...parts,
});
const found = (...records: readonly AuditRecord[]) =>
  actionsFor(to, records.toReversed()).map(({ kind, subject }) => `${kind} ${subject}`);

describe('what an action tells a user', () => {
  test.each<[string, Partial<AuditRecord>, string[]]>([
    ['assignment to the user', { after: { assignedTo: ann } }, ['assigned G']],
    ['assignment to a team', { after: { assignedTeam: { id: 'night' } } }, ['assigned G']],
    ['assignment of several', { after: { assignedTo: ann, ids: ['G', 'H'] } }, ['assigned G', 'assigned H']],
    ['assignment to another user', { after: { assignedTo: bo } }, []],
    ['own assignment', { actor: ann, after: { assignedTo: ann } }, []],
    ['no new assignment', { action: 'event.updated', before: { assignedTo: ann }, after: { assignedTo: ann } }, []],
    ['mention in a note', { action: 'group.noted', after: { text: 'ask @Ann.' } }, ['mentioned G']],
    ['mention with a status', { action: 'event.updated', after: { notes: '@ann' } }, ['mentioned G']],
    ['mention of another user', { action: 'group.noted', after: { text: '@anna' } }, []],
  ])('%s', (_, parts, expected) => expect(found(record(parts))).toEqual(expected));

  test('the last assignment counts', () => {
    const given = record({ after: { assignedTo: ann } });
    expect(found(given, record({ before: { assignedTo: ann }, after: { assignedTo: bo } }))).toEqual([]);
    expect(found(given, record({ before: { assignedTo: ann }, after: {} }))).toEqual([]);
  });
});

test('names behind @', () => {
  expect([...mentionsIn('@ann, a@b.example (@bo-2) @c.d. @')]).toEqual(['ann', 'b.example', 'bo-2', 'c.d']);
});

const item = (parts: Partial<InboxItem>): InboxItem => ({
  id: 'I',
  kind: 'assigned',
  at: 5,
  by: bo,
  subject: { kind: 'group', id: 'G' },
  title: 'Down',
  severity: 'minor',
  services: ['Shop'],
  isOver: false,
  ...parts,
});

test.each([
  [{}, {}, true],
  [{ severities: ['minor' as const] }, { kind: 'created' as const, severity: 'critical' as const }, true],
  [{ services: ['Billing'] }, { kind: 'created' as const }, false],
  [{ severities: ['critical' as const] }, {}, false],
  [{ severities: ['critical' as const] }, { severity: null }, true],
  [{ severities: ['critical' as const] }, { kind: 'mentioned' as const }, true],
  [{ services: ['shop'] }, {}, true],
  [{ services: ['Billing'] }, {}, false],
])('rules %j and item %j: %p', (rules, parts, expected) => {
  expect(isIncluded({ ...NO_RULES, ...rules }, item(parts))).toBe(expected);
});

test('what was read by time or by id stays read, up to a bound', () => {
  expect(isRead(NOTHING_READ, item({}))).toBe(false);
  expect(isRead({ until: 5, ids: [] }, item({}))).toBe(true);
  expect(isRead(withRead(NOTHING_READ, ['I']), item({}))).toBe(true);
  const many = Array.from({ length: 300 }, (_, n) => `${n}`);
  expect(withRead(withRead(NOTHING_READ, many), ['I']).ids).toHaveLength(200);
});
