import { describe, expect, test } from '@jest/globals';
import { LIVE_TOPICS } from '#domain/live/live-change.ts';
import { changesOf, EVERYTHING, mayConcern, type TopicChanges } from './changes.ts';

const shown = (changes: TopicChanges): Record<string, string[] | string> =>
  Object.fromEntries(
    [...changes].map(([topic, changed]) => [topic, typeof changed === 'string' ? changed : [...changed]]),
  );

describe('what the stream tells', () => {
  test.each([
    [{ groups: { ids: ['G1'], more: 0 } }, { groups: ['G1'] }],
    [{ events: { created: 9, changed: 0, ids: ['E1'], more: 8 } }, { events: 'many' }],
    [
      { topology: { cis: { ids: ['C1'], more: 0 }, relationships: { ids: ['R1'], more: 0 } } },
      { topology: ['C1', 'R1'] },
    ],
    [
      { silences: { ids: ['S1'], more: 0 }, scans: { ids: ['N1'], more: 0 } },
      { silences: ['S1'], scans: ['N1'] },
    ],
    [{ pipeline: { deadLetters: 2 }, at: 'now' }, { pipeline: 'missed' }],
    [{ at: 'now' }, {}],
  ])('%j', (data, expected) => {
    expect(shown(changesOf(JSON.stringify(data)))).toEqual(expected);
  });

  test.each(['', 'null', '7', '{'])('that is %j means: read everything', (data) => {
    expect(changesOf(data)).toBe(EVERYTHING);
  });
});

test('more than 1,000 ids of a topic are many', () => {
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `C${from + at}`);
  const told = (cis: string[], relationships: string[]) =>
    shown(
      changesOf(
        JSON.stringify({ topology: { cis: { ids: cis, more: 0 }, relationships: { ids: relationships, more: 0 } } }),
      ),
    );
  expect(told(ids(0, 600), ids(600, 1_000)).topology).toHaveLength(1_000);
  expect(told(ids(0, 600), ids(600, 1_001))).toEqual({ topology: 'many' });
});

test('the console follows every topic that the server has', () => {
  expect([...EVERYTHING.keys()].sort()).toEqual(Object.keys(LIVE_TOPICS).sort());
});

test('what was missed is no storm, and may be of anything', () => {
  expect(new Set(EVERYTHING.values())).toEqual(new Set(['missed']));
  const asked = [new Set(['G1']), new Set(['G2']), 'many', 'missed'] as const;
  expect(asked.map((changed) => mayConcern(changed, 'G1'))).toEqual([true, false, true, true]);
});
