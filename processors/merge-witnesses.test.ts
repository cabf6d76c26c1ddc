import { describe, expect, test } from '@jest/globals';
import type { Profile } from '#domain/correlation/settings.ts';
import { driveMerge, type MergeDrive } from '#test/setup/drive-merge.ts';
import {
  allPassed,
  arrivalOf,
  enrichedOf,
  factsEntry,
  groupsIn,
  hitOf,
  hitsEntry,
  SETTINGS,
  TENANT,
} from '#test/setup/merge-kit.ts';

/* Large groups are merged after links by several arrivals; ended groups accept no more. */

const T = 600_000_000;

interface Given {
  readonly profile?: Profile;
  readonly quiet?: boolean;
  readonly suppressed?: boolean;
}

const arrive = (
  drive: MergeDrive,
  position: number,
  eventId: string,
  partners: readonly string[],
  { profile = 'calibrated', quiet = false, suppressed = false }: Given = {},
) => {
  const arrival = arrivalOf({ eventId, position, time: T + position * 1_000, suppressed });
  const facts = factsEntry(enrichedOf(arrival, [], { ...SETTINGS, profile }));
  const hits = partners.map((other, i) => hitOf(other, 0.99 - i / 1_000));
  const entry = { ...facts, value: { ...facts.value, quiet } as typeof facts.value };
  drive.batch([entry, hitsEntry(arrival, 'dependency', hits), ...allPassed(position)]);
};

/** Two groups, a0 with its own and b0 with its own, at positions 1 to 2 · size. */
const twoGroups = (size: number, given: Given = {}): MergeDrive => {
  const drive = driveMerge();
  for (const [g, name] of ['a', 'b'].entries())
    for (let n = 0; n < size; n++) arrive(drive, 1 + g * size + n, `${name}${n}`, n === 0 ? [] : [`${name}0`], given);
  return drive;
};
const open = (drive: MergeDrive) => groupsIn(drive.state).map((group) => (group as { size: number }).size);
const guardsOf = (drive: MergeDrive, eventId: string) =>
  drive.decisions.findLast((decision) => decision.eventId === eventId)?.refused.map(({ guard }) => guard);

describe('two groups become one', () => {
  test.each([
    [7, 1],
    [8, 3],
    [10, 3],
    [11, 4],
    [20, 6],
  ])('of %d members each on the word of %d arrivals', (size, needed) => {
    const drive = twoGroups(size);
    for (let n = 1; n <= needed; n++) {
      expect(open(drive)).toHaveLength(2);
      arrive(drive, 100 + n, `w${n}`, ['a0', 'b0']);
    }
    expect(open(drive)).toEqual([2 * size + needed]);
  });

  test.each([{ quiet: true }, { profile: 'specified' }] as const)('at once when %j', (given) => {
    const drive = twoGroups(20, given);
    arrive(drive, 101, 'w', ['a0', 'b0'], given);
    expect(open(drive)).toEqual([41]);
  });

  test('an arrival with many links to the other group is one witness, and says the guard', () => {
    const drive = twoGroups(8);
    arrive(drive, 101, 'w1', ['a0', 'b0', 'b1', 'b2', 'b3']);
    expect(guardsOf(drive, 'w1')).toEqual(['witnesses', 'witnesses', 'witnesses', 'witnesses']);
    arrive(drive, 102, 'w2', ['a0', 'b0', 'b1', 'b2', 'b3']);
    expect(open(drive)).toHaveLength(2);
  });

  test('what was witnessed is known after a start, and when one of them has taken in a third', async () => {
    const drive = twoGroups(8);
    arrive(drive, 101, 'w1', ['a0', 'b0']);
    arrive(drive, 102, 'c0', []);
    arrive(drive, 103, 'c1', ['c0']);
    arrive(drive, 104, 'x', ['b0', 'c0']);
    arrive(drive, 105, 'w2', ['a0', 'b0']);
    const restored = await drive.restored();
    expect(groupsIn(restored)).toEqual(groupsIn(drive.state));
    expect(open(drive)).toHaveLength(2);
    // 11 members each by now: three are too few.
    arrive(drive, 106, 'w3', ['a0', 'c0']);
    expect(open(drive)).toHaveLength(2);
    arrive(drive, 107, 'w4', ['a0', 'c0']);
    expect(open(drive)).toHaveLength(1);
  });
});

describe('a group whose members are all over', () => {
  const over = (drive: MergeDrive, position: number, eventId: string) =>
    drive.batch([{ tenant: TENANT, position, value: { kind: 'ended', eventId, at: T + position * 1_000 } }]);

  test.each([
    ['takes no more', ['a', 'b'], {}, ['ended']],
    ['takes more while one is on', ['a'], {}, []],
    ['takes more under `specified`', ['a', 'b'], { profile: 'specified' }, []],
  ] as const)('%s', (_, ended, given, guards) => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', []);
    arrive(drive, 2, 'b', ['a']);
    for (const [i, eventId] of ended.entries()) over(drive, 3 + i, eventId);
    arrive(drive, 9, 'c', ['b'], given);
    expect(guardsOf(drive, 'c')).toEqual(guards);
    expect(drive.assigned.some(({ eventId }) => eventId === 'c')).toBe(guards.length === 0);
  });

  test('takes none of what a silence holds back, whether or not one of those joined before', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', []);
    arrive(drive, 2, 'b', ['a']);
    arrive(drive, 3, 'held', ['b'], { suppressed: true });
    expect(guardsOf(drive, 'held')).toEqual([]);
    for (const [i, eventId] of ['a', 'b'].entries()) over(drive, 4 + i, eventId);
    for (const [i, partner] of ['b', 'held'].entries()) {
      arrive(drive, 9 + i, `c${i}`, [partner], { suppressed: true });
      expect(guardsOf(drive, `c${i}`)).toEqual(['ended']);
    }
    expect(open(drive)).toEqual([3]);
  });
});
