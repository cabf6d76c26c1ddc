import { expect, test } from '@jest/globals';
import { lagBetween } from './lag.ts';

test.each([
  ['nothing committed', -1, '0', '5', { committed: 0, lag: 5 }],
  ['nothing committed, the first ones expired', -1, '3', '5', { committed: 3, lag: 2 }],
  ['half way', 2, '0', '5', { committed: 2, lag: 3 }],
  ['what was committed to has expired', 2, '4', '5', { committed: 4, lag: 1 }],
  ['all read', 5, '0', '5', { committed: 5, lag: 0 }],
  ['an empty partition', -1, '0', '0', { committed: 0, lag: 0 }],
  ['more than there is, after topics were made anew', 9, '0', '5', { committed: 5, lag: 0 }],
])('%s', (_name, committed, low, high, expected) => {
  expect(lagBetween({ partition: 3, low, high }, committed)).toMatchObject({
    partition: 3,
    end: Number(high),
    ...expected,
  });
});
