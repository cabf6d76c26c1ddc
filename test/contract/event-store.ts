import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { Part } from '#domain/page.ts';
import type { EventCounts } from '#domain/ports/events/event-counts.ts';
import type { EventHistory } from '#domain/ports/events/event-history.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import { EVENT_SORTS, type EventFilter, type EventSort, type EventStore } from '#domain/ports/events/event-store.ts';
import type { EventSweeps } from '#domain/ports/events/event-sweeps.ts';
import type { Opened } from './opened.ts';
import { fullEvent, MINUTE, NOON, sampleEvent, ulidOf } from './samples.ts';

const lengthsOf = (found: ReadonlyMap<string, readonly unknown[]>) =>
  Object.fromEntries([...found].map(([name, { length }]) => [name, length]));

const ids = (events: readonly Event[]): number[] => events.map(({ id }) => Number(id.slice(2)));

const HOSTS: Readonly<Record<number, Partial<Event>>> = {
  1: { hostname: 'web-1' },
  3: { hostname: 'web-1' },
  5: { hostname: 'https://Web-1.example.org:9100/x' },
  6: { hostname: 'web-1' },
  7: { hostname: 'web-1', ipAddress: '010.0.0.7' },
  8: { hostname: 'web-10' },
  10: { ipAddress: '2001:DB8::0:1' },
};

const STORAGE = { id: 't1', name: 'Storage' };
const actor = (id: string) => ({ id, username: id, name: id });
/** Filter values of events, beside the tag `prod` that all have. */
const FOUND: Readonly<Record<number, Partial<Event>>> = {
  1: { service: 'shop', environment: 'prod', tags: ['prod', 'Gold'] },
  2: { application: 'shop', environment: 'staging', usual: true },
  3: { service: 'Shop', application: 'shop', assignedTo: actor('kim') },
  6: { service: 'billing, EU', environment: 'prod', tags: [] },
  7: { assignedTeam: STORAGE },
  9: { hostname: 'fra1-core-01.example.org', assignedTo: actor('lee'), assignedTeam: STORAGE, usual: true },
  10: { hostname: 'FRA1-acc-02', tags: ['Gold', 'Gold'] },
};

/** Ten events that differ in everything that can be filtered or sorted by; 1 to 4 are resolved. */
const FAMILY = Array.from({ length: 10 }, (_, i): Event => {
  const number = i + 1;
  return sampleEvent(number, {
    status: number <= 4 ? 'resolved' : number === 10 ? 'suppressed' : 'open',
    severity: (['critical', 'major', 'minor', 'warning', 'info'] as const)[i % 5]!,
    source: number % 2 === 0 ? 'nagios' : 'zabbix',
    ci: number % 3 === 0 ? { id: 'ci-3', name: 'db', type: 'server' } : null,
    correlationId: number % 4 === 0 ? `COR-${number}` : null,
    count: (number * 7) % 5 === 0 ? 100 : number,
    lastOccurrence: NOON + (number + (number === 2 ? 60 : 1)) * MINUTE,
    title: number === 5 ? 'Link down: eth0/1 "uplink"' : `Disk full on host-${number}`,
    ...HOSTS[number],
    ...FOUND[number],
    ...(number <= 4 ? { resolvedAt: NOON + number * MINUTE + number * 10_000 } : {}),
    ...(number === 6 ? { description: 'Überlast auf Knoten' } : {}),
  });
});

const KEYS: Record<EventSort, (event: Event) => number> = {
  timestamp: (e) => e.timestamp,
  createdAt: (e) => e.createdAt,
  lastOccurrence: (e) => e.lastOccurrence,
  occurrenceCount: (e) => e.count,
  severity: (e) => ['info', 'warning', 'minor', 'major', 'critical'].indexOf(e.severity),
};

const FILTERS: readonly (readonly [string, EventFilter, readonly number[]])[] = [
  ['nothing', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['one status', { statuses: ['resolved'] }, [1, 2, 3, 4]],
  ['two statuses', { statuses: ['open', 'suppressed'] }, [5, 6, 7, 8, 9, 10]],
  ['severities', { severities: ['critical', 'info'] }, [1, 5, 6, 10]],
  ['sources', { sources: ['nagios', 'aws'] }, [2, 4, 6, 8, 10]],
  ['source and status', { sources: ['nagios'], statuses: ['open'] }, [6, 8]],
  ['CI', { ciId: 'ci-3' }, [3, 6, 9]],
  ['CIs', { ciId: ['ci-3', 'nobody'] }, [3, 6, 9]],
  ['no CI, of those that are not resolved', { unbound: {} }, [5, 7, 8, 10]],
  ['no CI and severity', { unbound: {}, severities: ['critical', 'info'] }, [5, 10]],
  ['no CI, a host name with and without a domain', { unbound: { hostnames: ['web-1'] } }, [5, 7]],
  ['no CI, a whole name', { unbound: { hostnames: ['web-1.example.org', 'web-9'] } }, [5]],
  ['no CI, addresses', { unbound: { addresses: ['2001:db8::1', '10.0.0.7'] } }, [7, 10]],
  [
    'no CI, names or addresses, and a source',
    { unbound: { hostnames: ['web-10'], addresses: ['2001:db8::1'] } },
    [8, 10],
  ],
  ['no CI, no name', { unbound: { hostnames: [], addresses: [] } }, []],
  ['no CI, host and status', { unbound: { hostnames: ['web-1', 'web-10'] }, statuses: ['suppressed'] }, []],
  ['CI and severity', { ciId: 'ci-3', severities: ['critical'] }, [6]],
  ['groups', { correlationIds: ['COR-4', 'COR-8', 'COR-99'] }, [4, 8]],
  ['no group', { correlationIds: [] }, []],
  ['from', { from: NOON + 9 * MINUTE }, [2, 8, 9, 10]],
  ['to', { to: NOON + 3 * MINUTE }, [1, 2, 3]],
  ['a range met by long events', { from: NOON + 8 * MINUTE, to: NOON + 8 * MINUTE }, [2, 7, 8]],
  ['a range over everything', { from: 0, to: NOON * 2 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['a range before everything', { to: NOON }, []],
  ['a range after everything', { from: NOON * 2 }, []],
  ['range and status', { from: NOON + 9 * MINUTE, statuses: ['open'] }, [8, 9]],
  ['range and source', { from: NOON + 9 * MINUTE, sources: ['nagios'] }, [2, 8, 10]],
  ['words in any order and case', { search: 'full DISK host-3' }, [3]],
  ['words of the description', { search: 'uberlast' }, [6]],
  ['the beginning of a word', { search: 'dis' }, [1, 2, 3, 4, 6, 7, 8, 9, 10]],
  ['the beginning of the last part of a word', { search: 'host-1' }, [1, 10]],
  ['beginnings in title and description', { search: 'dis uberl' }, [6]],
  ['a single letter as a whole word', { search: 'd' }, []],
  ['a word that is longer than any', { search: 'disks' }, []],
  ['a host name', { search: 'fra1-core-01' }, [9]],
  ['the beginning of host names', { search: 'FRA1' }, [9, 10]],
  ['a part of a host name and a word of the title', { search: 'acc disk' }, [10]],
  ['words of host names and of titles', { search: 'web-1' }, [1, 3, 5, 6, 7, 8]],
  ['a host name that has one word, no other', { search: 'fra1 link' }, []],
  ['a host', { hosts: ['web-1'] }, [1, 3, 6, 7]],
  ['a host by its whole name', { hosts: ['web-1.example.org'] }, [5]],
  ['hosts that begin so', { hosts: ['fra1-*'] }, [9, 10]],
  ['hosts with one more sign', { hosts: ['web-1?'] }, [8]],
  ['hosts with a part', { hosts: ['*example*'] }, [5, 9]],
  ['several patterns', { hosts: ['*-02', 'web-10', 'nobody'] }, [8, 10]],
  ['a pattern that is no class and no expression', { hosts: ['[fw]*', 'web.1', 'w.*'] }, []],
  ['any host', { hosts: ['*'] }, [1, 3, 5, 6, 7, 8, 9, 10]],
  ['host and status', { hosts: ['web-*'], statuses: ['open'] }, [5, 6, 7, 8]],
  ['host and time', { hosts: ['web-*'], from: NOON + 8 * MINUTE }, [7, 8]],
  ['host and host of those without a CI', { hosts: ['web-*'], unbound: {} }, [5, 7, 8]],
  ['a service, else the application', { services: ['shop'] }, [1, 2]],
  ['services', { services: ['Shop', 'billing, EU'] }, [3, 6]],
  ['an environment', { environments: ['prod'] }, [1, 6]],
  ['environment and severity', { environments: ['prod', 'staging'], severities: ['critical'] }, [1, 6]],
  ['a tag', { tags: ['Gold'] }, [1, 10]],
  ['tags', { tags: ['prod', 'none'] }, [1, 2, 3, 4, 5, 7, 8, 9]],
  ['tag and source', { tags: ['Gold'], sources: ['nagios'] }, [10]],
  ['an assignee', { assignee: 'kim' }, [3]],
  ['a team', { assignee: 't1' }, [7, 9]],
  ['a user or a team', { assignee: ['kim', 't1', 'nobody'] }, [3, 7, 9]],
  ['a team and status', { assignee: ['t1'], statuses: ['open'] }, [7, 9]],
  ['no assignee', { assignee: null }, [1, 2, 4, 5, 6, 8, 10]],
  ['no assignee and status', { assignee: null, statuses: ['open'] }, [5, 6, 8]],
  ['an assignee that nobody knows', { assignee: 'nobody' }, []],
  ['ids', { ids: [ulidOf(2), ulidOf(7), ulidOf(77)] }, [2, 7]],
  ['no ids', { ids: [] }, []],
  ['grouped', { grouped: true }, [4, 8]],
  ['not grouped', { grouped: false, statuses: ['open'] }, [5, 6, 7, 9]],
  ['bound', { bound: true }, [3, 6, 9]],
  ['not bound and resolved', { bound: false, statuses: ['resolved'] }, [1, 2, 4]],
  ['usual', { usual: true }, [2, 9]],
  ['not usual, bound', { usual: false, bound: true }, [3, 6]],
  ['everything at once', { hosts: ['fra1-*'], assignee: 'lee', tags: ['prod'], bound: true, search: 'fra1 dis' }, [9]],
  ['search and status', { search: 'disk', statuses: ['resolved'] }, [1, 2, 3, 4]],
  ['search syntax as text', { search: '"uplink" eth0/1 down:' }, [5]],
  ['an operator as a word', { search: 'disk OR link' }, []],
  ['a column name as a word', { search: 'title:disk' }, []],
  ['nothing searchable', { search: '"* (' }, []],
];

/** Searches among constant events. */
function findsContract(name: string, open: () => Promise<Opened<EventPorts>>) {
  describe(`${name} finds events`, () => {
    let events: EventStore;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const { store, ...opened } = await open();
      ({ events } = store);
      close = opened.close;
      await events.save([...FAMILY, sampleEvent(50, { tenant: 'other' })]);
    });
    afterAll(() => close());

    test.each(FILTERS)('filters by %s', async (_name, filter, expected) => {
      const page = await events.find('acme', filter, { sort: 'timestamp', order: 'asc', limit: 50 });
      expect(ids(page.items)).toEqual(expected);
      expect(page.total).toBe(expected.length);
      expect(page.nextCursor).toBeNull();
      expect(await events.part('acme', filter, { sort: 'timestamp', order: 'asc', limit: 50 })).toEqual({
        items: page.items,
        nextCursor: null,
      });
    });

    test.each(EVENT_SORTS.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
      'sorts by %s %s with ties by id, by offset as by cursor',
      async (sort, order) => {
        const sign = order === 'asc' ? 1 : -1;
        const expected = [...FAMILY].sort((a, b) => sign * (KEYS[sort](a) - KEYS[sort](b) || (a.id < b.id ? -1 : 1)));
        const byOffset: Event[] = [];
        const byCursor: Event[] = [];
        let cursor: string | null = null;
        for (let offset = 0; offset < FAMILY.length; offset += 3) {
          byOffset.push(...(await events.find('acme', {}, { sort, order, limit: 3, offset })).items);
          const page = await events.find('acme', {}, { sort, order, limit: 3, ...(cursor === null ? {} : { cursor }) });
          byCursor.push(...page.items);
          expect(page.total).toBe(FAMILY.length);
          const { total: _, ...part } = page;
          expect(
            await events.part('acme', {}, { sort, order, limit: 3, ...(cursor === null ? {} : { cursor }) }),
          ).toEqual(part);
          cursor = page.nextCursor;
        }
        expect(cursor).toBeNull();
        expect(ids(byOffset)).toEqual(ids(expected));
        expect(ids(byCursor)).toEqual(ids(expected));
      },
    );
  });
}

export function eventPortsContract(name: string, open: () => Promise<Opened<EventPorts>>) {
  findsContract(name, open);
  describe(`${name} keeps the EventStore contract`, () => {
    let events: EventStore;
    let sweeps: EventSweeps;
    let counts: EventCounts;
    let past: EventHistory;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const { store, ...opened } = await open();
      ({ events, sweeps, eventCounts: counts, eventHistory: past } = store);
      close = opened.close;
    });
    afterEach(() => close());

    test.each([
      ['the least', sampleEvent(1)],
      ['all fields', fullEvent(2)],
    ])('gives back an event as it was saved: %s', async (_name, event) => {
      expect(await events.save([event])).toBe(1);
      expect(await events.get('acme', event.id)).toEqual(event);
      expect(await events.getMany('acme', [ulidOf(99), event.id])).toEqual([event]);
    });

    test('a save with an older position changes nothing and says so', async () => {
      await events.save([sampleEvent(1, { position: 5, status: 'acknowledged' })]);
      expect(await events.save([sampleEvent(1, { position: 4, count: 9 }), sampleEvent(2)])).toBe(1);
      expect(await events.get('acme', ulidOf(1))).toMatchObject({ position: 5, status: 'acknowledged', count: 1 });
    });

    test('a save with the same or a newer position replaces everything', async () => {
      await events.save([fullEvent(1)]);
      const later = sampleEvent(1, { position: 6, count: 3, title: 'Link down' });
      expect(await events.save([later])).toBe(1);
      expect(await events.save([later])).toBe(1);
      expect(await events.get('acme', later.id)).toEqual(later);
      const page = { sort: 'timestamp', order: 'asc', limit: 10 } as const;
      expect((await events.find('acme', { statuses: ['open'] }, page)).total).toBe(1);
      expect((await events.find('acme', { statuses: ['resolved'] }, page)).total).toBe(0);
      expect((await events.find('acme', { search: 'link' }, page)).total).toBe(1);
      expect((await events.find('acme', { search: 'disk' }, page)).total).toBe(0);
    });

    test('an event that is bound or resolved is looked for no more', async () => {
      const about = (n: number, parts: Partial<Event> = {}) =>
        sampleEvent(n, { ci: null, hostname: 'web-1', ...parts });
      await events.save([about(1), about(2), about(3)]);
      await events.save([
        about(1, { position: 60, ci: { id: 'ci-1', name: 'web-1', type: 'server' } }),
        about(2, { position: 60, status: 'resolved', resolvedAt: NOON }),
      ]);
      const page = { sort: 'timestamp', order: 'asc', limit: 10 } as const;
      expect(ids((await events.find('acme', { unbound: {} }, page)).items)).toEqual([3]);
      expect(ids((await events.find('acme', { unbound: { hostnames: ['web-1'] } }, page)).items)).toEqual([3]);
      expect((await events.find('other', { unbound: { hostnames: ['web-1'] } }, page)).total).toBe(0);
    });

    test('those without a CI are gone through part by part, each once, while some find theirs', async () => {
      const hosts = [undefined, 'web-1', 'web-1', undefined, 'web-1', 'db-1', 'web-2'];
      const about = (n: number, parts: Partial<Event> = {}) =>
        sampleEvent(n + 1, { ci: null, ...(hosts[n] !== undefined && { hostname: hosts[n] }), ...parts });
      const ci = { id: 'ci-1', name: 'web-1', type: 'server' };
      await events.save([
        ...hosts.map((_, n) => about(n)),
        sampleEvent(20, { ci }),
        sampleEvent(21, { ci: null, status: 'resolved', resolvedAt: NOON }),
        sampleEvent(22, { ci: null, tenant: 'other' }),
      ]);
      const found: number[] = [];
      let cursor: string | null = null;
      do {
        const part: Part<Event> = await sweeps.unbound('acme', { limit: 2, ...(cursor !== null && { cursor }) });
        expect(part.items.length).toBeLessThanOrEqual(2);
        found.push(...ids(part.items));
        cursor = part.nextCursor;
        await events.save(part.items.map((event) => ({ ...event, position: 60, ci })));
      } while (cursor !== null);
      expect(found.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await sweeps.unbound('acme', { limit: 2 })).toEqual({ items: [], nextCursor: null });
    });

    test('a foreign tenant finds nothing', async () => {
      await events.save([sampleEvent(1)]);
      expect(await events.get('other', ulidOf(1))).toBeNull();
      expect(await events.getMany('other', [ulidOf(1)])).toEqual([]);
      const page = { sort: 'timestamp', order: 'asc', limit: 10 } as const;
      for (const filter of [{}, { search: 'disk' }, { statuses: ['open'] }, { from: 0 }] satisfies EventFilter[])
        expect(await events.find('other', filter, page)).toEqual({ items: [], total: 0, nextCursor: null });
      expect((await counts.stats('other', 0, NOON * 2)).total).toBe(0);
    });

    test('tenants may hold events of one id, and names that hold each other do not meet', async () => {
      await events.save([sampleEvent(1), sampleEvent(1, { tenant: 'acme-2', title: 'Link down' })]);
      expect((await events.get('acme', ulidOf(1)))?.title).toBe('Disk full on host-1');
      expect((await events.get('acme-2', ulidOf(1)))?.title).toBe('Link down');
      const page = { sort: 'timestamp', order: 'asc', limit: 10 } as const;
      expect((await events.find('acme', { search: 'link' }, page)).total).toBe(0);
    });

    test.each(['nonsense', Buffer.from('["severity","asc",1,"x"]').toString('base64url')])(
      'refuses the cursor %s',
      async (cursor) => {
        const page = { sort: 'timestamp', order: 'asc', limit: 3, cursor } as const;
        await expect(events.find('acme', {}, page)).rejects.toMatchObject({ name: 'Fault', kind: 'invalid' });
      },
    );

    test.each([
      ['エラー', [1]],
      ['語のエ', [1]],
      ['エー', []],
      ['strasse', [2]],
      ['Straße', [2]],
      ['STRAS', [2]],
      ['error', [3]],
    ])('search for %s finds %j, however it is written', async (search, found) => {
      await events.save([
        sampleEvent(1, { title: '日本語のエラー' }),
        sampleEvent(2, { title: 'Sperrung', description: 'an der Straße' }),
        sampleEvent(3, { title: 'ＥＲＲＯＲ' }),
      ]);
      const page = { sort: 'timestamp', order: 'asc', limit: 10 } as const;
      const { items } = await events.find('acme', { search }, page);
      expect(items.map(({ id }) => id)).toEqual(found.map((n) => sampleEvent(n).id));
    });

    test('totals follow changes of status and severity', async () => {
      await events.save([sampleEvent(1), sampleEvent(2)]);
      await events.save([sampleEvent(1, { status: 'resolved', severity: 'critical', position: 9 })]);
      const page = { sort: 'timestamp', order: 'asc', limit: 1 } as const;
      expect((await events.find('acme', { statuses: ['open'] }, page)).total).toBe(1);
      expect((await events.find('acme', { severities: ['critical'] }, page)).total).toBe(1);
      expect((await events.find('acme', { severities: ['major'] }, page)).total).toBe(1);
    });

    test('open events are counted by CI and severity, within the tenant', async () => {
      const ci = (id: string) => ({ id, name: id, type: 'server' });
      await events.save([
        sampleEvent(1, { ci: ci('ci-1'), severity: 'critical' }),
        sampleEvent(2, { ci: ci('ci-1'), severity: 'critical', status: 'acknowledged' }),
        sampleEvent(3, { ci: ci('ci-1'), severity: 'minor' }),
        sampleEvent(4, { ci: ci('ci-1'), status: 'resolved' }),
        sampleEvent(5, { ci: ci('ci-1'), status: 'suppressed' }),
        sampleEvent(6, { ci: ci('ci-2'), severity: 'info' }),
        sampleEvent(7, { ci: ci('ci-3') }),
        sampleEvent(8, { ci: ci('ci-4'), status: 'resolved' }),
        sampleEvent(9, { tenant: 'other', ci: ci('ci-1') }),
        sampleEvent(10, { ci: ci('ci-2'), category: 'Change' }),
        sampleEvent(11, { ci: ci('ci-2'), tags: ['type:change'] }),
        sampleEvent(12, { ci: ci('ci-1'), title: 'DaemonSet rollout is slow', severity: 'minor' }),
      ]);
      const found = await counts.openOn('acme', ['ci-1', 'ci-2', 'ci-4', 'ci-9', 'ci-1']);
      expect(Object.fromEntries(found)).toEqual({ 'ci-1': { critical: 2, minor: 2 }, 'ci-2': { info: 1 } });
      const seen = await counts.openOn('acme', ['ci-1', 'ci-2'], ['acknowledged']);
      expect(Object.fromEntries(seen)).toEqual({ 'ci-1': { critical: 1 } });
      expect((await counts.openOn('acme', [])).size).toBe(0);
    });

    test('what was complained about before, the newest first, within the tenant', async () => {
      const at = (number: number) => NOON + number * MINUTE;
      const range = { from: at(2), to: at(6), limit: 3 };
      await events.save([
        ...[1, 2, 3, 4, 5, 6, 7].map((number) => sampleEvent(number, { signature: 'disk' })),
        sampleEvent(8, { signature: 'disk', timestamp: at(5), status: 'resolved', resolvedAt: at(9) }),
        sampleEvent(9, { signature: 'link', timestamp: at(3) }),
        sampleEvent(10, { signature: 'late', timestamp: at(7) }),
        sampleEvent(11, { signature: 'disk', timestamp: at(5), tenant: 'other' }),
      ]);
      expect(await past.history('acme', ['disk', 'link', 'late', 'none', 'disk'], range)).toEqual(
        new Map([
          [
            'disk',
            [
              { id: ulidOf(6), timestamp: at(6), resolvedAt: null },
              { id: ulidOf(8), timestamp: at(5), resolvedAt: at(9) },
              { id: ulidOf(5), timestamp: at(5), resolvedAt: null },
            ],
          ],
          ['link', [{ id: ulidOf(9), timestamp: at(3), resolvedAt: null }]],
        ]),
      );
      await events.save([sampleEvent(6, { signature: 'link', position: 90 })]);
      const signed = await past.history('acme', ['disk', 'link'], range);
      expect(lengthsOf(signed)).toEqual({ disk: 3, link: 2 });
      expect((await past.history('nobody', ['disk'], range)).size).toBe(0);
      expect((await past.history('acme', [], range)).size).toBe(0);
    });

    test('thousands of complaints of one kind hide no other one', async () => {
      const busy = Array.from({ length: 2_010 }, (_, i) => sampleEvent(i + 1, { signature: 'busy', timestamp: NOON }));
      await events.save([...busy, sampleEvent(3_000, { signature: 'rare', timestamp: NOON - MINUTE })]);
      const range = { from: NOON - 2 * MINUTE, to: NOON, limit: 2 };
      const found = await past.history('acme', ['busy', 'rare'], range);
      expect(lengthsOf(found)).toEqual({ busy: 2, rare: 1 });
    });

    test('what was not heard of, page by page', async () => {
      const heard = (minutes: number) => ({
        lastOccurrence: NOON + minutes * MINUTE,
        updatedAt: NOON + minutes * MINUTE,
      });
      await events.save([
        ...[1, 2, 3, 4, 5].map((number) => sampleEvent(number, heard(number))),
        sampleEvent(6, { ...heard(1), status: 'resolved', resolvedAt: NOON }),
        sampleEvent(7, { ...heard(1), updatedAt: NOON + 60 * MINUTE }),
        sampleEvent(8, { ...heard(1), tenant: 'other' }),
        sampleEvent(9, { ...heard(1), status: 'acknowledged' }),
        sampleEvent(10, { ...heard(1), status: 'suppressed' }),
        sampleEvent(11, { ...heard(2), category: 'deployment' }),
        sampleEvent(12, { ...heard(9), category: 'deployment' }),
        sampleEvent(13, { ...heard(2), category: 'deployment', status: 'resolved', resolvedAt: NOON }),
      ]);
      await events.save([sampleEvent(2, { ...heard(50), position: 90 })]);
      const all = async (changes: boolean): Promise<number[]> => {
        const found: number[] = [];
        let cursor: string | null = null;
        do {
          const page = { limit: 2, ...(cursor !== null && { cursor }) };
          const part: Part<Event> = await sweeps.silent('acme', { before: NOON + 5 * MINUTE, changes }, page);
          expect(part.items.length).toBeLessThanOrEqual(2);
          found.push(...ids(part.items));
          cursor = part.nextCursor;
        } while (cursor !== null);
        return found.sort((a, b) => a - b);
      };
      expect(await all(false)).toEqual([1, 3, 4, 9, 10]);
      expect(await all(true)).toEqual([11]);
      expect(await sweeps.silent('nobody', { before: NOON * 2, changes: false }, { limit: 2 })).toEqual({
        items: [],
        nextCursor: null,
      });
    });

    test('what silences suppress, by silence, and what each has caught', async () => {
      const held = (number: number, by: string, parts: Partial<Event> = {}) =>
        sampleEvent(number, { status: 'suppressed', silencing: { by, until: NOON }, ...parts });
      await events.save([
        ...[1, 2, 3].map((number) => held(number, 'SIL-1')),
        held(4, 'SIL-2', { status: 'open', silencing: { by: 'SIL-2', over: true } }),
        held(5, 'maintenance:c1'),
        held(6, 'SIL-1', { tenant: 'other' }),
        held(7, 'SIL-3', { status: 'resolved', resolvedAt: NOON }),
        sampleEvent(8, { status: 'suppressed' }),
      ]);
      const byName = (one: { by: string; tenant: string }) => `${one.tenant} ${one.by}`;
      expect((await sweeps.silencers()).map(byName).sort()).toEqual([
        'acme SIL-1',
        'acme maintenance:c1',
        'other SIL-1',
      ]);
      const first = await sweeps.silenced({ tenant: 'acme', by: 'SIL-1' }, { limit: 2 });
      const rest = await sweeps.silenced({ tenant: 'acme', by: 'SIL-1' }, { limit: 2, cursor: first.nextCursor! });
      expect([first.items.length, rest.nextCursor]).toEqual([2, null]);
      expect(ids([...first.items, ...rest.items]).sort()).toEqual([1, 2, 3]);
      expect(first.items[0]!.silencing).toEqual({ by: 'SIL-1', until: NOON });
      const asked = ['SIL-1', 'SIL-2', 'SIL-3', 'SIL-4'];
      expect(await counts.caught('acme', asked)).toEqual(
        new Map([
          ['SIL-1', 3],
          ['SIL-2', 1],
          ['SIL-3', 1],
        ]),
      );
      expect(await counts.caught('nobody', asked)).toEqual(new Map());
      await events.save([
        held(1, 'SIL-2', { position: 90 }),
        held(2, 'SIL-1', { position: 90, status: 'open' }),
        sampleEvent(3, { position: 90, status: 'suppressed' }),
      ]);
      expect(ids((await sweeps.silenced({ tenant: 'acme', by: 'SIL-2' }, { limit: 2 })).items)).toEqual([1]);
      expect(await sweeps.silenced({ tenant: 'acme', by: 'SIL-1' }, { limit: 2 })).toEqual({
        items: [],
        nextCursor: null,
      });
      expect((await counts.caught('acme', ['SIL-1'])).get('SIL-1')).toBe(1);
    });

    test('stats count what meets the range and average what was resolved in it', async () => {
      await events.save(FAMILY);
      const stats = await counts.stats('acme', 0, NOON * 2);
      expect(stats).toEqual({
        total: 10,
        severityBreakdown: { critical: 2, major: 2, minor: 2, warning: 2, info: 2 },
        openBySeverity: { critical: 1, major: 1, minor: 1, warning: 1, info: 1 },
        avgResolutionTime: 25,
        medianResolutionTime: 25,
      });
      const early = await counts.stats('acme', 0, NOON + 2 * MINUTE + 20_000);
      expect(early).toMatchObject({ total: 2, avgResolutionTime: 15, medianResolutionTime: 15 });
      expect(await counts.stats('acme', 0, 1)).toMatchObject({ avgResolutionTime: null, medianResolutionTime: null });
    });

    test('resolution times leave out what cannot be believed, and the median one that took long', async () => {
      const took = (number: number, seconds: number) => {
        const firstOccurrence = NOON - seconds * 1_000;
        return sampleEvent(number, { status: 'resolved', resolvedAt: NOON, firstOccurrence });
      };
      await events.save([took(1, 10), took(2, 20), took(3, 900), took(4, -60), took(5, NOON / 1_000 - 1_000)]);
      expect(await counts.stats('acme', 0, NOON * 2)).toMatchObject({
        avgResolutionTime: 310,
        medianResolutionTime: 20,
      });
    });

    test('an event that was opened again has no resolution time', async () => {
      const resolvedAt = NOON + 5 * MINUTE;
      await events.save([sampleEvent(1, { status: 'resolved', resolvedAt })]);
      await events.save([sampleEvent(1, { status: 'acknowledged', resolvedAt, position: 2 })]);
      expect((await counts.stats('acme', 0, NOON * 2)).avgResolutionTime).toBeNull();
    });
  });
}
