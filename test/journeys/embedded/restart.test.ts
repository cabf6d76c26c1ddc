import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* One service, stopped in the middle of its work and started again on the same directory. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PAST = START - 30 * HOUR;
const directory = temporaryDirectory();
let app: TestApp;
let token: string;
let past: string;
let torn: string;
/** Ids of the tenant `torn`: an event of a switch, and two that a user split off from it. */
const faults: string[] = [];
/** Event ids from before the stop. */
const before: Record<string, string> = {};

const send = async (method: string, path: string, body?: unknown, as = token) => {
  const reply = await app.send(method, path, body, { token: as });
  if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const ingest = (event: object, as = token) =>
  send('POST', '/api/events/ingest', { source: 's', sourceId: '1', severity: 'major', ...event }, as);
const shown = async (id: string, as = token) => (await send('GET', `/api/events/${id}`, undefined, as)).event;
const cloudEvent = { specversion: '1.0', id: 'ce-1', source: 'probe', type: 'check.firing', subject: 'x/1' };
const deliverCloudEvent = () =>
  send('POST', '/api/events/webhook/cloudevents', { ...cloudEvent, data: { title: 'Probe failed', hostname: 'x' } });
const zabbix = (problem: object) =>
  send('POST', '/api/events/webhook/zabbix', {
    event_id: '9',
    trigger_name: 'Service crashed',
    hostname: 'z',
    severity: '4',
    ...problem,
  });

const work = async (): Promise<void> => {
  await send('PUT', '/api/admin/settings/correlation', { guards: { maxSize: 500 } });
  const ci = async (name: string) => (await send('POST', '/v1/cmdb/ci', { name, type: 'server' })).id as string;
  const [top, below] = [await ci('sw-1'), await ci('app-1')];
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: below, target_ci: top });
  for (let n = 12; n >= 1; n--) {
    const timestamp = START - n * 20 * MINUTE;
    await ingest({ sourceId: 'flap', title: 'Port flapping', hostname: 'sw-9', timestamp });
    await ingest({ sourceId: 'flap', status: 'resolved', timestamp: timestamp + MINUTE });
  }
  before.link = (await ingest({ title: 'Link down', hostname: 'sw-1', timestamp: START })).eventId;
  before.cache = (await ingest({ title: 'Cache cold', hostname: 'sw-1', timestamp: START + 1_000 })).eventId;
  before.probe = (await deliverCloudEvent()).results[0].eventId;
  await zabbix({ event_value: '0', timestamp: String((START - 10 * MINUTE) / 1_000) });
  before.past = (await ingest({ title: 'Link down', hostname: 'a', timestamp: PAST }, past)).eventId;
};

/** Three events of one group become two groups. */
const split = async (): Promise<void> => {
  const ci = async (name: string) => (await send('POST', '/v1/cmdb/ci', { name, type: 'server' }, torn)).id as string;
  const [top, below] = [await ci('sw-2'), await ci('app-2')];
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: below, target_ci: top }, torn);
  for (const [n, [hostname, title]] of TORN.entries())
    faults.push((await ingest({ title, hostname, timestamp: START + n * 1_000 }, torn)).eventId);
  const { correlationId } = await shown(faults[0]!, torn);
  const body = { eventIds: faults.slice(1), reason: 'two faults' };
  await send('POST', `/api/events/groups/${correlationId}/split`, body, torn);
};
const TORN = [
  ['sw-2', 'Link down'],
  ['app-2', 'HTTP 503'],
  ['app-2', 'Queue full'],
] as const;
const groupsOf = async (ids: readonly string[], as: string): Promise<(string | null)[]> =>
  Promise.all(ids.map(async (id) => (await shown(id, as)).correlationId));

beforeAll(async () => {
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
  [token, past, torn] = [await app.tenant('acme'), await app.tenant('past'), await app.tenant('torn')];
  await work();
  await split();
  before.group = (await shown(before.link as string)).correlationId;
  await app.stop();
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
  app.clock.set(START + 10_000);
});
afterAll(async () => {
  await app.stop();
  directory.remove();
});

test('tokens and settings are still there', async () => {
  expect((await send('GET', '/api/admin/settings/correlation')).data.effective.guards.maxSize).toBe(500);
});

test('a repeat counts on', async () => {
  const again = await ingest({ title: 'Cache cold', hostname: 'sw-1', timestamp: START + 5_000 });
  expect(again).toMatchObject({ status: 'duplicate_updated', eventId: before.cache, occurrenceCount: 2 });
});

test('a delivery that was answered before is not counted', async () => {
  expect((await deliverCloudEvent()).results).toMatchObject([{ status: 'created', eventId: before.probe }]);
  expect((await shown(before.probe as string)).occurrenceCount).toBe(1);
});

test('what depends on a member joins the group that was open', async () => {
  const { eventId } = await ingest({ title: 'Queries blocked', hostname: 'app-1', timestamp: START + 9_000 });
  expect(before.group).toMatch(/^COR-/);
  expect((await shown(eventId)).correlationId).toBe(before.group);
});

test('an occurrence from before a recovery is saved as resolved', async () => {
  const { results } = await zabbix({ timestamp: String((START - 11 * MINUTE) / 1_000) });
  expect(results).toMatchObject([{ status: 'created' }]);
  expect((await shown(results[0].eventId)).status).toBe('resolved');
});

test('what complained all day is usual', async () => {
  const { eventId } = await ingest({ title: 'Port flapping', hostname: 'sw-9', timestamp: START + 8_000 });
  expect((await shown(eventId)).usual).toBe(true);
});

test('the background is still known', async () => {
  // A common problem: for two rare ones the rate would be that of rare events.
  const one = await ingest({ title: 'Port flapping', hostname: 'b', timestamp: START });
  const two = await ingest({ title: 'Tape library empty', hostname: 'c', timestamp: START + 9_500 });
  const said = await send('GET', `/api/events/${two.eventId}/explain?with=${one.eventId}`);
  const temporal = said.strategies.find(({ strategy }: { strategy: string }) => strategy === 'temporal');
  // More than half of the bins that have passed are busy with one event each: λ = 1 / 600 s.
  expect(temporal.factor).toBeCloseTo(Math.exp((-20 * 9.5) / 600), 10);
});

test('a tenant that lives a day behind the others goes on where it was', async () => {
  const { eventId } = await ingest({ title: 'Cache cold', hostname: 'b', timestamp: PAST + 30_000 }, past);
  const { correlationId } = await shown(eventId, past);
  expect(correlationId).not.toBeNull();
  expect((await shown(before.past as string, past)).correlationId).toBe(correlationId);
});

test('what a person split stays split, whatever comes again and a hundred events after it', async () => {
  const [top, ...off] = await groupsOf(faults, torn);
  expect([new Set(off).size, off.includes(top!), top]).toEqual([1, false, expect.stringMatching(/^COR-/)]);
  for (const [n, [hostname, title]] of TORN.entries()) {
    const again = await ingest({ title, hostname, timestamp: START + n * 1_000 }, torn);
    expect(again.eventId).toBe(faults[n]);
  }
  const further: string[] = [];
  for (let n = 0; n < 50; n++)
    for (const hostname of ['sw-2', 'app-2']) {
      app.clock.advance(10_000);
      const event = { sourceId: `${hostname} ${n}`, title: `Fault ${n}`, hostname, timestamp: app.clock.now() };
      further.push((await ingest(event, torn)).eventId);
    }
  await app.app.idle();
  expect(await groupsOf(faults, torn)).toEqual([top, ...off]);
  // They do join existing groups.
  const joined = await groupsOf(further, torn);
  expect(joined.filter((id) => id === top || id === off[0]).length).toBeGreaterThan(50);
});
