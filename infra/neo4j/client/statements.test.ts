import { describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { hopPattern } from '#infra/neo4j/queries/hops.ts';
import { faultOf, isPassing, isRolledBack } from './client.ts';
import { versionProblem } from './schema.ts';
import { withTimeLimit } from './time-limit.ts';
import { rounds } from './write.ts';

const failed = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('What the server says, in the words of the domain', () => {
  test.each([
    ['ServiceUnavailable', 'unavailable', 5],
    ['SessionExpired', 'unavailable', 5],
    ['Neo.TransientError.Transaction.DeadlockDetected', 'unavailable', 5],
    ['Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration', 'unavailable', 5],
    ['Neo.ClientError.Security.Unauthorized', 'unavailable', undefined],
    ['Neo.ClientError.Schema.ConstraintValidationFailed', 'conflict', undefined],
  ])('%s is %s', (code, kind, retryAfter) => {
    expect(faultOf(failed(code))).toMatchObject({ name: 'Fault', kind, retryAfter });
  });

  test('a mistake of ours stays one', () => {
    const mistake = failed('Neo.ClientError.Statement.SyntaxError');
    expect(faultOf(mistake)).toBe(mistake);
    const fault = new Fault('precondition', 'old');
    expect(faultOf(fault)).toBe(fault);
  });

  test('after a lost connection reads are repeated and writes are not', () => {
    expect([isPassing(failed('ServiceUnavailable')), isRolledBack(failed('ServiceUnavailable'))]).toEqual([
      true,
      false,
    ]);
    expect(isRolledBack(failed('Neo.TransientError.Transaction.DeadlockDetected'))).toBe(true);
  });
});

test.each([
  ['Neo4j/5.25.1', false],
  ['Neo4j/5.26.0', true],
  ['Neo4j/2026.08.1', true],
  ['Neo4j/4.4.38', false],
  ['Memgraph', false],
])('%s will do: %s', (agent, will) => {
  expect(versionProblem(agent) === null).toBe(will);
});

test('what takes too long is unavailable', async () => {
  await expect(withTimeLimit(1, new Promise(() => {}))).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  expect(await withTimeLimit(1_000, Promise.resolve('done'))).toBe('done');
});

test('later versions of an id come in later parts', () => {
  const rows = ['a', 'b', 'a', 'c', 'a'].map((id, n) => ({ id, n }));
  expect(rounds(rows).map((round) => round.map(({ n }) => n))).toEqual([[0, 1, 3], [2], [4]]);
});

test.each([
  [{ direction: 'up' }, 2.9, '(a) (()-[r:RELATES WHERE r.ai = false]->()){1,2} (b)'],
  [{ direction: 'down', types: [] }, 0, '(a) (()<-[r:RELATES WHERE r.ai = false]-()){1,1} (b)'],
  [
    { direction: 'both', types: ['uses'] },
    999,
    '(a) (()-[r:RELATES WHERE r.ai = false AND r.type IN $types]-()){1,100} (b)',
  ],
] as const)('hops %j of %d are bounded by a number', (steps, hops, pattern) => {
  expect(hopPattern(steps, hops)).toBe(pattern);
});
