import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openReplay } from '#domain/correlation/on-demand/replay.ts';
import type { Group } from '#domain/correlation/records.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { START } from '#test/setup/test-app.ts';
import { isDecision, readPast } from './read-past.ts';

/** A replay of the stored events returns exactly the stored groups, in every history of a tenant. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOSTS = 8;
/** Number from which events are from a monitor. */
const MONITORED = 6;

const app = appOfTests();
let tenants = 0;

const one = fc.nat(11);
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('event' as const), one, gap: fc.nat(20), severity: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('late' as const), one, gap: fc.nat(90), severity: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('resolve' as const, 'reopen' as const), one }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), one, gap: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('merge' as const), one, other: one }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('demand' as const, 'split' as const, 'ci' as const, 'edge' as const),
      one,
      other: one,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const SEVERITIES = ['critical', 'major', 'minor', 'warning'];
const TITLES = ['Disk slow', 'Queue long', 'Link down', 'Odd thing'];

const open = async (busy: boolean) => {
  const id = `replay-${++tenants}`;
  const token = await app.tenant(id);
  const send = async (method: string, path: string, body?: object) =>
    (await app.send(method, path, body, { token })).body;
  let at = START - 20 * HOUR;
  const cis = new Map<string, string>();
  const events: string[] = [];
  const addCi = async (host: string) => {
    if (!cis.has(host)) cis.set(host, (await send('POST', '/v1/cmdb/ci', { name: host, type: 'server' })).id);
  };
  for (let n = 0; n < 4; n++) await addCi(`h${n}`);
  for (const [a, b] of [
    ['h0', 'h1'],
    ['h1', 'h2'],
  ] as const)
    await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: cis.get(a), target_ci: cis.get(b) });
  const note = (event: string | null) => {
    if (event && !events.includes(event)) events.push(event);
  };
  /** A message of a monitor with its time: ends are among the arrivals. */
  const alert = async (n: number, time: number, status: 'firing' | 'resolved', severity: string) => {
    const labels = { alertname: `${TITLES[n % 4]} there`, instance: `h${n % HOSTS}`, severity };
    const at = new Date(time).toISOString();
    const body = { alerts: [{ status, labels, startsAt: at, ...(status === 'resolved' && { endsAt: at }) }] };
    note((await send('POST', '/api/events/webhook/prometheus', body)).results?.[0]?.eventId ?? null);
  };
  const ingest = async (n: number, timestamp: number, severity: number) => {
    if (n >= MONITORED) return alert(n, timestamp, 'firing', SEVERITIES[severity]!);
    const host = `h${n % HOSTS}`;
    const event = { source: 'test', sourceId: `s${n}`, title: TITLES[n % 4], hostname: host, timestamp };
    const service = n % 3 === 0 ? { service: `svc${n % 2}` } : {};
    const reply = await send('POST', '/api/events/ingest', { ...event, ...service, severity: SEVERITIES[severity] });
    note(reply.eventId ?? null);
  };
  if (busy)
    for (let n = 0; n < 30; n++) {
      at += 9 * MINUTE;
      const host = { hostname: `pulse${n}`, sourceId: `p${n}`, title: `Heart beats oddly ${'abcdefgh'[n % 8]}` };
      await send('POST', '/api/events/ingest', { source: 'test', severity: 'minor', timestamp: at, ...host });
    }
  const known = (n: number): string | undefined => (events.length === 0 ? undefined : events[n % events.length]);
  const status = (event: string | undefined, to: string) =>
    event && send('PATCH', `/api/events/${event}/status`, { status: to, notes: 'said so' });
  const take = async (asked: Step): Promise<unknown> => {
    switch (asked.kind) {
      case 'event':
        at += asked.gap ** 2 * 5_000;
        return ingest(asked.one, at, asked.severity);
      case 'late':
        return ingest(asked.one, at - asked.gap * MINUTE, asked.severity);
      case 'end':
        at += asked.gap * MINUTE;
        return alert(MONITORED + (asked.one % 6), at, 'resolved', 'major');
      case 'resolve':
        return status(known(asked.one), 'resolved');
      case 'reopen':
        return status(known(asked.one), 'open');
      case 'merge': {
        const [primaryEventId, related] = [known(asked.one), known(asked.other)];
        if (primaryEventId === undefined || related === primaryEventId) return;
        return send('POST', '/api/events/correlate', { primaryEventId, relatedEventIds: [related] });
      }
      case 'split': {
        const eventIds = [...new Set([known(asked.one), known(asked.other)])].filter((id) => id !== undefined);
        const group = eventIds[0] && (await send('GET', `/api/events/${eventIds[0]}`)).event.correlationId;
        return group && send('POST', `/api/events/groups/${group}/split`, { eventIds, reason: 'not of it' });
      }
      case 'demand':
        return known(asked.one) && send('POST', `/api/events/${known(asked.one)}/correlate`);
      case 'ci':
        return addCi(`h${asked.one % HOSTS}`);
      case 'edge': {
        const [source, target] = [cis.get(`h${asked.one % HOSTS}`), cis.get(`h${asked.other % HOSTS}`)];
        if (source === undefined || target === undefined || source === target) return;
        return send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: source, target_ci: target });
      }
    }
  };
  return { id, take };
};

const shown = (
  { id, aliases, status, first, last, size, createdPosition, candidate }: Group,
  members: readonly string[],
) => ({
  id,
  aliases,
  status,
  first,
  last,
  size,
  createdPosition,
  cause: candidate?.eventId ?? null,
  members: members.toSorted(),
});

/** Returns the result of merge: the last group of each event, without superseded members. */
const stored = async (tenant: string) => {
  const { correlation, events } = app.app.ports;
  const { items } = await correlation.groups(tenant, {}, { sort: 'first', order: 'asc', limit: 500 });
  const all = (await events.find(tenant, {}, { sort: 'timestamp', order: 'asc', limit: 500 })).items;
  const decisions = await correlation.decisionsOf(
    tenant,
    all.map(({ id }) => id),
    longest(5_000),
  );
  // One that supersedes a member and closes the group by its time is recorded in the group and not counted: memory and
  // store differ.
  fc.pre(!decisions.some(({ groupId, closed }) => groupId !== null && closed.includes(groupId)));
  const put = new Map<string, string>();
  for (const { joined, groupId, apart } of decisions) {
    for (const id of apart?.left ?? []) put.delete(id);
    for (const id of joined) put.set(id, groupId ?? '');
  }
  return items
    .filter(({ status }) => status !== 'merged')
    .map((group) => {
      const names = new Set([group.id, ...group.aliases]);
      const own = all.filter(({ id }) => names.has(put.get(id) ?? ''));
      const taken = new Set(own.map(({ supersedes }) => supersedes));
      const members = own.filter(({ id }) => !taken.has(id)).map(({ id }) => id);
      expect(members).toHaveLength(group.size);
      return shown(group, members);
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
};

const replayed = async (tenant: string) => {
  const replay = openReplay(({ settings }) => settings);
  const past = await readPast(app.app.ports, tenant, { hours: 168, spanMs: 4 * HOUR });
  for await (const { step: next } of past.steps())
    if (isDecision(next)) replay.takeDemanded(next);
    else replay.take(next);
  const groups = replay.groups().map(({ group, members }) => shown(group, members));
  return groups.sort((a, b) => (a.id < b.id ? -1 : 1));
};

test.each([
  ['quiet', false],
  ['busy', true],
] as const)(
  'in a %s tenant',
  async (_, busy) => {
    let grouped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45, size: 'max' }), async (steps) => {
        const tenant = await open(busy);
        for (const asked of steps) await tenant.take(asked);
        await app.app.idle();
        const groups = await stored(tenant.id);
        grouped += groups.length;
        expect(await replayed(tenant.id)).toEqual(groups);
      }),
      { numRuns: runs({ short: 3, long: 100 }), seed: 7, endOnFailure: true },
    );
    expect(grouped).toBeGreaterThan(3);
  },
  longest(60_000),
);
