import { beforeEach, expect, test } from '@jest/globals';
import { SEARCH_DUE_KIND } from '#application/records/search-due.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { SEARCH_KINDS } from '#domain/search/document.ts';
import { fillIndex } from '#features/search/use-cases/fill-index.ts';
import { indexDue } from '#features/search/use-cases/index-due.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { type Reply, START } from '#test/setup/test-app.ts';

const SECOND = 1_000;

const app = appOfTests();
let token: string;
let tenant: string;
let serial = 0;
beforeEach(async () => {
  app.clock.set(START);
  tenant = `search-${++serial}`;
  token = await app.tenant(tenant);
});

const { send, ci, join } = infrastructureOf(() => ({ app, token }));

/** Until sinks and jobs have done what is to do. */
const settle = async (): Promise<void> => {
  await app.app.idle();
  app.clock.advance(3 * SECOND);
  await app.app.idle();
  const due = () => app.app.ports.records.list(SYSTEM_TENANT, SEARCH_DUE_KIND, { limit: 100 });
  for (let left = 1; left > 0; left = (await due()).length) await indexDue(app.app.ports, () => false);
};

let events = 0;
const ingest = async (title: string, hostname: string, more: object = {}): Promise<string> => {
  const said = { source: 'zabbix', sourceId: `${++events}`, severity: 'major', title, hostname };
  const timestamp = new Date(app.clock.now()).toISOString();
  const reply = await send('POST', '/api/events/ingest', { ...said, timestamp, ...more });
  if (reply.status > 299) throw new Error(JSON.stringify(reply.body));
  return reply.body.eventId;
};

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  readonly score: number;
  readonly matched: readonly string[];
  readonly href: string;
  readonly events?: readonly string[];
}
const search = (q: string, more = '', as = token): Promise<Reply> =>
  app.send('GET', `/api/ai/search-semantic?q=${encodeURIComponent(q)}${more}`, undefined, { token: as });
const found = async (q: string, more = ''): Promise<Result[]> => {
  const { status, body } = await search(q, more);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.results;
};
const titles = async (q: string, more = ''): Promise<string[]> => (await found(q, more)).map(({ title }) => title);

test('other words for the same thing, and where each result leads to', async () => {
  const db = await ci('db-1', { description: 'Keeps the orders' });
  await send('POST', '/v1/services', { name: 'Checkout', description: 'Takes orders', components: [{ ci_id: db }] });
  const eventId = await ingest('No space left on device /var/lib', 'db-1', {
    description: 'Writes of the database stop',
  });
  await ingest('Link down on eth0', 'sw-1');
  await send('POST', `/api/cmdb-ai/insights/${db}`);
  await settle();

  const { body } = await search('disk full', '&kinds=complaint');
  expect(body).toMatchObject({ success: true });
  const [first] = body.data.results as Result[];
  expect(body.data.results).toHaveLength(1);
  expect(first).toEqual({
    kind: 'complaint',
    id: expect.any(String),
    title: 'No space left on device /var/lib',
    snippet: 'Writes of the database stop',
    score: 1,
    matched: ['disk-full'],
    href: `/api/events/${eventId}`,
    at: new Date(START).toISOString(),
    events: [eventId],
  });
  expect(body.data.interpretation).toEqual({ terms: ['disk', 'full'], concepts: ['disk-full'], mode: 'lexical' });
  expect(body.data).toMatchObject({ generatedBy: 'rules', model: null, abstained: false, degraded: 'no_model' });
  expect(body.data.citations).toEqual([
    { ref: 'E1', kind: 'event', id: eventId, label: first?.title, href: `/api/events/${eventId}` },
  ]);

  const all = await found('orders db-1 database');
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['ci', 'complaint', 'incident', 'insight', 'service']));
  for (const { href } of all) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  expect(all.find(({ kind }) => kind === 'insight')).toMatchObject({ id: db, title: 'Insight about db-1' });
});

test('words with typing errors, names, phrases, and words that say nothing', async () => {
  await ingest('TLS certificate expires in 5 days', 'web-1');
  await ingest('Replication is 900 s behind', 'db-07');
  await ingest('Replication of db-08 is broken', 'db-08');
  await settle();
  expect(await titles('certficate', '&kinds=complaint')).toEqual(['TLS certificate expires in 5 days']);
  expect(await titles('db-07', '&kinds=complaint')).toEqual(['Replication is 900 s behind']);
  expect(await titles('"replication is"', '&kinds=complaint')).toEqual(['Replication is 900 s behind']);
  expect(await titles('what is the replication?', '&limit=1')).toHaveLength(1);
  const { body } = await search('gibberish quux');
  expect(body.data).toMatchObject({ results: [], abstained: true, citations: [] });
  expect((await search('???')).body.data).toMatchObject({ results: [], interpretation: { terms: [] } });
});

test('a complaint is one however often it comes, with its newest events and all its hosts', async () => {
  const ids: string[] = [];
  for (let i = 1; i <= 12; i++) {
    ids.push(await ingest(`Load average ${i}.5 is too high`, `app-${i}`));
    app.clock.advance(SECOND);
  }
  await settle();
  const all = await found('load average', '&kinds=complaint');
  expect(all.map(({ title, events: newest }) => [title, newest])).toEqual([
    ['Load average 12.5 is too high', ids.slice(-5).reverse()],
  ]);
  for (const host of ['app-1', 'app-12']) expect(await found(host, '&kinds=complaint')).toHaveLength(1);
});

test('how an event was resolved is found', async () => {
  const id = await ingest('Queue backlog of 900 messages', 'mq-1');
  await settle();
  expect(await titles('zookeeper')).toEqual([]);
  const resolved = { status: 'resolved', notes: 'Restarted the zookeeper ensemble', resolutionCategory: 'manual-fix' };
  expect((await send('PATCH', `/api/events/${id}/status`, resolved)).status).toBe(200);
  await settle();
  const [one] = await found('zookeeper', '&kinds=complaint');
  expect(one).toMatchObject({ snippet: 'Restarted the zookeeper ensemble', matched: ['zookeeper'] });
});

test('a group is found by the words of its members and leads to it', async () => {
  const [top, below] = [await ci('sw-1'), await ci('db-1')];
  await join(below, top);
  app.clock.advance(60 * SECOND);
  await ingest('Port 7 went down', 'sw-1', { severity: 'critical' });
  app.clock.advance(20 * SECOND);
  const last = await ingest('PostgreSQL refuses connections', 'db-1', { severity: 'critical' });
  await settle();
  const group = (await send('GET', `/api/events/${last}`)).body.event.correlationId;
  expect(group).toEqual(expect.stringContaining('COR-'));
  const [incident] = await found('postgresql', '&kinds=incident');
  expect(incident).toMatchObject({ kind: 'incident', id: group, title: 'Port 7 went down' });
  expect((await send('GET', incident!.href)).body).toMatchObject({ success: true });
});

test('a report is found by whom may see it, until it is deleted', async () => {
  const asked = { template_id: 'ci-inventory', format: 'csv', parameters: {} };
  const { status, body } = await send('POST', '/v1/reports/generate', asked);
  expect(status).toBe(202);
  await settle();
  const [one] = await found('inventory', '&kinds=report');
  const id = one!.id;
  expect(JSON.stringify(body)).toContain(id);
  expect(one).toMatchObject({ kind: 'report', title: 'CI inventory, csv', href: `/api/reports/${id}/status` });
  expect((await send('GET', one!.href)).status).toBe(200);
  const colleague = (await send('POST', '/api/admin/tokens', { name: 'c', role: 'editor' })).body.data.token;
  expect((await search('inventory', '', colleague)).body.data.results).toEqual([]);
  expect((await send('DELETE', `/v1/reports/${id}`)).status).toBeLessThan(300);
  await settle();
  expect(await found('inventory', '&kinds=report')).toEqual([]);
  const { searchIndex } = app.app.ports;
  expect(await searchIndex.get(tenant, [{ kind: 'report', id }])).toEqual([]);
});

test('each kind needs its permission, and an insight about events that of events', async () => {
  const db = await ci('db-1');
  await ingest('Disk full', 'db-1');
  await send('POST', `/api/cmdb-ai/insights/${db}`);
  await settle();
  const made = await send('POST', '/api/admin/tokens', { name: 'cmdb', scopes: ['ai.use', 'cmdb.read'] });
  const few = made.body.data.token;
  const kinds = (reply: Reply) => (reply.body.data.results as Result[]).map(({ kind }) => kind).sort();
  expect(kinds(await search('db-1'))).toEqual(['ci', 'complaint', 'insight']);
  expect(kinds(await search('db-1', '', few))).toEqual(['ci']);
  expect(await search('db-1', '&kinds=ci,complaint', few)).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('events.read') } },
  });
  const none = await send('POST', '/api/admin/tokens', { name: 'none', scopes: ['ai.use'] });
  expect((await search('db-1', '', none.body.data.token)).status).toBe(403);
  const viewer = await send('POST', '/api/admin/tokens', { name: 'viewer', role: 'viewer' });
  expect((await search('db-1', '', viewer.body.data.token)).status).toBe(403);
});

test.each([
  ['', 'q'],
  ['q=%20', 'q'],
  [`q=${'x'.repeat(256)}`, 'q'],
  ['q=a%00b', 'q'],
  ['q=a&kinds=events', 'kinds'],
  ['q=a&limit=0', 'limit'],
  ['q=a&limit=51', 'limit'],
  ['q=a&sort=at', 'sort'],
])('a search with ?%s is refused by naming %s', async (query, field) => {
  const reply = await send('GET', `/api/ai/search-semantic?${query}`);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(JSON.stringify(reply.body.error)).toContain(field);
});

test('the wish for a model is refused where there is none, and the wish for none is kept', async () => {
  const asked = (mode: string) => send('GET', '/api/ai/search-semantic?q=disk', undefined, { 'x-ai-mode': mode });
  expect((await asked('model')).status).toBe(503);
  expect((await asked('rules')).body.data.degraded).toBeNull();
  expect((await asked('magic')).status).toBe(400);
});

test('what is gone is found no more', async () => {
  const db = await ci('db-1');
  await send('POST', `/api/cmdb-ai/insights/${db}`);
  await settle();
  expect((await found('db-1')).map(({ kind }) => kind).sort()).toEqual(['ci', 'insight']);
  await send('DELETE', `/v1/cmdb/ci/${db}`);
  expect(await found('db-1')).toEqual([]);
  // A complaint whose events were all deleted, and a group that was.
  const facts = { events: ['01M7YWBDXTWDA6R21CQ905J7YQ'] };
  const ghost = { title: 'Disk full', text: '', at: START, facts };
  const { searchIndex } = app.app.ports;
  await searchIndex.put(tenant, [
    { ...ghost, kind: 'complaint', id: 'ghost' },
    { ...ghost, kind: 'incident', id: 'COR-1763629200000-zzzzzz' },
  ]);
  expect(await searchIndex.search(tenant, { words: ['disk'], kinds: SEARCH_KINDS, limit: 9 })).toHaveLength(2);
  expect(await found('disk')).toEqual([]);
  await ingest('Disk nearly full', 'db-1');
  await settle();
  expect(await titles('disk', '&limit=1')).toEqual(['Disk nearly full']);
});

test('what a tenant has from before there was an index is made fit to be searched, once', async () => {
  const db = await ci('db-1');
  await send('POST', '/v1/services', { name: 'Checkout', components: [{ ci_id: db }] });
  await ingest('Disk full', 'db-1');
  await send('POST', `/api/cmdb-ai/insights/${db}`);
  await settle();
  const { ports } = app.app;
  const all = (
    await Promise.all(SEARCH_KINDS.map((kind) => ports.searchIndex.list(tenant, { kind, limit: 100 })))
  ).flatMap(({ documents }) => documents);
  expect(all.map(({ kind }) => kind).sort()).toEqual(['ci', 'complaint', 'insight', 'service']);
  await ports.searchIndex.remove(tenant, all);
  await ports.records.remove(tenant, 'search-fill', 'state');
  expect(await found('db-1')).toEqual([]);
  const filled = new Set<string>();
  await fillIndex(ports, filled, () => false);
  expect(filled.has(tenant)).toBe(true);
  expect((await found('db-1 checkout')).map(({ kind }) => kind).sort()).toEqual([
    'ci',
    'complaint',
    'insight',
    'service',
  ]);
  const again = await Promise.all(SEARCH_KINDS.map((kind) => ports.searchIndex.list(tenant, { kind, limit: 100 })));
  expect(new Set(again.flatMap(({ documents }) => documents).map((one) => JSON.stringify(one)))).toEqual(
    new Set(all.map((one) => JSON.stringify(one))),
  );
});
