import { beforeEach, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const PATH = '/api/ai/discover-relationships';
const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const app = appOfTests();
let token: string;
let serial = 0;
beforeEach(async () => {
  app.clock.set(START);
  token = await app.tenant(`discovered-${++serial}`);
});

const { send, ci } = infrastructureOf(() => ({ app, token }));

type Connection = readonly [target_ip: string, port: number, count: number];
const scan = async (
  hostname: string,
  ip_address: string,
  connections: readonly Connection[],
  listens: number[] = [],
) => {
  const host = {
    hostname,
    ip_address,
    connections: connections.map(([target_ip, port, count]) => ({ process: 'app', target_ip, port, count })),
    listening_processes: listens.map((port) => ({ name: 'postgres', port, protocol: 'tcp' })),
  };
  const data = { discovered_hosts: [host] };
  await send('POST', '/v1/discovery/scan-data', { scan_type: 'agent', scanner_id: 'a', timestamp: START, data });
  await app.app.idle();
};
const at = (ip_address: string) => ({ attributes: { ip_address } });
const discovered = async (body: object = {}) => (await send('POST', PATH, body)).body.data;

/** web-1 talks to db-1, which listens, a little to log-1, to itself and to an address that nobody has. */
const estate = async () => {
  const web = await ci('web-1', at('10.0.0.1'));
  const db = await ci('db-1', at('10.0.0.5'));
  const log = await ci('log-1', at('10.0.0.6'));
  await scan('db-1', '10.0.0.5', [], [5432]);
  await scan('web-1', '10.0.0.1', [
    ['10.0.0.5', 5432, 40] as const,
    ['10.0.0.6', 9999, 20] as const,
    ['10.0.0.1', 80, 4] as const,
    ['192.0.2.9', 443, 9] as const,
  ]);
  return { web, db, log };
};

test('what scans have seen becomes relationships, the surest first', async () => {
  const { web, db } = await estate();
  const reply = await send('POST', PATH, {});
  expect([reply.status, reply.body.success]).toEqual([200, true]);
  const { data } = reply.body;
  expect(data).toMatchObject({ generatedBy: 'rules', abstained: false, degraded: 'no_model', stored: 0 });
  expect(data.looked).toEqual({ cis: 2, connections: 2, incidents: 0, truncated: false });
  expect(data.ignored).toEqual({ unresolved: 1, self: 1, withoutPort: 0, tooUncertain: 1, refused: 0 });
  expect(data.relationships).toMatchObject([
    {
      source: web,
      target: db,
      sourceName: 'web-1',
      targetName: 'db-1',
      type: 'depends-on',
      port: 5432,
      frequency: 40,
      signs: ['listens', 'agrees'],
      status: 'new',
      relationshipId: null,
      stored: false,
      reasoning: expect.stringMatching(/^web-1 connected to db-1 on port 5432\/tcp \(PostgreSQL\) 40 times/),
    },
  ]);
  for (const { href } of data.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  expect(data.citations.length).toBeGreaterThan(0);
});

test('less sure ones are listed when they are wanted, and none below what is never sure', async () => {
  await estate();
  const types = async (minConfidence: number) =>
    (await discovered({ minConfidence })).relationships.map(({ targetName }: { targetName: string }) => targetName);
  expect(await types(0)).toEqual(['db-1']);
  await scan('web-1', '10.0.0.1', [['10.0.0.6', 80, 4_000]]);
  expect(await types(0.5)).toEqual(['db-1', 'log-1']);
  expect(await types(0.6)).toEqual(['db-1']);
  expect(await types(0.99)).toEqual([]);
});

test('named CIs alone are looked at, and an unknown one is refused', async () => {
  const { web, db } = await estate();
  expect((await discovered({ ciIds: [web] })).relationships).toHaveLength(1);
  const none = await discovered({ ciIds: [db] });
  expect(none).toMatchObject({ relationships: [], abstained: true, looked: { cis: 1, connections: 0 } });
  const reply = await send('POST', PATH, { ciIds: [web, NOBODY] });
  expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(reply.body.error.message).toContain('ciIds[1]');
});

test('what is stored is a proposal that says how it was found, and is not stored again', async () => {
  const { web, db } = await estate();
  const first = await discovered({ store: true });
  expect(first).toMatchObject({ stored: 1, relationships: [{ stored: true, status: 'open' }] });
  const [{ relationshipId }] = first.relationships;
  const shown = (await send('GET', `/v1/cmdb/relationships/${relationshipId}`)).body;
  expect(shown).toMatchObject({
    source: { id: web },
    target: { id: db },
    type: 'depends_on',
    discovered_by: 'ai',
    attributes: { found_by: 'network connections', port: 5432, connections: 40 },
  });
  expect((await send('GET', `/v1/cmdb/ci/${db}/impact`)).body.impacted).toEqual([]);
  const { data: trail } = (await send('GET', '/api/admin/audit?action=ai-relationship.created')).body;
  expect(trail).toMatchObject([{ target: { kind: 'relationship', id: relationshipId } }]);
  const again = await discovered({ store: true });
  expect(again).toMatchObject({ stored: 0, relationships: [{ status: 'open', relationshipId, stored: false }] });
  expect((await send('POST', `/api/cmdb/ai-relationships/${relationshipId}/accept`)).status).toBe(200);
  expect(await discovered()).toMatchObject({ relationships: [{ status: 'known' }] });
});

test('what a person deleted is not found again', async () => {
  await estate();
  const [{ relationshipId }] = (await discovered({ store: true })).relationships;
  await send('DELETE', `/api/cmdb/ai-relationships/${relationshipId}`);
  expect(await discovered({ store: true })).toMatchObject({ stored: 0, relationships: [], ignored: { refused: 1 } });
});

test('who may not write may look and not store, and who may not see CIs neither', async () => {
  await estate();
  const as = async (scopes: readonly string[], body: object) => {
    const made = await send('POST', '/api/admin/tokens', { name: `t${++serial}`, scopes });
    return (await app.send('POST', PATH, body, { token: made.body.data.token })).status;
  };
  expect(await as(['ai.use', 'cmdb.read'], {})).toBe(200);
  expect(await as(['ai.use', 'cmdb.read'], { store: true })).toBe(403);
  expect(await as(['ai.use', 'cmdb.read', 'cmdb.write'], { store: true })).toBe(200);
  expect(await as(['ai.use'], {})).toBe(403);
  expect(await as(['cmdb.read'], {})).toBe(403);
});

test.each([
  ['ciIds', { ciIds: [] }],
  ['ciIds', { ciIds: Array.from({ length: 501 }, () => NOBODY) }],
  ['minConfidence', { minConfidence: 1.01 }],
  ['store', { store: 'yes' }],
  ['stored', { stored: true }],
])('a wrong %s is refused', async (field, body) => {
  const reply = await send('POST', PATH, body);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(JSON.stringify(reply.body.error)).toContain(field);
});
