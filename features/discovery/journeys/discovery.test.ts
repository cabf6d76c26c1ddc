import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { type Reply, START } from '#test/setup/test-app.ts';

const app = appOfTests();

let tenants = 0;
/** A tenant of its own for each test. */
const fresh = async () => {
  const id = `discovery-${++tenants}`;
  const token = await app.tenant(id);
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    app.send(method, path, body, { token, headers });
  const scan = async (hosts: readonly unknown[], more: object = {}) => {
    const data = {
      scan_type: 'network',
      scanner_id: 'nmap-1',
      timestamp: START,
      data: { discovered_hosts: hosts },
      ...more,
    };
    const given = await send('POST', '/v1/discovery/scan-data', data);
    expect(given.status).toBe(202);
    await app.app.idle();
    return (await send('GET', `/v1/discovery/scans/${given.body.scan_id}`)).body;
  };
  const ci = async (fields: object): Promise<string> => {
    const made = await send('POST', '/v1/cmdb/ci', { type: 'server', ...fields });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const event = async (title: string, fields: object): Promise<string> => {
    const made = await send('POST', '/api/events/ingest', {
      source: 'test',
      sourceId: title,
      severity: 'critical',
      title,
      timestamp: app.clock.now(),
      ...fields,
    });
    expect(made.status).toBe(201);
    return made.body.eventId;
  };
  return { id, token, send, scan, ci, event };
};

describe('Discovery tokens', () => {
  test.each(['/v1', '/api'])('%s: made, shown once, listed, revoked', async (prefix) => {
    const { send } = await fresh();
    const bare = ({ body }: Reply) => (prefix === '/v1' ? body : body.data);
    const made = await send('POST', `${prefix}/discovery/tokens`, {
      name: 'nmap',
      description: 'rack 1',
      expires_in: '7d',
    });
    expect(made.status).toBe(201);
    expect(bare(made)).toMatchObject({
      id: expect.any(String),
      name: 'nmap',
      token: expect.stringMatching(/^fld_/),
      expires_at: new Date(START + 7 * 86_400_000).toISOString(),
      scopes: ['discovery.submit', 'discovery.read'],
      message: 'Token created',
    });
    const { id } = bare(made);
    await send('POST', '/api/admin/tokens', { name: 'feed', role: 'ingest' });
    const listed = await send('GET', `${prefix}/discovery/tokens`);
    expect(listed.body.data).toEqual([expect.objectContaining({ id, name: 'nmap' })]);
    expect(listed.body.data[0]).not.toHaveProperty('token');
    expect(bare(await send('GET', `${prefix}/discovery/tokens/${id}`))).toMatchObject({ id, description: 'rack 1' });
    expect((await send('DELETE', `${prefix}/discovery/tokens/${id}`)).status).toBe(200);
    const scan = await app.send('GET', '/v1/discovery/scans', undefined, { token: bare(made).token });
    expect([scan.status, (await send('GET', `${prefix}/discovery/tokens/${id}`)).status]).toEqual([401, 404]);
  });

  test('an API token is not to be had here', async () => {
    const { send } = await fresh();
    const { body } = await send('POST', '/api/admin/tokens', { name: 'feed', role: 'ingest' });
    const path = `/v1/discovery/tokens/${body.data.id}`;
    expect([(await send('GET', path)).status, (await send('DELETE', path)).status]).toEqual([404, 404]);
  });
});

const HOSTS = [
  {
    ip_address: '10.1.0.1',
    hostname: 'web-1',
    mac_address: '00:1A:2B:00:00:01',
    open_ports: [443, 22],
    os_guess: 'Linux 5',
  },
  { ip_address: '10.1.0.2', os: 'Windows', serial_number: 'SN-2', attributes: { rack: { row: 3 } } },
];

describe('Scans', () => {
  test.each(['/v1', '/api'])('%s: given in, worked on, listed', async (prefix) => {
    const { send } = await fresh();
    const bare = ({ body }: Reply) => (prefix === '/v1' ? body : body.data);
    const data = { scan_type: 'network', scanner_id: 'nmap-1', timestamp: START, data: { discovered_hosts: HOSTS } };
    const given = await send('POST', `${prefix}/discovery/scan-data`, data);
    expect(given.status).toBe(202);
    expect(bare(given)).toMatchObject({
      scan_type: 'network',
      scanner_id: 'nmap-1',
      status: 'running',
      hosts_total: 2,
      hosts_done: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      ambiguous: 0,
      failed: 0,
      completed_at: null,
    });
    const { scan_id } = bare(given);
    expect(given.headers.get('location')).toBe(`${prefix}/discovery/scans/${scan_id}`);
    await app.app.idle();
    const shown = bare(await send('GET', `${prefix}/discovery/scans/${scan_id}`));
    expect(shown).toMatchObject({ status: 'completed', hosts_done: 2, created: 2, completed_at: expect.any(String) });
    expect(shown.hosts).toEqual([
      {
        index: 0,
        hostname: 'web-1',
        ip_address: '10.1.0.1',
        action: 'created',
        ci_id: expect.any(String),
        matched_by: null,
        reason: null,
        review_id: null,
      },
      expect.objectContaining({ index: 1, hostname: null, action: 'created' }),
    ]);
    const [first, second] = await Promise.all(
      shown.hosts.map(async (host: { ci_id: string }) => (await send('GET', `/v1/cmdb/ci/${host.ci_id}`)).body),
    );
    expect(first).toMatchObject({ name: 'web-1', type: 'server', created_by: 'discovery:nmap-1' });
    expect(first.attributes).toEqual({
      ip_address: '10.1.0.1',
      hostname: 'web-1',
      mac_address: '00:1A:2B:00:00:01',
      os: 'Linux 5',
      open_ports: [22, 443],
    });
    expect(second).toMatchObject({ name: '10.1.0.2', attributes: { os: 'Windows', rack: { row: 3 } } });
    const list = await send('GET', `${prefix}/discovery/scans?scanner_id=nmap-1&status=completed`);
    expect(list.body.data).toEqual([expect.objectContaining({ scan_id, created: 2 })]);
    const scanData = await send('GET', `${prefix}/discovery/scan-data`);
    expect(scanData.body.data).toEqual([
      expect.objectContaining({
        scan_id,
        scan_type: 'network',
        scanner_id: 'nmap-1',
        timestamp: new Date(START).toISOString(),
        truncated: false,
        data: {
          discovered_hosts: [
            {
              ip_address: '10.1.0.1',
              hostname: 'web-1',
              mac_address: '00:1A:2B:00:00:01',
              open_ports: [443, 22],
              os_guess: 'Linux 5',
            },
            expect.objectContaining({ ip_address: '10.1.0.2', os_guess: 'Windows' }),
          ],
        },
      }),
    ]);
  });

  test('lists filter by scanner, status and time, and page', async () => {
    const { send, scan } = await fresh();
    for (const scanner_id of ['a', 'b', 'a']) {
      await scan([{ ip_address: '10.0.0.1' }], { scanner_id });
      app.clock.advance(60_000);
    }
    const ids = async (query: string) =>
      (await send('GET', `/v1/discovery/scans?${query}`)).body.data.map(
        (one: { scanner_id: string }) => one.scanner_id,
      );
    const minute = (n: number) => encodeURIComponent(new Date(app.clock.now() - n * 60_000).toISOString());
    expect(await ids('')).toEqual(['a', 'b', 'a']);
    expect(await ids('scanner_id=b')).toEqual(['b']);
    expect(await ids('status=running')).toEqual([]);
    expect(await ids(`from=${minute(2)}&to=${minute(2)}`)).toEqual(['b']);
    expect(await ids('limit=1&page=2')).toEqual(['b']);
    const first = (await send('GET', '/v1/discovery/scans?limit=2')).body;
    expect(first.pagination).toMatchObject({ total: 3, pages: 2 });
    expect(await ids(`limit=2&cursor=${first.pagination.nextCursor}`)).toEqual(['a']);
    expect((await send('GET', '/v1/discovery/scans?status=odd')).status).toBe(400);
    expect((await send('GET', '/v1/discovery/scans/01M7YWBDXTWDA6R21CQ905J7YQ')).status).toBe(404);
  });

  test('the same scan twice changes nothing: no version, no audit', async () => {
    const { send, scan } = await fresh();
    const first = await scan(HOSTS);
    const about = async () => {
      const cis = (await send('GET', '/v1/cmdb/ci')).body.data;
      const audit = (await send('GET', '/api/admin/audit?limit=200')).body.data;
      const changes = audit.filter(({ action }: { action: string }) => action.startsWith('ci.'));
      const provenance = (await send('GET', `/v1/cmdb/ci/${first.hosts[0].ci_id}/provenance`)).body;
      return { cis, changes, provenance };
    };
    const before = await about();
    expect(before.changes).toHaveLength(2);
    expect(before.changes[0]).toMatchObject({ action: 'ci.created', actor: { name: 'test' } });
    app.clock.advance(3_600_000);
    const second = await scan(HOSTS);
    expect(second).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
    expect(second.hosts.map(({ matched_by }: { matched_by: string }) => matched_by)).toEqual([
      'mac_address',
      'serial_number',
    ]);
    expect(await about()).toEqual(before);
  });

  test('a bad host fails alone and says why', async () => {
    const { scan, send } = await fresh();
    const shown = await scan([
      { hostname: 'good' },
      { mac_address: '00:1a:2b:00:00:01' },
      { ip_address: '10.0.0.999', hostname: 'bad' },
      { hostname: 'odd', colour: 'red' },
      'no host',
      { hostname: 'deep', attributes: { a: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) } },
      { hostname: 'nulls', fqdn: null, os: '', open_ports: null, interfaces: null },
    ]);
    expect(shown).toMatchObject({ status: 'completed', hosts_total: 7, created: 2, failed: 5 });
    const reasons = shown.hosts.map(({ action, reason }: { action: string; reason: string }) => [action, reason]);
    expect(reasons).toEqual([
      ['created', null],
      ['failed', expect.stringContaining('expected ip_address or hostname')],
      ['failed', expect.stringContaining('ip_address: expected an IPv4 or IPv6 address')],
      ['failed', expect.stringContaining('colour: unknown field')],
      ['failed', expect.any(String)],
      ['failed', expect.stringContaining('levels of nesting')],
      ['created', null],
    ]);
    const failed = await send('GET', `/v1/discovery/scans/${shown.scan_id}?action=failed&limit=2&page=2`);
    expect(failed.body.hosts.map(({ index }: { index: number }) => index)).toEqual([3, 4]);
    expect(failed.body.hosts_page).toEqual({ page: 2, limit: 2, total: 5, pages: 3 });
    expect(await scan([{ os: 'alone' }])).toMatchObject({ status: 'failed', failed: 1 });
    expect(await scan([])).toMatchObject({ status: 'completed', hosts_total: 0 });
  });

  test('what is no scan data is refused whole, and leaves nothing', async () => {
    const { send, id } = await fresh();
    const post = (body: unknown, headers = {}) => send('POST', '/v1/discovery/scan-data', body, headers);
    const host = '{"hostname":"a"}';
    expect((await post(`{"scan_type":"n","scanner_id":"s","data":{"discovered_hosts":[${host},]}}`)).status).toBe(400);
    expect((await post(`{"scan_type":"n","data":{"discovered_hosts":[${host}]}}`)).body.error.details).toEqual([
      { field: 'scanner_id', error: expect.stringContaining('required') },
    ]);
    expect((await post(`{"scan_type":"n","scanner_id":"s","data":{}}`)).status).toBe(400);
    expect(
      (await post(`{"scan_type":"n","scanner_id":"s","colour":1,"data":{"discovered_hosts":[${host}]}}`)).status,
    ).toBe(400);
    expect((await post('')).status).toBe(400);
    expect((await post(host, { 'content-type': 'text/plain' })).status).toBe(400);
    expect(await app.app.ports.records.list(id, 'scan-chunk', { limit: 10 })).toEqual([]);
    expect((await send('GET', '/v1/discovery/scans')).body.data).toEqual([]);
  });

  test('too much is refused, and the caller can read so', async () => {
    const { token } = await fresh();
    const host = `{"hostname":"a","os":"${'x'.repeat(2 ** 20 - 100)}"},`;
    const body = gzipSync(`{"scan_type":"n","scanner_id":"s","data":{"discovered_hosts":[${host.repeat(70)}]}}`);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const url = `${app.url}/v1/discovery/scan-data`;
    const reply = await fetch(url, { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body });
    expect(reply.status).toBe(413);
    expect(((await reply.json()) as { error: { message: string } }).error.message).toContain('exceeds 67108864 bytes');
  });

  test('an Idempotency-Key stands for one scan', async () => {
    const { send } = await fresh();
    const post = (hosts: unknown[]) => {
      const data = { scan_type: 'n', scanner_id: 's', data: { discovered_hosts: hosts } };
      return send('POST', '/v1/discovery/scan-data', data, { 'idempotency-key': 'once' });
    };
    const first = await post([{ hostname: 'a' }]);
    const again = await post([{ hostname: 'a' }]);
    expect([again.status, again.body.scan_id]).toEqual([202, first.body.scan_id]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await post([{ hostname: 'b' }])).status).toBe(422);
    expect((await send('GET', '/v1/discovery/scans')).body.data).toHaveLength(1);
    await app.app.idle();
  });
});

describe('Reconciliation', () => {
  test('who says what is shown, and what a person wrote stands', async () => {
    const { ci, scan, send, token } = await fresh();
    const id = await ci({ name: 'db-1', attributes: { os: 'Debian', serial_number: 'SN-1' } });
    const shown = await scan([{ hostname: 'db-1', serial_number: 'sn-1', os: 'Linux', ip_address: '10.0.0.5' }]);
    expect(shown.hosts[0]).toMatchObject({ action: 'updated', ci_id: id, matched_by: 'serial_number' });
    for (const prefix of ['/v1', '/api']) {
      const { body } = await send('GET', `${prefix}/cmdb/ci/${id}/provenance`);
      const { attributes, authority } = prefix === '/v1' ? body : body.data;
      expect(authority).toEqual(['manual', 'import', 'discovery']);
      expect(attributes.os).toMatchObject({
        value: 'Debian',
        source: 'manual',
        authority: 1,
        losers: [
          { value: 'Linux', source: 'discovery', by: 'nmap-1', seen_at: new Date(START).toISOString(), authority: 3 },
        ],
      });
      expect(attributes.ip_address).toMatchObject({ value: '10.0.0.5', source: 'discovery', losers: [] });
    }
    expect((await send('GET', `/v1/cmdb/ci/01M7YWBDXTWDA6R21CQ905J7YQ/provenance`)).status).toBe(404);

    const settings = '/api/admin/settings/discovery';
    const read = await app.send('GET', settings, undefined, { token });
    const put = await send('PUT', settings, { authority: ['discovery', 'manual', 'import'] });
    expect([put.status, put.body.data.authority[0]]).toEqual([200, 'discovery']);
    const headers = { 'if-match': read.headers.get('etag')! };
    const late = await app.send('PUT', settings, { authority: null }, { token, headers });
    expect(late.status).toBe(412);
    expect(await scan([{ hostname: 'db-1', serial_number: 'sn-1', os: 'Linux' }])).toMatchObject({ updated: 1 });
    expect((await send('GET', `/v1/cmdb/ci/${id}`)).body.attributes).toMatchObject({
      os: 'Linux',
      ip_address: '10.0.0.5',
    });
    expect((await send('PUT', settings, { authority: ['manual', 'manual', 'import'] })).status).toBe(400);
    expect((await send('PUT', settings, { authority: null })).body.data.authority[0]).toBe('manual');
    expect((await app.send('GET', settings, undefined, { token })).status).toBe(200);
  });

  test('what is not sure goes to a person, whose word holds for later scans', async () => {
    const { ci, scan, send } = await fresh();
    const [one, two] = [
      await ci({ name: 'one', attributes: { serial_number: 'SN-A' } }),
      await ci({ name: 'two', attributes: { mac_address: '00:1a:2b:00:00:0b' } }),
    ];
    const host = { hostname: 'odd', serial_number: 'SN-A', mac_address: '00:1a:2b:00:00:0b', os: 'Linux' };
    const shown = await scan([host]);
    expect(shown).toMatchObject({ ambiguous: 1, updated: 0 });
    expect(shown.hosts[0]).toMatchObject({ ci_id: null, matched_by: 'serial_number', review_id: expect.any(String) });
    const listed = (await send('GET', '/v1/discovery/reviews')).body;
    expect(listed.data).toEqual([
      expect.objectContaining({
        id: shown.hosts[0].review_id,
        status: 'open',
        reason: 'serial_number and mac_address match different CIs',
        candidates: [expect.objectContaining({ id: one, name: 'one' }), expect.objectContaining({ id: two })],
        host: expect.objectContaining({ hostname: 'odd', os: 'Linux' }),
      }),
    ]);
    await scan([host]);
    expect((await send('GET', '/api/discovery/reviews')).body.data).toHaveLength(1);
    const resolve = (body: object) => send('POST', `/v1/discovery/reviews/${shown.hosts[0].review_id}/resolve`, body);
    expect((await resolve({ ci_id: 'nobody' })).status).toBe(400);
    expect((await resolve({ ci_id: one, create: true })).status).toBe(400);
    const resolved = await resolve({ ci_id: two });
    expect([resolved.status, resolved.body.status, resolved.body.resolution.ci_id]).toEqual([200, 'resolved', two]);
    expect((await send('GET', `/v1/cmdb/ci/${two}`)).body.attributes).toMatchObject({ os: 'Linux', hostname: 'odd' });
    expect((await resolve({ ci_id: one })).status).toBe(409);
    const again = await scan([{ ...host, os: 'Linux 6' }], { timestamp: START + 60_000 });
    expect(again.hosts[0]).toMatchObject({ action: 'updated', ci_id: two, matched_by: 'review' });
  });

  test('a person may make a new CI, or dismiss the question', async () => {
    const { ci, scan, send } = await fresh();
    await ci({ name: 'a', attributes: { ip_address: '10.0.0.8' } });
    await ci({ name: 'b', attributes: { ip_address: '10.0.0.8' } });
    const host = (hostname: string) => ({ hostname, ip_address: '10.0.0.8' });
    const { hosts } = await scan([host('new-1'), host('new-2')]);
    const resolve = (n: number, body: object) =>
      send('POST', `/api/discovery/reviews/${hosts[n].review_id}/resolve`, body);
    const made = (await resolve(0, { create: true })).body.data;
    expect(made.status).toBe('resolved');
    expect((await send('GET', `/v1/cmdb/ci/${made.resolution.ci_id}`)).body.name).toBe('new-1');
    expect((await resolve(1, { dismiss: true })).body.data.status).toBe('dismissed');
    const again = await scan([host('new-1'), host('new-2')]);
    expect(again.hosts).toEqual([
      expect.objectContaining({ action: 'unchanged', ci_id: made.resolution.ci_id }),
      expect.objectContaining({ action: 'ambiguous', reason: expect.stringContaining('dismissed') }),
    ]);
    expect((await send('GET', '/v1/discovery/reviews')).body.data).toEqual([]);
    expect((await send('GET', '/v1/discovery/reviews?status=all')).body.data).toHaveLength(2);
  });

  test('one machine twice in a scan is one CI', async () => {
    const { scan } = await fresh();
    const shown = await scan([{ hostname: 'twin' }, { hostname: 'TWIN', ip_address: '10.0.0.3' }]);
    expect(shown.hosts.map(({ action }: { action: string }) => action)).toEqual(['created', 'updated']);
    expect(shown.hosts[0].ci_id).toBe(shown.hosts[1].ci_id);
  });
});

test('connections and listening processes of a CI', async () => {
  const { scan, ci, send } = await fresh();
  const database = await ci({ name: 'db-1', attributes: { ip_address: '10.2.0.9' } });
  const connection = { process: 'nginx', target_ip: '10.2.0.9', port: 5432, count: 3, first_seen: START - 1_000 };
  const shown = await scan([
    {
      hostname: 'web-1',
      connections: [connection, { ...connection, port: 5433, count: 2 }, { process: 'curl', target_ip: '192.0.2.1' }],
      listening_processes: [{ name: 'nginx', pid: 7, port: 443, protocol: 'TCP', description: 'front' }],
    },
  ]);
  const web = shown.hosts[0].ci_id;
  const groups = (await send('GET', `/api/ci/${web}/process-connections`)).body.data.groups;
  expect(groups).toHaveLength(2);
  expect(groups).toContainEqual({
    processName: 'nginx',
    targetIP: '10.2.0.9',
    targetServer: 'db-1',
    targetCIId: database,
    connectionCount: 5,
    ports: [5432, 5433],
    firstSeen: new Date(START - 1_000).toISOString(),
    lastSeen: new Date(START).toISOString(),
  });
  expect(groups).toContainEqual(expect.objectContaining({ processName: 'curl', targetServer: null, targetCIId: null }));
  expect((await send('GET', `/api/ci/${web}/listening-process/443`)).body.data).toEqual({
    found: true,
    process: { name: 'nginx', pid: 7, port: 443, protocol: 'tcp', description: 'front' },
  });
  expect((await send('GET', `/api/ci/${web}/listening-process/80`)).body.data).toEqual({ found: false, process: null });
  expect((await send('GET', `/api/ci/${database}/process-connections`)).body.data).toEqual({ groups: [] });
  const status = async (path: string) => (await send('GET', `/api/ci/${path}`)).status;
  for (const port of ['0', '65536', 'x', '-1']) expect(await status(`${web}/listening-process/${port}`)).toBe(400);
  expect(await status('nobody/listening-process/80')).toBe(404);
  expect(await status('nobody/process-connections')).toBe(404);
});

describe('Events that find their CI later', () => {
  const bindingOf = async (send: Awaited<ReturnType<typeof fresh>>['send'], id: string) => {
    const { event } = (await send('GET', `/api/events/${id}`)).body;
    return [event.ciId?.name ?? null, event.binding ?? null];
  };

  test('when it is made by hand, found by a scan, or changed so that it fits', async () => {
    const { send, ci, scan, event } = await fresh();
    const [byHand, byScan, byChange] = [
      await event('Disk full', { hostname: 'App-1.corp.example:9100' }),
      await event('Link down', { hostname: 'sw-9', ipAddress: '10.3.0.9' }),
      await event('Fan failed', { hostname: 'rack-7' }),
    ];
    const hosts = (await send('GET', '/v1/discovery/unbound-hosts')).body;
    expect(hosts).toMatchObject({ events: 3, truncated: false });
    expect(hosts.hosts.map(({ hostname }: { hostname: string }) => hostname).sort()).toEqual([
      'app-1.corp.example',
      'rack-7',
      'sw-9',
    ]);
    expect(await bindingOf(send, byHand)).toEqual([null, null]);

    const chassis = await ci({ name: 'Chassis' });
    await ci({ name: 'app-1' });
    await scan([{ ip_address: '10.3.0.9' }]);
    const put = await send('PUT', `/v1/cmdb/ci/${chassis}`, { attributes: { hostname: 'rack-7' } });
    expect(put.status).toBe(200);
    await app.app.idle();
    expect(await bindingOf(send, byHand)).toEqual(['app-1', { method: 'short_name', confidence: 0.7 }]);
    expect(await bindingOf(send, byScan)).toEqual(['10.3.0.9', { method: 'ip', confidence: 0.8 }]);
    expect(await bindingOf(send, byChange)).toEqual(['Chassis', { method: 'hostname', confidence: 0.9 }]);
    expect((await send('GET', '/api/discovery/unbound-hosts')).body.data).toEqual({
      hosts: [],
      events: 0,
      truncated: false,
    });
  });

  test('by the id that the sender gave, when nobody knew it then', async () => {
    const { send, ci, event } = await fresh();
    const id = await event('Volume lost', { ciId: 'ARN:disk/7' });
    expect((await send('GET', `/api/events/${id}`)).body.event.details).toEqual({ ciId: 'ARN:disk/7' });
    await ci({ name: 'Disk seven', external_key: 'arn:disk/7' });
    await app.app.idle();
    expect(await bindingOf(send, id)).toEqual(['Disk seven', { method: 'external_key', confidence: 1 }]);
  });

  test('by the ARN of the resource that an alarm is about', async () => {
    const { send, ci } = await fresh();
    const alarm = (volume: string) => ({
      id: volume,
      source: 'aws.cloudwatch',
      'detail-type': 'CloudWatch Alarm State Change',
      account: '1',
      region: 'eu-west-1',
      time: new Date(START).toISOString(),
      detail: {
        alarmName: `queue of ${volume}`,
        state: { value: 'ALARM', reason: 'too long' },
        configuration: { metrics: [{ metricStat: { metric: { dimensions: { VolumeId: volume } } } }] },
      },
    });
    const told = async (volume: string): Promise<string> =>
      (await send('POST', '/api/events/webhook/cloudwatch', alarm(volume))).body.results[0].eventId;
    const [id, other] = [await told('vol-1'), await told('vol-2')];
    expect([await bindingOf(send, id), await bindingOf(send, other)]).toEqual([
      [null, null],
      [null, null],
    ]);
    await ci({ name: 'Data of db-1', external_key: 'arn:aws:ec2:eu-west-1:1:volume/vol-1' });
    await ci({ name: 'vol-2' });
    await app.app.idle();
    expect(await bindingOf(send, id)).toEqual(['Data of db-1', { method: 'external_key', confidence: 1 }]);
    expect(await bindingOf(send, other)).toEqual(['vol-2', { method: 'name', confidence: 0.9 }]);
  });

  test('and are correlated again', async () => {
    const { send, ci, event } = await fresh();
    const [top, below] = [
      await event('Link down', { hostname: 'sw-1' }),
      await event('Queries blocked', { hostname: 'db-1' }),
    ];
    const groupOf = async (id: string) => (await send('GET', `/api/events/${id}`)).body.event.correlationId;
    const target_ci = await ci({ name: 'rack-switch' });
    const source_ci = await ci({ name: 'rack-database' });
    await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci });
    await send('PUT', `/v1/cmdb/ci/${target_ci}`, { attributes: { hostname: 'sw-1' } });
    await send('PUT', `/v1/cmdb/ci/${source_ci}`, { attributes: { hostname: 'db-1' } });
    await app.app.idle();
    expect(await groupOf(top)).toEqual(expect.stringMatching(/^COR-/));
    expect(await groupOf(below)).toBe(await groupOf(top));
    const pair = (await send('GET', `/api/events/${below}/correlations`)).body;
    expect(JSON.stringify(pair)).toContain('"strategy":"dependency"');
  });

  test('not when several fit, nor of another tenant', async () => {
    const { send, ci, event } = await fresh();
    const other = await fresh();
    const id = await event('Disk full', { hostname: 'both' });
    await other.ci({ name: 'both' });
    await app.app.idle();
    expect(await bindingOf(send, id)).toEqual([null, null]);
    const first = await ci({ name: 'one', attributes: { hostname: 'x' } });
    await send('POST', '/v1/cmdb/ci', { name: 'both', type: 'server', attributes: {} });
    await app.app.idle();
    expect(await bindingOf(send, id)).toEqual(['both', { method: 'name', confidence: 0.9 }]);
    expect(first).toEqual(expect.any(String));
  });
});
