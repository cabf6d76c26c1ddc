import { beforeAll, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const PATH = '/v1/reports/ai/query';

const app = appOfTests();
let token: string;
let web: string;
let db: string;
let shop: string;
beforeAll(async () => {
  token = await app.tenant('asked');
  web = await ci('web-1', { custom_fields: { environment: 'prod' } });
  db = await ci('db-1', { type: 'database' });
  await ci('web-2', { status: 'inactive' });
  await join(web, db);
  shop = (await send('POST', '/v1/services', { name: 'Online Shop', components: [{ ci_id: web, role: 'web' }] })).body
    .id;
  for (const [n, [severity, hostname, ago, more]] of EVENTS.entries()) {
    app.clock.set(START - ago);
    const said = { source: 'zabbix', sourceId: `e-${n}`, severity, hostname, timestamp: START - ago };
    await send('POST', '/api/events/ingest', { ...said, title: `${TITLES[n % 3]} number${n}x`, ...more });
  }
  app.clock.set(START);
});

const { send, ci, join } = infrastructureOf(() => ({ app, token }));
const TITLES = ['Disk full', 'CPU high', 'Login failed'];
/** START is a Friday at 10:00 UTC. */
const EVENTS: readonly (readonly [severity: string, host: string, ago: number, more?: object])[] = [
  ['major', 'db-1', 9 * DAY],
  ['critical', 'web-1', 3 * DAY, { environment: 'prod' }],
  ['critical', 'web-1', 2 * DAY, { environment: 'prod' }],
  ['critical', 'db-1', 26 * HOUR, { environment: 'staging', source: 'nagios' }],
  ['minor', 'nowhere', 25 * HOUR],
  ['major', 'web-1', 3 * HOUR, { environment: 'Production' }],
  ['info', 'db-1', 2 * HOUR, { service: 'billing' }],
];

const asked = async (query: string, context: object = {}, headers = {}) => {
  const { status, body } = await send('POST', PATH, { query, context }, headers);
  expect([query, status]).toEqual([query, 200]);
  return body;
};
// biome-ignore lint/suspicious/noExplicitAny: rows of a reply.
const rows = (body: any): Record<string, number> =>
  Object.fromEntries(body.results.map(({ label, value }: { label: string; value: number }) => [label, value]));

test('a question becomes a query, rows, and sentences that cite them', async () => {
  const body = await asked('Which host had the most critical events in the last 7 days?');
  expect(body.interpretation).toMatchObject({
    metric: 'events',
    group_by: 'host',
    filters: { severity: ['critical'] },
    not_understood: [],
    time_range: { from: '2026-11-13T10:00:00.000Z', to: '2026-11-20T10:00:00.000Z' },
    query: { metric: 'events', groupBy: 'host', sort: 'desc', limit: 1, compareTo: null },
  });
  expect(body.results).toEqual([{ key: web, label: 'web-1', value: 2, count: 2 }]);
  expect(body).toMatchObject({
    total: 3,
    count: 3,
    unit: 'count',
    truncated: false,
    generatedBy: 'rules',
    model: null,
  });
  expect(body.insights[0]).toContain('3 critical events (2026-11-13 10:00 to 2026-11-20 10:00 UTC)');
  expect(body.insights).toEqual(body.claims.map(({ text }: { text: string }) => text));
  expect(body.citations).toContainEqual(expect.objectContaining({ kind: 'query' }));
  expect(body).not.toHaveProperty('predictions');
});

test('the platform style wraps the same answer', async () => {
  const query = 'events by severity in the last 7 days';
  const { body } = await send('POST', '/api/reports/ai/query', { query });
  expect(body).toMatchObject({ success: true, data: { results: (await asked(query)).results } });
  expect(rows(body.data)).toEqual({ critical: 3, major: 1, minor: 1, info: 1 });
});

test('a query may be sent back as it is, and changed', async () => {
  const { interpretation, results } = await asked('events by source last week');
  const again = await send('POST', PATH, { query_json: interpretation.query });
  expect(again.body.results).toEqual(results);
  const changed = { ...interpretation.query, range: '24h', groupBy: null };
  const { body } = await send('POST', PATH, { query_json: changed });
  expect(body).toMatchObject({ total: 2, interpretation: { group_by: null, not_understood: [] } });
});

describe('names are those of the tenant', () => {
  test.each([
    ['events in production last 7 days', 3],
    ['events for the Online Shop in the last 7 days', 3],
    ['events for online shop in the last 7 days', 3],
    ['events for billing in the last 7 days', 1],
    ['events on web-1 in the last 7 days', 3],
    ['events from nagios in the last 7 days', 1],
    ['events on databases in the last 7 days', 2],
    ['login events in the last 7 days', 2],
  ])('%s', async (query, total) => {
    const { total: found, interpretation } = await asked(query);
    expect([found, interpretation.not_understood]).toEqual([total, []]);
  });

  test('a name that nothing has is told, and nothing is counted', async () => {
    const body = await asked('events on web-99 yesterday');
    expect(body).toMatchObject({
      total: null,
      results: [],
      interpretation: { not_understood: ['no match for web-99'] },
    });
    expect(body.insights).toEqual(['No match for "web-99".']);
  });
});

describe('every metric, by what it can be grouped', () => {
  test.each<[string, Record<string, number>]>([
    ['events by host in the last 7 days', { 'web-1': 3, 'db-1': 2, nowhere: 1 }],
    ['top 2 noisiest hosts in the last 7 days', { 'web-1': 3, 'db-1': 2 }],
    ['noisiest machines in the last 7 days', { 'web-1': 3, 'db-1': 2, nowhere: 1 }],
    ['events by CI in the last 7 days', { 'web-1': 3, 'db-1': 2, none: 1 }],
    ['events by ci type in the last 7 days', { server: 3, database: 2, none: 1 }],
    ['events by service in the last 7 days', { 'Online Shop': 3, billing: 1, none: 2 }],
    ['events by environment in the last 7 days', { prod: 2, Production: 1, staging: 1, none: 2 }],
    ['events by status in the last 7 days', { open: 6 }],
    ['open events by severity', { critical: 3, major: 2, minor: 1, info: 1 }],
    ['raw alerts by source in the last 7 days', { zabbix: 5, nagios: 1 }],
    ['number of CIs by type', { server: 2, database: 1 }],
    ['CIs by status', { active: 2, inactive: 1, maintenance: 0 }],
    ['CIs by environment', { prod: 1, none: 2 }],
    ['CIs by service', { 'Online Shop': 1, none: 2 }],
    ['relationships by CI', { 'db-1': 1, 'web-1': 1 }],
    ['health of services', { 'Online Shop': 2 }],
  ])('%s', async (query, expected) => {
    const found = rows(await asked(query));
    const isHealth = query.startsWith('health');
    expect(isHealth ? Object.keys(found) : found).toEqual(isHealth ? Object.keys(expected) : expected);
  });

  test('by day, those without events too, in the zone of the caller', async () => {
    const body = await asked('events per day between 2026-11-17 and 2026-11-19', { time_zone: 'Europe/Berlin' });
    expect(body.results.map(({ key, value }: { key: string; value: number }) => [key, value])).toEqual([
      ['2026-11-16T23:00:00.000Z', 1],
      ['2026-11-17T23:00:00.000Z', 1],
      ['2026-11-18T23:00:00.000Z', 2],
    ]);
    const complaints = await asked('most frequent alerts in the last 7 days');
    expect(complaints.results.map(({ label }: { label: string }) => label.slice(0, 5)).sort()).toEqual(
      expect.arrayContaining(['CPU h', 'Disk ']),
    );
  });

  test('mttr, mtta, shares: null without a case', async () => {
    for (const query of ['mttr last 7 days', 'time to acknowledge by source last 7 days', 'mttr by service today'])
      expect(await asked(query)).toMatchObject({ total: null, unit: 'seconds' });
    expect(await asked('share of correlated events last hour')).toMatchObject({ total: null, unit: 'share' });
    expect(await asked('dedup ratio last 7 days')).toMatchObject({ total: 0, unit: 'share' });
    expect(await asked('AI cost by day last week')).toMatchObject({ total: 0, unit: 'cost', results: { length: 7 } });
  });
});

test('what is compared has the value of before in each row', async () => {
  const body = await asked('events by host in the last 2 days compared with the previous 2 days');
  expect(body.previous).toMatchObject({ from: '2026-11-16T10:00:00.000Z', to: '2026-11-18T10:00:00.000Z', total: 1 });
  expect(body.results.find(({ key }: { key: string }) => key === web)).toMatchObject({ value: 2, previous: 1 });
  expect(body.insights).toContainEqual(expect.stringContaining('No significant change: 1 before, 5 now'));
});

describe('what cannot be answered', () => {
  test.each(['What is the weather like?', 'How many customers called?', 'hello'])('%s', async (query) => {
    const body = await asked(query);
    expect(body).toMatchObject({
      results: [],
      total: null,
      abstained: true,
      interpretation: { metric: null, query: null },
    });
    expect(body.examples.length).toBeGreaterThan(0);
    for (const example of body.examples)
      expect((await asked(example)).interpretation).toMatchObject({ not_understood: [], metric: expect.any(String) });
  });

  test('words that the query does not say are named', async () => {
    const body = await asked('critical events of the night shift team last week');
    expect(body.interpretation.not_understood.join(' ')).toContain('team');
  });

  test.each([
    [{}, 'query'],
    [{ query: 'events', query_json: { metric: 'events' } }, 'query'],
    [{ query: 'x'.repeat(1_001) }, 'query'],
    [{ query: 'events', context: { time_zone: 'Mars/Base' } }, 'context.time_zone'],
    [{ query_json: { metric: 'moods' } }, 'query_json.metric'],
    [{ query_json: { metric: 'events', range: 'next week' } }, 'query_json.range'],
    [{ query_json: { metric: 'events', range: { from: 'x' } } }, 'query_json.range'],
    [{ query_json: { metric: 'cis', groupBy: 'severity' } }, 'groupBy'],
    [{ query_json: { metric: 'service_health', filters: { source: ['x'] } } }, 'filters.source'],
    [{ query_json: { metric: 'events', filters: { severity: ['awful'] } } }, 'query_json.filters.severity'],
    [{ query_json: { metric: 'events', limit: 1_001 } }, 'query_json.limit'],
  ])('%j is refused for %s', async (body, field) => {
    const reply = await send('POST', PATH, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(reply.body.error)).toContain(field);
  });
});

test('a question that no number answers gets the sentences of the assistant', async () => {
  const body = await asked('what happens if db-1 fails?');
  expect(body).toMatchObject({
    results: [],
    total: null,
    abstained: false,
    examples: [],
    interpretation: { query: null },
  });
  expect(body.insights[0]).toBe('If db-1 fails, 1 CI is impacted: web-1.');
  expect(body.insights).toEqual(body.claims.map(({ text }: { text: string }) => text));
});

test('who may not read something may not count it either', async () => {
  const scoped = async (scopes: string[]) =>
    (await send('POST', '/api/admin/tokens', { name: scopes.join(), scopes, kind: 'api_key' })).body.data.token;
  const blind = await scoped(['ai.use', 'cmdb.read']);
  const ask = (query: string) => app.send('POST', PATH, { query }, { token: blind });
  expect((await ask('How many servers are there?')).body.total).toBe(2);
  for (const query of [
    'How many events were there today?',
    'incidents last week',
    'AI cost last week',
    'health of Online Shop',
  ])
    expect((await ask(query)).status).toBe(403);
});

test('another tenant sees nothing of it, and its names are none there', async () => {
  const other = await app.tenant('asked-elsewhere');
  const ask = async (query: string) => (await app.send('POST', PATH, { query }, { token: other })).body;
  expect(await ask('events by source in the last 7 days')).toMatchObject({ total: 0, results: [] });
  expect(await ask(`events on ${web} in the last 7 days`)).toMatchObject({ results: [] });
  expect((await ask('events for Online Shop')).interpretation.filters).toEqual({});
  expect((await ask('health of services')).results).toEqual([]);
  const named = { query_json: { metric: 'events', filters: { service: [shop] } } };
  expect((await app.send('POST', PATH, named, { token: other })).body.interpretation.not_understood).toEqual([
    `no match for ${shop}`,
  ]);
});

test('incidents by when they began and what their members have', async () => {
  token = await app.tenant('asked-incidents');
  const [a, b] = [await ci('app-1'), await ci('store-1', { type: 'storage' })];
  await join(a, b);
  const event = (title: string, hostname: string, severity: string, ago: number) =>
    send('POST', '/api/events/ingest', {
      source: 'zabbix',
      sourceId: `${title}${ago}`,
      severity,
      title,
      hostname,
      timestamp: START - ago,
    });
  await event('Storage unreachable', 'store-1', 'critical', 30 * MINUTE);
  await event('HTTP errors', 'app-1', 'minor', 29 * MINUTE);
  await app.app.idle();
  expect(await asked('incidents today')).toMatchObject({ total: 1, count: 1 });
  const { total, insights } = await asked('what incidents happened today?');
  expect([total, insights.length > 1]).toEqual([1, true]);
  expect(insights.join(' ')).toContain('1 incident since 00:00 UTC');
  expect(rows(await asked('incidents by severity today'))).toEqual({ critical: 1 });
  expect(rows(await asked('incidents by ci today'))).toEqual({ 'app-1': 1, 'store-1': 1 });
  expect(rows(await asked('incidents by ci type today'))).toEqual({ server: 1, storage: 1 });
  expect(rows(await asked('open incidents by status'))).toEqual({ open: 1 });
  // Long after nothing joins the group any more it is open, as lists of groups show it, until its members are not.
  app.clock.set(START + 5 * 3_600_000);
  expect(rows(await asked('open incidents by status'))).toEqual({ open: 1 });
  const { body: list } = await send('GET', '/api/events');
  const ids = list.events.map(({ eventId }: { eventId: string }) => eventId);
  const change = (status: string) => ({ ids, status, notes: 'restarted' });
  await send('POST', '/api/events/status', change('acknowledged'));
  await app.app.idle();
  expect(rows(await asked('incidents by status in the last 7 days'))).toEqual({ acknowledged: 1 });
  await send('POST', '/api/events/status', change('resolved'));
  await app.app.idle();
  expect(await asked('open incidents')).toMatchObject({ total: 0 });
  app.clock.set(START);
  expect(await asked('minor incidents today')).toMatchObject({ total: 0 });
  expect(await asked('incidents on app-1 today')).toMatchObject({ total: 1 });
  expect(await asked('incidents yesterday')).toMatchObject({ total: 0 });
  expect(
    (await asked('incidents per hour today')).results.filter(({ value }: { value: number }) => value > 0),
  ).toHaveLength(1);
  expect(await asked('share of correlated events today')).toMatchObject({ total: 1 });
});
