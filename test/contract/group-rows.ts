import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  GROUP_CARE,
  GROUP_HITS,
  type GroupAssignment,
  type GroupState,
} from '#domain/correlation/grouping/group-state.ts';
import { MIN_ON } from '#domain/correlation/grouping/urgency.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { EventStore } from '#domain/ports/events/event-store.ts';
import { GROUP_ROW_SORTS, type GroupRowFilter, type GroupRows } from '#domain/ports/events/group-rows.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { standingOfMembers } from '#test/setup/standing.ts';
import type { Opened } from './opened.ts';
import { MINUTE, NOON, sampleEvent, sampleGroup, ulidOf } from './samples.ts';

interface Stores {
  readonly groupRows: GroupRows;
  readonly correlation: CorrelationStore;
  readonly events: EventStore;
  readonly records: RecordStore;
}

const idOf = (number: number): string => sampleGroup(number).id;
const inGroup = (number: number, group: number, changes: Partial<Event> = {}): Event =>
  sampleEvent(number, { correlationId: idOf(group), ...changes });

/** Group 1: open, its worst member is over. 2: acknowledged. 3: resolved, closed. 4: open minor. */
const GROUPS = [1, 2, 3, 4].map((n) => sampleGroup(n, { status: n === 3 ? 'closed' : 'open' }));
const kim = { id: 'u1', username: 'kim', name: 'Kim' };
const MEMBERS: readonly Event[] = [
  inGroup(11, 1, { severity: 'critical', status: 'resolved', hostname: 'web-1', service: 'shop' }),
  inGroup(12, 1, { severity: 'major', hostname: 'Web-1', ci: { id: 'ci-1', name: 'web 1', type: 'server' } }),
  inGroup(13, 1, { severity: 'info', status: 'suppressed', source: 'nagios' }),
  inGroup(14, 1, { severity: 'critical', status: 'resolved', supersededBy: ulidOf(12) }),
  inGroup(21, 2, { severity: 'warning', status: 'acknowledged', hostname: 'db-1', acknowledgedBy: kim }),
  inGroup(22, 2, { severity: 'critical', status: 'resolved', service: 'Shop' }),
  inGroup(31, 3, { status: 'resolved' }),
  inGroup(41, 4, { severity: 'minor', title: 'Link down: uplink of fra1-sw-01' }),
];

const counts = (open: number, acknowledged: number, suppressed: number, resolved: number): GroupState['counts'] => ({
  open,
  acknowledged,
  suppressed,
  resolved,
});

const FILTERS: readonly (readonly [string, GroupRowFilter, readonly number[]])[] = [
  ['nothing', {}, [1, 4, 2, 3]],
  ['active', { statuses: ['active'] }, [1, 4]],
  ['acknowledged or resolved', { statuses: ['acknowledged', 'resolved'] }, [2, 3]],
  ['growing', { growing: true }, [1, 4, 2]],
  ['growing, by the clock', { growing: true, quietBefore: NOON + 7 * MINUTE }, [4, 2]],
  ['not growing', { growing: false, quietBefore: NOON + 7 * MINUTE }, [1, 3]],
  ['a member that is on', { hasOpen: true }, [1, 4, 2]],
  ['no member that is on', { hasOpen: false }, [3]],
  ['severity: worst that is on, else worst', { severities: ['major', 'minor'] }, [1, 4, 3]],
  ['severity of what is acknowledged, not of what is over', { severities: ['warning'] }, [2]],
  ['severity of what is over', { severities: ['critical'] }, []],
  ['service in any case', { service: 'SHOP' }, [1, 2]],
  ['source', { source: 'nagios' }, [1]],
  ['host in any case', { host: 'WEB-1' }, [1]],
  ['CI', { ci: 'ci-1' }, [1]],
  ['CI that is in none', { ci: 'CI-1' }, []],
  ['from', { from: NOON + 8 * MINUTE }, [4, 3]],
  ['to', { to: NOON + 2 * MINUTE }, [1, 2]],
  ['words of one member', { search: 'uplink link' }, [4]],
  ['words of two members', { search: 'host-11 host-12' }, []],
  ['nothing searchable', { search: '"* (' }, []],
  ['ids', { ids: [idOf(4), idOf(2), 'COR-none'] }, [4, 2]],
  ['all at once', { statuses: ['active'], growing: true, service: 'shop', search: 'disk' }, [1]],
];

const shown = (groups: readonly { readonly group: Group }[]): number[] =>
  groups.map(({ group }) => group.createdPosition);

const page = { sort: 'urgency', order: 'desc', limit: 50 } as const;
const saveIn = async (stores: Stores, groups: readonly Group[], events: readonly Event[]): Promise<void> => {
  await stores.correlation.save({ groups });
  await stores.events.save(events);
  await stores.groupRows.refresh('acme', [...new Set(groups.map(({ id }) => id))]);
};

/** Searches among constant groups. */
function findsContract(name: string, open: () => Promise<Opened<Stores>>) {
  describe(`${name} finds rows of groups`, () => {
    let rows: GroupRows;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const { store, ...opened } = await open();
      rows = store.groupRows;
      close = opened.close;
      await saveIn(store, GROUPS, MEMBERS);
    });
    afterAll(() => close());

    test.each(FILTERS)('lists are filtered by %s', async (_name, filter, expected) => {
      const found = await rows.find('acme', filter, page);
      expect(shown(found.items)).toEqual(expected);
      expect(found).toMatchObject({ total: expected.length, nextCursor: null });
    });
  });
}

export function groupRowsContract(name: string, open: () => Promise<Opened<Stores>>) {
  findsContract(name, open);
  describe(`${name} keeps the GroupRows contract`, () => {
    let stores: Stores;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const { store, ...opened } = await open();
      stores = store;
      close = opened.close;
    });
    afterEach(() => close());

    const save = (...given: [readonly Group[], readonly Event[]]): Promise<void> => saveIn(stores, ...given);
    const rowOf = async (number: number) => (await stores.groupRows.get('acme', idOf(number)))!;

    test('groups are counted by status and age, resolved ones when they are of the last day', async () => {
      const HOUR = 60 * MINUTE;
      const now = NOON + 30 * 24 * HOUR;
      const aged = (n: number, age: number, quiet = 0): Group =>
        sampleGroup(n, { first: now - age, last: now - quiet, status: 'open', aliases: n === 1 ? [idOf(9)] : [] });
      const merged = { ...aged(9, 0), status: 'merged', mergedInto: idOf(1) } as const;
      const groups = [
        aged(1, HOUR - 1),
        aged(2, HOUR),
        aged(3, 4 * HOUR),
        aged(4, 24 * HOUR),
        aged(5, 168 * HOUR),
        merged,
        aged(6, 168 * HOUR - 1, 24 * HOUR),
        aged(7, 168 * HOUR - 1, 24 * HOUR + 1),
        aged(8, -MINUTE),
      ];
      const statusOf = (n: number) => (n === 2 ? 'acknowledged' : n === 6 || n === 7 ? 'resolved' : 'open');
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
      await save(
        groups,
        numbers.map((n) => inGroup(n * 10 + 1, n, { status: statusOf(n) })),
      );
      const counted = await stores.groupRows.countByAge('acme', now);
      const some = counted
        .filter(({ count }) => count > 0)
        .map(({ status, age, count }) => `${status} ${age} ${count}`);
      expect(some.sort()).toEqual([
        'acknowledged 4h 1',
        'active 1d 1',
        'active 1h 2',
        'active 7d 1',
        'active older 1',
        'resolved 7d 1',
      ]);
      expect((await stores.groupRows.countByAge('other', now)).filter(({ count }) => count > 0)).toEqual([]);
    });

    test('a row says what the members make of the group', async () => {
      await save(GROUPS, MEMBERS);
      const { state, group } = await rowOf(1);
      expect(group).toEqual({ ...GROUPS[0], size: 3 });
      expect(state).toMatchObject({
        status: 'active',
        severity: 'major',
        counts: counts(1, 0, 1, 1),
        names: {
          source: { names: ['zabbix', 'nagios'], count: 2 },
          service: { names: ['shop'], count: 1 },
          host: { count: 1 },
          ci: { names: ['web 1'], count: 1 },
        },
      });
      expect((await rowOf(2)).state).toMatchObject({ status: 'acknowledged', severity: 'warning' });
      expect((await rowOf(3)).state).toMatchObject({
        status: 'resolved',
        severity: 'major',
        counts: counts(0, 0, 0, 1),
      });
      const listed = await stores.groupRows.find('acme', {}, page);
      for (const row of listed.items)
        expect(row.state.names).toEqual((await rowOf(row.group.createdPosition)).state.names);
    });

    test('at most five names are shown, the most frequent first', async () => {
      const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'f', 'g', 'g', 'g'];
      await save(
        [GROUPS[0]!],
        hosts.map((hostname, i) => inGroup(i + 1, 1, { hostname })),
      );
      expect((await rowOf(1)).state.names.host).toEqual({ names: ['g', 'f', 'a', 'b', 'c'], count: 7 });
    });

    test.each(GROUP_ROW_SORTS.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
      'lists are paged by %s %s with ties by id',
      async (sort, order) => {
        const groups = [1, 2, 3, 4, 5].map((n) => sampleGroup(n, n < 4 ? { first: NOON, last: NOON, size: 2 } : {}));
        await save(
          groups,
          groups.map(({ createdPosition: n }) =>
            inGroup(n * 10 + 1, n, { status: n === 2 ? 'open' : 'resolved', severity: 'info' }),
          ),
        );
        const key = ({ createdPosition, ...group }: Group) =>
          sort === 'urgency' ? (createdPosition === 2 ? MIN_ON : 0) + group.last : group[sort];
        const sign = order === 'asc' ? 1 : -1;
        const expected = [...groups].sort((a, b) => sign * (key(a) - key(b) || (a.id < b.id ? -1 : 1)));
        const one = await stores.groupRows.find('acme', {}, { sort, order, limit: 2 });
        const two = await stores.groupRows.find('acme', {}, { sort, order, limit: 2, cursor: one.nextCursor! });
        const three = await stores.groupRows.find('acme', {}, { sort, order, limit: 2, offset: 4 });
        expect(shown([...one.items, ...two.items, ...three.items])).toEqual(
          shown(expected.map((group) => ({ group }))),
        );
        expect(three.nextCursor).toBeNull();
      },
    );

    test('what people say of a group is shown and found, and a group that takes it in keeps it', async () => {
      await save(GROUPS, MEMBERS);
      const verdict = { cause: 'wrong', members: 'too_many', by: kim, at: NOON } as const;
      const care = { assignedTo: kim, assignedTeam: { id: 't1', name: 'Storage' }, verdict };
      await stores.records.put('acme', GROUP_CARE, idOf(4), care);
      await stores.groupRows.refresh('acme', [idOf(4)]);
      expect((await rowOf(4)).care).toEqual(care);
      for (const filter of [
        { assignee: 'u1' },
        { assignee: 't1' },
        { assignee: ['nobody', 't1'] },
        { verdict: 'wrong' },
      ] as const)
        expect(shown((await stores.groupRows.find('acme', filter, page)).items)).toEqual([4]);
      for (const filter of [{ assignee: null }, { verdict: null }] as const)
        expect(shown((await stores.groupRows.find('acme', filter, page)).items)).toEqual([1, 2, 3]);
      const merged = sampleGroup(4, { status: 'merged', mergedInto: idOf(1), position: 50 });
      await save([merged, sampleGroup(1, { aliases: [idOf(4)], position: 50 })], []);
      expect((await rowOf(1)).care).toEqual(care);
      await stores.records.put('acme', GROUP_CARE, idOf(1), {});
      await stores.groupRows.refresh('acme', [idOf(1)]);
      expect((await rowOf(1)).care).toEqual({});
      expect((await stores.groupRows.find('acme', { assignee: 'u1' }, page)).total).toBe(0);
    });

    test('an acknowledgement of the group holds whoever joins, until it has become worse', async () => {
      await save(GROUPS, MEMBERS);
      const acknowledged = { by: kim, at: NOON, severity: 'major', services: [] } as const;
      const worse = { since: NOON + 1, eventId: ulidOf(12) };
      const statusWith = async (care: GroupAssignment) => {
        await stores.records.put('acme', GROUP_CARE, idOf(1), care);
        await stores.groupRows.refresh('acme', [idOf(1)]);
        const { state } = await rowOf(1);
        const active = await stores.groupRows.find('acme', { statuses: ['active'] }, page);
        expect(shown(active.items).includes(1)).toBe(state.status === 'active');
        return state.status;
      };
      expect(await statusWith({ acknowledged })).toBe('acknowledged');
      expect(await statusWith({ acknowledged: { ...acknowledged, worse } })).toBe('active');
      expect(await statusWith({ acknowledged, assignedTo: kim })).toBe('acknowledged');
      expect(await statusWith({ assignedTo: kim })).toBe('active');
    });

    test('of equal severity the group that hits more services comes first', async () => {
      await save(GROUPS, [...MEMBERS, inGroup(42, 2, { severity: 'major' })]);
      const first = async () => shown((await stores.groupRows.find('acme', { severities: ['major'] }, page)).items);
      expect(await first()).toEqual([2, 1, 3]);
      await stores.records.put('acme', GROUP_HITS, idOf(1), { count: 3 });
      await stores.groupRows.refresh('acme', [idOf(1)]);
      expect((await rowOf(1)).state.hits).toBe(3);
      expect(await first()).toEqual([1, 2, 3]);
    });

    test('a row names the CIs of its members, and which of them are on', async () => {
      const on = (number: number, ci: string, changes: Partial<Event> = {}) =>
        inGroup(number, 1, { ci: { id: ci, name: ci, type: 'server' }, ...changes });
      await save(GROUPS, [on(11, 'a'), on(12, 'b', { status: 'acknowledged' }), on(13, 'c', { status: 'resolved' })]);
      const sets = async () => {
        const { on, all } = (await rowOf(1)).state.cis;
        return [[...on].sort(), [...all].sort()];
      };
      expect(await sets()).toEqual([
        ['a', 'b'],
        ['a', 'b', 'c'],
      ]);
      await stores.events.save([on(11, 'a', { status: 'suppressed', position: 99 })]);
      await stores.groupRows.refresh('acme', [idOf(1)]);
      expect(await sets()).toEqual([['b'], ['a', 'b', 'c']]);
    });

    test('a group whose merge is taken back is one again, with its members and what was said of it', async () => {
      await save(GROUPS, MEMBERS);
      await stores.records.put('acme', GROUP_CARE, idOf(4), { assignedTo: kim });
      const merged = sampleGroup(4, { status: 'merged', mergedInto: idOf(1), position: 50 });
      await save([merged, sampleGroup(1, { aliases: [idOf(4)], position: 50 })], []);
      expect((await rowOf(1)).state.counts).toEqual(counts(2, 0, 1, 1));
      await save([sampleGroup(1, { position: 51 }), sampleGroup(4, { position: 51 })], []);
      expect((await rowOf(1)).state.counts).toEqual(counts(1, 0, 1, 1));
      expect((await rowOf(1)).care).toEqual({});
      const back = await rowOf(4);
      expect(back.group.id).toBe(idOf(4));
      expect(back.state).toMatchObject({ status: 'active', severity: 'minor', counts: counts(1, 0, 0, 0) });
      expect(back.care).toEqual({ assignedTo: kim });
      expect(shown((await stores.groupRows.find('acme', {}, page)).items)).toEqual([1, 4, 2, 3]);
    });

    test('a merged group is no row of its own, and its ids give the one that stands', async () => {
      await save(GROUPS, MEMBERS);
      const merged = sampleGroup(4, { status: 'merged', mergedInto: idOf(3), position: 50 });
      await save([merged, sampleGroup(3, { status: 'closed', aliases: [idOf(4)], position: 50 })], []);
      expect((await stores.groupRows.get('acme', idOf(4)))?.group.id).toBe(idOf(3));
      expect((await rowOf(3)).state).toMatchObject({ status: 'active', severity: 'minor', counts: counts(1, 0, 0, 1) });
      expect(shown((await stores.groupRows.find('acme', {}, page)).items)).toEqual([1, 3, 2]);
      expect(shown((await stores.groupRows.find('acme', { search: 'uplink' }, page)).items)).toEqual([3]);
      await save([], [inGroup(41, 4, { status: 'resolved', position: 51 })]);
      await stores.groupRows.refresh('acme', [idOf(4)]);
      expect((await rowOf(3)).state.status).toBe('resolved');
      expect(shown((await stores.groupRows.find('acme', { statuses: ['resolved'] }, page)).items)).toEqual([3]);
    });

    test('a foreign tenant finds nothing', async () => {
      await save(GROUPS, MEMBERS);
      expect((await stores.groupRows.find('other', {}, page)).total).toBe(0);
      expect((await stores.groupRows.find('other', { search: 'disk', host: 'web-1' }, page)).total).toBe(0);
      expect(await stores.groupRows.get('other', idOf(1))).toBeNull();
      expect(await stores.groupRows.get('acme', 'COR-none')).toBeNull();
    });

    test('after any changes rows are what the members make of their groups', async () => {
      const [most, numbers] = [4, [1, 2, 3, 4, 5, 6]];
      const change = fc.oneof(
        fc.record({
          kind: fc.constant('event' as const),
          number: fc.constantFrom(...numbers),
          status: fc.constantFrom(...STATUSES),
          severity: fc.constantFrom(...SEVERITIES),
          host: fc.constantFrom('a', 'b', undefined),
          group: fc.option(fc.integer({ min: 1, max: most })),
          superseded: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('merge' as const),
          from: fc.integer({ min: 1, max: most }),
          into: fc.integer({ min: 1, max: most }),
        }),
      );
      let turn = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
          turn += 1;
          const tenant = `acme-${turn}`;
          const standing = new Map<number, { into: number; aliases: string[] }>(
            Array.from({ length: most }, (_, i) => [i + 1, { into: i + 1, aliases: [] }]),
          );
          const groupOf = (n: number, position: number): Group => {
            const { into, aliases } = standing.get(n)!;
            const state =
              into === n
                ? ({ status: 'open', mergedInto: null } as const)
                : ({ status: 'merged', mergedInto: idOf(into) } as const);
            return sampleGroup(n, { tenant, aliases, position, ...state });
          };
          const all = [1, 2, 3, 4];
          await stores.correlation.save({ groups: all.map((n) => groupOf(n, 1)) });
          const events = new Map<number, Event>();
          let position = 10;
          for (const one of changes) {
            position += 1;
            if (one.kind === 'event') {
              const { number, status, severity, host, superseded } = one;
              const base = sampleEvent(turn * 100 + number, { tenant, position, status, severity });
              const group = one.group === null ? (events.get(number)?.correlationId ?? null) : idOf(one.group);
              const event = {
                ...base,
                correlationId: group,
                ...(host && { hostname: host }),
                ...(superseded && { supersededBy: ulidOf(1) }),
              };
              events.set(number, event);
              await stores.events.save([event]);
            } else {
              const [from, into] = [one.from, one.into].map((n) => standing.get(n)!.into) as [number, number];
              if (from === into) continue;
              const taken = standing.get(from)!;
              standing.get(into)!.aliases.push(idOf(from), ...taken.aliases);
              for (const [n, { into: through, aliases }] of standing)
                if (through === from) standing.set(n, { into, aliases });
              const groups = [groupOf(from, position), groupOf(into, position)];
              // Former names of a merged group do not show the current owner of those names.
              await stores.correlation.save({ groups: position % 2 === 0 ? groups : groups.toReversed() });
            }
          }
          await stores.groupRows.refresh(tenant, all.map(idOf));
          const listed = await stores.groupRows.find(tenant, {}, page);
          const isIn = (n: number, { correlationId, supersededBy }: Event) =>
            supersededBy === undefined &&
            all.some((one) => idOf(one) === correlationId && standing.get(one)!.into === n);
          const standingNow = all.filter(
            (n) => standing.get(n)!.into === n && [...events.values()].some((event) => isIn(n, event)),
          );
          expect(shown(listed.items).sort()).toEqual(standingNow);
          for (const { group, state } of listed.items) {
            const members = [...events.values()].filter(({ correlationId }) =>
              [group.id, ...group.aliases].includes(correlationId ?? ''),
            );
            expect(state).toMatchObject(standingOfMembers(members));
            const hosts = new Set(members.flatMap(({ hostname }) => hostname ?? []));
            expect(state.names.host.count).toBe(hosts.size);
            expect(new Set(state.names.host.names)).toEqual(hosts);
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}
