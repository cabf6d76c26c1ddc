import { describe, expect, test } from '@jest/globals';
import { groupIdOf } from '#domain/correlation/grouping/group-id.ts';
import { memberOf } from '#domain/correlation/grouping/group-memory.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Arrival } from '#domain/correlation/records.ts';
import { endedAt } from '#domain/correlation/status-transitions.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { merge } from '#processors/merge.ts';
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
  SETTINGS,
  TENANT,
} from '#test/setup/merge-kit.ts';

const MINUTE = 60_000;
const T = 10_000 * MINUTE;

type More = Partial<Arrival> & { readonly upstream?: readonly NearCi[] };
const arrive = (
  drive: MergeDrive,
  position: number,
  eventId: string,
  minutes: number,
  links: Readonly<Record<string, number>> = {},
  { upstream = [], ...rest }: More = {},
) => {
  const arrival = arrivalOf({ eventId, position, time: T + minutes * MINUTE, ...rest });
  const hits = Object.entries(links).map(([other, score]) => hitOf(other, score));
  drive.batch([
    factsEntry(enrichedOf(arrival, upstream)),
    hitsEntry(arrival, 'dependency', hits),
    ...allPassed(position),
  ]);
};
const turnOf = (eventId: string, position: number, kind: 'ended' | 'returned') =>
  ({ tenant: TENANT, position, value: { kind, eventId, at: T + position } }) as const;
const overOf = (eventId: string, position: number) => turnOf(eventId, position, 'ended');
const turn = (drive: MergeDrive, position: number, eventId: string, kind: 'ended' | 'returned') =>
  drive.batch([turnOf(eventId, position, kind)]);
const idOf = (eventId: string, minutes: number) => groupIdOf(T + minutes * MINUTE, eventId);
const returned = { rebound: true, again: 'returned' } as const;
const instead = (supersedes: string) => ({ rebound: true, again: 'supersedes', supersedes }) as const;
const correlationIds = ({ assigned }: MergeDrive) =>
  Object.fromEntries(assigned.map(({ eventId, correlationId }) => [eventId, correlationId]));

describe('severity that grows', () => {
  const fault = (more: More) => {
    const drive = driveMerge();
    arrive(drive, 1, 'db', 0, {}, { ciId: 'db1', severity: 'warning', ...more });
    arrive(drive, 2, 'app', 0.3, { db: 0.9 }, { ciId: 'app1', upstream: above('db1') });
    arrive(drive, 3, 'web', 0.5, { app: 0.9, db: 0.9 }, { ciId: 'web1', upstream: above('app1', 'db1') });
    return drive;
  };
  const candidateIn = (drive: MergeDrive) => drive.groups.get(idOf('db', 0))!.candidate!;

  test('of the same event moves the cause', () => {
    const drive = fault({});
    expect(candidateIn(drive).eventId).toBe('app');
    arrive(drive, 4, 'db', 0, {}, { ciId: 'db1', severity: 'critical', rebound: true, again: 'escalated' });
    expect(candidateIn(drive)).toMatchObject({ eventId: 'db', confidence: expect.closeTo(0.36, 2) });
  });

  test('in an event that takes the place of the other: its successor is the member that counts', async () => {
    const drive = fault({});
    arrive(drive, 4, 'db2', 0, {}, { ciId: 'db1', severity: 'critical', ...instead('db') });
    const group = drive.groups.get(idOf('db', 0))!;
    expect(group).toMatchObject({ size: 3, candidate: { eventId: 'db2' } });
    expect(group.candidate!.alternatives.map(({ eventId }) => eventId)).toEqual(['app', 'web']);
    expect(correlationIds(drive)).toMatchObject({ db: group.id, db2: group.id });
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
  });

  test('in an event whose time closes the group of the other, when all others of it are over: it begins anew', async () => {
    const drive = fault({});
    for (const eventId of ['db', 'app', 'web']) turn(drive, 3.5, eventId, 'ended');
    const closes = quietTimeMs(SETTINGS) / MINUTE;
    arrive(drive, 4, 'x', closes);
    arrive(drive, 5, 'db2', closes + 1, { x: 0.9 }, { ciId: 'db1', severity: 'critical', ...instead('db') });
    expect(drive.groups.get(idOf('db', 0))).toMatchObject({ status: 'closed', size: 3 });
    const anew = drive.groups.get(idOf('x', closes))!;
    expect(anew).toMatchObject({ status: 'open', size: 2 });
    expect(correlationIds(drive)).toMatchObject({ db2: anew.id, x: anew.id });
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
  });

  test('two groups that become one count a member once whose successor is in the other', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 0, { a: 0.9 });
    arrive(drive, 3, 'c', 1);
    arrive(drive, 4, 'd', 1, { c: 0.9 });
    arrive(drive, 5, 'a2', 0, { c: 0.9 }, instead('a'));
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ size: 4 });
  });

  test('the one in whose place it stands is no partner of it', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'a2', 0, { a: 0.95 }, instead('a'));
    expect(drive.decisions).toEqual([]);
  });
});

describe('an event that returns after a silence', () => {
  test('pairs with what is there now when its group has closed and all others of it are over', async () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    turn(drive, 2.5, 'b', 'ended');
    arrive(drive, 3, 'a', 200, {}, returned);
    expect(drive.groups.get(idOf('a', 0))!.status).toBe('closed');
    arrive(drive, 4, 'c', 201, { a: 0.9 });
    expect(correlationIds(drive)).toEqual({ a: idOf('a', 200), b: idOf('a', 0), c: idOf('a', 200) });
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
  });

  test('also when the process was started anew in between', () => {
    const live = driveMerge();
    arrive(live, 1, 'a', 0);
    arrive(live, 2, 'b', 1, { a: 0.9 });
    turn(live, 2.5, 'b', 'ended');
    arrive(live, 3, 'a', 200, {}, returned);
    live.state.recent.clear();
    arrive(live, 4, 'c', 201, { a: 0.9 });
    expect(correlationIds(live)).toMatchObject({ a: idOf('a', 200), c: idOf('a', 200) });
  });

  test('also when it was bound to a CI since', () => {
    const live = driveMerge();
    arrive(live, 1, 'a', 0);
    arrive(live, 2, 'b', 1, { a: 0.9 });
    turn(live, 2.5, 'b', 'ended');
    arrive(live, 3, 'a', 200, {}, returned);
    arrive(live, 4, 'a', 200, {}, { rebound: true, ciId: 'db1' });
    live.state.recent.clear();
    arrive(live, 5, 'c', 201, { a: 0.9 });
    expect(correlationIds(live)).toMatchObject({ a: idOf('a', 200), c: idOf('a', 200) });
  });

  test('also when a strategy says again, after a start, what was decided before it came back', async () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    turn(drive, 2.5, 'b', 'ended');
    arrive(drive, 3, 'a', 200, {}, returned);
    await drive.restart(3);
    const said = hitsEntry(arrivalOf({ eventId: 'b', position: 2 }), 'dependency', [hitOf('a', 0.9)]);
    // Nor is anything read as it was then: what else of the batch names the event would see it so.
    expect(merge.reads(drive.state, [said])).toMatchObject({ enriched: [], joined: [] });
    drive.batch([said]);
    arrive(drive, 4, 'c', 201, { a: 0.9 });
    expect(correlationIds(drive)).toMatchObject({ a: idOf('a', 200), c: idOf('a', 200) });
  });

  test('stays in a group that still grows, where it stood', async () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0, {}, { ciId: 'db1', severity: 'critical' });
    arrive(drive, 2, 'b', 1, { a: 0.9 }, { ciId: 'app1', upstream: above('db1') });
    arrive(drive, 3, 'c', 40, { b: 0.9 }, { ciId: 'web1', upstream: above('app1', 'db1') });
    arrive(drive, 4, 'a', 70, {}, { ciId: 'db1', severity: 'critical', ...returned });
    const group = drive.groups.get(idOf('a', 0))!;
    expect(group).toMatchObject({ status: 'open', size: 3, last: T + 70 * MINUTE, candidate: { eventId: 'a' } });
    expect(groupsIn(await drive.restored())).toEqual(groupsIn(drive.state));
  });

  const byHand = (position: number, eventId: string, minutes: number, other: string) =>
    factsEntry(enrichedOf(arrivalOf({ eventId, position, time: T + minutes * MINUTE })), {
      links: [linkTo(other, 1, 'manual')],
      manual: true,
    });
  const storm = [
    [1, 'a', 0, []],
    [2, 'b', 1, ['a']],
    [3, 'a', 200, []],
    [4, 'c', 201, ['a']],
    [5, 'd', 202, []],
  ] as const;
  const entriesOf = ([position, eventId, minutes, others]: (typeof storm)[number]) => {
    const again = position === 3 && returned;
    const arrival = arrivalOf({ eventId, position, time: T + minutes * MINUTE, ...again });
    const hits = others.map((other) => hitOf(other, 0.9));
    const told = [factsEntry(enrichedOf(arrival)), hitsEntry(arrival, 'dependency', hits), ...allPassed(position)];
    return position === 3 ? [overOf('b', 2.5), ...told] : told;
  };

  test.each([
    ['of which all is in memory', [5]],
    ['as it is stored', [1, 1, 1, 1, 1]],
    ['as it was stored before the batch', [1, 1, 1, 2]],
  ])('stays in its new group when a person opens the old one again, %s', (_, sizes) => {
    const drive = driveMerge();
    const told = storm.map(entriesOf);
    const link = byHand(6, 'd', 202, 'b');
    for (const [n, size] of sizes.entries())
      drive.batch([...told.splice(0, size).flat(), ...(n === sizes.length - 1 ? [link] : [])]);
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ status: 'open', size: 2 });
    expect(drive.groups.get(idOf('a', 200))).toMatchObject({ status: 'open', size: 2 });
    expect(groupsIn(drive.state)).toMatchObject([{ members: ['b', 'd'] }, { members: ['a', 'c'] }]);
  });

  test('is in no group that it has left, also when it has come back from its new one, too', () => {
    const drive = driveMerge();
    const back = arrivalOf({ eventId: 'a', position: 6, time: T + 400 * MINUTE, ...returned });
    const link = byHand(7, 'd', 400, 'b');
    drive.batch([...storm.flatMap(entriesOf), factsEntry(enrichedOf(back)), ...allPassed(6), link]);
    expect(groupsIn(drive.state)).toMatchObject([{ id: idOf('a', 0), members: ['b', 'd'] }]);
  });

  test.each(['in memory', 'as stored'])('is in its closed group when links of it are asked for later, %s', (where) => {
    const drive = driveMerge();
    for (const one of storm) drive.batch(entriesOf(one));
    arrive(drive, 6, 'e', 400);
    if (where === 'as stored') drive.state.recent.clear();
    const a = enrichedOf(arrivalOf({ eventId: 'a', position: 3, time: T + 200 * MINUTE, ...returned }));
    drive.batch([factsEntry(a, { position: 7, links: [linkTo('e', 0.9)] })]);
    expect(drive.receipts.get(7)).toMatchObject({ outcome: 'ignored' });
    expect(drive.groups.get(idOf('a', 200))).toMatchObject({ status: 'closed', size: 2 });
    expect(drive.groups.size).toBe(2);
  });

  test('its old group stays closed when a person links it with what is in another closed one', async () => {
    const drive = driveMerge();
    for (const one of storm.slice(0, 3)) drive.batch(entriesOf(one));
    arrive(drive, 4, 'x', 1);
    arrive(drive, 5, 'y', 1, { x: 0.9 });
    arrive(drive, 6, 'end', 201);
    await drive.restart(6);
    drive.batch([byHand(7, 'a', 200, 'x')]);
    expect(drive.groups.get(idOf('a', 0))).toMatchObject({ status: 'closed' });
    expect(drive.groups.get(idOf('x', 1))).toMatchObject({ status: 'open', size: 3 });
  });

  test('is not seen at its new time by what is decided before', () => {
    const drive = driveMerge([enrichedOf(arrivalOf({ eventId: 'a', position: 1, time: T }))]);
    const b = arrivalOf({ eventId: 'b', position: 2, time: T + MINUTE });
    const again = arrivalOf({ eventId: 'a', position: 3, time: T + 200 * MINUTE, ...returned });
    drive.batch([
      factsEntry(enrichedOf(b)),
      factsEntry(enrichedOf(again)),
      hitsEntry(b, 'dependency', [hitOf('a', 0.9)]),
      ...allPassed(3),
    ]);
    expect(drive.decisions[0]).toMatchObject({ position: 2, groupId: idOf('a', 0), joined: ['b', 'a'] });
  });
});

describe('a member of a closed group of which others are on', () => {
  const opened = { rebound: true, again: 'opened' } as const;
  /** `a` and `b` are on, `c` is over; their group closed long ago. */
  const incident = () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    arrive(drive, 3, 'c', 1, { a: 0.9 });
    turn(drive, 4, 'c', 'ended');
    arrive(drive, 5, 'z', 190);
    return drive;
  };
  const group = idOf('a', 0);
  const own = { a: group, b: group, c: group };

  const WAYS = ['in memory', 'forgotten', 'after a start'] as const;
  const away = async (drive: MergeDrive, way: (typeof WAYS)[number], settled: number) => {
    if (way === 'forgotten') drive.state.recent.clear();
    if (way === 'after a start') await drive.restart(settled);
  };

  test.each(WAYS)('stays in it when it returns, one after the other, %s', async (way) => {
    const drive = incident();
    let position = 6;
    for (let repeat = 1; repeat <= 3; repeat++)
      for (const [eventId, other] of [
        ['a', 'b'],
        ['b', 'a'],
      ] as const) {
        await away(drive, way, position - 1);
        arrive(drive, position++, eventId, 200 * repeat, repeat > 1 || other === 'a' ? { [other]: 0.9 } : {}, returned);
      }
    expect(correlationIds(drive)).toEqual(own);
    expect([...drive.groups.keys()]).toEqual([group]);
    expect(drive.groups.get(group)).toMatchObject({ status: 'closed', size: 3 });
  });

  test.each(WAYS)('joins nobody who arrives then, %s', async (way) => {
    const drive = incident();
    arrive(drive, 6, 'a', 200, {}, returned);
    await away(drive, way, 6);
    arrive(drive, 7, 'x', 201, { a: 0.9 });
    arrive(drive, 8, 'y', 202, { a: 0.95, x: 0.8 });
    expect(correlationIds(drive)).toEqual({ ...own, x: idOf('x', 201), y: idOf('x', 201) });
    expect(drive.decisions.find(({ eventId }) => eventId === 'x')?.refused).toMatchObject([{ guard: 'closed' }]);
  });

  test.each(WAYS)('keeps its place when another event takes it, and that stays, too, %s', async (way) => {
    const drive = incident();
    arrive(drive, 6, 'a2', 200, {}, instead('a'));
    turn(drive, 6, 'a', 'ended');
    await away(drive, way, 6);
    arrive(drive, 7, 'b2', 201, { a2: 0.9 }, instead('b'));
    turn(drive, 7, 'b', 'ended');
    await away(drive, way, 7);
    arrive(drive, 8, 'a3', 400, { b2: 0.9 }, instead('a2'));
    expect(correlationIds(drive)).toEqual(own);
    expect([...drive.groups.keys()]).toEqual([group]);
  });

  test('keeps the place that it took while it was suppressed, whether its return is known yet or not', () => {
    for (const isKnown of [false, true]) {
      const drive = incident();
      arrive(drive, 6, 'a2', 200, {}, { ...instead('a'), suppressed: true });
      turn(drive, 6, 'a', 'ended');
      if (isKnown) turn(drive, 9, 'a2', 'returned');
      arrive(drive, 7, 'x', 201);
      arrive(drive, 8, 'y', 202, { x: 0.9, a2: 0.9 });
      arrive(drive, 9, 'a2', 200, { y: 0.9 }, opened);
      expect(correlationIds(drive)).toEqual({ ...own, x: idOf('x', 201), y: idOf('x', 201) });
    }
  });

  test.each(WAYS)('is free when the others are over, %s', async (way) => {
    const drive = incident();
    turn(drive, 6, 'b', 'ended');
    arrive(drive, 7, 'a', 200, {}, returned);
    await away(drive, way, 7);
    arrive(drive, 8, 'x', 201, { a: 0.9 });
    expect(correlationIds(drive)).toMatchObject({ a: idOf('a', 200), x: idOf('a', 200), b: group });
  });

  test('holds again when it is open again', async () => {
    const drive = incident();
    turn(drive, 6, 'b', 'ended');
    turn(drive, 7, 'c', 'returned');
    arrive(drive, 7, 'c', 1, {}, opened);
    arrive(drive, 8, 'a', 200, {}, returned);
    arrive(drive, 9, 'x', 201, { a: 0.9 });
    expect(correlationIds(drive)).toEqual(own);
  });

  test('opens it again when a person adds somebody', () => {
    const drive = incident();
    arrive(drive, 6, 'a', 200, {}, returned);
    const links = [linkTo('a', 1, 'manual')];
    drive.batch([factsEntry(drive.enriched.get('z')!.at(-1)!, { position: 7, manual: true, links })]);
    expect(drive.groups.get(group)).toMatchObject({ status: 'open', size: 4 });
    expect(correlationIds(drive)).toEqual({ ...own, z: group });
  });

  test('a change that is a member holds nobody', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    const complaint = { kind: 'unknown', known: 'change' } as never;
    arrive(drive, 2, 'b', 1, { a: 0.9 }, { complaint });
    arrive(drive, 3, 'a', 200, {}, returned);
    arrive(drive, 4, 'x', 201, { a: 0.9 });
    expect(correlationIds(drive)).toMatchObject({ a: idOf('a', 200), x: idOf('a', 200) });
  });
});

describe('ends and returns', () => {
  const endOf = (drive: MergeDrive, eventId: string, position?: number) =>
    endedAt(memberOf(drive.state, TENANT, eventId)!.turns, position);

  test('are kept with the event as it stood at each position, told once or twice', () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    for (let told = 0; told < 2; told++) {
      turn(drive, 5, 'a', 'ended');
      turn(drive, 7, 'a', 'returned');
      turn(drive, 9, 'a', 'ended');
    }
    expect([4, 5, 6, 7, 8, 9, 10].map((position) => endOf(drive, 'a', position))).toEqual([
      null,
      T + 5,
      T + 5,
      null,
      null,
      T + 9,
      T + 9,
    ]);
    expect(memberOf(drive.state, TENANT, 'a')!.turns).toHaveLength(3);
  });

  test('are known after a start, of members and of those that are looked up', async () => {
    const drive = driveMerge();
    arrive(drive, 1, 'a', 0);
    arrive(drive, 2, 'b', 1, { a: 0.9 });
    turn(drive, 3, 'b', 'ended');
    const fresh = await drive.restored();
    expect(endedAt(memberOf(fresh, TENANT, 'b')!.turns)).toBe(T + 3);
    const ungrouped = driveMerge([enrichedOf(arrivalOf({ eventId: 'a', position: 1, time: T }))]);
    ungrouped.turns.set('a', [{ kind: 'ended', eventId: 'a', at: T + 3, position: 3 }]);
    arrive(ungrouped, 4, 'b', 1, { a: 0.9 });
    expect(endOf(ungrouped, 'a')).toBe(T + 3);
  });

  test('of an event of which nothing is remembered cost nothing', () => {
    const drive = driveMerge();
    for (let i = 0; i < 1_000; i++) turn(drive, i, `e${i}`, 'ended');
    expect([drive.state.recent.size, drive.state.tenants.size]).toEqual([0, 0]);
  });

  test('change no decision', () => {
    const outcome = (ends: boolean) => {
      const drive = driveMerge();
      arrive(drive, 1, 'a', 0);
      if (ends) turn(drive, 2, 'a', 'ended');
      arrive(drive, 3, 'b', 1, { a: 0.9 });
      return [drive.decisions, [...drive.groups.values()]];
    };
    expect(outcome(true)).toEqual(outcome(false));
  });
});

test('a late event that finds its CI holds up nobody', () => {
  const drive = driveMerge();
  arrive(drive, 1, 'a', 0);
  arrive(drive, 2, 'b', 200);
  const late = enrichedOf(arrivalOf({ eventId: 'a', position: 3, time: T, ciId: 'x', rebound: true }));
  drive.batch([factsEntry(late, { late: true })]);
  const links = [linkTo('a', 1, 'manual')];
  drive.batch([factsEntry(drive.enriched.get('b')!.at(-1)!, { position: 4, manual: true, links })]);
  expect(drive.receipts.get(4)).toMatchObject({ ok: true, outcome: 'changed' });
});
