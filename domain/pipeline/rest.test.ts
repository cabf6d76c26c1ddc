import { expect, test } from '@jest/globals';
import { restMs } from './rest.ts';

test.each([
  ['nothing waits', 100, 0, 5, 0],
  ['it gains ground', 100, 5, 6, 400],
  ['it loses ground', 100, 7, 6, 3_900],
  ['never for long', 10_000, 7, 6, 4_000],
])('a rest: %s', (_, took, lag, before, rest) => expect(restMs(took, lag, before)).toBe(rest));
