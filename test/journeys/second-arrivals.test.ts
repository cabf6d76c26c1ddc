import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

/** What an event becomes after it came: others find it by what is known of it now, and groups of silent tenants are over. */

const MINUTE = 60_000;

let it: TestApp;
let tenants = 0;
beforeAll(async () => {
  it = await openTestApp();
});
afterAll(() => it.stop());

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

test('a relationship that is made during a fault brings its events together', async () => {
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
