import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const CIS = [
  ['sw-1', 'switch', { site: 'ber', rack: 'r1' }],
  ['db-1', 'database', { site: 'ber', rack: 'r1' }],
  ['web-1', 'server', { site: 'ber', rack: 'r2' }],
  ['web-2', 'server', { site: 'muc' }],
  ['lost-1', 'server', {}],
] as const;

async function furnished(tenant: string) {
  const token = await it.tenant(tenant);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const ids: string[] = [];
  for (const [name, type, attributes] of CIS) {
    const { body } = await send('POST', '/api/cmdb/ci', { name, type, attributes: { hostname: name, ...attributes } });
    ids.push(body.data._id);
  }
  for (const [source_ci, target_ci] of [
    [ids[1], ids[0]],
    [ids[2], ids[1]],
  ])
    await send('POST', '/api/cmdb/relationships', { type: 'depends_on', source_ci, target_ci });
  let serial = 0;
  const ingest = (hostname: string, severity: string) =>
    send('POST', '/api/events/ingest', {
      source: 'zabbix',
      sourceId: `${++serial}`,
      severity,
      title: 'Down',
      hostname,
    });
  await ingest('db-1', 'critical');
  await ingest('db-1', 'minor');
  await ingest('web-2', 'warning');
  await it.app.idle();
  const read = async (query = '') => {
    const { status, body } = await send('GET', `/api/cmdb/landscape${query}`);
    return { status, ...body };
  };
  return { read };
}

test('all CIs as boxes within boxes: by site and rack, with the worst that is unresolved', async () => {
  const { read } = await furnished('landscape');
  const { data } = await read();
  expect(data).toMatchObject({
    by: ['attribute.site', 'attribute.rack'],
    levels: ['attribute.site', 'attribute.rack', 'type'],
    cis: 5,
    affected: 2,
    worst: 'critical',
    others: null,
    map: null,
  });
  expect(data.boxes).toMatchObject([
    {
      value: 'ber',
      cis: 3,
      affected: 1,
      worst: 'critical',
      boxes: [
        { value: 'r1', cis: 2 },
        { value: 'r2', cis: 1 },
      ],
    },
    { value: 'muc', cis: 1, affected: 1, worst: 'warning', boxes: [{ value: null, cis: 1 }] },
    { value: null, cis: 1, affected: 0, worst: null },
  ]);
  const byCi = await read('?by=type,ci');
  expect(byCi.data.boxes[0]).toMatchObject({ value: 'database', boxes: [{ value: 'db-1', ci: expect.any(String) }] });
});

test('few CIs of a place are a map', async () => {
  const { read } = await furnished('landscape-map');
  const { data } = await read('?attribute=site:ber&by=attribute.rack,type');
  expect(data).toMatchObject({ cis: 3, worst: 'critical', boxes: [] });
  expect(data.map.nodes.map(({ name }: { name: string }) => name)).toEqual(['db-1', 'sw-1', 'web-1']);
  expect(data.map.edges).toHaveLength(2);
  const none = await read('?without=attribute.site');
  expect(none.data.map.nodes).toMatchObject([{ name: 'lost-1' }]);
});

test('bad levels are refused by name', async () => {
  const { read } = await furnished('landscape-limits');
  const { status, ...error } = await read('?by=site');
  expect(status).toBe(400);
  expect(JSON.stringify(error)).toContain('expected type, ci, attribute.NAME or custom_field.NAME');
  expect((await read('?by=type,ci,attribute.site')).status).toBe(400);
});
