import { beforeEach, describe, expect, test } from '@jest/globals';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const BASE = '/api/business-service-analyzer';
const app = appOfTests();
beforeEach(() => app.clock.set(START));
const own = tenantOfTests(app, 'each', 'analyzer');
const { send } = own;

const ci = async (name: string, more: object = {}) =>
  (await send('POST', '/v1/cmdb/ci', { name, type: 'server', ...more })).body.id as string;
const join = (source: string, target: string, attributes: object = {}) =>
  send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: source, target_ci: target, attributes });

const ROLES: Readonly<Record<string, readonly [role: string, tier: string]>> = {
  lb: ['load-balancer', 'frontend'],
  web: ['web-server', 'frontend'],
  app: ['application-server', 'application'],
  db: ['database', 'data'],
};
/** A map of servers that are CIs by these names. */
const mapOf = async (...names: readonly string[]) => {
  const classifiedServers = [];
  for (const hostname of names) {
    const [role, tier] = ROLES[hostname.split('-')[0]!]!;
    classifiedServers.push({ ciId: await ci(hostname), hostname, role, tier, confidence: 0.9, reasoning: 'x' });
  }
  const ids = Object.fromEntries(classifiedServers.map(({ hostname, ciId }) => [hostname, ciId]));
  return { serviceMap: { classifiedServers, unclassified: [] }, ids };
};
const link = (source: string, target: string, port: number) => ({ source, target, port, process: 'x', frequency: 3 });

describe('POST enrich', () => {
  const enrich = async (body: unknown) => (await send('POST', `${BASE}/enrich`, body)).body;

  test('tells software, processes and ports of a description, each with how sure it is', async () => {
    const body = await enrich({
      description: 'The Atlas portal: nginx in front of Tomcat, data in postgres on atlas-db-01.',
      selectedSoftware: [{ catalogId: 'redis', name: 'Redis', vendor: 'Redis' }],
      manualProcesses: ['billingd'],
      manualSoftware: [
        { name: 'PostgreSQL', version: '16', source: 'inventory' },
        { name: 'Acme DB', version: '2' },
      ],
    });
    const { software, processes, ports, searchPatterns, aiExplanation } = body.enrichedData;
    expect(software).toEqual([
      { catalogId: 'redis', name: 'Redis', vendor: 'Redis', version: null, source: 'manual', confidence: 1 },
      { catalogId: null, name: 'Acme DB', vendor: null, version: '2', source: 'manual', confidence: 1 },
      {
        catalogId: 'postgresql',
        name: 'PostgreSQL',
        vendor: 'PostgreSQL Global Development Group',
        version: '16',
        source: 'manual',
        confidence: 0.9,
      },
      { catalogId: 'nginx', name: 'NGINX', vendor: 'F5', version: null, source: 'catalogue', confidence: 0.7 },
      {
        catalogId: 'tomcat',
        name: 'Apache Tomcat',
        vendor: 'Apache Software Foundation',
        version: null,
        source: 'catalogue',
        confidence: 0.7,
      },
      { ...software[5], catalogId: 'pgbouncer', source: 'catalogue', confidence: 0.5 },
      { ...software[6], catalogId: 'openjdk', source: 'catalogue', confidence: 0.5 },
    ]);
    expect(processes[0]).toEqual({ name: 'billingd', source: 'manual', software: null, confidence: 1 });
    expect(ports).toContainEqual({
      port: 5432,
      protocol: 'tcp',
      description: 'PostgreSQL',
      software: 'PostgreSQL',
      confidence: 0.9,
    });
    expect(ports).toContainEqual({
      port: 8009,
      protocol: 'tcp',
      description: 'Apache Tomcat: AJP',
      software: 'Apache Tomcat',
      confidence: 0.7,
    });
    expect(searchPatterns.hostnames).toEqual(['atlas-db-*', '*atlas*']);
    expect(searchPatterns.processes).toContain('nginx');
    expect(searchPatterns.processes).not.toContain('java');
    expect(aiExplanation).toContain(
      'NGINX: the description mentions “nginx”. It runs as nginx and listens on 80/tcp and 443/tcp.',
    );
    expect(body).toMatchObject({ success: true, generatedBy: 'rules', degraded: 'no_model', abstained: false });
    expect(body.citations.length).toBeGreaterThan(5);
  });

  test('says so when nothing is known', async () => {
    const body = await enrich({ description: 'Something with people and paper' });
    expect(body).toMatchObject({ abstained: true, enrichedData: { software: [], processes: [], ports: [] } });
    expect(body.enrichedData.aiExplanation).toContain('No matching software');
  });

  test.each([
    ['nothing', {}, 'description'],
    ['blanks', { description: '  ', manualProcesses: [] }, 'description'],
    ['a catalogue id that there is not', { selectedSoftware: [{ catalogId: 'x' }] }, 'selectedSoftware[0].catalogId'],
    ['software without a name', { selectedSoftware: [{ vendor: 'x' }] }, 'selectedSoftware[0].catalogId'],
    ['manual software without a name', { manualSoftware: [{ version: '1' }] }, 'manualSoftware[0].name'],
    ['too many processes', { manualProcesses: Array(1_001).fill('x') }, 'manualProcesses'],
    ['a number', { description: 7 }, 'description'],
  ])('%s is refused by name', async (_, body, field) => {
    const reply = await send('POST', `${BASE}/enrich`, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(JSON.stringify(reply.body.error)).toContain(`"${field}`);
  });
});

describe('POST insights', () => {
  const insights = async (body: unknown, headers = {}) => (await send('POST', `${BASE}/insights`, body, headers)).body;

  test('tells how the service is built and what endangers it', async () => {
    const { serviceMap, ids } = await mapOf('lb-1', 'web-1', 'web-2', 'app-1', 'db-1');
    await join(await ci('till-1'), ids['app-1']!);
    const components = [{ ci_id: ids['db-1'], role: 'database' }];
    await send('POST', '/v1/services', { name: 'Shop', criticality: 'high', components });
    const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk full', hostname: 'db-1' };
    await send('POST', '/api/events/ingest', event);
    const connections = [
      link('lb-1', 'web-1', 8080),
      link('lb-1', 'web-2', 8080),
      link('web-1', ids['app-1']!, 9000),
      link('web-2', ids['app-1']!, 9000),
      link('app-1', 'db-1', 5432),
      link('web-2', 'db-1', 5432),
    ];
    const body = await insights({ serviceMap, connections, serviceDescription: 'The shop' });
    expect(body.structureMetrics).toMatchObject({
      serverCount: 5,
      connectionCount: 6,
      connectionDensity: 0.3,
      tierDistribution: { frontend: 3, application: 1, data: 1, infrastructure: 0, unclassified: 0 },
    });
    expect(body.structureMetrics.criticalNodes[0]).toMatchObject({ hostname: 'web-2', role: 'web-server' });
    expect(body.insights.architecture).toBe(
      'The service has 5 servers: 3 in the frontend tier (1 × load balancer, 2 × web server), 1 in the application tier (1 × application server), 1 in the data tier (1 × database); 6 pairs of them connected.',
    );
    expect(body.insights.dependencies).toContain('app-1 depends on db-1 (database, port 5432)');
    expect(body.findings.map(({ kind, severity }: never) => [kind, severity])).toEqual([
      ['single_data_node', 'high'],
      ['open_events', 'high'],
      ['frontend_to_data', 'medium'],
      ['clear_text', 'low'],
    ]);
    expect(body.insights.risks).toEqual([
      'db-1 is the only data server: losing it stops the service and may lose data.',
      'db-1 has 1 open event of severity critical or major.',
      'web-2 connects to db-1 directly, bypassing the application tier.',
      'web-1 and web-2 are accessed on port 8080, which is HTTP and usually not encrypted.',
    ]);
    expect(body.insights.recommendations[0]).toMatch(/^db-1: Add a replica/);
    expect(body.businessImpact).toEqual({
      criticality: 'high',
      affectedUsers: 'not known',
      downstreamDependencies: ['Shop', 'till-1'],
    });
    expect(body.technicalAnalysis.redundancy).toBe(
      'More than one server in: frontend; a single server in: application (app-1), data (db-1); no redundancy for db-1.',
    );
    expect(body.technicalAnalysis.securityConcerns).toHaveLength(2);
    expect(body.summary).toContain('1 business service runs on these servers: Shop (high).');
    expect(body).toMatchObject({ success: true, generatedBy: 'rules', abstained: false });
    const cited = new Set(body.citations.map(({ id }: { id: string }) => id));
    for (const { ciIds } of body.findings) expect(ciIds.some((id: string) => cited.has(id))).toBe(true);
  });

  test('calls what the CMDB has a stand-in for no single point of failure', async () => {
    const { serviceMap, ids } = await mapOf('app-1', 'app-2', 'db-1');
    const connections = [link('app-1', 'db-1', 5432), link('app-2', 'db-1', 5432)];
    const kinds = async () =>
      (await insights({ serviceMap, connections })).findings.map(({ kind }: { kind: string }) => kind);
    expect(await kinds()).toEqual(['single_data_node']);
    await join(ids['app-1']!, ids['db-1']!, { redundancy_group: 'data' });
    expect(await kinds()).toEqual([]);
  });

  test('says nothing of events to a caller who may not read them', async () => {
    const { serviceMap } = await mapOf('db-1');
    const event = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk full', hostname: 'db-1' };
    await send('POST', '/api/events/ingest', event);
    const scopes = ['ai.use', 'cmdb.read'];
    const made = await send('POST', '/api/admin/tokens', { name: 'narrow', scopes });
    const asked = { token: made.body.data.token as string };
    const reply = await app.send('POST', `${BASE}/insights`, { serviceMap }, asked);
    expect([reply.status, reply.body.findings]).toEqual([200, []]);
    expect((await insights({ serviceMap })).findings).toMatchObject([{ kind: 'open_events' }]);
  });

  test('takes tiers alone, and environments from the CMDB', async () => {
    const live = await ci('x-1', { attributes: { environment: 'production' } });
    const trial = await ci('x-2', { attributes: { environment: 'staging' } });
    const serviceTiers = {
      application: { servers: [live], description: 'x' },
      data: { servers: [trial], description: 'x' },
    };
    const connections = [link(live, trial, 5432)];
    const body = await insights({ serviceMap: { serviceTiers }, connections });
    expect(body.insights.risks).toContain('x-1 (production) connects to x-2 (test).');
    expect(body.structureMetrics.tierDistribution).toMatchObject({ application: 1, data: 1 });
  });

  test.each([
    ['no map', {}, 'serviceMap'],
    ['an empty map', { serviceMap: {} }, 'serviceMap.classifiedServers'],
    [
      'servers without ids',
      { serviceMap: { classifiedServers: [{ role: 'x' }] } },
      'serviceMap.classifiedServers[0].ciId',
    ],
    ['a map that is a list', { serviceMap: [] }, 'serviceMap'],
    [
      'too many connections',
      { serviceMap: { classifiedServers: [{ ciId: 'x' }] }, connections: Array(10_001).fill({}) },
      'connections',
    ],
  ])('%s is refused by name', async (_, body, field) => {
    const reply = await send('POST', `${BASE}/insights`, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(JSON.stringify(reply.body.error)).toContain(`"${field}`);
  });
});

test('insights do not say that all is well where no connection is known', async () => {
  const { serviceMap } = await mapOf('app-1', 'db-1');
  const { body } = await send('POST', `${BASE}/insights`, { serviceMap, connections: [] });
  expect(body.technicalAnalysis.redundancy).toContain('single points of failure are unknown');
});

describe('POST save', () => {
  const save = (body: unknown, headers = {}) => send('POST', `${BASE}/save`, body, headers);
  const shown = async (id: string) => (await send('GET', `/v1/services/${id}`)).body;

  test('makes a service, and keeps how it was found until the service goes', async () => {
    const { serviceMap, ids } = await mapOf('app-1', 'db-1');
    const discoveryConfig = { processes: ['postgres'], mine: { deep: [1] } };
    const analysis = { businessImpact: { criticality: 'critical' }, summary: 'x' };
    const components = { servers: serviceMap.classifiedServers };
    const body = { name: 'Shop', description: 'Sells', category: 'retail', discoveryConfig, components, analysis };
    const reply = await save(body);
    expect([reply.status, reply.body]).toEqual([
      201,
      { success: true, serviceId: expect.any(String), message: 'The service Shop was saved' },
    ]);
    const { serviceId } = reply.body;
    expect(await shown(serviceId)).toMatchObject({
      name: 'Shop',
      description: 'Sells',
      criticality: 'critical',
      components: [
        { ci_id: ids['app-1'], role: 'application-server' },
        { ci_id: ids['db-1'], role: 'database' },
      ],
    });
    const kept = await send('GET', `/v1/services/${serviceId}/analysis`);
    expect(kept.body).toEqual({
      service_id: serviceId,
      category: 'retail',
      discoveryConfig,
      components,
      analysis,
      saved_at: new Date(START).toISOString(),
      saved_by: expect.any(String),
    });
    expect((await send('GET', `/api/services/${serviceId}/analysis`)).body.data).toEqual(kept.body);
    expect((await send('DELETE', `/v1/services/${serviceId}`)).status).toBe(200);
    expect((await send('GET', `/v1/services/${serviceId}/analysis`)).status).toBe(404);
  });

  test('takes a list of components in both spellings', async () => {
    const [one, two] = [await ci('one'), await ci('two')];
    const components = [{ ciId: one, role: 'web', tier: 'frontend', redundancy_group: 'web' }, { ci_id: two }];
    const { serviceId } = (await save({ name: 'Mixed', components })).body;
    expect(await shown(serviceId)).toMatchObject({
      criticality: 'medium',
      components: [
        { ci_id: one, role: 'web', redundancy_group: 'web', redundancy_required: 1 },
        { ci_id: two, role: 'component' },
      ],
    });
  });

  test('a service that was made by hand has no analysis', async () => {
    const { id } = (await send('POST', '/v1/services', { name: 'By hand' })).body;
    const reply = await send('GET', `/v1/services/${id}/analysis`);
    expect([reply.status, reply.body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test('a name that is taken is a conflict, and nothing of it is kept', async () => {
    const components = [{ ciId: await ci('one') }];
    await save({ name: 'Shop', components });
    const reply = await save({ name: ' shop ', components, analysis: { x: 1 } });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'INVALID_REQUEST']);
    expect((await send('GET', '/v1/services')).body.data).toHaveLength(1);
  });

  test.each([
    [1_000, 201],
    [256 * 1_024, 413],
  ])('an analysis of some %i bytes answers %i', async (bytes, status) => {
    const reply = await save({
      name: 'Large',
      components: [{ ciId: await ci('one') }],
      analysis: { text: 'x'.repeat(bytes) },
    });
    expect(reply.status).toBe(status);
    if (status !== 201) expect(reply.body.error.code).toBe('INVALID_REQUEST');
  });

  test.each([
    ['no name', { description: 'x' }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a component without an id', { name: 'x', components: [{ role: 'web' }] }, 'components'],
    ['no components', { name: 'x' }, 'components'],
    ['an empty list of components', { name: 'x', components: [] }, 'components'],
    ['components without servers', { name: 'x', components: { servers: [] } }, 'components'],
    ['an unknown CI', { name: 'x', components: [{ ciId: '01M7YWBDXTWDA6R21CQ905J7YR' }] }, 'components[0].ci_id'],
    ['components that are none', { name: 'x', components: 'web' }, 'components'],
    ['an analysis that is a text', { name: 'x', analysis: 'y' }, 'analysis'],
    ['a field that there is not', { name: 'x', owner: 'y' }, 'owner'],
  ])('%s is refused by name', async (_, body, field) => {
    const reply = await save(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(JSON.stringify(reply.body.error)).toContain(`"${field}`);
  });
});
