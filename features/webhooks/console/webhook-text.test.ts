import { describe, expect, test } from '@jest/globals';
import { DELIVERABLE_KINDS } from '#features/webhooks/rules/webhook.ts';
import { deliveryState, filterWords, KIND_WORDS, kindsWords, lastAnswer, standOf } from './webhook-text.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

test('every kind has words', () => {
  expect(Object.keys(KIND_WORDS).sort()).toEqual(['*', ...DELIVERABLE_KINDS].sort());
});

test.each([
  [['*'], 'All events'],
  [['correlation.created', 'correlation.resolved'], 'Group created and Group resolved'],
  [['ci.created', 'ci.updated', 'ci.deleted'], 'CI created, CI updated and 1 more'],
] as const)('%j: %s', (kinds, words) => {
  expect(kindsWords(kinds)).toBe(words);
});

test.each([
  [null, ''],
  [{ minSeverity: 'major' }, 'major and above'],
  [{ minSeverity: 'critical', onlyCauses: true }, 'critical only; root causes only'],
  [{ sources: ['zabbix', 'aws'], tags: ['prod'] }, 'from zabbix and aws; tag prod'],
] as const)('a filter %j lets through: %s', (filter, words) => {
  expect(filterWords(filter as never)).toBe(words);
});

describe('a webhook', () => {
  const well = { active: true, inactive_reason: null, failures_in_row: 0, rests_until: null, last_success_at: at(-1) };
  test.each([
    [{}, 'good', 'Healthy'],
    [{ last_success_at: null }, 'quiet', 'No deliveries yet'],
    [{ failures_in_row: 2 }, 'caution', '2 consecutive failures'],
    [{ failures_in_row: 9, rests_until: at(5) }, 'bad', 'Paused: 9 consecutive failures'],
    [{ failures_in_row: 9, rests_until: at(-5) }, 'caution', '9 consecutive failures'],
    [{ active: false }, 'quiet', 'Disabled'],
    [{ active: false, inactive_reason: 'gone' as const }, 'bad', 'Disabled: receiver returned HTTP 410'],
    [{ active: false, inactive_reason: 'failing' as const }, 'bad', 'Disabled: failing for 5 days'],
  ])('with %j is %s: %s', (otherwise, kind, words) => {
    expect(standOf({ ...well, ...otherwise }, NOW)).toEqual({ kind, words });
  });
});

describe('a delivery', () => {
  const attempt = { at: at(0), status: 204, ms: 12.4, error: null };
  test.each([
    ['waiting', [], 'Pending', ''],
    ['waiting', [{ ...attempt, status: null, error: 'timeout' }], 'Retrying', 'timeout'],
    ['delivered', [{ ...attempt, status: 503, error: 'status 503' }, attempt], 'Delivered', '204 in 12 ms'],
    ['dead', [{ ...attempt, status: 410, error: 'status 410' }], 'Failed', 'status 410'],
    ['skipped', [], 'Skipped', ''],
  ] as const)('%s after %j is %s, %s', (status, attempts, words, answer) => {
    expect(deliveryState({ status, attempts: [...attempts] }).words).toBe(words);
    expect(lastAnswer({ attempts: [...attempts] })).toBe(answer);
  });
});
