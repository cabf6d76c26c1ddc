import { describe, expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

const app = appOfTests();

describe.each(STYLES)('A configuration item under %s', (prefix, style) => {
  test('is answered with its id, its name and a message when it is made', async () => {
    const { send } = await speaking(app, style);
    const { data, body } = await send('POST', '/cmdb/ci', { name: 'db-1', type: 'server' });
    expect(data).toMatchObject({ [style.id]: expect.any(String), name: 'db-1', message: expect.any(String) });
    expect(body.success).toBe(prefix === '/api' ? true : undefined);
    expect(style.id === '_id' ? 'id' in data : '_id' in data).toBe(false);
  });

  test('says who made it and who changed it last, and when', async () => {
    const { send, ci, tenant } = await speaking(app, style);
    const id = await ci('db-1');
    const made = (await send('GET', `/cmdb/ci/${id}`)).data;
    expect(made).toMatchObject({ created_by: made.updated_by, created_at: made.updated_at });
    app.clock.advance(60_000);
    const other = await app.tenant(tenant, 'editor');
    await app.send('PUT', `${prefix}/cmdb/ci/${id}`, { status: 'inactive' }, { token: other });
    const changed = (await send('GET', `/cmdb/ci/${id}`)).data;
    expect([changed.created_by, changed.created_at]).toEqual([made.created_by, made.created_at]);
    expect(changed.updated_by).not.toBe(made.updated_by);
    expect(Date.parse(changed.updated_at) - Date.parse(made.updated_at)).toBe(60_000);
  });

  test('shows its relationships as a number with an address in lists, and one by one by itself', async () => {
    const { send, ci, join } = await speaking(app, style);
    const [a, b] = [await ci('a'), await ci('b')];
    const edge = await join(a, b);
    const list = (await send('GET', '/cmdb/ci?sort=name')).data;
    const rows: { relationships: { count: number; href: string } }[] = prefix === '/api' ? list : list.data;
    expect(rows.map(({ relationships }) => relationships.count)).toEqual([1, 1]);
    const { href } = rows[0]!.relationships;
    expect(href).toBe(`/v1/cmdb/relationships?ci=${a}`);
    expect((await send('GET', href)).body.data).toMatchObject([{ id: edge, source: { id: a }, target: { id: b } }]);
    expect((await send('GET', `/cmdb/ci/${b}`)).data.relationships).toEqual([
      { id: edge, type: 'depends_on', target_ci: a, target_name: 'a', direction: 'incoming' },
    ]);
  });

  test('moves between its states without restriction, and may become another type', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('db-1');
    const states = ['active', 'inactive', 'maintenance'];
    for (const from of states)
      for (const to of states) {
        await send('PUT', `/cmdb/ci/${id}`, { status: from });
        expect((await send('PUT', `/cmdb/ci/${id}`, { status: to })).data.status).toBe(to);
      }
    expect((await send('PUT', `/cmdb/ci/${id}`, { type: 'database' })).data.type).toBe('database');
    expect((await send('GET', '/cmdb/ci?type=database')).body.pagination.total).toBe(1);
  });

  test('is listed by the time of its last change', async () => {
    const { send, ci } = await speaking(app, style);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.push(await ci(name));
      app.clock.advance(1_000);
    }
    await send('PUT', `/cmdb/ci/${ids[0]}`, { description: 'changed' });
    const names = async (query: string) =>
      (await send('GET', `/cmdb/ci?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names('sort=updated_at&order=desc')).toEqual(['a', 'c', 'b']);
    expect(await names('sort=created_at&order=desc')).toEqual(['c', 'b', 'a']);
    expect(await names('search=CHANGED')).toEqual(['a']);
  });
});

test('what lists are searched for has no NUL', async () => {
  const { send } = await speaking(app, STYLES[0]![1]);
  const lists = [
    '/cmdb/ci',
    ...(isThere('cmdb.export-ci') ? ['/cmdb/export/ci'] : []),
    ...(isThere('services.create') ? ['/services'] : []),
  ];
  for (const list of lists) expect([list, (await send('GET', `${list}?search=%00`)).status]).toEqual([list, 400]);
});

test('null under either name of the custom fields removes all of them', async () => {
  const { send, ci } = await speaking(app, STYLES[1]![1]);
  for (const patch of [
    { customFields: null, custom_fields: { q: 2 } },
    { customFields: { q: 2 }, custom_fields: null },
  ]) {
    const id = await ci('null', { custom_fields: { old: 1 } });
    expect((await send('PUT', `/cmdb/ci/${id}`, patch)).data.custom_fields).toEqual({});
  }
});

test('a key that is null is none, from the beginning', async () => {
  const { send, ci } = await speaking(app, STYLES[1]![1]);
  const bags = { attributes: { a: null, b: { c: null } }, custom_fields: { d: null, e: [null] } };
  const { data } = await send('GET', `/cmdb/ci/${await ci('nulls', bags)}`);
  expect(data).toMatchObject({ attributes: { b: {} }, custom_fields: { e: [null] } });
  expect([Object.keys(data.attributes), Object.keys(data.custom_fields)]).toEqual([['b'], ['e']]);
});

test('/api takes custom fields under either name, and shows them under both', async () => {
  const { send, ci } = await speaking(app, STYLES[1]![1]);
  for (const name of ['customFields', 'custom_fields']) {
    const id = await ci(name, { [name]: { cost_center: 'A1', department: 'IT' } });
    const { data } = await send('PUT', `/cmdb/ci/${id}`, { [name]: { cost_center: null, environment: 'test' } });
    const left = { department: 'IT', environment: 'test' };
    expect([data.customFields, data.custom_fields]).toEqual([left, left]);
  }
});
