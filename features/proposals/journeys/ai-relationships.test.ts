import { beforeEach, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const DAY = 86_400_000;
const PATH = '/api/cmdb/ai-relationships';
const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const app = appOfTests();
let token: string;
let serial = 0;
beforeEach(async () => {
  app.clock.set(START);
  token = await app.tenant(`proposals-${++serial}`);
});

const { send, ci } = infrastructureOf(() => ({ app, token }));
const propose = async (source: string, target: string, more: object = {}) =>
  (await send('POST', PATH, { source, target, type: 'depends-on', confidence: 0.6, ...more })).body.relationshipId;
const list = async (query = '') => (await send('GET', `${PATH}?${query}`)).body.relationships;
const impacted = async (id: string) =>
  (await send('GET', `/v1/cmdb/ci/${id}/impact`)).body.impacted.map(({ name }: { name: string }) => name);

describe('A proposal', () => {
  test('is made, shown, changed, and counts for nothing', async () => {
    const [web, db] = [await ci('web-1'), await ci('db-1')];
    const made = await send('POST', PATH, { source: 'web-1', target: db, type: 'depends_on', confidence: 0.6 });
    expect([made.status, made.body]).toEqual([201, { success: true, relationshipId: expect.any(String) }]);
    const id = made.body.relationshipId;
    const at = new Date(START).toISOString();
    expect(await list()).toEqual([
      {
        id,
        source: web,
        target: db,
        type: 'depends-on',
        confidence: 0.6,
        status: 'open',
        sourceName: 'web-1',
        targetName: 'db-1',
        createdAt: at,
        updatedAt: at,
        evidence: {},
      },
    ]);
    expect((await send('PUT', `${PATH}/${id}`, { type: 'Runs On', confidence: 0.7 })).body).toEqual({ success: true });
    expect(await list()).toMatchObject([{ type: 'runs-on', confidence: 0.7 }]);
    expect(await impacted(db)).toEqual([]);
    const detail = (await send('GET', `/v1/cmdb/ci/${db}`)).body;
    expect(detail.relationships).toEqual([]);
    const shown = async (query: string) => (await send('GET', `/v1/cmdb/relationships${query}`)).body.data.length;
    expect([await shown(''), await shown('?include_ai=true')]).toEqual([0, 1]);
  });

  test('is like any other once it is accepted, and then changed elsewhere', async () => {
    const [web, db] = [await ci('web-1'), await ci('db-1')];
    const id = await propose(web, db);
    expect((await send('POST', `${PATH}/${id}/accept`)).body).toEqual({ success: true });
    expect((await send('POST', `${PATH}/${id}/accept`)).status).toBe(200);
    expect(await impacted(db)).toEqual(['web-1']);
    expect(await list()).toMatchObject([{ id, status: 'accepted' }]);
    expect((await send('GET', `/v1/cmdb/relationships/${id}`)).body.discovered_by).toBe('ai-accepted');
    const put = await send('PUT', `${PATH}/${id}`, { confidence: 1 });
    expect([put.status, put.body.error.code]).toEqual([409, 'INVALID_REQUEST']);
    expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(200);
    expect(await impacted(db)).toEqual([]);
  });

  test('is decided together with others; each that cannot be is named', async () => {
    const [a, b, c] = [await ci('a'), await ci('b'), await ci('c')];
    const [ab, bc, ca] = [await propose(a, b), await propose(b, c), await propose(c, a)];
    const decided = (await send('POST', `${PATH}/decide`, { accept: [ab, NOBODY], reject: [bc] })).body;
    expect(decided).toMatchObject({ accepted: 1, rejected: 1, failed: [{ id: NOBODY }] });
    expect((await list()).map(({ id, status }: Record<string, string>) => `${id} ${status}`)).toEqual([
      `${ab} accepted`,
      `${ca} open`,
    ]);
    const again = (await send('POST', `${PATH}/decide`, { reject: [ab] })).body;
    expect([again.rejected, again.failed.length, await impacted(b)]).toEqual([0, 1, ['a']]);
    expect((await send('POST', `${PATH}/decide`, {})).status).toBe(400);
  });

  test('correlates nothing before, and what is open once it is accepted', async () => {
    const [web, db] = [await ci('web-1'), await ci('db-1')];
    const id = await propose(web, db);
    const event = { source: 's', severity: 'critical', timestamp: START, hostname: 'db-1' };
    await send('POST', '/api/events/ingest', { ...event, sourceId: '1', title: 'Replication behaves oddly' });
    const timestamp = START + 420_000;
    const last = { ...event, sourceId: '2', title: 'Checkout is strange', hostname: 'web-1', timestamp };
    app.clock.set(timestamp);
    const { eventId } = (await send('POST', '/api/events/ingest', last)).body;
    await app.app.idle();
    const group = async () => (await send('GET', `/api/events/${eventId}`)).body.event.correlationId ?? null;
    expect(await group()).toBeNull();
    await send('POST', `${PATH}/${id}/accept`);
    await app.app.idle();
    expect(await group()).not.toBeNull();
  });

  test('lists have filters and pages', async () => {
    const [a, b, c] = [await ci('a'), await ci('b'), await ci('c')];
    await send('POST', '/v1/cmdb/relationships', { type: 'uses', source_ci: a, target_ci: b });
    const ab = await propose(a, b);
    app.clock.advance(1_000);
    const bc = await propose(b, c, { type: 'communicates-with' });
    await send('POST', `${PATH}/${bc}/accept`);
    const ids = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([ab, bc]);
    expect(await ids(`source=${a}`)).toEqual([ab]);
    expect(await ids(`target=${c}`)).toEqual([bc]);
    expect(await ids('type=communicates_with')).toEqual([bc]);
    expect(await ids('status=open')).toEqual([ab]);
    expect(await ids('status=accepted')).toEqual([bc]);
    const page = (await send('GET', `${PATH}?limit=1&page=2`)).body;
    expect(page.relationships).toMatchObject([{ id: bc }]);
    expect(page.pagination).toMatchObject({ page: 2, limit: 1, total: 2, pages: 2 });
  });

  test.each([
    ['an unknown end', { source: NOBODY }, 400],
    ['itself', { source: 'b' }, 400],
    ['a confidence above 1', { confidence: 1.1 }, 400],
    ['no type', { type: undefined }, 400],
    ['what is proposed already', {}, 409],
    ['what there is already', { type: 'uses' }, 409],
  ])('%s is refused', async (_, wrong, status) => {
    const [a, b] = [await ci('a'), await ci('b')];
    await propose(a, b);
    await send('POST', '/v1/cmdb/relationships', { type: 'uses', source_ci: a, target_ci: b });
    const reply = await send('POST', PATH, { source: a, target: b, type: 'depends-on', ...wrong });
    expect([reply.status, reply.body.error.code]).toEqual([status, 'INVALID_REQUEST']);
  });

  test.each([
    ['PUT', '', { confidence: 0.5 }],
    ['DELETE', '', undefined],
    ['POST', '/accept', undefined],
  ])('%s …%s of what is none is 404', async (method, rest, body) => {
    const [a, b] = [await ci('a'), await ci('b')];
    const edge = { type: 'uses', source_ci: a, target_ci: b };
    const { id } = (await send('POST', '/v1/cmdb/relationships', edge)).body;
    for (const other of [NOBODY, id]) expect((await send(method, `${PATH}/${other}${rest}`, body)).status).toBe(404);
  });

  test('a CI goes with its proposals', async () => {
    const [a, b] = [await ci('a'), await ci('b')];
    await propose(a, b);
    expect((await send('DELETE', `/v1/cmdb/ci/${b}`)).status).toBe(200);
    expect(await list()).toEqual([]);
  });
});

describe('Network connections', () => {
  const analyze = async (id: string, networkConnections: readonly object[], headers = {}) =>
    send('POST', `${PATH}/analyze/${id}`, { networkConnections }, headers);
  const row = (sourceServer: string, targetServer: string, port = 5432, frequency = 10) => ({
    sourceServer,
    targetServer,
    port,
    frequency,
  });

  test('name ends by id, name and address, and say why', async () => {
    const [web, db] = [await ci('web-1'), await ci('db-1', { attributes: { ip_address: '10.0.0.5' } })];
    const { status, body } = await analyze(web, [row('web-1', '10.0.0.5', 5432, 4), row(web, 'DB-1', 5432, 6)]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, generatedBy: 'rules' });
    expect(body.relationships).toEqual([
      {
        source: web,
        target: db,
        type: 'depends-on',
        confidence: 0.474,
        port: 5432,
        protocol: 'tcp',
        frequency: 10,
        signs: [],
        status: 'new',
        relationshipId: null,
        reasoning: 'web-1 connected to db-1 on port 5432/tcp (PostgreSQL) 10 times.',
      },
    ]);
    expect(body.ignored).toEqual({ notThisCi: 0, unresolved: 0, self: 0, tooUncertain: 0, refused: 0 });
    for (const { href } of body.citations) expect((await send('GET', href)).status).toBe(200);
  });

  test('rows that say nothing of the CI are counted', async () => {
    const web = await ci('web-1');
    for (const name of ['db-1', 'db-2']) await ci(name);
    await ci('twin', { type: 'switch' });
    await ci('twin');
    const rows = [row('db-1', 'db-2'), row('web-1', 'nobody'), row('twin', 'web-1'), row('web-1', web)];
    const { relationships, ignored } = (await analyze(web, rows)).body;
    expect(relationships).toEqual([]);
    expect(ignored).toEqual({ notThisCi: 1, unresolved: 2, self: 1, tooUncertain: 0, refused: 0 });
  });

  test('an empty list says that what was seen is too little to tell', async () => {
    const web = await ci('web-1');
    for (const name of ['db-1', 'db-2']) await ci(name);
    const rows = [row('web-1', 'db-1', 7_777, 1), row('web-1', 'db-1', 7_778, 1), row('web-1', 'db-2', 40_000, 9_999)];
    const { relationships, ignored } = (await analyze(web, rows)).body;
    expect([relationships, ignored.tooUncertain]).toEqual([[], 2]);
  });

  test('what discovery has seen counts: listeners, processes, days', async () => {
    const db = await ci('db-1', { attributes: { ip_address: '10.0.0.5' } });
    const web = await ci('web-1', { attributes: { ip_address: '10.0.0.6' } });
    const scan = (discovered_hosts: readonly object[]) =>
      send('POST', '/v1/discovery/scan-data', {
        scan_type: 'agent',
        scanner_id: 'agent-1',
        timestamp: START,
        data: { discovered_hosts },
      });
    const listening = { name: 'postgres', pid: 7, port: 5432, protocol: 'tcp' };
    const seen = {
      process: 'java',
      target_ip: '10.0.0.5',
      port: 5432,
      count: 3,
      first_seen: START - 2 * DAY,
      last_seen: START,
    };
    const scans = [
      await scan([{ hostname: 'db-1', ip_address: '10.0.0.5', listening_processes: [listening] }]),
      await scan([{ hostname: 'web-1', ip_address: '10.0.0.6', connections: [seen] }]),
    ];
    expect(scans.map(({ status }) => status)).toEqual([202, 202]);
    await app.app.idle();
    const [found] = (await analyze(db, [row('web-1', 'db-1')])).body.relationships;
    expect(found).toMatchObject({ source: web, target: db, confidence: 0.764, signs: ['listens', 'agrees', 'days'] });
    expect(found.reasoning).toBe(
      'web-1 connected to db-1 on port 5432/tcp (PostgreSQL) 10 times: the target listens on this port; its type or process matches; seen on several days.',
    );
  });

  test.each([PATH, '/v1/cmdb/relationships'])(
    'what there is already is marked, and what was deleted at %s is left out for 90 days',
    async (from) => {
      const [web, db, mq] = [await ci('web-1'), await ci('db-1'), await ci('mq-1')];
      const rows = [row('web-1', 'db-1'), row('web-1', 'mq-1', 5672, 100)];
      await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: web, target_ci: mq });
      const id = await propose(web, db);
      const marks = async () =>
        (await analyze(web, rows)).body.relationships.map((one: { target: string; status: string }) => [
          one.target,
          one.status,
        ]);
      expect(await marks()).toEqual([
        [mq, 'known'],
        [db, 'open'],
      ]);
      await send('DELETE', `${from}/${id}`);
      expect(await marks()).toEqual([[mq, 'known']]);
      expect((await analyze(db, rows)).body.ignored).toMatchObject({ refused: 1 });
      app.clock.set(START + 90 * DAY);
      token = await app.tenant(`proposals-${serial}`);
      expect(await marks()).toEqual([
        [mq, 'known'],
        [db, 'new'],
      ]);
    },
  );

  test('ten thousand connections are taken, one more is not', async () => {
    const web = await ci('web-1');
    await ci('db-1');
    const many = (n: number) => Array.from({ length: n }, () => row('web-1', 'db-1', 5432, 1));
    const { status, body } = await analyze(web, many(10_000));
    expect([status, body.relationships[0].frequency]).toEqual([200, 10_000]);
    expect((await analyze(web, many(10_001))).status).toBe(400);
  });

  test('the old id of a merged CI leads to the one that stays', async () => {
    const [into, from] = [await ci('web-1'), await ci('web-2')];
    await ci('db-1');
    await send('POST', `/v1/cmdb/ci/${into}/merge`, { from });
    expect((await analyze(from, [row(from, 'db-1')])).body.relationships).toMatchObject([{ source: into }]);
  });

  test.each([
    ['an unknown CI', NOBODY, [], {}, 404],
    ['a port that there is not', null, [{ ...row('a', 'b'), port: 0 }], {}, 400],
    ['a row without a target', null, [{ sourceServer: 'a', port: 1 }], {}, 400],
    ['an unknown mode', null, [], { 'x-ai-mode': 'perhaps' }, 400],
  ])('%s is refused', async (_, id, rows, headers, status) => {
    const reply = await analyze(id ?? (await ci('a')), rows, headers);
    expect([reply.status, reply.body.error.code]).toEqual([status, 'INVALID_REQUEST']);
  });
});

test('who may do what', async () => {
  const [a, b] = [await ci('a'), await ci('b')];
  const as = async (right: object) =>
    (await send('POST', '/api/admin/tokens', { name: 'other', ...right })).body.data.token as string;
  const status = async (other: string, method: string, path: string, body?: unknown) =>
    (await app.send(method, path, body, { token: other })).status;
  const operator = await as({ role: 'operator' });
  const [sent, seen] = [{ source: a, target: b, type: 'uses' }, { networkConnections: [] }];
  expect(await status(operator, 'POST', PATH, sent)).toBe(403);
  expect(await status(operator, 'GET', PATH)).toBe(200);
  expect(await status(operator, 'POST', `${PATH}/analyze/${a}`, seen)).toBe(200);
  const asking = await as({ scopes: ['ai.use'] });
  expect(await status(asking, 'POST', `${PATH}/analyze/${a}`, seen)).toBe(403);
  expect(await status(asking, 'POST', `/api/cmdb-ai/insights/${a}`)).toBe(403);
});
