import { describe, expect, test } from '@jest/globals';
import { groupIdOf } from '#domain/correlation/grouping/group-id.ts';
import type { Arrival } from '#domain/correlation/records.ts';
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
  linkTo,
  passedEntry,
  SETTINGS,
  TENANT,
} from '#test/setup/merge-kit.ts';

import { merge } from './merge.ts';

const MINUTE = 60_000;
const T = 10_000 * MINUTE;

/** An arrival `minutes` after T with its links by one strategy, decided at once. */
const arrive = (
  drive: MergeDrive,
  position: number,
  eventId: string,
  minutes: number,
  links: Readonly<Record<string, number>> = {},
  more: Partial<Arrival> & { upstream?: NearCi[]; strategy?: 'temporal' } = {},
) => {
  const { upstream = [], strategy = 'dependency', ...rest } = more;
  const arrival = arrivalOf({ eventId, position, time: T + minutes * MINUTE, ...rest });
  const hits = Object.entries(links).map(([other, score]) => hitOf(other, score));
  drive.batch([factsEntry(enrichedOf(arrival, upstream)), hitsEntry(arrival, strategy, hits), ...allPassed(position)]);
};

const idOf = (eventId: string, minutes: number) => groupIdOf(T + minutes * MINUTE, eventId);
const guards = (drive: MergeDrive) => drive.decisions.at(-1)!.refused.map(({ other, guard }) => [other, guard]);

describe('joining', () => {
  test('strictly above 0.7 makes a group, and both events are told once', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.7000001 });
    const id = idOf('a', 0);
    expect(drive.decisions).toMatchObject([
      {
        position: 2,
        eventId: 'b',
        groupId: id,
        founded: { eventId: 'a', time: T },
        joined: ['b', 'a'],
        merged: [],
        closed: [],
        refused: [],
        manual: false,
      },
    ]);
    expect(drive.assigned).toEqual([
      { eventId: 'b', correlationId: id, position: 2 },
      { eventId: 'a', correlationId: id, position: 2 },
    ]);
    expect(drive.groups.get(id)).toMatchObject({
      status: 'open',
      size: 2,
      first: T,
      last: T + MINUTE,
      createdPosition: 2,
    });
    expect(drive.changes.map(({ kind, events }) => [kind, events])).toEqual([['created', ['b', 'a']]]);
  });

  test('0.7 does not, and leaves no row', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.7 });
    expect([drive.decisions, drive.assigned, drive.changes]).toEqual([[], [], []]);
  });

  test('the maximum over strategies decides, all reasons are kept', () => {
    const drive = driveMerge();
    const b = arrivalOf({ eventId: 'b', position: 2, time: T });
    arrive(drive, 1, 'a', 0);
    drive.batch([
      factsEntry(enrichedOf(b)),
      hitsEntry(b, 'service', [hitOf('a', 0.8)]),
      hitsEntry(b, 'temporal', [hitOf('a', 0.6)], 7),
      ...allPassed(2),
    ]);
    const [decision] = drive.decisions;
    expect(decision!.accepted).toMatchObject([
      { other: 'a', score: 0.8, reasons: [{ strategy: 'service' }, { strategy: 'temporal' }] },
    ]);
    expect(decision!.cut).toEqual({ temporal: 7 });
  });

  test('an arrival waits until all five strategies have passed it', () => {
    const drive = driveMerge();
    const b = arrivalOf({ eventId: 'b', position: 2, time: T });
    arrive(drive, 1, 'a', 0);
    drive.batch([factsEntry(enrichedOf(b)), hitsEntry(b, 'service', [hitOf('a', 0.8)])]);
    for (const name of ['dependency', 'temporal', 'topology', 'pattern'] as const) drive.batch([passedEntry(name, 9)]);
    drive.batch([passedEntry('service', 1)]);
    expect(drive.decisions).toHaveLength(0);
    drive.batch([passedEntry('service', 2)]);
    expect(drive.decisions).toHaveLength(1);
  });

  test('a third event joins, and what a batch did to a group is told once', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    const [c, d] = [3, 4].map((position) => arrivalOf({ eventId: `e${position}`, position, time: T + 2 * MINUTE }));
    drive.batch([
      ...[c!, d!].flatMap((arrival) => [
        factsEntry(enrichedOf(arrival)),
        hitsEntry(arrival, 'service', [hitOf('a', 0.8)]),
      ]),
      ...allPassed(4),
    ]);
    expect(drive.changes.map(({ kind, events }) => [kind, events])).toEqual([
      ['created', ['b', 'a']],
      ['joined', ['e3', 'e4']],
    ]);
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ size: 4, position: 4 });
  });

  test('the founding event is the earliest, ties by id, and stays when an earlier one joins', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'b', 1);
    arrive(drive, 2, 'a', 1, { b: 0.9 });
    arrive(drive, 3, 'late', 0, { b: 0.9 });
    expect(drive.decisions.map(({ groupId }) => groupId)).toEqual([idOf('a', 1), idOf('a', 1)]);
    expect(drive.groups.get(idOf('a', 1))).toMatchObject({ foundedBy: 'a', foundedAt: T + MINUTE, first: T });
  });

  test('a link to an event of which nothing is stored is left out and counted', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0, { ghost: 0.9 });
    expect(drive.decisions).toEqual([]);
    expect(merge.sizes?.(drive.state, 0)).toMatchObject({ dropped_links: 1 });
  });

  test('a partner that memory has forgotten comes from the store', () => {
    const drive = driveMerge([enrichedOf(arrivalOf({ eventId: 'old', position: 1, time: T, ciId: 'db' }))]);
    arrive(drive, 2, 'b', 1, { old: 0.9 });
    expect(drive.groups.get(idOf('old', 0))).toMatchObject({ size: 2 });
  });
});

describe('groups that meet', () => {
  const twoGroups = () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 5);
    arrive(drive, 2, 'b', 6, { a: 0.9 });
    arrive(drive, 3, 'c', 0);
    arrive(drive, 4, 'd', 1, { c: 0.9 });
    return drive;
  };

  test('the group that was made first keeps its id, the other becomes an alias', () => {
    const drive = twoGroups();
    arrive(drive, 5, 'e', 7, { d: 0.9, a: 0.8 });
    const [older, younger] = [idOf('a', 5), idOf('c', 0)];
    expect(drive.decisions.at(-1)).toMatchObject({ groupId: older, merged: [younger], joined: ['e'] });
    expect(drive.groups.get(older)).toMatchObject({ aliases: [younger], size: 5, first: T });
    expect(drive.groups.get(younger)).toMatchObject({ status: 'merged', mergedInto: older });
    expect(drive.assigned.at(-1)).toEqual({ eventId: 'e', correlationId: older, position: 5 });
    expect(drive.changes.slice(2).map(({ kind, group, events }) => [kind, group.id, events])).toEqual([
      ['joined', older, ['e']],
      ['merged', older, ['d', 'c']],
      ['root-cause', older, ['c']],
    ]);
  });

  test('aliases of an alias are aliases too', () => {
    const drive = twoGroups();
    arrive(drive, 5, 'x', 3);
    arrive(drive, 6, 'y', 4, { x: 0.9 });
    arrive(drive, 7, 'e', 7, { d: 0.9, x: 0.8 });
    arrive(drive, 8, 'f', 8, { y: 0.9, b: 0.8 });
    const ids = [idOf('a', 5), idOf('c', 0), idOf('x', 3)];
    expect(drive.groups.get(ids[0]!)).toMatchObject({ aliases: ids.slice(1).sort(), size: 8 });
    expect(groupsIn(drive.state)).toHaveLength(1);
  });

  test('refused by a guard both stay, and the guard is named', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    for (const [i, minutes] of [55, 110, 165, 200].entries()) arrive(drive, 3 + i, `a${minutes}`, minutes, { a: 0.9 });
    arrive(drive, 7, 'c', 180);
    arrive(drive, 8, 'd', 235, { c: 0.9 });
    arrive(drive, 9, 'e', 240.001, { d: 0.9, a200: 0.8 });
    expect(guards(drive)).toEqual([['a200', 'span']]);
    expect(drive.decisions.at(-1)).toMatchObject({ groupId: idOf('c', 180), merged: [] });
    expect([...drive.groups.values()].map(({ status, size }) => [status, size])).toEqual([
      ['open', 6],
      ['open', 3],
    ]);
  });

  test('a group of 600 and one of 401 stay apart', () => {
    const drive = driveMerge();
    let position = 0;
    const fill = (name: string, count: number) => {
      for (let i = 0; i < count; i++) arrive(drive, ++position, `${name}${i}`, 0, i > 0 ? { [`${name}0`]: 0.9 } : {});
    };
    fill('a', 600);
    fill('b', 400);
    arrive(drive, ++position, 'last', 1, { b0: 0.95, a0: 0.9 });
    expect(guards(drive)).toEqual([['a0', 'size']]);
    expect([...drive.groups.values()].map(({ size }) => size)).toEqual([600, 401]);
  });
});

describe('guards', () => {
  test('a suppressed event does not open a group, but joins the one that another link opens', () => {
    const drive = driveMerge();
    arrive(drive, 1, 's', 0, {}, { suppressed: true });
    arrive(drive, 2, 'a', 0, { s: 0.95 });
    expect(guards(drive)).toEqual([['s', 'suppressed']]);
    arrive(drive, 3, 'b', 1, { s: 0.95, a: 0.9 });
    expect(drive.decisions.at(-1)).toMatchObject({ joined: ['b', 'a', 's'], refused: [] });
  });

  test('beyond the links kept a group is named once for its members, and an event in no group by itself', () => {
    const drive = driveMerge();
    const group: Record<string, number> = {};
    const settings = { ...SETTINGS, guards: { ...SETTINGS.guards, maxSize: 12 } };
    for (let i = 1; i <= 12; i++) {
      arrive(drive, i, `g${i}`, 0, group);
      group[`g${i}`] = 0.99 - i / 1_000;
    }
    arrive(drive, 13, 's', 0, {}, { suppressed: true });
    const last = arrivalOf({ eventId: 'last', position: 14, time: T, suppressed: true });
    const hits = [...Object.entries(group), ['s', 0.8] as const].map(([other, score]) => hitOf(other, score));
    drive.batch([factsEntry(enrichedOf(last, [], settings)), hitsEntry(last, 'dependency', hits), ...allPassed(14)]);
    expect(guards(drive)).toEqual(Array.from({ length: 8 }, (_, i) => [`g${i + 1}`, 'size']));
    expect(drive.decisions.at(-1)!.refusedBeyond).toEqual({ size: [idOf('g1', 0)], suppressed: ['s'] });
    expect(drive.decisions[0]).not.toHaveProperty('refusedBeyond');
  });

  test('time alone reaches 0.178 of the window from the first event', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 }, { strategy: 'temporal' });
    arrive(drive, 3, 'c', 1.78, { b: 0.9 }, { strategy: 'temporal' });
    expect(drive.decisions.at(-1)!.joined).toEqual(['c']);
    arrive(drive, 4, 'd', 1.79, { c: 0.9 }, { strategy: 'temporal' });
    expect(guards(drive)).toEqual([['c', 'temporal_reach']]);
  });

  test('a group closes an hour after its last member, by the next arrival, and takes nobody any more', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    arrive(drive, 3, 'other', 61);
    expect(drive.groups.get(idOf('a', 0))!.status).toBe('open');
    arrive(drive, 4, 'next', 61.001);
    expect(drive.decisions.at(-1)).toMatchObject({
      eventId: 'next',
      groupId: null,
      closed: [idOf('a', 0)],
      accepted: [],
    });
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ status: 'closed', position: 4 });
    expect(drive.changes.at(-1)).toMatchObject({ kind: 'closed', events: [] });
    expect(drive.state.tenants.size).toBe(0);
    arrive(drive, 5, 'late', 2, { b: 0.9 });
    expect(guards(drive)).toEqual([['b', 'closed']]);
    expect(drive.decisions.at(-1)!.groupId).toBeNull();
  });
});

describe('links found on demand or set by hand', () => {
  const ask = (drive: MergeDrive, position: number, eventId: string, others: Record<string, number>, manual: boolean) =>
    drive.batch([
      factsEntry(drive.enriched.get(eventId)!.at(-1)!, {
        position,
        manual,
        links: Object.entries(others).map(([other, score]) => linkTo(other, score, manual ? 'manual' : 'dependency')),
      }),
    ]);

  test('wait for no strategy and are answered', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1);
    ask(drive, 3, 'b', { a: 0.8 }, false);
    expect(drive.receipts.get(3)).toEqual({
      ok: true,
      outcome: 'changed',
      id: 'b',
      count: 1,
      correlationId: idOf('a', 0),
    });
    ask(drive, 4, 'b', { a: 0.8 }, false);
    expect(drive.receipts.get(4)).toMatchObject({ outcome: 'ignored', count: 1, correlationId: idOf('a', 0) });
    expect(drive.assigned).toHaveLength(2);
  });

  test('wait for the arrivals before them', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    drive.batch([factsEntry(enrichedOf(arrivalOf({ eventId: 'b', position: 2, time: T })))]);
    ask(drive, 3, 'b', { a: 0.8 }, false);
    expect(drive.receipts.size).toBe(0);
    drive.batch(allPassed(2));
    expect(drive.receipts.get(3)).toMatchObject({ outcome: 'changed' });
  });

  test('found on demand: threshold and guards apply', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 300);
    ask(drive, 3, 'b', { a: 0.7 }, false);
    expect(drive.receipts.get(3)).toMatchObject({ outcome: 'ignored', count: 0, correlationId: null });
    ask(drive, 4, 'b', { a: 0.9 }, false);
    expect(guards(drive)).toEqual([['a', 'span']]);
  });

  test('set by hand: neither does', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 300, {}, { suppressed: true });
    ask(drive, 3, 'b', { a: 0.1 }, true);
    expect(drive.decisions.at(-1)).toMatchObject({ manual: true, joined: ['b', 'a'], closed: [] });
  });

  test('set by hand with an unknown event: nothing is written', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 0);
    ask(drive, 3, 'b', { a: 1, ghost: 1 }, true);
    expect(drive.receipts.get(3)).toMatchObject({ ok: false, fault: 'not-found', data: { eventIds: ['ghost'] } });
    expect(drive.decisions).toEqual([]);
  });

  const closedGroup = () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0, {}, { ciId: 'app', upstream: above('db') });
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    arrive(drive, 3, 'later', 100);
    return drive;
  };

  test('set by hand a closed group is opened again under its id, with all its members', () => {
    const drive = closedGroup();
    arrive(drive, 4, 'cause', 101, {}, { ciId: 'db', severity: 'critical' });
    arrive(drive, 5, 'much-later', 400);
    expect(drive.state.recent.has('a')).toBe(false);
    ask(drive, 6, 'cause', { a: 1 }, true);
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ status: 'open', size: 3, createdPosition: 2, position: 6 });
    expect(drive.assigned.slice(2)).toEqual([{ eventId: 'cause', correlationId: idOf('a', 0), position: 6 }]);
    arrive(drive, 7, 'end', 401);
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ status: 'closed', size: 3 });
  });

  test('so is one that the same batch has closed', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    const later = enrichedOf(arrivalOf({ eventId: 'later', position: 3, time: T + 100 * MINUTE }));
    drive.batch([
      factsEntry(later),
      ...allPassed(3),
      factsEntry(later, { position: 4, links: [linkTo('a', 1, 'manual')], manual: true }),
    ]);
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ status: 'open', size: 3 });
    expect(drive.changes.map(({ kind }) => kind)).toEqual(['created', 'joined']);
  });

  test('found on demand a closed group that memory has forgotten stays closed', () => {
    const drive = closedGroup();
    arrive(drive, 4, 'much-later', 400);
    ask(drive, 5, 'much-later', { a: 0.9 }, false);
    expect(guards(drive)).toEqual([['a', 'closed']]);
  });
});

describe('the candidate', () => {
  test('is chosen anew when a member is bound to a CI later', async () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0, {}, { ciId: 'app', upstream: above('db') });
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    const id = idOf('a', 0);
    expect(drive.groups.get(id)!.candidate!.eventId).toBe('a');
    arrive(drive, 3, 'b', 1, {}, { ciId: 'db', rebound: true });
    expect(drive.groups.get(id)!.candidate).toMatchObject({ eventId: 'b', explains: [{ ciId: 'app', hops: 1 }] });
    expect(drive.changes.at(-1)).toMatchObject({ kind: 'root-cause', events: ['b'] });
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
  });
});

test('a restored merge starts without a member of which nothing is stored', async () => {
  const drive = driveMerge();
  arrive(drive, 1, 'a', 0);
  arrive(drive, 2, 'b', 1, { a: 0.9 });
  drive.enriched.delete('a');
  expect(groupsIn(await drive.restored())).toMatchObject([{ id: idOf('a', 0), members: ['b'] }]);
});

test('a record that comes again changes nothing', () => {
  const drive = driveMerge();
  const b = arrivalOf({ eventId: 'b', position: 2, time: T });
  const records = [factsEntry(enrichedOf(b)), hitsEntry(b, 'service', [hitOf('a', 0.8)]), ...allPassed(2)];
  arrive(drive, 1, 'a', 0);
  drive.batch(records);
  const before = groupsIn(drive.state);
  drive.batch(records);
  expect(drive.decisions).toHaveLength(1);
  expect(drive.assigned).toHaveLength(2);
  expect(groupsIn(drive.state)).toEqual(before);
});

test('tenants do not see each other', () => {
  const drive = driveMerge();
  arrive(drive, 1, 'a', 0, {}, { tenant: 'other' });
  drive.enriched.delete('a');
  arrive(drive, 2, 'b', 0, { a: 0.99 });
  expect(drive.decisions).toEqual([]);
});

test('what one tenant names of another hides nothing from that one', () => {
  const drive = driveMerge();
  const [mine, theirs] = ['other', TENANT].map((tenant, n) => arrivalOf({ eventId: `b${n}`, tenant, position: 2 + n }));
  const links = [linkTo('a', 0.9)];
  const named = [factsEntry(enrichedOf(mine!), { links }), hitsEntry(theirs!, 'service', [hitOf('a', 0.9)])];
  expect(merge.reads(drive.state, named).enriched).toEqual([
    { tenant: 'other', id: 'b0', through: 1 },
    { tenant: 'other', id: 'a', through: 2 },
    { tenant: TENANT, id: 'a', through: 3 },
  ]);
});

test('the threshold is the tenant’s', () => {
  const drive = driveMerge();
  arrive(drive, 1, 'a', 0);
  const b = arrivalOf({ eventId: 'b', position: 2, time: T });
  drive.batch([
    factsEntry(enrichedOf(b, [], { ...SETTINGS, threshold: 0.6 })),
    hitsEntry(b, 'service', [hitOf('a', 0.65)]),
    ...allPassed(2),
  ]);
  expect(drive.decisions).toHaveLength(1);
});

test('hits that have lost their facts let go of the members that they kept in memory', () => {
  const drive = driveMerge();
  const first = arrivalOf({ eventId: 'a', position: 1 });
  drive.batch([factsEntry(enrichedOf(first)), ...allPassed(1)]);
  const lost = arrivalOf({ eventId: 'b', position: 2 });
  drive.batch([hitsEntry(lost, 'temporal', [hitOf('a', 0.9)]), ...allPassed(2)]);
  expect(drive.state.recent.get('a')?.pins).toBe(0);
});
