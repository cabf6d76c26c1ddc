import { expect, test } from '@jest/globals';
import { CallProblem } from '#console/api/link/problem.ts';
import { refusalWords } from './refusal-text.ts';

const LABELS: Readonly<Record<string, string>> = { username: 'Username', expires_in: 'Good for' };
const refused = (fields: Readonly<Record<string, string>>) =>
  new CallProblem('username: too short (and 1 more)', { fields });

test.each([
  [{ username: 'too short' }, 'Username: too short'],
  [{ username: 'too short', expires_in: 'must be a time' }, 'Username: too short; Good for: must be a time'],
  [{ 'filter.minSeverity': 'unknown' }, 'Min severity: unknown'],
  [{ 'members[2]': 'is nobody' }, 'Members: is nobody'],
  [{ a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' }, 'A: x; B: x; C: x; and 2 more'],
  [{}, 'username: too short (and 1 more)'],
])('%j is said as "%s"', (fields, said) => {
  expect(refusalWords(refused(fields as Record<string, string>), (field) => LABELS[field])).toBe(said);
});

test.each([
  [429, 12_000, 'Slow down. Try again in 12s'],
  [503, 840_000, 'Slow down. Try again in 14m'],
  [503, null, 'Slow down'],
  [409, 12_000, 'Slow down'],
])('of a %d that asks to wait %s ms: "%s"', (status, retryAfterMs, said) => {
  expect(refusalWords(new CallProblem('Slow down', { status, retryAfterMs }))).toBe(said);
});

test('what is no refusal speaks for itself', () => {
  expect([refusalWords(new Error('The line is dead')), refusalWords('gone')]).toEqual(['The line is dead', 'gone']);
});
