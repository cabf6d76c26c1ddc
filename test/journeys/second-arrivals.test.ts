import { expect, test } from '@jest/globals';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

/** Changes of an event after its arrival: others find it by its current data, and groups of silent tenants are over. */

const MINUTE = 60_000;

const it = appOfTests();
let tenants = 0;

/** They have nothing in common. */
const TITLES: Readonly<Record<string, string>> = {
  'db-1': 'Replication behaves oddly',
  'app-1': 'Checkout is strange',
};

/** A tenant of its own for each test. */
const fresh = async () => {
  const token = await it.tenant(`second-${++tenants}`);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await it.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const ingest = async (hostname: string, timestamp: number): Promise<string> => {
    const event = { source: 'test', sourceId: hostname, severity: 'critical', title: TITLES[hostname]! };
    return (await send('POST', '/api/events/ingest', { ...event, hostname, timestamp })).eventId;
  };
  // A store of topology that is slow to answer leaves the binding to the background.
  const bound = (...ids: string[]) =>
    until(async () => {
      const shown = await Promise.all(ids.map((id) => send('GET', `/api/events/${id}`)));
      return shown.every(({ event }) => event.ciId !== undefined);
    });
  const ci = async (name: string): Promise<string> => (await send('POST', '/v1/cmdb/ci', { type: 'host', name })).id;
  const dependsOn = (source: string, target: string) => {
    const attributes = { criticality: 'critical' };
    return send('POST', '/v1/cmdb/relationships', {
      type: 'depends_on',
      source_ci: source,
      target_ci: target,
      attributes,
    });
  };
  const groups = async (query = '') => (await send('GET', `/api/events/groups${query}`)).groups;
  return { send, ingest, bound, ci, dependsOn, groups };
};

testWith('discovery.submit-scan')('a relationship that is made during a fault brings its events together', async () => {
  const { ingest, bound, ci, dependsOn, groups } = await fresh();
  const [db, app] = [await ci('db-1'), await ci('app-1')];
  it.clock.set(START);
  const cause = await ingest('db-1', START - 12 * MINUTE);
  await bound(cause, await ingest('app-1', START));
  await it.app.idle();
  expect(await groups()).toEqual([]);
  await dependsOn(app, db);
  // The second arrivals are handed over in the background.
  await until(async () => {
    await it.app.idle();
    return (await groups()).length > 0;
  });
  expect(await groups()).toMatchObject([{ eventCount: 2, rootCauseCandidate: { eventId: cause } }]);
});

test('on demand the topology of now counts where none was known', async () => {
  const { send, ingest, bound, ci, dependsOn, groups } = await fresh();
  const [db, app] = [await ci('db-1'), await ci('app-1')];
  it.clock.set(START);
  const cause = await ingest('db-1', START - 12 * MINUTE);
  const effect = await ingest('app-1', START);
  await bound(cause, effect);
  await it.app.idle();
  // So late that no window reaches them.
  it.clock.set(START + 100 * MINUTE);
  await dependsOn(app, db);
  await it.app.idle();
  expect(await groups()).toEqual([]);
  const { correlations } = await send('POST', `/api/events/${effect}/correlate`);
  expect(correlations).toMatchObject({
    isCorrelated: true,
    correlatedEvents: [{ reasons: [{ strategy: 'dependency' }] }],
  });
  expect(await groups()).toMatchObject([{ eventCount: 2 }]);
});

test('a group of a tenant that is silent grows no more, by the clock', async () => {
  const { ingest, groups } = await fresh();
  const now = START + 24 * 60 * MINUTE;
  it.clock.set(now);
  for (const host of ['db-1', 'app-1']) await ingest(host, now);
  await it.app.idle();
  const open = async () => {
    const { body } = await it.send('GET', '/metrics', undefined, { token: null });
    return /^faultline_groups_open (\d+)$/m.exec(body as string)?.[1];
  };
  const seen = async () => [
    (await groups('?growing=true')).length,
    (await groups('?growing=false')).length,
    await open(),
  ];
  it.clock.set(now + 60 * MINUTE);
  expect([await seen(), (await groups())[0].growing]).toEqual([[1, 0, '1'], true]);
  it.clock.set(now + 60 * MINUTE + 1);
  expect([await seen(), (await groups())[0].growing]).toEqual([[0, 1, '0'], false]);
});

/** A switch and its dependents fail during planned maintenance. */
const heldBack = async () => {
  const { send, ci, dependsOn, groups } = await fresh();
  const sw = await ci('sw-1');
  const hosts = [await ci('host-1'), await ci('host-2')];
  for (const host of hosts) await dependsOn(host, sw);
  it.clock.set(START);
  const fail = async (ago = 0): Promise<string[]> => {
    const ids: string[] = [];
    for (const hostname of ['sw-1', 'host-1', 'host-2']) {
      const event = { source: 'test', sourceId: hostname, severity: 'critical', title: 'Not reachable', hostname };
      const timestamp = it.clock.now() - ago + ids.length * 1_000;
      ids.push((await send('POST', '/api/events/ingest', { ...event, timestamp })).eventId);
    }
    await it.app.idle();
    return ids;
  };
  return { send, sw, fail, groups };
};
const one = (ids: readonly string[]) => [
  expect.objectContaining({
    status: 'active',
    counts: { open: ids.length, acknowledged: 0, resolved: 0, suppressed: 0 },
  }),
];

testWith('events.silences.create').each([
  ['within the largest window', 10 * MINUTE],
  ['long after they came', 5 * 60 * MINUTE],
])('what is open again after a silence is a group: %s', async (_, lasts) => {
  const { send, sw, fail, groups } = await heldBack();
  const endsAt = new Date(START + lasts).toISOString();
  const { silence } = await send('POST', '/api/events/silences', {
    matcher: { below: sw },
    endsAt,
    reason: 'maintenance',
  });
  const ids = await fail(5 * MINUTE);
  expect(await groups()).toEqual([]);
  it.clock.set(START + lasts - MINUTE);
  await send('DELETE', `/api/events/silences/${silence.id}`);
  await until(async () => (await send('GET', `/api/events/${ids[0]}`)).event.status === 'open');
  await it.app.idle();
  expect(await groups()).toEqual(one(ids));
});

test('what a person reopens is in its group again', async () => {
  const { send, fail, groups } = await heldBack();
  const ids = await fail();
  expect(await groups()).toEqual(one(ids));
  const [{ correlationId }] = await groups();
  await send('POST', '/api/events/status', { correlationId, status: 'resolved' });
  it.clock.advance(3 * 60 * MINUTE);
  await send('POST', '/api/events/status', { ids, status: 'open' });
  await it.app.idle();
  expect(await groups()).toEqual([expect.objectContaining({ correlationId, status: 'active' })]);
});

test('so is what a person had suppressed', async () => {
  const { send, ci, dependsOn, groups, ingest, bound } = await fresh();
  it.clock.set(START);
  const [db, app] = [await ci('db-1'), await ci('app-1')];
  const ids = [await ingest('db-1', START), await ingest('app-1', START + 1_000)];
  await bound(...ids);
  await send('POST', '/api/events/status', { ids, status: 'suppressed' });
  await dependsOn(app, db);
  await it.app.idle();
  it.clock.advance(10 * MINUTE);
  await send('POST', '/api/events/status', { ids, status: 'open' });
  await it.app.idle();
  expect(await groups()).toEqual(one(ids));
});
