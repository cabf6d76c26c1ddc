import { describe, expect, test } from '@jest/globals';
import type { Profile } from '#domain/correlation/settings.ts';
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
  const { eventId, ciId, upstream = [], partners = [] } = coming;
  const arrival = arrivalOf({ eventId, ciId, position, time: T + position * 1_000 });
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
