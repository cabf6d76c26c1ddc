import { describe, expect, test } from '@jest/globals';
import { STYLES } from '#test/journeys/cmdb-styles.ts';
import { scanning } from '#test/journeys/discovery-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YQ';
const isoAt = (ms: number): string => new Date(ms).toISOString();
const statusesOf = (requests: readonly Promise<{ status: number }>[]) =>
  Promise.all(requests.map(async (request) => (await request).status));

describe.each(STYLES)('Discovery under %s', (prefix, style) => {
  test('a token does what its scopes say, until it expires', async () => {
    const { send } = await scanning(app, style);
    const issued = async (body: object) => (await send('POST', '/discovery/tokens', { name: 'x', ...body })).data;
    const [submit, read] = [
      await issued({ scopes: ['discovery.submit'], expires_in: '2h' }),
      await issued({ scopes: ['discovery.read'], expires_in: '1d' }),
    ];
    expect([submit.expires_at, read.expires_at]).toEqual([
      isoAt(app.clock.now() + 2 * 3_600_000),
      isoAt(app.clock.now() + 24 * 3_600_000),
    ]);
    const data = { scan_type: 'n', scanner_id: 's', data: { discovered_hosts: [] } };
    const asked = ({ token }: { token: string }) =>
      statusesOf([
        app.send('POST', `${prefix}/discovery/scan-data`, data, { token }),
        app.send('GET', `${prefix}/discovery/scan-data`, undefined, { token }),
        app.send('GET', `${prefix}/discovery/scans`, undefined, { token }),
        app.send('POST', `${prefix}/discovery/tokens`, { name: 'y' }, { token }),
        app.send('GET', `${prefix}/cmdb/ci`, undefined, { token }),
      ]);
    expect(await asked(submit)).toEqual([202, 403, 403, 403, 403]);
    expect(await asked(read)).toEqual([403, 200, 200, 403, 403]);
    app.clock.advance(2 * 3_600_000);
    expect([(await asked(submit))[0], (await asked(read))[1]]).toEqual([401, 200]);
    for (const wrong of [
      { expires_in: '400d' },
      { expires_in: 'soon' },
      { scopes: [] },
      { scopes: ['cmdb.write'] },
      { name: '' },
    ])
      expect((await send('POST', '/discovery/tokens', { name: 'x', ...wrong })).status).toBe(400);
    await app.app.idle();
  });

  test.each(['scans', 'scan-data'])('%s are listed by scanner, state and time', async (list) => {
    const { send, submit } = await scanning(app, style);
    const began = app.clock.now();
    for (const [scanner_id, hosts] of [
      ['a', [{ hostname: 'h' }]],
      ['b', [{ os: 'no host' }]],
      ['a', []],
    ] as const) {
      await submit(hosts, { scanner_id, timestamp: began });
      await app.app.idle();
      app.clock.advance(60_000);
    }
    const scanners = async (query: string) =>
      (await send('GET', `/discovery/${list}?${query}`)).body.data.map((one: { scanner_id: string }) => one.scanner_id);
    expect(await scanners('')).toEqual(['a', 'b', 'a']);
    expect(await scanners('scanner_id=b')).toEqual(['b']);
    expect(await scanners('status=failed')).toEqual(['b']);
    expect(await scanners('status=completed')).toEqual(['a', 'a']);
    expect(await scanners('status=running')).toEqual([]);
    const at = (minute: number) => encodeURIComponent(isoAt(began + minute * 60_000));
    expect(await scanners(`from=${at(1)}&to=${at(1)}`)).toEqual(['b']);
    expect(await scanners(`to=${at(0)}`)).toEqual(['a']);
    expect(await scanners(`from=${at(0)}&scanner_id=a`)).toEqual(['a', 'a']);
    for (const wrong of ['status=gone', 'from=yesterday', 'scanner_id='])
      expect([wrong, (await send('GET', `/discovery/${list}?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  test('a large scan is taken in at once, worked on behind, and shown host by host', async () => {
    const { send, submit } = await scanning(app, style);
    const hosts = Array.from({ length: 1_050 }, (_, n) => (n % 100 === 7 ? { os: 'none' } : { hostname: `h-${n}` }));
    const given = await submit(hosts);
    expect([given.status, given.data]).toMatchObject([
      202,
      {
        status: 'running',
        hosts_total: 1_050,
        hosts_done: 0,
        submitted_at: isoAt(app.clock.now()),
        completed_at: null,
      },
    ]);
    const path = `/discovery/scans/${given.data.scan_id}`;
    const seen: number[] = [];
    for (let shown = given.data; shown.status === 'running'; shown = (await send('GET', path)).data)
      seen.push(shown.hosts_done);
    expect(seen.every((done, i) => i === 0 || done >= seen[i - 1]!)).toBe(true);
    const whole = (await send('GET', path)).data;
    expect(whole).toMatchObject({ status: 'completed', hosts_done: 1_050, created: 1_039, failed: 11 });
    expect([whole.hosts.length, whole.hosts_page]).toEqual([100, { page: 1, limit: 100, total: 1_050, pages: 11 }]);
    const some = (await send('GET', `${path}?action=failed&limit=5&page=2`)).data;
    expect(some.hosts.map(({ index }: { index: number }) => index)).toEqual([507, 607, 707, 807, 907]);
    expect(some.hosts_page).toEqual({ page: 2, limit: 5, total: 11, pages: 3 });
    expect(some.hosts[0]).toMatchObject({ action: 'failed', ci_id: null, reason: expect.stringMatching(/./) });
    for (const wrong of ['limit=1001', 'action=odd', 'page=0'])
      expect((await send('GET', `${path}?${wrong}`)).status).toBe(400);
  });

  test('what nobody has is not found', async () => {
    const { send } = await scanning(app, style);
    const paths = ['tokens', 'scans', 'reviews'].map((kind) => `/discovery/${kind}/${NOBODY}`);
    expect(await statusesOf(paths.map((path) => send('GET', path)))).toEqual([404, 404, 404]);
    expect(
      await statusesOf([
        send('DELETE', `/discovery/tokens/${NOBODY}`),
        send('POST', `/discovery/reviews/${NOBODY}/resolve`, { dismiss: true }),
        send('GET', `/cmdb/ci/${NOBODY}/provenance`),
      ]),
    ).toEqual([404, 404, 404]);
  });

  test('hosts that events are about and no CI is, the latest first', async () => {
    const { send, ci } = await scanning(app, style);
    await Promise.all(['x', 'y'].map((name) => ci(name, { attributes: { hostname: 'twin' } })));
    const told = [{ hostname: 'old', ipAddress: '10.0.0.1' }, { hostname: 'TWIN' }, { ipAddress: '10.0.0.2' }];
    for (const [n, place] of told.entries()) {
      const event = {
        source: 's',
        sourceId: `${n}`,
        severity: 'major',
        title: 'Disk full',
        timestamp: app.clock.now(),
      };
      await send('POST', '/api/events/ingest', { ...event, ...place });
      app.clock.advance(1_000);
    }
    await send('POST', '/api/events/ingest', {
      source: 's',
      sourceId: '0',
      severity: 'major',
      title: 'Disk full',
      ...told[0],
    });
    const { data } = await send('GET', '/discovery/unbound-hosts');
    expect(data).toMatchObject({ events: 3, truncated: false });
    expect(data.hosts).toMatchObject([
      { hostname: 'old', ip_address: '10.0.0.1', events: 1, occurrences: 2, ambiguous: false },
      { hostname: null, ip_address: '10.0.0.2', events: 1, occurrences: 1, ambiguous: false },
      { hostname: 'twin', ip_address: null, events: 1, occurrences: 1, ambiguous: true },
    ]);
    expect((await send('GET', '/discovery/unbound-hosts?limit=1')).data).toMatchObject({
      hosts: [{ hostname: 'old' }],
      truncated: true,
    });
    expect((await send('GET', '/discovery/unbound-hosts?limit=501')).status).toBe(400);
  });
});
