import { expect, test } from '@jest/globals';
import type { Explained } from '#console/api/group-parts.ts';
import { verdictWords } from './explain-words.ts';

const strategy = (name: string, score: number, joined: boolean) => ({ strategy: name, score, joined, threshold: 0.7 });
const BASE = {
  together: true,
  manual: false,
  strategies: [strategy('temporal', 0.34, false), strategy('topology', 0.87, true)],
  refusedReason: null,
  notCompared: null,
} as unknown as Explained;
const asked = (change: object): string => verdictWords({ ...BASE, ...change } as Explained);
const WEAK = { strategies: [strategy('temporal', 0.34, false)] };

test.each([
  [{}, 'They are in one group: Neighbours on the map says 87 %, and 70 % is enough.'],
  [WEAK, 'They are in one group by way of other members; the two alone would not be joined.'],
  [{ manual: true }, 'A person has put the two together.'],
  [{ together: false, refusedReason: 'the group is closed' }, 'They are kept apart: the group is closed.'],
  [
    {
      together: false,
      notCompared: { cause: 'ended', reason: 'not compared: “Disk is full” was over 5 min before the other began' },
    },
    'They were never compared: “Disk is full” was over 5 min before the other began.',
  ],
  [
    {
      together: false,
      notCompared: { cause: 'bound_late', reason: 'not compared by CI: “Disk is full” was bound late' },
    },
    'They were not compared by their CIs: “Disk is full” was bound late.',
  ],
  [
    {
      together: false,
      notCompared: {
        cause: 'truncated',
        truncated: { temporal: 3 },
        reason: 'not compared: “A; B” was far; temporal left out 3',
      },
    },
    'They were never compared: “A; B” was far; Close in time left out 3.',
  ],
  [{ ...WEAK, together: false }, 'They are not in one group: Close in time says 34 %, and 70 % would be needed.'],
  [{ strategies: [], together: false }, 'They are not in one group: no strategy finds anything that joins them.'],
])('%j', (change, expected) => {
  expect(asked(change)).toBe(expected);
});
