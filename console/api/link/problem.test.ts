import { describe, expect, test } from '@jest/globals';
import { CallProblem, isProblem, problemOf } from './problem.ts';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-11-23T09:00:00Z');
const HEADERS = { requestId: 'r-1', retryAfter: null };

describe('a problem says the same in every dialect', () => {
  const events = {
    error: 'Bad Request',
    message: 'status is wrong',
    details: [{ field: 'status', message: 'one of' }],
  };
  const platform = {
    error: { message: 'status is wrong', details: {}, errors: [{ field: 'status', reason: 'one of' }] },
  };
  const v1 = { error: { message: 'status is wrong', details: [{ field: 'status', error: 'one of' }] } };

  test.each([
    ['events', events],
    ['platform', platform],
    ['v1', v1],
  ])('%s', (_, body) => {
    const problem = problemOf(400, body, HEADERS, NOW);
    expect(problem).toMatchObject({
      message: 'status is wrong',
      status: 400,
      requestId: 'r-1',
      fields: { status: 'one of' },
    });
    expect([isProblem(problem), isProblem(problem, 400, 409), isProblem(problem, 404)]).toEqual([true, true, false]);
  });

  test.each([null, 'Bad gateway', { error: {} }, [1]])('a body that is none, such as %j, is no obstacle', (body) => {
    expect(problemOf(502, body, HEADERS, NOW)).toMatchObject({ message: 'The server returned HTTP 502', fields: {} });
  });
});

test('without an answer the status is 0', () => {
  expect(new CallProblem('no connection')).toMatchObject({ status: 0, requestId: null, retryAfterMs: null });
});

describe('Retry-After', () => {
  test.each([
    ['12', 12_000],
    ['0', 1_000],
    ['99999', 600_000],
    ['Mon, 23 Nov 2026 09:00:30 GMT', 30_000],
    ['soon', null],
    ['', null],
    [null, null],
  ])('%j: %j ms', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
