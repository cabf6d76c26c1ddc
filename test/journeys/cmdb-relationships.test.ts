import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

const app = appOfTests();

const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const isoAt = (ms: number): string => new Date(ms).toISOString();

describe.each(STYLES)('Relationships under %s', (_, style) => {
  const pair = async () => {
    const it = await speaking(app, style);
    return { ...it, a: await it.ci('app'), b: await it.ci('db', { type: 'database' }) };
  };

  test('are created between two CIs and shown with both', async () => {
    const { send, a, b } = await pair();
    const attributes = { port: 5432, protocol: 'tcp', criticality: 'high' };
    const fields = { type: 'database-connection', source_ci: a, target_ci: b, attributes };
    const made = await send('POST', '/cmdb/relationships', fields);
    const { id } = made.data;
    expect(made.status).toBe(201);
    expect([made.headers.get('location'), made.headers.get('etag')]).toEqual([
      `${style.prefix}/cmdb/relationships/${id}`,
      '"1"',
    ]);
    const { data, headers } = await send('GET', `/cmdb/relationships/${id}`);
    expect(data).toEqual({
      id,
      type: 'database_connection',
      attributes,
      discovered_by: 'manual',
      confidence: 1,
      source: { id: a, name: 'app', type: 'server' },
      target: { id: b, name: 'db', type: 'database' },
      created_at: isoAt(app.clock.now()),
      updated_at: isoAt(app.clock.now()),
    });
    expect(headers.get('etag')).toBe('"1"');
    expect((await send('GET', `/cmdb/relationships/${NOBODY}`)).status).toBe(404);
  });

  test('between one CI, twice the same, to nobody, with nonsense: refused', async () => {
    const { send, join, a, b } = await pair();
    await join(a, b);
    const tried = async (fields: object) =>
      (await send('POST', '/cmdb/relationships', { type: 'depends_on', source_ci: a, target_ci: b, ...fields })).status;
    expect(await tried({})).toBe(409);
    expect(await tried({ type: 'Depends-On' })).toBe(409);
    expect(await tried({ target_ci: a })).toBe(400);
    expect(await tried({ target_ci: NOBODY })).toBe(400);
    expect(await tried({ type: 'uses', confidence: 1.1 })).toBe(400);
    expect(await tried({ type: 'uses', attributes: { redundancy_group: 7 } })).toBe(400);
    expect(await tried({ type: 'uses', attributes: { redundancy_group: 'g', redundancy_required: 0 } })).toBe(400);
    expect(await tried({ type: 'uses', attributes: { port: '80' } })).toBe(400);
    expect(await tried({ type: 'uses', attributes: { protocol: 5 } })).toBe(400);
    expect(await tried({ type: 'uses', discovered_by: 'scanner-1', confidence: 0 })).toBe(201);
  });

  test('lists by end, type and origin', async () => {
    const { send, ci, join, a, b } = await pair();
    const c = await ci('c');
    const [ab, bc, ca] = [
      await join(a, b),
      await join(b, c, { type: 'uses' }),
      await join(c, a, { discovered_by: 'ai', confidence: 0.6 }),
    ];
    const ids = async (query: string) => {
      const { body } = await send('GET', `/cmdb/relationships?${query}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await ids('')).toEqual([ab, bc]);
    expect(await ids('include_ai=true')).toEqual([ab, bc, ca]);
    expect(await ids(`source_ci=${b}`)).toEqual([bc]);
    expect(await ids(`target_ci=${b}`)).toEqual([ab]);
    expect(await ids(`ci=${a}&include_ai=true`)).toEqual([ab, ca]);
    expect(await ids('type=Uses')).toEqual([bc]);
    expect(await ids(`source_ci=${NOBODY}`)).toEqual([]);
    expect(await ids('limit=1&page=2')).toEqual([bc]);
    expect((await send('GET', '/cmdb/relationships?include_ai=maybe')).status).toBe(400);
  });

  test('are changed in part, with If-Match, and not into one that exists', async () => {
    const { send, join, a, b } = await pair();
    const id = await join(a, b, { attributes: { port: 1, protocol: 'tcp' } });
    await join(a, b, { type: 'uses' });
    const change = (fields: object, headers = {}) => send('PUT', `/cmdb/relationships/${id}`, fields, headers);
    const fields = { type: 'runs-on', attributes: { port: null, vlan: 7 }, confidence: 0.5, discovered_by: 'scan' };
    const { data, headers } = await change(fields, { 'if-match': '"1"' });
    expect(data).toMatchObject({ id, type: 'runs_on', confidence: 0.5, discovered_by: 'scan', source: { id: a } });
    expect([data.attributes, headers.get('etag')]).toEqual([{ protocol: 'tcp', vlan: 7 }, '"2"']);
    expect((await change({ confidence: 0.5 })).headers.get('etag')).toBe('"2"');
    expect((await change({ confidence: 1 }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await change({ type: 'uses' })).status).toBe(409);
    for (const wrong of [
      { source_ci: b },
      { confidence: -1 },
      { type: null },
      { attributes: { redundancy_group: '' } },
    ])
      expect((await change(wrong)).status).toBe(400);
    expect((await send('PUT', `/cmdb/relationships/${NOBODY}`, { confidence: 1 })).status).toBe(404);
  });

  test('are deleted, and shown as they were', async () => {
    const { send, join, a, b } = await pair();
    const made = app.clock.now();
    const id = await join(a, b);
    app.clock.advance(1_000);
    await send('PUT', `/cmdb/relationships/${id}`, { confidence: 0.5 });
    app.clock.advance(1_000);
    const path = `/cmdb/relationships/${id}`;
    expect((await send('DELETE', path, undefined, { 'if-match': '"1"' })).status).toBe(412);
    expect((await send('DELETE', path)).data).toEqual({ message: 'Relationship deleted' });
    expect((await send('DELETE', path)).status).toBe(404);
    expect((await send('GET', path)).status).toBe(404);
    const then = async (at: number) => {
      const { status, data } = await send('GET', `${path}?as_of=${at}`);
      return status === 200 ? data.confidence : status;
    };
    expect([await then(made - 1), await then(made), await then(made + 1_000), await then(made + 2_000)]).toEqual([
      404, 1, 0.5, 404,
    ]);
    expect(await then(made + 2_001)).toBe(400);
  });
});
