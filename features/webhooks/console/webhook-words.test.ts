import { describe, expect, test } from '@jest/globals';
import { DELIVERABLE_KINDS } from '#features/webhooks/rules/webhook.ts';
import { deliveryState, filterWords, KIND_WORDS, kindsWords, lastAnswer, standOf } from './webhook-words.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

test('every kind has words', () => {
  expect(Object.keys(KIND_WORDS).sort()).toEqual(['*', ...DELIVERABLE_KINDS].sort());
});

test.each([
  [['*'], 'everything'],
  [['correlation.created', 'correlation.resolved'], 'a group is formed and a group is over'],
  [['ci.created', 'ci.updated', 'ci.deleted'], 'a CI is made, a CI changes and 1 more'],
] as const)('%j: %s', (kinds, words) => {
  expect(kindsWords(kinds)).toBe(words);
});

test.each([
  [null, ''],
  [{ minSeverity: 'major' }, 'major and worse'],
  [{ minSeverity: 'critical', onlyCauses: true }, 'critical only; causes only'],
  [{ sources: ['zabbix', 'aws'], tags: ['prod'] }, 'from zabbix and aws; tag prod'],
] as const)('a filter %j lets through: %s', (filter, words) => {
  expect(filterWords(filter as never)).toBe(words);
});

describe('a webhook', () => {
  const well = { active: true, inactive_reason: null, failures_in_row: 0, rests_until: null, last_success_at: at(-1) };
  test.each([
    [{}, 'good', 'all is taken'],
    [{ last_success_at: null }, 'quiet', 'nothing sent yet'],
    [{ failures_in_row: 2 }, 'caution', '2 failures in a row'],
    [{ failures_in_row: 9, rests_until: at(5) }, 'bad', 'rests: 9 failures in a row'],
    [{ failures_in_row: 9, rests_until: at(-5) }, 'caution', '9 failures in a row'],
    [{ active: false }, 'quiet', 'switched off'],
    [{ active: false, inactive_reason: 'gone' as const }, 'bad', 'switched off: its receiver said that it is gone'],
    [{ active: false, inactive_reason: 'failing' as const }, 'bad', 'switched off: nothing was taken for 5 days'],
  ])('with %j is %s: %s', (otherwise, kind, words) => {
    expect(standOf({ ...well, ...otherwise }, NOW)).toEqual({ kind, words });
  });
});

describe('a delivery', () => {
  const attempt = { at: at(0), status: 204, ms: 12.4, error: null };
  test.each([
    ['waiting', [], 'waiting', ''],
    ['waiting', [{ ...attempt, status: null, error: 'timeout' }], 'is tried again', 'timeout'],
    ['delivered', [{ ...attempt, status: 503, error: 'status 503' }, attempt], 'taken', '204 in 12 ms'],
    ['dead', [{ ...attempt, status: 410, error: 'status 410' }], 'given up', 'status 410'],
    ['skipped', [], 'not sent', ''],
  ] as const)('%s after %j is %s, %s', (status, attempts, words, answer) => {
    expect(deliveryState({ status, attempts: [...attempts] }).words).toBe(words);
    expect(lastAnswer({ attempts: [...attempts] })).toBe(answer);
  });
});
