import { describe, expect, test } from '@jest/globals';
import type { SurfaceName } from '#api/surfaces/endpoint.ts';
import type { Caller, LimitOverrides } from '#domain/access/caller.ts';
import type { CredentialKind, LimitClass } from '#domain/limit-class.ts';
import type { Limiter } from '#domain/ports/limiter.ts';
import { budgetsOf, limitHeaders, takeAllowance } from './limits.ts';

const caller = (kind: CredentialKind, token: LimitOverrides = {}, tenant: LimitOverrides = {}): Caller => ({
  id: 'u',
  username: 'u',
  name: 'U',
  tenant: 't',
  kind,
  role: null,
  permissions: new Set(),
  credentialId: 'c1',
  limits: { tenant, token },
});
const numbers = (who: Caller, limit: LimitClass, on: SurfaceName) =>
  budgetsOf(who, 't', limit, on).map((budget) => `${budget.limit}/${budget.windowMs / 60_000}m`);

describe('budgets (docs/specification.md §14)', () => {
  test.each([
    ['events', 'ingest', ['100/1m']],
    ['events', 'bulk', ['10/1m']],
    ['events', 'webhook', ['1000/1m']],
    ['events', 'query', ['100/1m']],
    ['platform', 'standard', ['100/1m']],
    ['platform', 'bulk', ['10/1m']],
    ['platform', 'ai-platform', ['10/1m']],
    ['ai', 'ai', ['100/1m']],
    ['ops', 'none', []],
  ] as const)('%s %s', (on, limit, expected) => expect(numbers(caller('api_key'), limit, on)).toEqual(expected));

  test.each([
    ['jwt', ['500/1m', '500/1m', '100/1m', '10/1m', '100/1m']],
    ['service_account', ['100/1m', '100/1m', '100/1m', '10/1m', '100/1m']],
  ] as const)('%s: people step through lists', (kind, expected) => {
    const classes = ['query', 'standard', 'ingest', 'bulk', 'ai'] as const;
    expect(classes.flatMap((limit) => numbers(caller(kind), limit, 'events'))).toEqual(expected);
    expect(numbers(caller(kind, {}, { query: 7 }), 'query', 'events')).toEqual(['7/1m']);
  });

  test.each([
    ['api_key', ['100/1m', '1000/60m']],
    ['jwt', ['500/1m', '5000/60m']],
    ['service_account', ['1000/1m', '10000/60m']],
    ['discovery', ['100/1m', '1000/60m']],
  ] as const)('/v1 counts the kind %s only, whatever the class', (kind, expected) => {
    for (const limit of ['standard', 'bulk', 'ingest'] as const)
      expect(numbers(caller(kind), limit, 'v1')).toEqual(expected);
  });

  test('/v1 counts AI beside it', () =>
    expect(numbers(caller('jwt'), 'ai-platform', 'v1')).toEqual(['500/1m', '5000/60m', '10/1m']));

  test('a token beats its tenant, which beats the default', () => {
    expect(numbers(caller('jwt', {}, { ingest: 7 }), 'ingest', 'events')).toEqual(['7/1m']);
    expect(numbers(caller('jwt', { ingest: 9 }, { ingest: 7 }), 'ingest', 'events')).toEqual(['9/1m']);
    expect(numbers(caller('jwt', { ingest: 9 }), 'ingest', 'v1')).toEqual(['9/1m', '540/60m']);
    expect(numbers(caller('jwt', { ingest: 9 }), 'standard', 'v1')).toEqual(['500/1m', '5000/60m']);
  });

  test('AI is counted by tenant, the rest by credential', () => {
    const other = { ...caller('jwt'), credentialId: 'c2' };
    const key = (who: Caller, limit: LimitClass) => budgetsOf(who, 't', limit, 'platform')[0]?.key;
    expect(key(caller('jwt'), 'ai')).toBe(key(other, 'ai'));
    expect(key(caller('jwt'), 'standard')).not.toBe(key(other, 'standard'));
    expect(budgetsOf(other, 't2', 'ai', 'ai')[0]?.key).not.toBe(key(other, 'ai'));
  });
});

describe('allowance', () => {
  /** Answers from a table; the counters themselves have their own test. */
  const answering = (used: Record<string, number>, taken: string[] = []): Limiter => ({
    take: async (key, limit, windowMs) => {
      taken.push(key);
      const left = limit - (used[key] ?? 0);
      return { limit, remaining: Math.max(0, left), resetAt: windowMs, allowed: left >= 0 };
    },
  });
  const budgets = [
    { key: 'minute', limit: 100, windowMs: 60_000, class: 'api_key', per: 'minute' },
    { key: 'hour', limit: 1000, windowMs: 3_600_000, class: 'api_key', per: 'hour' },
  ] as const;

  test('shows the budget with the fewest remaining, and counts all', async () => {
    const taken: string[] = [];
    expect(await takeAllowance(answering({ minute: 10, hour: 950 }, taken), budgets, 1)).toMatchObject({
      budget: { per: 'hour' },
      state: { limit: 1000, remaining: 50, allowed: true },
    });
    expect(taken).toEqual(['minute', 'hour']);
  });

  test('one refusal refuses; of two, the later end counts', async () => {
    expect(await takeAllowance(answering({ minute: 101 }), budgets, 1)).toMatchObject({
      state: { allowed: false, limit: 100 },
    });
    expect(await takeAllowance(answering({ minute: 101, hour: 1001 }), budgets, 1)).toMatchObject({
      state: { allowed: false, resetAt: 3_600_000 },
    });
  });

  test.each([
    [2, 200],
    [0.5, 50],
    [0.001, 1],
  ])('scale %d makes 100 into %d', async (scale, expected) =>
    expect(await takeAllowance(answering({}), budgets.slice(0, 1), scale)).toMatchObject({
      state: { limit: expected },
    }),
  );

  test('scale 0 counts nothing', async () => {
    const taken: string[] = [];
    expect(await takeAllowance(answering({}, taken), budgets, 0)).toBeNull();
    expect(taken).toEqual([]);
  });

  test('the reset is in seconds, rounded up', () =>
    expect(
      limitHeaders({ budget: budgets[0], state: { allowed: true, limit: 5, remaining: 4, resetAt: 1_001 } }),
    ).toEqual({ 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '4', 'X-RateLimit-Reset': '2' }));
});
