import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '#domain/event/draft.ts';
import { sign } from '#domain/event/identity/signature.ts';
import { type Preparation, prepare } from './prepare.ts';

const RECEIVED = Date.UTC(2026, 10, 20, 10, 0, 0);
const MINUTE = 60_000;
const draft: EventDraft = {
  source: 'zabbix',
  sourceId: 'z-1',
  severity: 'major',
  title: 'Disk full',
  hostname: 'db-01',
};
const preparation: Preparation = {
  binding: { ci: null, ambiguous: false },
  settings: { dedupScope: 'system', dedupWindowMs: 1_000 },
  newId: '01J00000000000000000000000',
  conditionId: null,
  receivedAt: RECEIVED,
};

test('a draft becomes an occurrence, with nothing that the sender did not say', () => {
  expect(prepare(draft, preparation)).toEqual({
    ...draft,
    newId: preparation.newId,
    timestamp: RECEIVED,
    untimed: true,
    ci: null,
    conditionId: null,
    dedupWindowMs: 1_000,
    tags: [],
    details: {},
    ...sign(draft, 'system'),
  });
});

test('everything optional is kept', () => {
  const optional = {
    description: 'd',
    category: 'c',
    ipAddress: '10.0.0.1',
    service: 's',
    application: 'a',
    environment: 'e',
    assignedTeam: { id: 't', name: 'T' },
    businessImpact: { level: 'high', affectedServices: [], affectedUsers: null },
    assignedTo: { id: 'u', username: 'u', name: 'U' },
    status: 'suppressed' as const,
  };
  const prepared = prepare({ ...draft, ...optional, ciId: 'ci-7', ciHints: ['x'] }, preparation);
  expect(prepared).toMatchObject(optional);
  expect(prepared).not.toHaveProperty('ciId');
  expect(prepared).not.toHaveProperty('ciHints');
  expect(prepared.details).toEqual({ ciId: 'ci-7', ciHints: ['x'] });
});

describe('a title that tells of a change', () => {
  const deploy = { title: 'Release 4.2 deployed', severity: 'info', tags: ['a'] } as const;
  test.each<[string, Partial<EventDraft>, Partial<Preparation>, string[], true | undefined]>([
    ['makes one, which its tag says', {}, {}, ['type:change', 'a'], true],
    ['makes none of what a monitor holds', {}, { conditionId: 'c' }, ['a'], undefined],
    ['makes none of what is major', { severity: 'major' }, {}, ['a'], undefined],
    ['makes none of what is critical', { severity: 'critical' }, {}, ['a'], undefined],
    ['makes none of a failure', { title: 'Release 4.2 deployed, checks failed' }, {}, ['a'], undefined],
    ['is not asked where the category says so', { category: 'change', severity: 'critical' }, {}, ['a'], true],
    ['or a tag', { tags: ['type:release'], severity: 'critical' }, { conditionId: 'c' }, ['type:release'], true],
  ])('%s', (_, said, prepared, tags, moment) => {
    expect(prepare({ ...draft, ...deploy, ...said }, { ...preparation, ...prepared })).toMatchObject({ tags });
    expect(prepare({ ...draft, ...deploy, ...said }, { ...preparation, ...prepared }).moment).toBe(moment);
  });
});

describe('time', () => {
  test.each([
    ['in the past', RECEIVED - 90 * 24 * 60 * MINUTE, false],
    ['exactly 5 minutes ahead', RECEIVED + 5 * MINUTE, false],
    ['more than 5 minutes ahead', RECEIVED + 5 * MINUTE + 1, true],
  ])('%s', (_what, timestamp, clamped) => {
    const prepared = prepare({ ...draft, timestamp, details: { x: 1 } }, preparation);
    expect(prepared.timestamp).toBe(clamped ? RECEIVED : timestamp);
    expect(prepared.untimed ?? false).toBe(clamped);
    const skew = { originalTimestamp: '2026-11-20T10:05:00.001Z', clockSkewSeconds: 300 };
    expect(prepared.details).toEqual({ x: 1, ...(clamped && skew) });
  });

  test('a time that no calendar knows', () => {
    const { details } = prepare({ ...draft, timestamp: 1e20 }, preparation);
    expect(details.originalTimestamp).toBe(1e20);
  });
});

test('details.sourceIds are ours', () => {
  expect(prepare({ ...draft, details: { sourceIds: ['z-9'], x: 1 } }, preparation).details).toEqual({ x: 1 });
});

test('tags: without repeats and empty ones, at most 100, with what is ambiguous', () => {
  const tags = ['a', '', 'a', 'b', ...Array.from({ length: 200 }, (_, i) => `t${i}`)];
  const prepared = prepare({ ...draft, tags }, { ...preparation, binding: { ci: null, ambiguous: true } });
  expect(prepared.tags.slice(0, 4)).toEqual(['ambiguous-ci', 'a', 'b', 't0']);
  expect(prepared.tags).toHaveLength(100);
});

test('a bound CI counts in the signature alone', () => {
  const ci = { id: 'ci-1', name: 'db-01', type: 'database' };
  const bound = prepare(draft, { ...preparation, binding: { ci, ambiguous: false } });
  expect(bound.ci).toBe(ci);
  expect(bound.identity).toBe(prepare(draft, preparation).identity);
  expect(bound.signature).not.toBe(prepare(draft, preparation).signature);
});

test('a bound CI says how it was found; the name of one that nobody knows is kept for later', () => {
  const ci = { id: 'ci-1', name: 'db', type: 'server' };
  const bound = { ...preparation, binding: { ci, method: 'hostname', ambiguous: false } } as const;
  const names = { ciId: 'key', ciHints: ['arn:x'] };
  const known = prepare({ ...draft, ...names }, bound);
  expect([known.ci, known.details]).toEqual([{ ...ci, method: 'hostname' }, {}]);
  expect(prepare({ ...draft, ...names }, preparation).details).toEqual(names);
  const told = { ...draft, ...names, details: { ciId: 'theirs', ciHints: 7, a: 1 } };
  expect(prepare(told, preparation).details).toEqual({ ciId: 'theirs', ciHints: 7, a: 1 });
});

test('a title that says nothing matches nothing, not even itself', () => {
  const mute = { ...draft, title: '12345' };
  const first = prepare(mute, preparation);
  const second = prepare(mute, { ...preparation, newId: '01J00000000000000000000001' });
  expect(first.identity).not.toBe(second.identity);
  expect(first.signature).not.toBe(second.signature);
});
