import { describe, expect, test } from '@jest/globals';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';
import { STYLES, speaking } from '../cmdb-styles.ts';

const app = appOfTests();

describe.each(STYLES)('Naming things under %s', (_, style) => {
  const messageOf = ({ body }: { body: { error: { message: string } } }): string => body.error.message;

  test('ends of a relationship are ids, external keys or names, and the type tells those of one name apart', async () => {
    const { send, ci } = await speaking(app, style);
    const [web, db] = [await ci('web-1', { external_key: 'K-web' }), await ci('db-1')];
    await ci('twin');
    const twin = await ci('twin', { type: 'switch' });
    const post = (fields: object) => send('POST', '/cmdb/relationships', { type: 'depends_on', ...fields });
    const made = await post({ source_ci: 'k-WEB', target_ci: 'db-1' });
    expect([made.status, made.data.source.id, made.data.target.id]).toEqual([201, web, db]);
    const ambiguous = await post({ source_ci: web, target_ci: 'twin' });
    expect([ambiguous.status, messageOf(ambiguous)]).toEqual([400, expect.stringContaining('or add the type')]);
    const typed = await post({ source_ci: web, target_ci: 'Twin', target_type: 'Switch' });
    expect([typed.status, typed.data.target.id]).toEqual([201, twin]);
    const nobody = await post({ source_ci: 'nobody', target_ci: 'db-1', target_type: 'switch' });
    expect(nobody.status).toBe(400);
    expect(messageOf(nobody)).toContain('source_ci: no CI with ID, external key or name nobody');
    expect((await post({ source_ci: 'web-1', target_ci: web })).status).toBe(400);
  });

  test('an upsert creates, changes what it says, and leaves the rest', async () => {
    const { send } = await speaking(app, style);
    const upsert = (fields: object) => send('POST', '/cmdb/ci?upsert=true', { name: 'a', type: 'server', ...fields });
    const made = await upsert({ external_key: 'K', status: 'maintenance', attributes: { os: 'linux', cpus: 4 } });
    expect([made.status, made.data.action]).toEqual([201, 'created']);
    const again = await upsert({ external_key: 'k', name: 'b', attributes: { cpus: null } });
    expect([again.status, again.data.action, again.data[style.id]]).toEqual([200, 'updated', made.data[style.id]]);
    expect(again.data).toMatchObject({ name: 'b', status: 'maintenance', attributes: { os: 'linux' } });
    expect(again.headers.get('etag')).toBe('"2"');
    const same = await upsert({ name: 'B', type: 'Server' });
    expect([same.status, same.data.action]).toEqual([200, 'updated']);
    expect((await upsert({ name: 'B', type: 'Server' })).data.action).toBe('unchanged');
    expect((await send('POST', '/cmdb/ci', { name: 'c', type: 'server', external_key: 'K' })).status).toBe(409);
    const both = await Promise.all([1, 2, 3].map((n) => upsert({ name: 'race', attributes: { [`by_${n}`]: n } })));
    expect(both.every(({ status }) => status === 200 || status === 201)).toBe(true);
  });

  test('blanks are no name and no type, and the message does not contradict itself', async () => {
    const { send, ci } = await speaking(app, style);
    for (const wrong of [
      { name: '   ', type: 'server' },
      { name: 'x', type: '  ' },
      { name: 'x', type: 'y', external_key: ' ' },
    ]) {
      const refused = await send('POST', '/cmdb/ci', wrong);
      expect(refused.status).toBe(400);
      expect(messageOf(refused)).toMatch(/must not be blank/);
    }
    const id = await ci('  padded ');
    expect((await send('GET', `/cmdb/ci/${id}`)).data.name).toBe('padded');
    expect((await send('PUT', `/cmdb/ci/${id}`, { name: ' ' })).status).toBe(400);
  });

  test('types in use are listed with the usual ones; near-misses are taken and warned of', async () => {
    const { send, ci } = await speaking(app, style);
    const odd = await send('POST', '/cmdb/ci', { name: 'x', type: 'Servr' });
    expect([odd.status, odd.data.warnings]).toEqual([201, [expect.stringContaining('did you mean server?')]]);
    const [a, b] = [await ci('a'), await ci('b')];
    const link = (type: string, source_ci: string, target_ci: string) =>
      send('POST', '/cmdb/relationships', { type, source_ci, target_ci });
    expect((await link('dependson', a, b)).data).toMatchObject({ type: 'depends_on', warnings: [] });
    expect((await link('runs_onn', a, b)).data.warnings).toEqual([expect.stringContaining('did you mean runs_on?')]);
    const { ci_types, relationship_types } = (await send('GET', '/cmdb/types')).data;
    expect(ci_types.slice(0, 2)).toEqual([
      { type: 'server', count: 2, known: true, warning: null },
      { type: 'Servr', count: 1, known: false, warning: expect.stringContaining('server') },
    ]);
    expect(ci_types).toContainEqual({ type: 'switch', count: 0, known: true, warning: null });
    expect(relationship_types[0]).toEqual({ type: 'depends_on', count: 1, known: true, warning: null });
  });

  test('an external key in the place of an id is told what it is', async () => {
    const { send, ci } = await speaking(app, style);
    await ci('a', { external_key: 'h-3' });
    const missing = await send('GET', '/cmdb/ci/h-3');
    expect([missing.status, messageOf(missing)]).toEqual([404, expect.stringContaining('?external_key=h-3')]);
    expect(messageOf(await send('GET', '/cmdb/ci/h-4'))).not.toContain('external');
  });

  test('the events of a CI are at hand under it', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('host-7');
    const event = (sourceId: string, severity: string, hostname = 'host-7') =>
      send('POST', '/api/events/ingest', { source: 't', sourceId, severity, title: `Problem ${sourceId}`, hostname });
    await event('a', 'critical');
    await event('b', 'warning');
    await event('c', 'critical', 'other-host');
    await app.app.idle();
    await until(async () => (await send('GET', `/cmdb/ci/${id}/events`)).body.pagination.total === 2);
    const { data } = await send('GET', `/cmdb/ci/${id}/events?severity=critical`);
    const list = Array.isArray(data) ? data : data.data;
    expect(list.map(({ title }: { title: string }) => title)).toEqual(['Problem a']);
    expect((await send('GET', '/cmdb/ci/nobody/events')).status).toBe(404);
    expect((await send('GET', `/cmdb/ci/${id}/events?colour=red`)).status).toBe(400);
  });
});

testWith('discovery.submit-scan')(
  'an address of two CIs is the same one for a look-up and for connections',
  async () => {
    const { send, ci } = await speaking(app, { prefix: '/api', id: '_id' });
    await ci('old', { attributes: { ip_address: '10.1.0.20' } });
    app.clock.advance(1_000);
    const newest = await ci('new', { attributes: { ip_address: '10.1.0.20' } });
    await send('POST', '/api/discovery/scan-data', {
      scan_type: 'network',
      scanner_id: 's',
      data: {
        discovered_hosts: [
          { hostname: 'client', ip_address: '10.1.0.9', connections: [{ process: 'p', target_ip: '10.1.0.20' }] },
        ],
      },
    });
    const clients = async () => (await send('GET', '/cmdb/ci?search=client')).data;
    await until(async () => (await clients()).length === 1);
    const client = (await clients())[0]._id;
    await until(async () => (await send('GET', `/api/ci/${client}/process-connections`)).data.groups.length === 1);
    const { groups } = (await send('GET', `/api/ci/${client}/process-connections`)).data;
    const found = (await send('GET', '/api/ci/find-by-ip/10.1.0.20')).data.ci;
    expect([groups[0].targetCIId, found._id]).toEqual([newest, newest]);
  },
);
