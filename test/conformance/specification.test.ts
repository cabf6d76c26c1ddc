import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  alarmMessage,
  alertmanagerMessage,
  azureAlert,
  nagiosProblem,
  zabbixProblem,
} from '#sources/samples-for-tests.ts';
import { ROOT } from '#test/conventions/planted.ts';
import { quoted, rowsUnder } from '#test/conventions/tables.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { readStream } from '#test/setup/read-stream.ts';
import { START } from '#test/setup/test-app.ts';

/* Every row of the interface specification, at every path that docs/specification.md names for it. */

const rows = rowsUnder('docs/specification.md', 'required').map(([asked, at, inFile, shownBy]) => ({
  asked: quoted(asked)[0]!,
  paths: quoted(at),
  files: quoted(inFile).concat(
    quoted(shownBy).flatMap(
      (name) => globSync(`{test,features/*}/journeys/{,embedded/}${name}`, { cwd: ROOT })[0] ?? `no ${name}`,
    ),
  ),
}));
const cases = rows.flatMap(({ asked, paths }) => paths.map((path) => [`${asked} at ${path}`, asked, path] as const));

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'specified');
const { send, ci, join: joinCis } = infrastructureOf(() => ({ app, token: own.token }));

/** Ids for the paths, made in the order of the rows that need them. */
const ids: Record<string, string> = { port: '443', ip: '10.2.0.9' };
let serial = 0;
const fresh = (name: string): string => `${name}-${++serial}`;

const complaint = (title: string, hostname: string) => ({
  source: 'nagios',
  sourceId: fresh('check'),
  severity: 'critical',
  title,
  hostname,
  timestamp: new Date(app.clock.now()).toISOString(),
});
const host = () => ({ hostname: fresh('host'), ip_address: `10.9.0.${serial}`, open_ports: [22] });
const connection = { process: 'nginx', target_ip: '10.2.0.9', port: 5432, count: 3, first_seen: START - 1_000 };

beforeAll(async () => {
  const database = await ci('db-1', { type: 'database', attributes: { ip_address: '10.2.0.9' } });
  const data = {
    discovered_hosts: [
      {
        hostname: 'web-1',
        connections: [connection],
        listening_processes: [{ name: 'nginx', pid: 7, port: 443, protocol: 'TCP', description: 'front' }],
      },
    ],
  };
  const scan = { scan_type: 'network', scanner_id: 'nmap', timestamp: new Date(START).toISOString(), data };
  const { scan_id } = (await send('POST', '/v1/discovery/scan-data', scan)).body;
  await app.app.idle();
  const web = (await send('GET', `/v1/discovery/scans/${scan_id}`)).body.hosts[0].ci_id as string;
  await joinCis(web, database);
  const components = [{ ci_id: database, role: 'database' }];
  const service = await send('POST', '/v1/services', { name: 'Shop', components });
  const first = await send('POST', '/api/events/ingest', complaint('Database is down', 'db-1'));
  app.clock.advance(20_000);
  await send('POST', '/api/events/ingest', complaint('No connection to the database', 'web-1'));
  const lone = await send('POST', '/api/events/ingest', complaint('Fan is loud', 'cellar-9'));
  await app.app.idle();
  Object.assign(ids, { ciId: web, database, eventId: first.body.eventId, lone: lone.body.eventId });
  Object.assign(ids, { service: service.body.id });
});

interface Asking {
  /** Values of the parameters of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}
type Ask = () => Asking | Promise<Asking>;

const withBody =
  (body: () => unknown): Ask =>
  async () => ({ body: await body() });
const newCi = async () => ({ params: { id: await ci(fresh('server')) } });
const newProposal = async () => {
  const [source, target] = [await ci(fresh('a')), await ci(fresh('b'))];
  const proposal = { source, target, type: 'depends-on', confidence: 0.8 };
  return (await send('POST', '/api/cmdb/ai-relationships', proposal)).body.relationshipId as string;
};
const newReport = async () => {
  const { body } = await send('POST', '/v1/reports/generate', { template_id: 'ci-inventory', format: 'json' });
  await app.app.idle();
  return body.report_id as string;
};
const server = () => ({ ciId: ids.ciId, hostname: 'web-1', runningProcesses: ['nginx'] });
const range = { timeRange: { start: new Date(START - 86_400_000).toISOString(), end: new Date(START).toISOString() } };
const analyzer = '/api/business-service-analyzer';

/** Request of each row; a row without an entry is requested with nothing except its path. */
const ASKED: Readonly<Record<string, Ask>> = {
  [`POST ${analyzer}/enrich`]: withBody(() => ({ description: 'PostgreSQL behind nginx' })),
  [`POST ${analyzer}/discover`]: withBody(() => ({ processes: ['nginx'], ...range })),
  [`POST ${analyzer}/classify`]: withBody(() => ({ servers: [server()] })),
  [`POST ${analyzer}/insights`]: withBody(async () => {
    const { classifiedServers } = (await send('POST', `${analyzer}/classify`, { servers: [server()] })).body;
    return { serviceMap: { classifiedServers } };
  }),
  [`POST ${analyzer}/save`]: withBody(() => ({ name: fresh('Portal'), components: [{ ciId: ids.ciId, role: 'web' }] })),
  [`POST ${analyzer}/infrastructure-analysis`]: withBody(() => ({
    tenantId: 'specified',
    sessionId: 'session-of-rows',
  })),
  'POST /api/cmdb/ai-relationships/analyze/{ciId}': withBody(() => ({
    networkConnections: [{ sourceServer: 'web-1', targetServer: 'db-1', port: 5432, protocol: 'tcp', frequency: 900 }],
  })),
  'POST /api/cmdb/ai-relationships': withBody(async () => ({
    source: await ci(fresh('a')),
    target: await ci(fresh('b')),
    type: 'communicates-with',
    confidence: 0.7,
  })),
  'PUT /api/cmdb/ai-relationships/{id}': async () => ({
    params: { id: await newProposal() },
    body: { type: 'depends-on', confidence: 0.9 },
  }),
  'DELETE /api/cmdb/ai-relationships/{id}': async () => ({ params: { id: await newProposal() } }),
  'POST /api/change-analysis/analyze': withBody(() => ({
    ciId: ids.database,
    changeType: 'upgrade',
    description: 'A newer version',
    plannedDuration: '2h',
    plannedTime: new Date(START + 86_400_000).toISOString(),
  })),
  'POST /api/change-analysis/quick-assess': withBody(() => ({ ciId: ids.database, changeType: 'restart' })),
  'POST /api/chatbot': withBody(() => ({
    message: 'Why is db-1 down?',
    conversationId: 'rows',
    context: { currentCI: ids.database },
  })),
  'POST /api/ai/holiday-generator': withBody(() => ({ country: 'DE', year: 2026, includeRegional: true })),
  'GET /api/monitoring/ai': () => ({ query: 'startDate=2026-11-01&endDate=2026-11-20&groupBy=service' }),
  'POST /api/auth/login': withBody(() => ({ username: 'admin', password: 'a password for tests' })),
  'GET /cmdb/ci': () => ({ query: 'type=server&status=active&page=1&limit=10&search=web' }),
  'POST /cmdb/ci': withBody(() => ({
    name: fresh('server'),
    type: 'server',
    status: 'active',
    attributes: { os: 'Linux' },
    custom_fields: { department: 'IT' },
  })),
  'GET /cmdb/ci/{id}': newCi,
  'PUT /cmdb/ci/{id}': async () => ({ ...(await newCi()), body: { status: 'maintenance' } }),
  'DELETE /cmdb/ci/{id}': newCi,
  'GET /cmdb/relationships': () => ({ query: `source_ci=${ids.ciId}&include_ai=true` }),
  'POST /cmdb/relationships': withBody(async () => ({
    type: 'depends_on',
    source_ci: await ci(fresh('a')),
    target_ci: ids.database,
    attributes: { port: 5432 },
  })),
  'POST /discovery/scan-data': withBody(() => ({
    scan_type: 'network',
    scanner_id: 'nmap',
    timestamp: new Date(START).toISOString(),
    data: { discovered_hosts: [host()] },
  })),
  'GET /discovery/scans': () => ({ query: 'scanner_id=nmap&status=completed' }),
  'POST /discovery/tokens': withBody(() => ({
    name: fresh('nmap'),
    description: 'cellar',
    expires_in: '30d',
    scopes: ['discovery.submit'],
  })),
  'POST /reports/generate': withBody(() => ({
    template_id: 'ci-inventory',
    format: 'pdf',
    parameters: { ci_type: 'server', date_range: 'last_30_days' },
    delivery: { method: 'download', recipients: [] },
  })),
  'GET /reports/{id}/status': async () => ({ params: { id: await newReport() } }),
  'POST /reports/ai/query': withBody(() => ({
    query: 'events by severity last 7 days',
    context: { time_zone: 'UTC', include_predictions: true },
  })),
  'POST /agents/{id}/query': () => ({
    params: { id: 'root-cause' },
    body: { query: 'What happened?', context: { time_range: '24h', budget_limit: 0 } },
  }),
  'GET /services/{id}/dependencies': () => ({ params: { id: ids.service! } }),
  'POST /webhooks': withBody(() => ({
    name: fresh('hook'),
    url: 'https://hooks.example/x',
    events: ['event.created'],
    active: true,
    headers: { 'X-Team': 'night' },
  })),
  'POST /api/ai/analyze': withBody(() => ({ eventId: ids.eventId })),
  'POST /api/ai/generate-insights': withBody(() => ({
    scope: { timeRange: '24h' },
    kinds: ['burst', 'noisy-monitor'],
  })),
  'POST /api/ai/discover-relationships': withBody(() => ({ ciIds: [ids.ciId] })),
  'GET /api/ai/search-semantic': () => ({ query: 'q=database%20down&limit=5' }),
  'POST /api/events/ingest': withBody(() => complaint('Disk full', 'web-1')),
  'POST /api/events/bulk-ingest': withBody(() => {
    const { source, ...event } = complaint('Disk slow', 'web-1');
    return { source, events: [event] };
  }),
  'GET /api/events': () => ({
    query: 'status=all&severity=critical,major&timeRange=24h&page=1&limit=10&sortBy=timestamp&sortOrder=desc',
  }),
  'PATCH /api/events/{eventId}/status': withBody(() => ({ status: 'acknowledged', notes: 'Seen' })),
  'GET /api/events/stats': () => ({ query: 'timeRange=24h' }),
  'POST /api/events/analyze-correlations': withBody(() => ({ hours: 1, autoCorrelate: false })),
  'POST /api/events/correlate': withBody(() => ({
    primaryEventId: ids.eventId,
    relatedEventIds: [ids.lone],
    reason: 'Same room',
    notes: 'Seen by hand',
  })),
  'POST /events': withBody(() => ({
    title: fresh('Lamp is out'),
    description: 'Red',
    severity: 'low',
    source: 'hand',
    source_id: fresh('x'),
    affected_cis: [ids.ciId],
    metrics: { load: 1 },
  })),
  'GET /events': () => ({ query: `status=open&severity=critical&ci_id=${ids.database}` }),
  'PATCH /events/{id}/status': () => ({
    params: { id: ids.eventId! },
    body: { status: 'acknowledged', comment: 'Seen' },
  }),
  'GET /events/{id}/correlations': () => ({ params: { id: ids.eventId! } }),
};

const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ids[name] ?? `no ${name}`);

describe('a row of the specification', () => {
  test('is in the table once, with files that are there and a test that calls it', () => {
    expect(new Set(rows.map(({ asked }) => asked)).size).toBe(65);
    expect(rows.flatMap(({ files }) => files).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    const lastWord = (path: string) => path.split('/').findLast((part) => part !== '' && !part.startsWith('{'))!;
    const unnamed = rows.filter(({ asked, files }) => {
      const text = readFileSync(join(ROOT, files.at(-1)!), 'utf8');
      return !text.includes(lastWord(asked));
    });
    expect(unnamed.map(({ asked }) => asked)).toEqual([]);
  });

  const plain = cases.filter(([, asked]) => !asked.includes('{source}') && !asked.startsWith('GET /sse'));
  test.each(plain)('%s', async (_, asked, path) => {
    const { params = {}, query, body } = (await ASKED[asked]?.()) ?? {};
    const reply = await send(asked.split(' ')[0]!, `${filled(path, params)}${query ? `?${query}` : ''}`, body);
    expect({ status: reply.status, body: reply.status < 300 ? null : reply.body }).toEqual({
      status: expect.any(Number),
      body: null,
    });
    // One style wraps its answers, the other does not.
    if (path.startsWith('/v1/')) expect(reply.body?.success).toBeUndefined();
    else if (!path.startsWith('/api/events') && path !== asked.split(' ')[1])
      expect(reply.body).toMatchObject({ success: true });
  });

  test.each([
    ['nagios', nagiosProblem],
    ['zabbix', zabbixProblem],
    ['alertmanager', alertmanagerMessage],
    ['cloudwatch', alarmMessage],
    ['azure', azureAlert],
  ])('POST /api/events/webhook/{source} takes the format of %s', async (source, body) => {
    const [path] = rows.find(({ asked }) => asked.includes('{source}'))!.paths;
    const { status, body: reply } = await send('POST', filled(path!, { source }), body);
    expect(status).toBeLessThan(300);
    expect(reply).toMatchObject({ success: true });
  });

  test('GET /sse/… streams the progress of an analysis, from connected to complete', async () => {
    const [path] = rows.find(({ asked }) => asked.startsWith('GET /sse'))!.paths;
    const started = await send('POST', `${analyzer}/infrastructure-analysis`, { sessionId: 'session-to-stream' });
    expect(started.status).toBe(202);
    const url = `${app.url}${filled(path!, { sessionId: 'session-to-stream' })}`;
    const reading = readStream(url, { headers: { authorization: `Bearer ${own.token}` } });
    await app.app.idle();
    const { status, events } = await reading;
    expect(status).toBe(200);
    const kinds = events.map(({ data }) => data.type);
    expect([kinds[0], kinds.at(-1)]).toEqual(['connected', 'complete']);
  });
});
