import { expect, test } from '@jest/globals';
import type { Explained } from '#console/api/group-parts.ts';
import { verdictWords } from './explain-text.ts';

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
  [{}, 'Same group: Topology score 87%, above the threshold (70%).'],
  [WEAK, 'Same group through other events. On their own, these two would not correlate.'],
  [{ manual: true }, 'Merged manually.'],
  [{ together: false, refusedReason: 'the group is closed' }, 'Not grouped: the group is closed.'],
  [
    {
      together: false,
      notCompared: { cause: 'ended', reason: 'not compared: “Disk is full” was over 5 min before the other began' },
    },
    'Not compared: “Disk is full” was over 5 min before the other began.',
  ],
  [
    {
      together: false,
      notCompared: { cause: 'bound_late', reason: 'not compared by CI: “Disk is full” was bound late' },
    },
    'Not compared by CI: “Disk is full” was bound late.',
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
    'Not compared: “A; B” was far; Temporal: 3 skipped.',
  ],
  [{ ...WEAK, together: false }, 'Not grouped: Temporal score 34%, below the threshold (70%).'],
  [{ strategies: [], together: false }, 'Not grouped: no correlation strategy matched.'],
])('%j', (change, expected) => {
  expect(asked(change)).toBe(expected);
});
