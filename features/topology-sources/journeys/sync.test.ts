import { describe, expect, test } from '@jest/globals';
import { deleteEnded } from '#features/topology-sources/use-cases/delete-ended.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const NDJSON = { 'content-type': 'application/x-ndjson' };
const ci = (name: string, more: object = {}) => ({
  kind: 'ci',
  external_key: `erp/${name}`,
  name,
  type: 'server',
  ...more,
});
const edge = (source: string, target: string) => ({
  kind: 'relationship',
  type: 'depends_on',
  source_ci: `erp/${source}`,
  target_ci: `erp/${target}`,
});

describe.each([
  ['v1', '/v1', (body: unknown) => body],
  ['api', '/api', (body: { data: unknown }) => body.data],
])('a sync in the style of %s', (style, prefix, inner) => {
  const open = async (name: string) => {
    const token = await app.tenant(`sync-${style}-${name}`);
    const sync = async (rows: readonly object[], query = '', headers: object = NDJSON) => {
      const body = rows.map((row) => JSON.stringify(row)).join('\n');
      const reply = await app.send('POST', `${prefix}/cmdb/sync/erp${query}`, body, { token, headers: { ...headers } });
      // biome-ignore lint/suspicious/noExplicitAny: reports as they come.
      return { status: reply.status, body: (reply.status < 300 ? inner(reply.body as any) : reply.body) as any };
    };
    const listed = async () => (await app.send('GET', '/v1/cmdb/ci?limit=100', undefined, { token })).body.data;
    const states = async () =>
      Object.fromEntries((await listed()).map((one: { name: string; status: string }) => [one.name, one.status]));
    return { token, sync, listed, states };
  };
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => ci(name));

  test('creates, changes nothing when sent again, updates, and ends what a full one leaves out', async () => {
    const { sync, states } = await open('whole');
    const first = await sync([...five, edge('a', 'b')], '?full=true');
    expect(first.body).toMatchObject({ cis: { created: 5, total: 5 }, relationships: { created: 1 }, held: null });
    expect((await sync([...five, edge('a', 'b')], '?full=true')).body).toMatchObject({
      cis: { created: 0, updated: 0, unchanged: 5 },
      relationships: { unchanged: 1 },
    });
    const changed = [ci('a', { attributes: { rack: 7 } }), ...five.slice(1, 4)];
    const third = await sync(changed, '?full=true');
    expect(third.body).toMatchObject({ cis: { updated: 1, ended: 1, total: 4 }, relationships: { ended: 1 } });
    expect(await states()).toMatchObject({ a: 'active', e: 'inactive' });
  });

  test('nothing ends without full, with a row that fails, or before the grace', async () => {
    const { sync, states } = await open('part');
    await sync(five, '?full=true');
    expect((await sync([ci('a')])).body.cis).toMatchObject({ unchanged: 1, ended: 0, total: 5 });
    const broken = await sync([...five.slice(0, 4), { kind: 'ci', name: 'x' }], '?full=true');
    expect(broken.body).toMatchObject({ cis: { ended: 0 }, failed_rows: [{ row: 5 }] });
    expect((await sync(five.slice(0, 4), '?full=true&grace=1h')).body.cis).toMatchObject({ ended: 0, missing: 1 });
    expect(await states()).toMatchObject({ e: 'active' });
    app.clock.advance(3_600_000);
    expect((await sync(five.slice(0, 4), '?full=true&grace=1h')).body.cis).toMatchObject({ ended: 1 });
  });

  test('a dry run changes nothing, and more than 30% asks for a confirmation', async () => {
    const { sync, states } = await open('guard');
    expect((await sync(five, '?dry_run=true')).body.cis.created).toBe(5);
    expect(await states()).toEqual({});
    await sync(five, '?full=true');
    const held = await sync(five.slice(0, 3), '?full=true');
    expect([held.status, (held.body.error.held ?? held.body.error.details.held).cis]).toEqual([409, 2]);
    expect(await states()).toMatchObject({ d: 'active', e: 'active' });
    expect((await sync(five.slice(0, 3), '?full=true&confirm=true')).body.cis.ended).toBe(2);
  });

  test('CSV works alike, and what a user has made stays', async () => {
    const { token, sync, states } = await open('others');
    await app.send('POST', '/v1/cmdb/ci', { name: 'a', type: 'server', external_key: 'erp/a' }, { token });
    const csv = [
      'kind,external_key,name,type,source_ci,target_ci',
      'ci,erp/a,a,server,,',
      'ci,erp/b,b,server,,',
      'ci,erp/c,c,server,,',
      'ci,erp/d,d,server,,',
      'relationship,,,depends_on,erp/a,erp/b',
    ];
    const sent = async (rows: readonly string[]) =>
      app.send('POST', `${prefix}/cmdb/sync/erp?full=true`, rows.join('\n'), {
        token,
        headers: { 'content-type': 'text/csv' },
      });
    // biome-ignore lint/suspicious/noExplicitAny: reports as they come.
    expect(inner((await sent(csv)).body as any)).toMatchObject({
      cis: { created: 3, unchanged: 1 },
      relationships: { created: 1 },
    });
    await sync([ci('b'), ci('c'), ci('d')], '?full=true');
    expect(await states()).toMatchObject({ a: 'active' });
  });
});

test('a CI that two sources report ends with the second, and is deleted after the retention', async () => {
  const token = await app.tenant('sync-two');
  const sync = async (source: string, names: readonly string[]) => {
    const body = names.map((name) => JSON.stringify(ci(name))).join('\n');
    const path = `/v1/cmdb/sync/${source}?full=true&confirm=true`;
    return (await app.send('POST', path, body, { token, headers: NDJSON })).body;
  };
  const listed = async () => (await app.send('GET', '/v1/cmdb/ci', undefined, { token })).body.data;
  await sync('one', ['a', 'b']);
  expect((await sync('two', ['a'])).cis).toMatchObject({ unchanged: 1 });
  expect((await sync('one', ['b'])).cis).toMatchObject({ ended: 0, total: 1 });
  expect((await sync('two', ['c'])).cis).toMatchObject({ ended: 1 });
  const never = () => false;
  await deleteEnded(app.app.ports, app.clock.now(), never);
  expect(await listed()).toHaveLength(3);
  app.clock.advance(1);
  await deleteEnded(app.app.ports, app.clock.now(), never);
  expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['b', 'c']);
});
