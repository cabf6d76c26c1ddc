import { describe, expect, test } from '@jest/globals';
import type { AlertFields } from './alert-fields.ts';
import { filterOf, matchesQuery, parsedQuery } from './alert-query.ts';

const T = Date.parse('2026-11-20T10:00:00Z');
const alert: AlertFields = {
  id: '01a22b13-eabb-dab5-28a2-be826ee1a6bf',
  tinyId: 'E1A6BF',
  alias: 'disk/db-1:var',
  message: 'Disk is full on db-1',
  description: '98% of /var',
  status: 'open',
  acknowledged: true,
  isSeen: true,
  snoozed: false,
  tags: ['night shift', 'team:data'],
  count: 3,
  priority: 'P2',
  entity: 'db-1',
  source: 'checkmk',
  owner: 'Ann Example',
  createdAt: T,
  updatedAt: T + 60_000,
  lastOccurredAt: T + 60_000,
};

const matching = (text: string): boolean => matchesQuery(parsedQuery(text)!, alert);

test.each([
  'status: open',
  'status=open',
  'status : open AND acknowledged: true',
  'STATUS: OPEN and not snoozed: true',
  'priority: (P1 OR P2)',
  'priority: P1 OR priority: P2',
  'status: open priority: P2',
  'NOT (status: closed OR priority: P5)',
  'message: disk is full',
  'message: "is full"',
  'message = "Disk is full on db-1"',
  'message: disk*db-?',
  'disk',
  '"/var" AND tag: team*',
  'tag: (team:data AND "night shift")',
  'tags: night shift AND count >= 3',
  'alias: disk/db-1:var',
  'alertId: 01A22B13-EABB-DAB5-28A2-BE826EE1A6BF',
  'owner: ann*',
  'priority != P1',
  `createdAt >= ${T} AND createdAt < ${T + 1}`,
  'createdAt > 2026-11-20T09:59:59.999Z',
  'lastOccurredAt <= "2026-11-20T10:01:00Z"',
  'status: closed OR count: 3 AND priority: P2',
])('%s matches', (text) => expect(matching(text)).toBe(true));

test.each([
  'status: closed',
  'message: disk full',
  'message = disk',
  'tag: team',
  'tag != "night shift"',
  'count > 3',
  'not acknowledged: true',
  'priority: (NOT P2)',
  'createdAt > 2026-11-20T10:00:00Z',
  '(status: closed OR count: 3) AND priority: P1',
])('%s does not match', (text) => expect(matching(text)).toBe(false));

test.each([
  ['teams: x', /unknown field teams; expected one of id, /],
  ['status:', /expected a value at character 8/],
  ['status: open AND', /expected a value/],
  ['(status: open', /expected \) at character 14/],
  ['status: open)', /unexpected text at character 13/],
  ['"open', /expected a value at character 1/],
  ['count: many', /count: expected a number, got "many"/],
  ['createdAt > yesterday', /createdAt: expected epoch milliseconds or ISO 8601/],
  ['status > open', /status: expected : or =, got >/],
  [`${'('.repeat(30)}a${')'.repeat(30)}`, /at most 20 levels/],
])('%s is refused', (text, reason) => expect(() => parsedQuery(text)).toThrow(reason));

describe('a filter for the store', () => {
  test.each([
    ['', {}],
    ['status: open AND disk', { statuses: ['open', 'acknowledged', 'suppressed'] }],
    ['status: closed priority: (P1 OR P3)', { statuses: ['resolved'], severities: ['critical', 'minor'] }],
    [`createdAt > ${T} AND status != closed`, { from: T - 60_000 }],
    ['status: closed OR priority: P1', {}],
    ['NOT status: closed', {}],
    ['status: o*', {}],
    [`createdAt < ${T} AND updatedAt > ${T}`, {}],
  ])('of %s', (text, filter) => expect(filterOf(parsedQuery(text))).toEqual(filter));
});
