import { expect, test } from '@jest/globals';
import { rangeOf } from './change-range.ts';

const NOW = 1_000 * 86_400_000;

test.each([
  [{}, {}],
  [{ time: 'upcoming' }, { from: NOW }],
  [{ time: '7d' }, { from: NOW - 7 * 86_400_000, to: NOW }],
  [
    { from: '1764547200000', to: '1764550800000' },
    { from: 1_764_547_200_000, to: 1_764_550_800_000 },
  ],
  [{ from: '1764547200000' }, { from: 1_764_547_200_000 }],
  [{ time: 'never', from: 'soon' }, {}],
])('the range of the address %j', (query, range) => expect(rangeOf(query, NOW)).toEqual(range));
