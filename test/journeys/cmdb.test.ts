import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

const app = appOfTests();

const isoAt = (ms: number): string => new Date(ms).toISOString();

describe.each(STYLES)('Configuration items under %s', (_, style) => {
  const bag = style.id === 'id' ? 'custom_fields' : 'customFields';

  test('are created with everything they have, and shown', async () => {
    const { send } = await speaking(app, style);
    const fields = {
      name: 'db-1',
      type: 'server',
      status: 'maintenance',
      description: 'Main database',
      external_key: 'K-1',
      attributes: { os: 'linux', cpu_cores: 8 },
      [bag]: { department: 'it' },
    };
    const made = await send('POST', '/cmdb/ci', fields);
    const id = made.data[style.id];
    expect(made.status).toBe(201);
    expect(made.data.message).toEqual(expect.any(String));
    expect([made.headers.get('location'), made.headers.get('etag')]).toEqual([`${style.prefix}/cmdb/ci/${id}`, '"1"']);
    const { data, headers } = await send('GET', `/cmdb/ci/${id}`);
    expect(data).toMatchObject({
      ...fields,
      [style.id]: id,
      custom_fields: { department: 'it' },
      relationships: [],
      created_by: expect.any(String),
      updated_by: data.created_by,
      created_at: isoAt(app.clock.now()),
    });
    expect(headers.get('etag')).toBe('"1"');
  });

  test('names, types and keys are checked', async () => {
    const { send, ci } = await speaking(app, style);
    await ci('a', { external_key: 'K' });
    for (const wrong of [
      { type: 'server' },
      { name: 'a' },
      { name: '', type: 'x' },
      { name: 'a', type: 'b', status: 'no' },
    ])
      expect((await send('POST', '/cmdb/ci', wrong)).status).toBe(400);
    expect((await send('POST', '/cmdb/ci', { name: 'a', type: 'b', colour: 'red' })).status).toBe(400);
    expect((await send('POST', '/cmdb/ci', { name: 'b', type: 'server', external_key: 'K' })).status).toBe(409);
  });

  test('are changed in part: null removes, absent keeps', async () => {
    const { send, ci } = await speaking(app, style);
    const attributes = { os: 'linux', net: { ip: '10.0.0.1', vlan: 7 }, tags: ['a', 'b'] };
    const id = await ci('db-1', {
      description: 'old',
      external_key: 'K',
      attributes,
      [bag]: { owner: 'dba', cost: 7 },
    });
    app.clock.advance(1_000);
    const patch = {
      name: 'db-2',
      status: 'inactive',
      description: null,
      external_key: null,
      attributes: { os: null, net: { vlan: null, mac: 'aa' }, tags: ['c'], racks: {} },
      [bag]: { owner: null },
    };
    const { status, data, headers } = await send('PUT', `/cmdb/ci/${id}`, patch);
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(data).toMatchObject({ [style.id]: id, name: 'db-2', type: 'server', status: 'inactive' });
    expect(data.attributes).toEqual({ net: { ip: '10.0.0.1', mac: 'aa' }, tags: ['c'], racks: {} });
    expect(data.custom_fields).toEqual({ cost: 7 });
    expect([data.description, data.external_key]).toEqual([undefined, undefined]);
    expect(data.updated_at).toBe(isoAt(app.clock.now()));
    expect((await send('GET', `/cmdb/ci/${id}`)).data).toEqual(data);
    expect(await ci('db-3', { external_key: 'K' })).toEqual(expect.any(String));
    expect((await send('PUT', `/cmdb/ci/${id}`, { external_key: 'K' })).status).toBe(409);
    expect((await send('PUT', `/cmdb/ci/${id}`, { attributes: null })).data.attributes).toEqual({});
  });

  test('a change that changes nothing is none', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('a', { attributes: { net: { ip: '1', mac: '2' } } });
    const same = { name: 'a', attributes: { net: { mac: '2', ip: '1' }, gone: null } };
    expect((await send('PUT', `/cmdb/ci/${id}`, same)).headers.get('etag')).toBe('"1"');
    expect((await send('PUT', `/cmdb/ci/${id}`, {})).headers.get('etag')).toBe('"1"');
    expect((await send('GET', `/cmdb/ci/${id}/history`)).body.pagination.total).toBe(1);
  });

  test('If-Match: only what the caller has seen is changed', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('a');
    const change = (name: string, tag: string) => send('PUT', `/cmdb/ci/${id}`, { name }, { 'if-match': tag });
    expect((await change('b', '"1"')).headers.get('etag')).toBe('"2"');
    expect((await change('c', '"1"')).status).toBe(412);
    expect((await send('DELETE', `/cmdb/ci/${id}`, undefined, { 'if-match': '"1"' })).status).toBe(412);
    expect((await change('d', '*')).data.name).toBe('d');
    expect((await send('DELETE', `/cmdb/ci/${id}`, undefined, { 'if-match': '"3"' })).status).toBe(200);
  });

  test('changes at the same time are all kept, unless they say what they have seen', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('a');
    const names = ['one', 'two', 'three', 'four'];
    const replies = await Promise.all(names.map((n) => send('PUT', `/cmdb/ci/${id}`, { attributes: { [n]: true } })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(Object.keys((await send('GET', `/cmdb/ci/${id}`)).data.attributes).sort()).toEqual([...names].sort());
    const rivals = ['x', 'y', 'z'].map((name) => send('PUT', `/cmdb/ci/${id}`, { name }, { 'if-match': '"5"' }));
    expect((await Promise.all(rivals)).map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  test('patches are refused before they make attributes too large, and when they say what nothing is', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('a', { attributes: { text: 'x'.repeat(40_000) } });
    const large = await send('PUT', `/cmdb/ci/${id}`, { attributes: { more: 'x'.repeat(40_000) } });
    expect(large.status).toBe(400);
    expect(JSON.stringify(large.body)).toContain('attributes');
    for (const wrong of [{ status: 'broken' }, { attributes: [] }, { name: null }, { colour: 'red' }, []])
      expect((await send('PUT', `/cmdb/ci/${id}`, wrong)).status).toBe(400);
    expect((await send('PUT', '/cmdb/ci/01M7YWBDXTWDA6R21CQ905J7YR', { name: 'x' })).status).toBe(404);
  });

  test('are deleted when nothing hangs on them, or with it', async () => {
    const { send, ci, join } = await speaking(app, style);
    const [a, b, c] = [await ci('a'), await ci('b'), await ci('c')];
    await join(a, b);
    await join(c, b);
    const refused = await send('DELETE', `/cmdb/ci/${b}`);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('2 relationships');
    expect((await send('DELETE', `/cmdb/ci/${b}?cascade=false`)).status).toBe(409);
    const { status, data } = await send('DELETE', `/cmdb/ci/${b}?cascade=true`);
    expect([status, data]).toEqual([200, { message: 'Configuration item deleted with 2 relationships' }]);
    expect((await send('GET', `/cmdb/ci/${b}`)).status).toBe(404);
    expect((await send('GET', '/cmdb/relationships')).body.pagination.total).toBe(0);
    expect((await send('DELETE', `/cmdb/ci/${b}`)).status).toBe(404);
    expect((await send('DELETE', `/cmdb/ci/${a}`)).data).toEqual({ message: 'Configuration item deleted' });
  });

  test('every change is in the history, newest first, also of a deleted one', async () => {
    const { send, ci } = await speaking(app, style);
    const began = app.clock.now();
    const id = await ci('a', { attributes: { os: 'linux' } });
    app.clock.advance(1_000);
    await send('PUT', `/cmdb/ci/${id}`, { name: 'b', attributes: { os: null, cpu: 2 } });
    app.clock.advance(1_000);
    await send('DELETE', `/cmdb/ci/${id}`);
    const { data, body } = await send('GET', `/cmdb/ci/${id}/history`);
    const list = style.id === 'id' ? body.data : data;
    expect(list).toEqual([
      { revision: 2, at: isoAt(began + 2_000), action: 'deleted', by: expect.any(String), changes: [] },
      {
        revision: 2,
        at: isoAt(began + 1_000),
        action: 'updated',
        by: list[0].by,
        changes: [
          { field: 'name', before: 'a', after: 'b' },
          { field: 'attributes.cpu', before: null, after: 2 },
          { field: 'attributes.os', before: 'linux', after: null },
        ],
      },
      { revision: 1, at: isoAt(began), action: 'created', by: list[0].by, changes: expect.any(Array) },
    ]);
    expect(body.pagination).toMatchObject({ total: 3, page: 1 });
    const second = await send('GET', `/cmdb/ci/${id}/history?limit=1&page=2`);
    expect((style.id === 'id' ? second.body.data : second.data)[0]).toEqual(list[1]);
    expect((await send('GET', '/cmdb/ci/01M7YWBDXTWDA6R21CQ905J7YR/history')).status).toBe(404);
  });

  test('as_of shows one as it was', async () => {
    const { send, ci, join } = await speaking(app, style);
    const [id, other] = [await ci('a'), await ci('b')];
    const made = app.clock.now();
    app.clock.advance(1_000);
    const edge = await join(id, other);
    await send('PUT', `/cmdb/ci/${id}`, { name: 'renamed' });
    app.clock.advance(1_000);
    await send('DELETE', `/cmdb/relationships/${edge}`);
    const then = async (at: number) => send('GET', `/cmdb/ci/${id}?as_of=${isoAt(at)}`);
    expect((await then(made)).data).toMatchObject({ name: 'a', relationships: [] });
    expect((await then(made + 1_000)).data).toMatchObject({
      name: 'renamed',
      relationships: [{ id: edge, direction: 'outgoing', target_ci: other, target_name: 'b', type: 'depends_on' }],
    });
    expect((await then(made + 2_000)).data.relationships).toEqual([]);
    expect((await then(made - 1)).status).toBe(404);
    expect((await then(made + 2_001)).status).toBe(400);
    expect((await send('GET', `/cmdb/ci/${id}?as_of=yesterday`)).status).toBe(400);
    expect((await send('GET', `/cmdb/ci/${other}?as_of=${made + 1_000}`)).data.relationships).toMatchObject([
      { direction: 'incoming', target_ci: id, target_name: 'renamed' },
    ]);
  });
});

describe('Lists of configuration items', () => {
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  const estate = async (style: (typeof STYLES)[number][1]) => {
    const it = await speaking(app, style);
    for (const [name, type, status, description] of [
      ['web-2', 'server', 'active', 'Shop front'],
      ['Web-1', 'server', 'maintenance', undefined],
      ['core', 'switch', 'active', 'in front of all'],
      ['desk', 'workstation', 'inactive', undefined],
    ] as const) {
      await it.ci(name, { type, status, ...(description && { description }) });
      app.clock.advance(1_000);
    }
    const list = async (query = '') => {
      const reply = await it.send('GET', `/cmdb/ci${query}`);
      return { ...reply, list: reply.body.data as { name: string; relationships: unknown }[] };
    };
    return { ...it, list };
  };

  test.each(STYLES)('%s: filters, search and order', async (_, style) => {
    const { list } = await estate(style);
    const found = async (query: string) => names((await list(query)).list);
    expect(await found('')).toEqual(['core', 'desk', 'Web-1', 'web-2']);
    expect(await found('?type=server')).toEqual(['Web-1', 'web-2']);
    expect(await found('?type=server,switch&status=active')).toEqual(['core', 'web-2']);
    expect(await found('?status=inactive,maintenance')).toEqual(['desk', 'Web-1']);
    expect(await found('?search=FRONT')).toEqual(['core', 'web-2']);
    expect(await found('?search=front&type=server')).toEqual(['web-2']);
    expect(await found('?sort=name&order=desc')).toEqual(['web-2', 'Web-1', 'desk', 'core']);
    expect(await found('?sort=created_at&order=desc')).toEqual(['desk', 'core', 'Web-1', 'web-2']);
    expect(await found('?sort=updated_at')).toEqual(['web-2', 'Web-1', 'core', 'desk']);
    expect(await found('?page=9')).toEqual([]);
    for (const wrong of ['status=gone', 'sort=colour', 'order=up', 'limit=101', 'limit=0', 'page=0', 'typ=x', 'type=,'])
      expect([wrong, (await list(`?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  test('/api: a leading minus is descending', async () => {
    const { list } = await estate(STYLES[1]![1]);
    expect(names((await list('?sort=-created_at')).list)).toEqual(['desk', 'core', 'Web-1', 'web-2']);
    expect(names((await list('?sort=-name&limit=1')).list)).toEqual(['web-2']);
    expect((await list('?page=2&limit=3')).body).toMatchObject({
      success: true,
      data: [{ name: 'web-2' }],
      pagination: { page: 2, limit: 3, total: 4, pages: 2 },
    });
  });

  test('/v1: no minus, headers for paging, 20 by default', async () => {
    const { list, ci, join } = await estate(STYLES[0]![1]);
    expect((await list('?sort=-name')).status).toBe(400);
    const [a, b] = [await ci('a'), await ci('b')];
    await join(a, b);
    const { headers, list: first } = await list('?limit=2');
    expect(first[0]!.relationships).toEqual({ count: 1, href: `/v1/cmdb/relationships?ci=${a}` });
    expect(['x-total-count', 'x-page', 'x-per-page', 'x-total-pages'].map((name) => headers.get(name))).toEqual([
      '6',
      '1',
      '2',
      '3',
    ]);
    expect(headers.get('link')).toContain('rel="next"');
    expect((await list()).body.pagination).toMatchObject({ page: 1, limit: 20, total: 6 });
  });
});

describe('Who may, and who did', () => {
  test('every change of CIs and relationships is audited, with what was before and after', async () => {
    const { send, ci, join } = await speaking(app, STYLES[0]![1]);
    const [a, b] = [await ci('a'), await ci('b')];
    const edge = await join(a, b);
    const headers = { 'x-department': 'network' };
    await send('PUT', `/cmdb/ci/${a}`, { name: 'c' }, headers);
    await send('PUT', `/cmdb/relationships/${edge}`, { confidence: 0.5 });
    await send('DELETE', `/cmdb/relationships/${edge}`);
    await join(a, b);
    await send('DELETE', `/cmdb/ci/${a}?cascade=true`);
    const { data } = await send('GET', '/api/admin/audit?limit=50');
    const of = (kind: string) => data.filter((one: { target: { kind: string } }) => one.target.kind === kind);
    const actions = (kind: string) =>
      of(kind)
        .map(({ action }: { action: string }) => action)
        .reverse();
    expect(actions('ci')).toEqual(['ci.created', 'ci.created', 'ci.updated', 'ci.deleted']);
    expect(actions('relationship')).toEqual([
      'relationship.created',
      'relationship.updated',
      'relationship.deleted',
      'relationship.created',
    ]);
    const updated = of('ci').find(({ action }: { action: string }) => action === 'ci.updated');
    expect(updated).toMatchObject({
      target: { kind: 'ci', id: a },
      department: 'network',
      before: { id: a, name: 'a' },
      after: { id: a, name: 'c' },
    });
    const deleted = of('ci').find(({ action }: { action: string }) => action === 'ci.deleted');
    expect(deleted).toMatchObject({ after: null, before: { name: 'c', relationships_deleted: 1 } });
  });
});

test('an event finds a CI from the moment it is there, under its new name at once, and no more when it is gone', async () => {
  const { send, ci } = await speaking(app, STYLES[0]![1]);
  // Problems that are not deduplicated together.
  const titles = ['Disk full', 'Fan broken', 'Link down', 'Clock wrong', 'Queue long'];
  const bound = async (hostname: string) => {
    const title = titles.pop();
    const event = { source: 's', sourceId: title, severity: 'info', title, hostname };
    const { eventId } = (await send('POST', '/api/events/ingest', { ...event, timestamp: START })).body;
    return (await send('GET', `/api/events/${eventId}`)).body.event.ciId?._id;
  };
  expect(await bound('db-1')).toBeUndefined();
  const id = await ci('db-1');
  expect(await bound('db-1')).toBe(id);
  await send('PUT', `/cmdb/ci/${id}`, { name: 'db-9' });
  expect([await bound('db-1'), await bound('db-9')]).toEqual([undefined, id]);
  await send('DELETE', `/cmdb/ci/${id}`);
  expect(await bound('db-9')).toBeUndefined();
});
