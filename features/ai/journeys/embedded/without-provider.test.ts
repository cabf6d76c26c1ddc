import { beforeAll, expect, test } from '@jest/globals';
import { DEGRADED } from '#domain/ai/degraded.ts';
import { modelFault } from '#features/ai/use-cases/ask.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { endpoints } from '#whole';

/* No model is configured: each AI function answers from rules, and cites its evidence. */

const app = appOfTests();
let token: string;
let ciId: string;
let lonely: string;
/** Assessments by CI. */
const assessments: Record<string, string> = {};
beforeAll(async () => {
  token = await app.tenant('bare');
  ciId = await ci('db-1');
  lonely = await ci('bare-1');
  await join(await ci('web-1'), ciId);
  const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk full', timestamp: START };
  await send('POST', '/api/events/ingest', { ...event, hostname: 'db-1' });
  for (const id of [ciId, lonely]) {
    const asked = { ciId: id, changeType: 'restart' };
    assessments[id] = (await send('POST', '/api/change-analysis/analyze', asked)).body.assessmentId;
  }
  await send('POST', '/api/business-service-analyzer/infrastructure-analysis', { sessionId: 'without-model' });
  await app.app.idle();
});

const { send, ci, join } = infrastructureOf(() => ({ app, token }));
const connection = { sourceServer: 'web-1', targetServer: 'db-1', port: 5432, protocol: 'tcp', frequency: 9 };

/** Endpoints that answer on evidence, with a request for each CI. */
const ASKED: Readonly<Record<string, (ci: string) => readonly [method: string, path: string, body?: object]>> = {
  'insights.get': (ci) => ['GET', `/api/cmdb-ai/insights/${ci}`],
  'insights.create': (ci) => ['POST', `/api/cmdb-ai/insights/${ci}`],
  'ai-relationships.analyze': (ci) => [
    'POST',
    `/api/cmdb/ai-relationships/analyze/${ci}`,
    { networkConnections: [connection] },
  ],
  'infrastructure-analysis.result': () => [
    'GET',
    '/api/business-service-analyzer/infrastructure-analysis/without-model',
  ],
  'changes.analyze': (ci) => ['POST', '/api/change-analysis/analyze', { ciId: ci, changeType: 'restart' }],
  'ai.holiday-generator': () => ['POST', '/api/ai/holiday-generator', { country: 'DE', year: 2026 }],
  'analyzer.enrich': () => [
    'POST',
    '/api/business-service-analyzer/enrich',
    { description: 'A shop on Tomcat and PostgreSQL' },
  ],
  'analyzer.discover': () => [
    'POST',
    '/api/business-service-analyzer/discover',
    { searchPatterns: { hostnames: ['db-*'] } },
  ],
  'analyzer.insights': (ci) => [
    'POST',
    '/api/business-service-analyzer/insights',
    { serviceMap: { classifiedServers: [{ ciId: ci, hostname: 'db-1', role: 'database', tier: 'data' }] } },
  ],
  'analyzer.classify': (ci) => [
    'POST',
    '/api/business-service-analyzer/classify',
    { servers: [{ ciId: ci, runningProcesses: [{ name: 'postgres', port: 5432 }] }] },
  ],
  'chat.ask': (ci) => ['POST', '/api/chatbot', { message: 'what is its status?', context: { currentCI: ci } }],
  'changes.get': (ci) => ['GET', `/api/change-analysis/assessments/${assessments[ci]}`],
  'changes.quick-assess': (ci) => ['POST', '/api/change-analysis/quick-assess', { ciId: ci, changeType: 'restart' }],
};

test('every endpoint of the AI surface that answers on evidence is asked', () => {
  const onEvidence = endpoints.filter(({ mounts }) =>
    mounts.some(({ on, reply }) => on === 'ai' && 'generatedBy' in ((reply as { shape?: object }).shape ?? {})),
  );
  expect(onEvidence.map(({ id }) => id).sort()).toEqual(Object.keys(ASKED).sort());
});

test('that a model is wanted and none answers is no error of the server, whatever the reason', () => {
  for (const degraded of DEGRADED) expect([degraded, modelFault(degraded).isWish]).toEqual([degraded, true]);
});

test('an endpoint that may ask a model may take longer than other requests', () => {
  const asking = endpoints.filter(({ alsoFaults }) => alsoFaults?.includes('model'));
  expect(asking.length).toBeGreaterThan(3);
  expect(asking.filter(({ takesLong }) => takesLong !== true).map(({ id }) => id)).toEqual([]);
});

const asked = Object.entries(ASKED).flatMap(([id, request]) =>
  ['known', 'lonely'].map((which) => ({ id, which, request })),
);

test.each(asked)('$id answers for a $which CI', async ({ which, request }) => {
  const [method, path, body] = request(which === 'known' ? ciId : lonely);
  const reply = await send(method, path, body);
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(300);
  expect(reply.body).toMatchObject({ success: true, generatedBy: 'rules', model: null });
  const { abstained, citations } = reply.body;
  expect(abstained || citations.length > 0).toBe(true);
  await expectToLead(citations);
});

/** Each citation leads somewhere. */
const expectToLead = async (citations: readonly { href: string }[]): Promise<void> => {
  for (const { href } of citations) {
    expect(href).toMatch(/^\/\w/);
    expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  }
};

test.each(asked)(
  '$id of a $which CI says that no model was wanted, or that there is none',
  async ({ id, which, request }) => {
    const [method, path, body] = request(which === 'known' ? ciId : lonely);
    expect((await send(method, path, body, { 'x-ai-mode': 'rules' })).status).toBeLessThan(300);
    const wanted = await send(method, path, body, { 'x-ai-mode': 'model' });
    // Stored data needs no model, and neither does a calendar, nor results of scans.
    if (method !== 'GET' && id !== 'ai.holiday-generator' && id !== 'analyzer.discover')
      expect([wanted.status, wanted.body.error.code]).toEqual([503, 'INTERNAL_ERROR']);
  },
);

test('whatever an answer cites can be looked at', async () => {
  const DAY = 86_400_000;
  // Data for every rule sentence: an old CI with a shared address, seen long ago, with a past, neighbors and other
  // changes.
  app.clock.set(START - 100 * DAY);
  token = await app.tenant('all-kinds');
  const attributes = { ip_address: '10.0.0.9' };
  const [old, twin] = [await ci('old-1', { attributes }), await ci('old-2', { attributes })];
  await send('POST', '/v1/services', { name: 'Shop', components: [{ ci_id: old, role: 'web' }] });
  const host = { hostname: 'old-1', ip_address: '10.0.0.9' };
  const scan = { scan_type: 'agent', scanner_id: 'agent-1', timestamp: app.clock.now() };
  await send('POST', '/v1/discovery/scan-data', { ...scan, data: { discovered_hosts: [host] } });
  await join(await ci('web-1'), old);
  const change = (ciId: string, changeType: string, at: number) =>
    send('POST', '/api/change-analysis/analyze', { ciId, changeType, plannedTime: new Date(at).toISOString() });
  await change(old, 'restart', START - 90 * DAY);
  await change(twin, 'firmware swap', START + DAY);
  await change(old, 'patch', START + DAY);
  app.clock.set(START);
  token = await app.tenant('all-kinds');
  const event = { source: 's', severity: 'critical', title: 'Disk full', hostname: 'old-1', timestamp: START };
  const { eventId } = (await send('POST', '/api/events/ingest', { ...event, sourceId: '1' })).body;
  const replies = [
    await send('POST', `/api/cmdb-ai/insights/${old}`),
    await change(old, 'OS upgrade', START + DAY),
    await send('POST', '/api/change-analysis/quick-assess', { ciId: old, changeType: 'blessing' }),
    await send('POST', `/api/cmdb/ai-relationships/analyze/${old}`, {
      networkConnections: [{ ...connection, targetServer: 'old-1', frequency: 1_000 }],
    }),
    { body: (await send('GET', `/api/events/${eventId}`)).body.event.aiAnalysis },
  ];
  const citations = replies.flatMap(({ body }) => body.citations as { kind: string; label: string; href: string }[]);
  const labels = citations.map(({ kind, label }) => `${kind} ${label}`);
  for (const cited of ['query Sightings', 'query Addresses of several CIs', 'query Events on the CI', 'service Shop'])
    expect(labels).toContain(cited);
  for (const cited of ['query Changes of type upgrade', 'query Earlier changes', 'record Change to old-1'])
    expect(labels).toContain(cited);
  await expectToLead(citations);
});
