import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type App, start } from '#app';
import { SEARCH_DUE_KIND } from '#application/records/search-due.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { type ModelStub, openModelStub } from '#features/ai/journeys/model-stub.ts';
import { USAGE_KINDS } from '#features/ai/rules/usage.ts';
import { packed } from '#features/search/rules/vector-space.ts';
import { indexDue } from '#features/search/use-cases/index-due.ts';
import { embedDue } from '#features/search/use-cases/meaning/embed-due.ts';
import { appendVectors, openSpace, SPACES } from '#features/search/use-cases/meaning/vector-log.ts';
import { readConfig } from '#infra/config.ts';
import { virtualTime } from '#test/setup/virtual-time.ts';

const BOOTSTRAP = 'bootstrap-token-of-the-tests';
const MINUTE = 60_000;
const time = virtualTime();
let stub: ModelStub;
let app: App;
let token: string;
let tenant: string;
let serial = 0;

const started = (): Promise<App> => {
  const config = readConfig({
    PORT: '0',
    FAULTLINE_DATA: ':memory:',
    FAULTLINE_LOG_LEVEL: 'silent',
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_BOOTSTRAP_TOKEN: BOOTSTRAP,
    OPENAI_BASE_URL: stub.url,
    OPENAI_EMBEDDING_MODEL: 'vectors',
  });
  return start(config, { clock: time.clock, after: time.after });
};
beforeAll(async () => {
  stub = await openModelStub(time.after);
  app = await started();
});
afterAll(async () => {
  await app.stop();
  await stub.close();
});

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
type Body = any;
const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
  const response = await fetch(app.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
};

beforeEach(async () => {
  stub.embeds();
  time.advance(60 * MINUTE);
  tenant = `hybrid-${++serial}`;
  token = BOOTSTRAP;
  await send('POST', '/api/admin/tenants', { id: tenant });
  const made = await send('POST', '/api/admin/tokens', { name: 't', role: 'admin' }, { 'x-tenant-id': tenant });
  token = made.body.data.token;
});

let events = 0;
const ingest = async (title: string, hostname: string, more: object = {}): Promise<void> => {
  const said = { source: 'zabbix', sourceId: `${++events}`, severity: 'minor', title, hostname };
  const timestamp = new Date(time.clock.now()).toISOString();
  const { status, body } = await send('POST', '/api/events/ingest', { ...said, timestamp, ...more });
  if (status > 299) throw new Error(JSON.stringify(body));
  // Far from the others, so that no group takes it in.
  time.advance(24 * 60 * MINUTE);
};
const settle = async (): Promise<void> => {
  await app.idle();
  time.advance(3_000);
  await app.idle();
  const due = () => app.ports.records.list(SYSTEM_TENANT, SEARCH_DUE_KIND, { limit: 100 });
  for (let left = 1; left > 0; left = (await due()).length) await indexDue(app.ports, () => false);
};
const embedded = async (): Promise<void> => {
  await settle();
  await embedDue(app.ports, () => false);
};
const search = (q: string, more = '', headers: Record<string, string> = {}) =>
  send('GET', `/api/ai/search-semantic?q=${encodeURIComponent(q)}${more}`, undefined, headers);
const titles = (body: Body): string[] => body.data.results.map(({ title }: Body) => title);
const sent = (): string[] => stub.texts.flatMap(({ input }) => input);

test('what means the same is found though no word of it is there, and words still count', async () => {
  await ingest('Moisture below the raised floor', 'room-1');
  await ingest('Page latency above target', 'web-1');
  await ingest('Fan speed low', 'esx-1');
  await embedded();
  const { status, body } = await search('water');
  expect([status, titles(body)]).toEqual([200, ['Moisture below the raised floor']]);
  expect(body.data).toMatchObject({
    interpretation: { mode: 'hybrid' },
    model: 'vectors',
    generatedBy: 'rules',
    degraded: null,
    abstained: false,
    results: [{ matched: [], score: 1 }],
  });
  expect(titles((await search('fan speed')).body)[0]).toBe('Fan speed low');
  // By words and by meaning: before what only one of both has found.
  expect(titles((await search('moisture floor')).body)).toEqual(['Moisture below the raised floor']);
});

test('vectors of 256 numbers are asked for as floats, a few texts at a time, and each text once', async () => {
  for (let i = 0; i < 20; i++) await ingest(`Widget ${String.fromCharCode(97 + i)}x is odd`, 'host-1');
  await embedded();
  expect(stub.texts.map(({ input }) => input.length)).toEqual([16, 4]);
  expect(stub.texts[0]).toMatchObject({ model: 'vectors', encoding_format: 'float', dimensions: 256 });
  stub.embeds();
  await ingest('Widget ax is odd', 'host-2');
  await embedded();
  expect(sent()).toEqual([]);
  await ingest('Widget zz is odd', 'host-2');
  await embedded();
  expect(sent()).toEqual(['Widget zz is odd']);
});

test('what was paid for once is read again after a start, and by other processes', async () => {
  await ingest('Moisture below the raised floor', 'room-1');
  await embedded();
  app.ports.memory.of(SPACES).clear();
  stub.embeds();
  await embedDue(app.ports, () => false);
  expect(sent()).toEqual([]);
  expect(titles((await search('water')).body)).toEqual(['Moisture below the raised floor']);
  expect(sent()).toEqual(['water']);
});

test('secrets and hosts stay here, hosts only when they are to', async () => {
  await ingest('Login failed', 'db-07', { description: 'password=hunter2 at db-07.example.com (10.1.2.3)' });
  await embedded();
  expect(sent().join()).not.toContain('hunter2');
  expect(sent().join()).toContain('10.1.2.3');
  await send('PUT', '/api/admin/settings/ai', { pseudonymise: true });
  stub.embeds();
  time.advance(2 * 60 * MINUTE);
  await embedded();
  await search('why did db-07 at 10.1.2.3 refuse the token=abcdef123456');
  expect(sent().length).toBeGreaterThan(1);
  expect(sent().join()).not.toMatch(/db-07|10\.1\.2\.3|abcdef123456|hunter2/);
});

test('requests are metered, and what nobody asked for counts against its share of the budget', async () => {
  await ingest('Moisture below the raised floor', 'room-1');
  await embedded();
  await search('water');
  await search('water');
  const usage = await app.ports.records.list<Body>(tenant, USAGE_KINDS.attempt, { limit: 10 });
  expect(usage.map(({ body: { service, model, input, output } }) => [service, model, input, output])).toEqual([
    ['search-index', 'vectors', 7, 0],
    ['search', 'vectors', 7, 0],
  ]);
  await send('PUT', '/api/admin/settings/ai', { dailyTokens: 20, analysisShare: 0 });
  await ingest('Roof tiles fell down', 'room-1');
  stub.embeds();
  await embedded();
  expect(sent()).toEqual([]);
  const { body } = await search(
    'a question of very many words that costs more than twenty tokens for sure, does it not',
  );
  expect(body.data).toMatchObject({ degraded: 'budget', interpretation: { mode: 'lexical' } });
});

test.each<[string, Parameters<ModelStub['embeds']>[0], string]>([
  ['that is down', { status: 500 }, 'provider'],
  ['that answers something else', { body: '<html>no</html>', headers: { 'content-type': 'text/html' } }, 'provider'],
  ['whose vectors are none', { body: '{"data":[{"index":0,"embedding":["x"]}]}' }, 'invalid_output'],
])('a provider %s leaves the words, and the reply says so', async (_, behaviour, degraded) => {
  await ingest('Moisture below the raised floor', 'room-1');
  await embedded();
  time.advance(MINUTE);
  stub.embeds(behaviour);
  const q = `floor ${behaviour?.status ?? ''}${behaviour?.body?.length ?? ''}`;
  const { status, body } = await time.run(search(q));
  expect([status, titles(body)]).toEqual([200, ['Moisture below the raised floor']]);
  expect(body.data).toMatchObject({ degraded, model: null, interpretation: { mode: 'lexical' } });
});

test('a server that knows no dimensions is asked without', async () => {
  stub.embeds({ refuses: ['dimensions'] });
  await ingest('Moisture below the raised floor', 'room-1');
  await settle();
  await time.run(embedDue(app.ports, () => false));
  expect(stub.texts.map(({ dimensions }) => dimensions)).toEqual([256, undefined]);
  expect(titles((await search('water')).body)).toEqual(['Moisture below the raised floor']);
});

test('without vectors, with none wanted, and for kinds that have none, words are enough', async () => {
  await ingest('Moisture below the raised floor', 'room-1');
  await settle();
  expect((await search('floor')).body.data).toMatchObject({ degraded: 'busy', interpretation: { mode: 'lexical' } });
  expect((await search('floor', '', { 'x-ai-mode': 'model' })).status).toBe(502);
  await embedDue(app.ports, () => false);
  stub.embeds();
  expect((await search('water', '', { 'x-ai-mode': 'rules' })).body.data).toMatchObject({
    results: [],
    degraded: null,
  });
  expect((await search('water', '&kinds=ci')).body.data).toMatchObject({ results: [], degraded: null });
  expect(titles((await search('"water"')).body)).toEqual([]);
  expect(sent()).toEqual([]);
  expect((await search('water', '', { 'x-ai-mode': 'model' })).body.data.interpretation.mode).toBe('hybrid');
});

test('another tenant with the same words finds nothing of it', async () => {
  await ingest('Moisture below the raised floor', 'room-1');
  await embedded();
  const [own, mine] = [tenant, token];
  tenant = `hybrid-${++serial}`;
  token = BOOTSTRAP;
  await send('POST', '/api/admin/tenants', { id: tenant });
  const made = await send('POST', '/api/admin/tokens', { name: 't', role: 'admin' }, { 'x-tenant-id': tenant });
  token = made.body.data.token;
  await ingest('Fan speed low', 'esx-1');
  await embedded();
  expect(titles((await search('water')).body)).toEqual([]);
  token = mine;
  expect([own === tenant, titles((await search('water')).body)]).toEqual([false, ['Moisture below the raised floor']]);
});

test('vectors that were replaced, or whose documents are gone, do not stay for ever', async () => {
  await ingest('Moisture below the raised floor', 'room-1');
  await embedded();
  const { ports } = app;
  const vector = packed([1, 2, 3]);
  const gone = { ref: { kind: 'complaint', id: 'gone' }, vector } as const;
  await appendVectors(
    ports,
    tenant,
    Array.from({ length: 700 }, (_, i) => ({ ...gone, hash: `${i}` })),
  );
  const kept = () => ports.records.list(tenant, 'search-vectors', { limit: 100 });
  expect(await kept()).toHaveLength(12);
  time.advance(2 * 60 * MINUTE);
  await embedDue(ports, () => false);
  expect([(await kept()).length, (await openSpace(ports, tenant)).space.size]).toEqual([1, 1]);
  expect(titles((await search('water')).body)).toEqual(['Moisture below the raised floor']);
});
