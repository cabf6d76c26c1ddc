import { describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import { checkCounts, checkEvents, checkHits, checkPatches, checkReplay } from './check.ts';
import { Ledger } from './ledger.ts';
import { readOptions } from './options.ts';

const complaint = { tenant: 't', host: 'h', title: 'Disk is full', phase: 'kill-api-0' };
const ID = '01M7ZF15DXXP0ZQ9F4TC59MR42';
const event = (changes: Partial<Event> = {}): Event =>
  ({ tenant: 't', id: ID, hostname: 'h', title: 'Disk is full', count: 3, history: [], ...changes }) as never;

const ledgerOf = (acknowledged: number, unknown: number): Ledger => {
  const ledger = new Ledger();
  Object.assign(ledger.tally(complaint), { acknowledged, unknown });
  return ledger;
};
const kindsOf = (problems: readonly { readonly kind: string }[]): string[] => problems.map(({ kind }) => kind);

test.each([
  [3, 0, []],
  [2, 1, []],
  [1, 2, []],
  [4, 0, ['lost']],
  [4, 9, ['lost']],
  [2, 0, ['double']],
  [1, 1, ['double']],
])('acknowledged %i, unknown %i, counted 3: %j', (acknowledged, unknown, kinds) => {
  const halves = [event({ count: 1 }), event({ count: 2 })];
  expect(kindsOf(checkCounts(ledgerOf(acknowledged, unknown), halves))).toEqual(kinds);
});

test('what nobody has sent is counted twice', () => {
  expect(kindsOf(checkCounts(new Ledger(), [event()]))).toEqual(['double']);
});

test.each([
  [event(), []],
  [event({ count: 2 }), ['lost']],
  [event({ tenant: 'other' }), ['lost']],
  [event({ id: '01M7ZF15DXXP0ZQ9F4TC59MR43' }), ['lost']],
])('an event that was shown with 3 occurrences is there with them', (stored, kinds) => {
  const ledger = new Ledger();
  ledger.saw(complaint, `EVT-${ID}`, 3);
  expect(kindsOf(checkEvents(ledger, [stored]))).toEqual(kinds);
});

test.each([
  ['done', 1, []],
  ['done', 0, ['lost']],
  ['done', 2, ['double']],
  ['unknown', 0, []],
  ['unknown', 1, []],
  ['unknown', 2, ['double']],
  ['queued', 0, ['lost']],
  ['queued', 1, []],
  ['queued', 2, ['double']],
  ['refused', 0, []],
  ['refused', 1, ['double']],
] as const)('a change of status that was %s happened %i times: %j', (outcome, times, kinds) => {
  const ledger = new Ledger();
  ledger.patches.push({ ...complaint, eventId: ID, note: 'note 1.', outcome });
  const history = Array.from({ length: times }, () => ({ notes: 'note 1.' }));
  expect(kindsOf(checkPatches(ledger, [event({ history: history as never })], new Set()))).toEqual(kinds);
});

test('a change of status that was queued and did not fit when its turn came is not lost', () => {
  const ledger = new Ledger();
  ledger.patches.push({ ...complaint, eventId: ID, note: 'note 1.', outcome: 'queued' });
  expect(checkPatches(ledger, [event()], new Set(['note 1.']))).toEqual([]);
});

describe('a clean replay', () => {
  const nothing = {
    events: [],
    enriched: [],
    decisions: [],
    groups: [],
    letters: [],
    hits: new Map(),
    refused: new Set<string>(),
  };
  test.each([
    ['the same', [event()], [event()], 0],
    ['a lost event', [], [event()], 1],
    ['an event too many', [event()], [], 1],
    ['an older state', [event({ count: 2 })], [event()], 1],
  ])('%s', (_what, stored, replayed, problems) => {
    expect(checkReplay({ ...nothing, events: stored }, { ...nothing, events: replayed })).toHaveLength(problems);
  });

  const hit = { other: ID, score: 1, literalScore: 1, reason: 'close_in_time', details: {} };
  test.each([
    ['said once', [[hit]], 0],
    ['said twice', [[hit], [hit]], 0],
    ['said in two ways', [[hit], [{ ...hit, score: 0.9 }]], 1],
    ['not said', [], 1],
  ])('hits: %s', (_what, said, problems) => {
    expect(checkHits(new Map([['e/temporal', said]]), new Map([['e/temporal', [hit]]]))).toHaveLength(problems);
  });
});

test('seeds are one, or from one to another', () => {
  expect(readOptions([]).seeds).toEqual([1]);
  expect(readOptions(['--seed', '7']).seeds).toEqual([7]);
  expect(readOptions(['--seeds', '3-5']).seeds).toEqual([3, 4, 5]);
  expect(() => readOptions(['--seeds', '5-3'])).toThrow('--seeds');
  expect(() => readOptions(['--seconds', 'x'])).toThrow('--seconds');
});
