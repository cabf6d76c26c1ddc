import { describe, expect, test } from '@jest/globals';
import type { Profile } from '#domain/correlation/settings.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { driveMerge, type MergeDrive } from '#test/setup/drive-merge.ts';
import {
  above,
  allPassed,
  arrivalOf,
  enrichedOf,
  factsEntry,
  groupsIn,
  hitOf,
  hitsEntry,
  SETTINGS,
} from '#test/setup/merge-kit.ts';

/* Two faults at one time stay two groups, although some CIs suffer from both. */

const T = 600_000_000;

interface Given {
  readonly profile?: Profile;
  readonly quiet?: boolean;
}

interface Coming {
  readonly eventId: string;
  readonly known?: KnownPattern;
  readonly ciId: string | null;
  readonly upstream?: readonly NearCi[];
  readonly partners?: readonly string[];
}

const arrive = (
  drive: MergeDrive,
  position: number,
  coming: Coming,
  { profile = 'calibrated', quiet = false }: Given,
) => {
  const { eventId, ciId, upstream = [], partners = [], known = null } = coming;
  const complaint = { kind: 'unknown', known } as const;
  const time = T + position * 1_000;
  const arrival = arrivalOf({ eventId, ciId, position, time, complaint, template: known ?? 'slow', commonness: 0 });
  const facts = factsEntry(enrichedOf(arrival, upstream, { ...SETTINGS, profile }));
  const hits = partners.map((other, i) => hitOf(other, 0.99 - i / 1_000));
  const entry = { ...facts, value: { ...facts.value, quiet } as typeof facts.value };
  drive.batch([entry, hitsEntry(arrival, 'dependency', hits), ...allPassed(position)]);
};

const SITE: readonly NearCi[] = above('site');

/** A power feed with two servers on it, and a name server with two clients; then what links them. `upper`: above the name server. */
const play = (last: Partial<Coming>, given: Given = {}, upper = SITE): MergeDrive => {
  const drive = driveMerge();
  const comings: Coming[] = [
    { eventId: 'feed', ciId: 'feed', upstream: above('site') },
    { eventId: 's1', ciId: 'server-1', upstream: above('feed', 'site'), partners: ['feed'] },
    { eventId: 's2', ciId: 'server-2', upstream: above('feed', 'site'), partners: ['feed'] },
    { eventId: 'names', ciId: 'names', upstream: upper },
    { eventId: 'c1', ciId: 'client-1', upstream: above('names'), partners: ['names'] },
    { eventId: 'c2', ciId: 'client-2', upstream: above('names'), partners: ['names'] },
    { eventId: 'both', ciId: 'client-3', upstream: above('names', 'server-1'), partners: ['c1', 's1'], ...last },
  ];
  for (const [i, coming] of comings.entries()) arrive(drive, i + 1, coming, given);
  return drive;
};

const sizes = (drive: MergeDrive) => groupsIn(drive.state).map((group) => (group as { size: number }).size);
const guards = ({ decisions }: MergeDrive) => decisions.at(-1)!.refused.map(({ guard }) => guard);

describe('two groups with a cause each', () => {
  test('stay two when a CI that both befall links them, and it joins where its best link leads', () => {
    const drive = play({});
    expect(sizes(drive).sort()).toEqual([3, 4]);
    expect(guards(drive)).toEqual(['causes']);
  });

  test.each<[string, Partial<Coming>, Given, readonly NearCi[]]>([
    ['in a quiet tenant', {}, { quiet: true }, SITE],
    ['under `specified`', {}, { profile: 'specified' }, SITE],
    ['by an event that is above both', { ciId: 'site' }, {}, SITE],
    ['when one cause is above the other', {}, {}, above('rack', 'feed')],
  ])('become one %s', (_, last, given, upper) => {
    const drive = play(last, given, upper);
    expect(sizes(drive)).toEqual([7]);
    expect(guards(drive)).toEqual([]);
  });

  test('become one when one of them explains nothing', () => {
    const drive = driveMerge();
    arrive(drive, 1, { eventId: 'feed', ciId: 'feed' }, {});
    arrive(drive, 2, { eventId: 's1', ciId: 'server-1', upstream: above('feed'), partners: ['feed'] }, {});
    arrive(drive, 3, { eventId: 'x', ciId: 'x' }, {});
    arrive(drive, 4, { eventId: 'y', ciId: 'y', partners: ['x'] }, {});
    arrive(drive, 5, { eventId: 'both', ciId: 'z', partners: ['y', 's1'] }, {});
    expect(sizes(drive)).toEqual([5]);
  });

  test('stay two after a start, too', async () => {
    const drive = play({});
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
    await drive.restart(7);
    arrive(drive, 8, { eventId: 'again', ciId: 'client-4', upstream: above('names'), partners: ['c2', 's2'] }, {});
    expect(guards(drive)).toEqual(['causes']);
  });
});

/** A feed with servers, and a name server with clients in the same group, since its first client had failed at the same time. */
const playJoined = (
  clients: number,
  upper: readonly NearCi[],
  { known = 'dns', ...given }: Given & { known?: KnownPattern | null } = {},
) => {
  const drive = driveMerge();
  const servers = Array.from({ length: 6 }, (_, i) => ({
    eventId: `s${i}`,
    ciId: `server-${i}`,
    upstream: above('feed', 'site'),
    partners: ['feed'],
  }));
  const comings: Coming[] = [
    { eventId: 'feed', ciId: 'feed', known: 'power', upstream: above('site') },
    ...servers,
    { eventId: 'name', ciId: 'names', upstream: upper, partners: ['s1'], ...(known && { known }) },
    ...Array.from({ length: clients }, (_, i) => ({
      eventId: `c${i}`,
      ciId: `client-${i}`,
      upstream: above('names'),
      partners: ['name', 's1'],
    })),
  ];
  for (const [i, coming] of comings.entries()) arrive(drive, i + 1, coming, given);
  return drive;
};
const membersOf = (drive: MergeDrive) => groupsIn(drive.state).map((group) => (group as { members: string[] }).members);

describe('a group with two causes', () => {
  test('becomes two when each explains five CIs of its own, and its events move', () => {
    const before = playJoined(5, SITE.slice(1));
    expect(membersOf(before)).toEqual([expect.arrayContaining(['feed', 's5', 'name', 'c4'])]);
    const drive = playJoined(6, SITE.slice(1));
    const theirs = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'name'];
    expect(membersOf(drive)).toEqual([expect.arrayContaining(['feed', 's5']), theirs]);
    expect(drive.groups.size).toBe(2);
    const { apart, joined, groupId } = drive.decisions.at(-1)!;
    expect(joined.toSorted()).toEqual(theirs);
    expect(apart).toMatchObject({ left: expect.arrayContaining(theirs), stayed: expect.arrayContaining(['feed']) });
    expect(
      drive.assigned
        .filter(({ correlationId }) => correlationId === groupId)
        .map(({ eventId }) => eventId)
        .sort(),
    ).toEqual(theirs);
    expect(drive.changes.map(({ kind }) => kind)).toContain('split');
  });

  test.each<[string, readonly NearCi[], Given & { known?: KnownPattern | null }]>([
    ['in a quiet tenant', [], { quiet: true }],
    ['under `specified`', [], { profile: 'specified' }],
    ['if both directly depend on one CI', SITE, {}],
    ['if one is downstream of the other', above('feed'), {}],
    ['if one is no known cause', [], { known: null }],
    ['if both report the same problem within a minute', [], { known: 'power' }],
  ])('stays one %s', (name, upper, given) => {
    void name;
    expect(membersOf(playJoined(7, upper, given))).toHaveLength(1);
  });

  test('is two after a start, too, and both stay apart', async () => {
    const drive = playJoined(6, []);
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
    await drive.restart(14);
    arrive(drive, 15, { eventId: 'more', ciId: 'x', upstream: above('names'), partners: ['c2', 's2'] }, {});
    expect(guards(drive)).toEqual(['apart']);
    expect(
      membersOf(drive)
        .map(({ length }) => length)
        .sort(),
    ).toEqual([7, 8]);
  });
});
