import { describe, expect, test } from '@jest/globals';
import {
  causeName,
  hitWords,
  isCertain,
  openWords,
  reachWords,
  reasonWords,
  rowPath,
  sentence,
  stateWords,
  sureWords,
  worstOf,
} from './group-text.ts';

type Row = Parameters<typeof sentence>[0];

const NO_NAMES = { names: [], count: 0 };
const ROW = {
  eventCount: 62,
  counts: { open: 62, acknowledged: 0, suppressed: 0, resolved: 0 },
  rootCauseCandidate: { confidence: 0.76, explains: Array.from({ length: 48 }, () => ({ ciId: 'c', hops: 1 })) },
  rootCause: { ciId: { _id: 'x', name: 'ams2-ups-b', type: 'ups' }, hostname: 'ams2-ups-b.corp' },
  cis: { names: [], count: 50 },
  services: { names: ['shop-api'], count: 1 },
  servicesHit: { names: ['Shop', 'Billing'], count: 2 },
  assignedTo: null,
  assignedTeam: null,
  acknowledgedBy: null,
} as unknown as Row;
const row = (change: object): Row => ({ ...ROW, ...change }) as Row;

test('a group in one sentence', () => {
  expect(sentence(ROW)).toBe('62 events, 48 CIs impacted by ams2-ups-b, affects Shop and Billing, unassigned');
  const kept = row({ assignedTo: { name: 'Ada' }, services: NO_NAMES, servicesHit: NO_NAMES });
  expect(sentence(kept)).toBe('62 events, 48 CIs impacted by ams2-ups-b, assigned to Ada');
});

test.each([
  [{ status: 'active', growing: true }, 'Active, growing'],
  [{ status: 'acknowledged', growing: true }, 'Acknowledged'],
  [{ status: 'resolved', growing: false }, 'Resolved'],
])('the state of %j: %s', (change, expected) => {
  expect(stateWords(row(change))).toBe(expected);
});

test.each([
  [{ open: 62, acknowledged: 0, suppressed: 0, resolved: 0 }, '62 events'],
  [{ open: 2, acknowledged: 0, suppressed: 0, resolved: 60 }, '2 of 62 open'],
  [{ open: 0, acknowledged: 2, suppressed: 0, resolved: 60 }, '2 of 62 acknowledged'],
  [{ open: 1, acknowledged: 3, suppressed: 0, resolved: 58 }, '1 open, 3 acknowledged of 62'],
  [{ open: 0, acknowledged: 0, suppressed: 2, resolved: 60 }, '62 events'],
  [{ open: 1, acknowledged: 0, suppressed: 0, resolved: 0 }, '1 event'],
])('of %j people are told: %s', (counts, expected) => {
  expect(openWords(row({ counts }))).toBe(expected);
});

test('the worst of what waits is named', () => {
  const rows = ['minor', 'critical', 'major'].map((severity) => row({ severity, title: severity }));
  expect(worstOf(rows)?.title).toBe('critical');
  expect(worstOf([row({ severity: null })])).toBeUndefined();
});

test('an event in no group is opened among events', () => {
  expect(rowPath({ kind: 'event', correlationId: 'EVT-1' })).toBe('/events?event=EVT-1');
  expect(rowPath({ kind: 'group', correlationId: 'COR-1' })).toBe('/groups/COR-1');
});

test.each([
  [{ names: ['Shop', 'Billing', 'Mail', 'Pay'], count: 4 }, 'Affects Shop, Billing and 2 more'],
  [NO_NAMES, 'Affected shop-api'],
])('services are hit now, or were: %j', (servicesHit, expected) => {
  expect(hitWords(row({ servicesHit }))).toBe(expected);
  expect(hitWords(row({ services: NO_NAMES, servicesHit: NO_NAMES }))).toBe('');
});

describe('what is behind the cause', () => {
  const unsure = { rootCauseCandidate: { confidence: 0.39, explains: [{ ciId: 'c', hops: 1 }] } };
  test.each([
    [{}, '48 CIs impacted by ams2-ups-b'],
    [unsure, '50 CIs affected'],
    [{ ...unsure, cis: { names: [], count: 0 } }, 'no CI bound'],
    [{ rootCause: { hostname: 'db-1' } }, '48 CIs impacted by db-1'],
    [
      {
        rootCauseCandidate: { confidence: 0.9, explains: Array.from({ length: 100 }, () => ({ ciId: 'c', hops: 1 })) },
      },
      '100+ CIs impacted by ams2-ups-b',
    ],
  ])('%j', (change, expected) => {
    expect(reachWords(row(change))).toBe(expected);
  });
});

test('a cause is certain from 40 % on, and has a name when it has a CI or a host', () => {
  expect(isCertain(row({ rootCauseCandidate: { confidence: 0.4, explains: [] } }))).toBe(true);
  expect(isCertain(row({ rootCauseCandidate: null }))).toBe(false);
  expect(causeName(row({ rootCause: null }))).toBeNull();
  expect(reasonWords('some_new_reason')).toBe('some new reason');
});

describe('how sure a cause is', () => {
  const unsure = { rootCauseCandidate: { confidence: 0.25, explains: [] } };
  const second = (title: string, ciName: string | null) => ({ ...unsure, secondBest: { title, ciName } });
  test.each([
    [{}, '76% confidence'],
    [{ rootCauseCandidate: null, secondBest: null }, 'low confidence'],
    [{ ...unsure, secondBest: null }, '25%, low confidence'],
    [second('Disk full', 'db-1'), '25%, low confidence; alternative: Disk full on db-1'],
    [second('db-1 is slow', 'db-1'), '25%, low confidence; alternative: db-1 is slow'],
    [second('Disk full', null), '25%, low confidence; alternative: Disk full'],
  ])('%j', (change, expected) => {
    expect(sureWords(row(change))).toBe(expected);
  });
});
