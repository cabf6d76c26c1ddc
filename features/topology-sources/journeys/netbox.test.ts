import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { choice, DATA_CENTER, type FakeNetbox, openFakeNetbox } from './fake-netbox.ts';

const V1 = '0123456789abcdef0123456789abcdef01234567';
const V2 = `nbt_abcdefABCDEF.${'0123456789'.repeat(4)}`;

const app = appOfTests({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
let netbox: FakeNetbox;
let token: string;
let serial = 0;
beforeEach(async () => {
  netbox = await openFakeNetbox(DATA_CENTER);
  token = await app.tenant(`netbox-${++serial}`);
});
afterEach(() => netbox.stop());

const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
const put = (more: object = {}) =>
  send('PUT', '/v1/cmdb/sources/dc', {
    kind: 'netbox',
    url: netbox.url,
    auth: { type: 'token', token: V2 },
    grace: '10s',
    every: '1d',
    ...more,
  });
const tried = () => send('POST', '/v1/cmdb/sources/dc/run', {});
const run = async () => (await tried()).body;
const cis = async () => (await send('GET', '/v1/cmdb/ci?limit=100')).body.data;
const ciOf = async (key: string) =>
  (await cis()).find((ci: { external_key: string }) => ci.external_key === `netbox:dc/${key}`);
interface ShownEdge {
  readonly type: string;
  readonly source: { readonly name: string };
  readonly target: { readonly name: string };
  readonly attributes: { readonly redundancy_group?: string };
}
const edges = async (): Promise<string[]> => {
  const { data } = (await send('GET', '/v1/cmdb/relationships?limit=100')).body;
  const textOf = ({ type, source, target, attributes }: ShownEdge) =>
    [source.name, type, target.name, attributes.redundancy_group ?? []].flat().join(' ');
  return data.map(textOf).sort();
};

describe('a NetBox source', () => {
  test('becomes sites, racks, power, devices, clusters, virtual machines and their connections', async () => {
    const made = await put();
    expect([made.status, made.body.auth]).toEqual([201, { type: 'token' }]);
    const done = await run();
    expect(done.run).toMatchObject({ cis: { total: 17, failed: 0 }, relationships: { failed: 0 } });
    expect(JSON.stringify(done)).not.toContain(V2);
    expect(await edges()).toEqual(
      [
        'Panel 1 located_in ams1',
        'R01 located_in ams1',
        'R01-A powered_by Panel 1',
        'R01-B powered_by Panel 1',
        'kvm located_in ams1',
        'kvm depends_on srv-1 hosts',
        'kvm depends_on srv-2 hosts',
        'vm-1 runs_on kvm',
        'vm-2 runs_on srv-2',
        'blade-1 hosted_on srv-1',
        ...['srv-1', 'srv-2', 'sw-1', 'sw-2', 'rt-1', 'pdu-a', 'pdu-b', 'Model patch-panel (8)', 'blade-1'].map(
          (name) => `${name} located_in R01`,
        ),
        ...['srv-1', 'srv-2', 'sw-1'].flatMap((name) => [
          `${name} powered_by R01-A feeds`,
          `${name} powered_by R01-B feeds`,
          `${name} powered_by pdu-a units`,
          `${name} powered_by pdu-b units`,
        ]),
        'sw-2 powered_by R01-A',
        'sw-2 powered_by pdu-a',
        'pdu-a powered_by R01-A',
        'pdu-b powered_by R01-B',
        'srv-1 network_connection sw-1 uplinks',
        'srv-1 network_connection sw-2 uplinks',
        'srv-2 network_connection sw-1',
        'sw-1 network_connection rt-1',
        'sw-2 network_connection rt-1',
        'sw-1 connects_to sw-2',
        'sw-1 connects_to pdu-a',
      ].sort(),
    );
    expect(await ciOf('device/1')).toMatchObject({
      name: 'srv-1',
      type: 'server',
      attributes: {
        ip_address: '10.0.0.1',
        ip_addresses: ['192.168.7.1'],
        fqdn: 'srv-1.example.com',
        os: 'Debian 13',
        model: 'R650',
        serial_number: 'SN1',
      },
    });
    expect((await ciOf('vm/2')).attributes).toMatchObject({ ip_address: '10.0.1.2', fqdn: 'vm-2.example.com' });
    expect(await ciOf('device/9')).toBeUndefined();
  });

  test.each([
    ['v1', V1, `Token ${V1}`],
    ['v2', V2, `Bearer ${V2}`],
  ])('a token of %s has its scheme', async (_, given, header) => {
    await put({ auth: { type: 'token', token: given } });
    expect((await tried()).status).toBe(200);
    expect(new Set(netbox.requests.map(({ authorization }) => authorization))).toEqual(new Set([header]));
  });

  test.each([
    ['the first ID', true, 'start'],
    ['an offset', false, 'offset'],
  ])('pages follow each other by %s, at the given address', async (_, hasCursor, parameter) => {
    Object.assign(netbox, { hasCursor, pageSize: 2 });
    await put();
    expect((await run()).run.cis.total).toBe(17);
    const devices = netbox.requests.filter(({ path }) => path.endsWith('/dcim/devices/'));
    expect(devices.map(({ query }) => query.get(parameter)).slice(1)).toEqual(
      hasCursor ? ['3', '5', '7', '9', '11'] : ['2', '4', '6', '8'],
    );
  });

  test('a run without changes writes nothing; a new name is the same CI; a deleted device ends after its grace', async () => {
    await put();
    await run();
    expect((await run()).run).toMatchObject({
      cis: { created: 0, updated: 0, unchanged: 17 },
      relationships: { created: 0, updated: 0, ended: 0 },
    });
    const before = await ciOf('device/2');
    const devices = (DATA_CENTER.devices ?? []).filter(({ id }) => id !== 4);
    netbox.rows = { ...DATA_CENTER, devices: devices.map((one) => (one.id === 2 ? { ...one, name: 'srv-two' } : one)) };
    app.clock.advance(1_000);
    expect((await run()).run.cis).toMatchObject({ updated: 1, missing: 1, ended: 0 });
    expect(await ciOf('device/2')).toMatchObject({ id: before.id, name: 'srv-two' });
    app.clock.advance(10_000);
    expect((await run()).run.cis).toMatchObject({ ended: 1 });
    expect((await ciOf('device/4')).status).toBe('inactive');
  });

  test('a device that is no longer in use ends as well', async () => {
    await put();
    await run();
    const devices = (DATA_CENTER.devices ?? []).map((one) =>
      one.id === 10 ? { ...one, status: choice('decommissioning') } : one,
    );
    netbox.rows = { ...DATA_CENTER, devices };
    expect((await run()).run.cis).toMatchObject({ missing: 1 });
  });

  test('the order of roles is a setting', async () => {
    await put({ roles: ['server', 'access-switch'] });
    expect((await run()).roles).toEqual(['server', 'access-switch']);
    expect(await edges()).toEqual(
      expect.arrayContaining(['sw-1 network_connection srv-1 uplinks', 'rt-1 network_connection sw-1 uplinks']),
    );
  });

  test('one failed request is repeated, a refused token is not', async () => {
    await put();
    netbox.statuses = [503];
    expect((await tried()).status).toBe(200);
    const asked = netbox.requests.length;
    netbox.statuses = [403];
    const refused = await tried();
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      expect.stringMatching(/^HTTP 403 from 127\.0\.0\.1:\d+\/netbox\/api\/dcim\/sites\/: Invalid v1 token$/),
    ]);
    expect(netbox.requests.length).toBe(asked + 1);
    expect((await send('GET', '/v1/cmdb/sources/dc')).body.stale_since).not.toBeNull();
    expect((await ciOf('device/1')).status).toBe('active');
  });

  test('a private address is refused, and the default time between runs is ten minutes', async () => {
    const refused = await put({ url: 'http://10.0.0.1' });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'url']);
    const { every: _, ...body } = { kind: 'netbox', url: netbox.url, every: '' };
    expect((await send('PUT', '/v1/cmdb/sources/dc', body)).body.every).toBe('10m');
  });
});

test('a failed feed or distribution unit stops the devices without a second one', async () => {
  await put();
  await run();
  const impactOf = async (key: string) => (await send('GET', `/v1/cmdb/ci/${(await ciOf(key)).id}/impact`)).body;
  const namesIn = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();
  const ofFeed = await impactOf('feed/1');
  expect(namesIn(ofFeed.impacted)).toEqual(['pdu-a', 'sw-2']);
  expect(namesIn(ofFeed.protected)).toEqual(['srv-1', 'srv-2', 'sw-1']);
  expect(namesIn((await impactOf('device/6')).impacted)).toEqual(['sw-2']);
});

test('when the only feed of a rack fails, its devices are one group with the feed as its cause', async () => {
  const isOfA = ({ id }: { readonly id?: unknown }): boolean => Number(id) % 10 === 0;
  netbox.rows = { ...DATA_CENTER, ports: (DATA_CENTER.ports ?? []).filter(isOfA) };
  await put();
  await run();
  const alert = async (hostname: string, title: string) => {
    const event = { source: 'snmp', sourceId: `${hostname} ${title}`, hostname, title, severity: 'critical' };
    expect((await send('POST', '/api/events/ingest', event)).status).toBe(201);
    app.clock.advance(5_000);
  };
  await alert('R01-A', 'Feed power lost');
  for (const name of ['pdu-a', 'srv-1', 'sw-1', 'srv-2', 'sw-2']) await alert(name, 'Host unreachable');
  await app.app.idle();
  const { groups } = (await send('GET', '/api/events/groups?limit=10')).body;
  expect(groups.map((group: { eventCount: number }) => group.eventCount)).toEqual([6]);
  const { group } = (await send('GET', `/api/events/groups/${groups[0].correlationId}`)).body;
  expect(group.rootCauseCandidate).toMatchObject({ ciId: (await ciOf('feed/1')).id });
  expect(group.rootCauseCandidate.confidence).toBeGreaterThan(0.9);
});
