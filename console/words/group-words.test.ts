import { describe, expect, test } from '@jest/globals';
import {
  causeName,
  hitWords,
  isCertain,
  reachWords,
  reasonWords,
  sentence,
  stateWords,
  sureWords,
} from './group-words.ts';

type Row = Parameters<typeof sentence>[0];

const NO_NAMES = { names: [], count: 0 };
const ROW = {
  eventCount: 62,
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
  expect(sentence(ROW)).toBe('62 events, 48 CIs behind ams2-ups-b, Shop and Billing hit, nobody has it');
  const kept = row({ assignedTo: { name: 'Ada' }, services: NO_NAMES, servicesHit: NO_NAMES });
  expect(sentence(kept)).toBe('62 events, 48 CIs behind ams2-ups-b, Ada has it');
});

test.each([
  [{ status: 'active', growing: true }, 'active, still growing'],
  [{ status: 'acknowledged', acknowledgedBy: { name: 'Ada' } }, 'acknowledged'],
  [{ status: 'acknowledged', acknowledgedBy: { name: 'Ada' }, assignedTeam: { name: 'Night' } }, 'acknowledged by Ada'],
  [{ status: 'resolved', acknowledgedBy: { name: 'Ada' }, assignedTo: { name: 'Bob' } }, 'resolved'],
])('the state of %j says who acknowledged it where that is not said anyway: %s', (change, expected) => {
  expect(stateWords(row(change))).toBe(expected);
});

test.each([
  [{ names: ['Shop', 'Billing', 'Mail', 'Pay'], count: 4 }, 'Shop, Billing and 2 more hit'],
  [NO_NAMES, 'shop-api hit'],
])('services are hit as the map says, else as events name them: %j', (servicesHit, expected) => {
  expect(hitWords(row({ servicesHit }))).toBe(expected);
  expect(hitWords(row({ services: NO_NAMES, servicesHit: NO_NAMES }))).toBe('');
});

describe('what is behind the cause', () => {
  const unsure = { rootCauseCandidate: { confidence: 0.39, explains: [{ ciId: 'c', hops: 1 }] } };
  test.each([
    [{}, '48 CIs behind ams2-ups-b'],
    [unsure, 'on 50 CIs'],
    [{ ...unsure, cis: { names: [], count: 0 } }, 'no CI known'],
    [{ rootCause: { hostname: 'db-1' } }, '48 CIs behind db-1'],
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
    [{}, '76 % sure'],
    [{ rootCauseCandidate: null, secondBest: null }, 'cause not certain'],
    [{ ...unsure, secondBest: null }, '25 %, cause not certain'],
    [second('Disk full', 'db-1'), '25 %, cause not certain, or: Disk full on db-1'],
    [second('db-1 is slow', 'db-1'), '25 %, cause not certain, or: db-1 is slow'],
    [second('Disk full', null), '25 %, cause not certain, or: Disk full'],
  ])('%j', (change, expected) => {
    expect(sureWords(row(change))).toBe(expected);
  });
});
