import { describe, expect, test } from '@jest/globals';
import { driveMerge, type MergeDrive } from '#test/setup/drive-merge.ts';
import {
  allPassed,
  apartEntry,
  arrivalOf,
  enrichedOf,
  factsEntry,
  groupsIn,
  HAND,
  hitOf,
  hitsEntry,
  linkTo,
} from '#test/setup/merge-kit.ts';

const SECOND = 1_000;
const START = 1_000_000;

let position = 0;
const eventOf = (eventId: string, more: object = {}) => {
  position += 1;
  return enrichedOf(arrivalOf({ eventId, position, time: START + position * SECOND, ...more }));
};
type Made = ReturnType<typeof eventOf>;

/** The event arrives and is linked to these. */
const arrive = (drive: MergeDrive, made: Made, ...others: string[]): Made => {
  const hits =
    others.length === 0
      ? []
      : [
          hitsEntry(
            made.arrival,
            'dependency',
            others.map((id) => hitOf(id, 0.9)),
          ),
        ];
  drive.batch([factsEntry(made), ...hits, ...allPassed(made.arrival.position)]);
  return made;
};
const related = (drive: MergeDrive, of: Made, other: string, manual: boolean) => {
  position += 1;
  drive.batch([factsEntry(of, { position, links: [linkTo(other, 0.95)], manual, ...(manual && { hand: HAND }) })]);
  return drive.receipts.get(position);
};
const split = (drive: MergeDrive, of: Made, from: string, ...eventIds: string[]) => {
  position += 1;
  drive.batch([apartEntry(of, { position, from, eventIds })]);
  return drive.receipts.get(position) as { ok: boolean; outcome?: string; correlationId?: string | null };
};

/** Returns members of the existing groups, as published to events. */
const members = (drive: MergeDrive): string[][] => {
  const standing = (id: string): string => {
    const into = drive.groups.get(id)?.mergedInto;
    return into ? standing(into) : id;
  };
  const now = new Map<string, string>();
  for (const { eventId, correlationId } of drive.assigned) {
    if (correlationId === null) now.delete(eventId);
    else now.set(eventId, correlationId);
  }
  return [...Map.groupBy(now, ([, id]) => standing(id)).values()].map((own) => own.map(([id]) => id).sort()).sort();
};

/** a, b, c and d are one group. */
const four = () => {
  position = 0;
  const drive = driveMerge();
  const made = { a: arrive(drive, eventOf('a')) } as Record<'a' | 'b' | 'c' | 'd', Made>;
  for (const id of ['b', 'c', 'd'] as const) made[id] = arrive(drive, eventOf(id), 'a');
  const [id] = drive.groups.keys() as unknown as [string];
  return { drive, made, id };
};

describe('a group is split by hand', () => {
  test('two found a group of their own, and both groups are as their members make them', () => {
    const { drive, made, id } = four();
    const { correlationId } = split(drive, made.d, id, 'c', 'd');
    expect(members(drive)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(drive.groups.get(id)).toMatchObject({ size: 2, first: START + SECOND, last: START + 2 * SECOND });
    expect(drive.groups.get(correlationId!)).toMatchObject({
      size: 2,
      first: START + 3 * SECOND,
      last: START + 4 * SECOND,
      status: 'open',
      foundedBy: 'c',
    });
    const told = drive.changes.slice(-2).map(({ kind, group, events }) => [kind, group.id, events]);
    expect(told).toEqual([
      ['split', id, ['c', 'd']],
      ['created', correlationId, ['c', 'd']],
    ]);
    const after = { eventIds: ['EVT-c', 'EVT-d'], correlationId, reason: 'two faults' };
    expect(drive.records.map(({ kind, body }) => [kind, body])).toEqual([
      ['group-entry', expect.objectContaining({ group: id, kind: 'split', by: HAND.by, at: HAND.at })],
      ['group-entry', expect.objectContaining({ group: correlationId, kind: 'split' })],
      ['audit', expect.objectContaining({ id: 'trail', action: 'group.split', after, actor: HAND.by })],
    ]);
  });

  test('one is in no group then, and the founder may leave', () => {
    const { drive, made, id } = four();
    expect(split(drive, made.a, id, 'a')).toMatchObject({ outcome: 'changed', correlationId: null });
    expect(members(drive)).toEqual([['b', 'c', 'd']]);
    expect(drive.groups.get(id)).toMatchObject({ size: 3, first: START + 2 * SECOND });
    expect(drive.groups.get(id)!.candidate!.eventId).not.toBe('a');
  });

  test.each([
    ['an arrival that belongs to both', (drive: MergeDrive) => void arrive(drive, eventOf('e'), 'a', 'd')],
    [
      'a hundred of them',
      (drive: MergeDrive) => {
        for (let n = 0; n < 100; n++) arrive(drive, eventOf(`e${n}`), ...(n % 2 ? ['a', 'd'] : ['d', 'b', 'c']));
      },
    ],
    ['correlation on demand', (drive: MergeDrive, made: Made) => void related(drive, made, 'a', false)],
    [
      'a second arrival',
      (drive: MergeDrive, made: Made) => {
        const { arrival } = eventOf('d', { rebound: true, again: 'escalated', severity: 'critical' });
        arrive(drive, { ...made, arrival }, 'a', 'b');
      },
    ],
    [
      'one that takes the place of an event',
      (drive: MergeDrive) =>
        void arrive(drive, eventOf('d2', { rebound: true, again: 'supersedes', supersedes: 'd' }), 'a'),
    ],
  ])('%s does not undo it, before and after a restart', async (_, happens) => {
    for (const eventIds of [['c', 'd'], ['d']])
      for (const restarts of [false, true]) {
        const { drive, made, id } = four();
        split(drive, made.d, id, ...eventIds);
        if (restarts) await drive.restart(position);
        happens(drive, made.d);
        const [stayed, left] = [['a', 'b'], eventIds];
        for (const group of members(drive))
          expect(stayed.some((one) => group.includes(one)) && left.some((one) => group.includes(one))).toBe(false);
        expect(drive.decisions.flatMap(({ refused }) => refused).some(({ guard }) => guard === 'apart')).toBe(true);
      }
  });

  test('links set by hand outrank it, also after a restart', async () => {
    for (const restarts of [false, true]) {
      const { drive, made, id } = four();
      split(drive, made.d, id, 'c', 'd');
      expect(related(drive, made.d, 'a', true)).toMatchObject({ outcome: 'changed', correlationId: id });
      if (restarts) await drive.restart(position);
      expect(members(drive)).toEqual([['a', 'b', 'c', 'd']]);
      arrive(drive, eventOf('e'), 'd', 'a');
      expect(members(drive)).toEqual([['a', 'b', 'c', 'd', 'e']]);
      expect(split(drive, made.b, id, 'b')).toMatchObject({ outcome: 'changed' });
      expect(split(drive, made.d, id, 'c', 'd')).toMatchObject({ outcome: 'changed' });
      expect(members(drive)).toEqual([
        ['a', 'e'],
        ['c', 'd'],
      ]);
    }
  });

  test.each([false, true])('what was joined by hand is apart no more (joined by hand: %s)', async (byHand) => {
    const { drive, made, id } = four();
    split(drive, made.d, id, 'd');
    if (byHand) related(drive, made.d, 'a', true);
    await drive.restart(position);
    const later = (eventId: string) =>
      eventOf(eventId, { rebound: true, again: 'returned', time: START + 20 * 3_600_000 + position * SECOND });
    arrive(drive, later('d'));
    arrive(drive, later('a'), 'd');
    const { joined, refused } = drive.decisions.at(-1)!;
    // Other members of its closed group are on, so it stays there.
    const wanted = [[], [byHand ? 'closed' : 'apart']];
    expect([joined.toSorted(), refused.map(({ guard }) => guard)]).toEqual(wanted);
  });

  test('one that takes the place of an event is on its side, also when it came with no links', async () => {
    for (const restarts of [false, true]) {
      const { drive, made, id } = four();
      split(drive, made.d, id, 'd');
      arrive(drive, eventOf('d2', { rebound: true, again: 'supersedes', supersedes: 'd' }));
      arrive(drive, eventOf('d2', { rebound: true, again: 'escalated' }));
      if (restarts) await drive.restart(position);
      arrive(drive, eventOf('e'), 'a', 'd2');
      expect(members(drive)).toEqual([['a', 'b', 'c', 'e']]);
    }
  });

  test('only what a person joins again is together again', () => {
    const { drive, made, id } = four();
    split(drive, made.d, id, 'c', 'd');
    const second = split(drive, made.d, drive.decisions.at(-1)!.groupId!, 'd');
    expect(second).toMatchObject({ outcome: 'changed', correlationId: null });
    related(drive, made.d, 'a', true);
    expect(members(drive)).toEqual([['a', 'b', 'd'], ['c']]);
    arrive(drive, eventOf('e'), 'c', 'a');
    expect(members(drive)).toEqual([['a', 'b', 'd', 'e'], ['c']]);
  });

  test('the same again changes nothing', () => {
    const { drive, made, id } = four();
    const { correlationId } = split(drive, made.d, id, 'c', 'd');
    const before = drive.decisions.length;
    expect(split(drive, made.d, id, 'c', 'd')).toMatchObject({ ok: true, outcome: 'ignored', correlationId });
    expect(drive.decisions).toHaveLength(before);
  });

  test.each([
    ['all of it', ['a', 'b', 'c', 'd'], 'Leave at least one in the group'],
    ['an event of no group', ['a', 'x'], 'EVT-x are not in group'],
  ])('%s is refused', (_, eventIds, message) => {
    const { drive, made, id } = four();
    arrive(drive, eventOf('x'));
    const [decisions, groups] = [drive.decisions.length, groupsIn(drive.state)];
    const receipt = split(drive, made.a, id, ...eventIds);
    expect(receipt).toMatchObject({ ok: false, fault: 'invalid', message: expect.stringContaining(message) });
    expect([drive.decisions.length, groupsIn(drive.state)]).toEqual([decisions, groups]);
  });

  test('a group that has closed is split, too, from memory and as it was stored', async () => {
    for (const restarts of [false, true]) {
      const { drive, made, id } = four();
      position += 1;
      arrive(drive, eventOf('later', { position, time: START + 10 * 3_600_000 }));
      expect(drive.groups.get(id)).toMatchObject({ status: 'closed' });
      if (restarts) await drive.restart(position);
      expect(split(drive, made.d, id, 'c', 'd')).toMatchObject({ outcome: 'changed' });
      expect(members(drive)).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
      expect(drive.groups.get(id)).toMatchObject({ size: 2 });
    }
  });

  test('who returned after it had closed stands there as it came back, also after a start', async () => {
    const after: unknown[] = [];
    for (const restarts of [false, true]) {
      const { drive, made, id } = four();
      position += 1;
      const back = START + 2 * 3_600_000;
      const returned = { position, time: back, rebound: true, again: 'returned', severity: 'critical' };
      arrive(drive, eventOf('b', returned));
      expect(drive.groups.get(id)).toMatchObject({ status: 'closed' });
      split(drive, made.d, id, 'c', 'd');
      expect(drive.groups.get(id)).toMatchObject({ status: 'open', size: 2, last: back });
      if (restarts) await drive.restart(position);
      position += 1;
      arrive(drive, eventOf('e', { position, time: back + SECOND }), 'b');
      expect(members(drive)).toEqual([
        ['a', 'b', 'e'],
        ['c', 'd'],
      ]);
      after.push(drive.groups.get(id));
    }
    expect(after[1]).toEqual(after[0]);
  });
});

describe('a merge is taken back', () => {
  test('the group that was taken in is there again under its id, also after a start', async () => {
    for (const restarts of [false, true]) {
      position = 0;
      const drive = driveMerge();
      const a = arrive(drive, eventOf('a'));
      arrive(drive, eventOf('b'), 'a');
      const c = arrive(drive, eventOf('c', { time: START + 3_000_000 }));
      arrive(drive, eventOf('d', { time: START + 3_001_000 }), 'c');
      const [one, two] = [...drive.groups.keys()] as [string, string];
      expect(related(drive, a, 'c', true)).toMatchObject({ correlationId: one });
      expect(drive.groups.get(two)).toMatchObject({ status: 'merged', mergedInto: one });
      if (restarts) await drive.restart(position);
      position += 1;
      drive.batch([apartEntry(c, { position, from: one, eventIds: ['c', 'd'], restores: [two] })]);
      expect(drive.receipts.get(position)).toMatchObject({ outcome: 'changed', correlationId: two });
      expect(drive.groups.get(two)).toMatchObject({ status: 'open', mergedInto: null, size: 2, aliases: [] });
      expect(drive.groups.get(one)).toMatchObject({ status: 'open', size: 2, aliases: [] });
      expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
      arrive(drive, eventOf('e', { time: START + 3_002_000 }), 'd');
      expect(members(drive)).toEqual([
        ['a', 'b'],
        ['c', 'd', 'e'],
      ]);
    }
  });
});
