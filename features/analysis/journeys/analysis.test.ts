import { beforeAll, describe, expect, test } from '@jest/globals';
import { analyseIncidents } from '#features/analysis/use-cases/incidents.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { type Reply, START } from '#test/setup/test-app.ts';

const SECOND = 1_000;

const app = appOfTests();

/** Until the sinks have taken what came. */
const settle = async (): Promise<void> => {
  await app.app.idle();
  app.clock.advance(3 * SECOND);
  await app.app.idle();
};

interface World {
  readonly token: string;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  ci(name: string, type: string): Promise<string>;
  ingest(sourceId: string, hostname: string, title: string, severity?: string): Promise<Reply['body']>;
  event(id: string): Promise<Reply['body']>;
}

const worldOf = async (tenant: string): Promise<World> => {
  const token = await app.tenant(tenant);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  return {
    token,
    send,
    async ci(name, type) {
      return (await send('POST', '/v1/cmdb/ci', { name, type, attributes: { hostname: name } })).body.id;
    },
    async ingest(sourceId, hostname, title, severity = 'critical') {
      const timestamp = new Date(app.clock.now()).toISOString();
      return (
        await send('POST', '/api/events/ingest', { source: 'zabbix', sourceId, severity, title, hostname, timestamp })
      ).body;
    },
    event: async (id) => (await send('GET', `/api/events/${id}`)).body,
  };
};

/** A switch, a database and an application, each needing the one before; then all three complain. */
const incident = async (world: World): Promise<{ ids: string[]; cis: string[] }> => {
  const cis = [await world.ci('sw-1', 'switch'), await world.ci('db-1', 'database'), await world.ci('app-1', 'server')];
  for (const [source, target] of [
    [1, 0],
    [2, 1],
  ] as const)
    await world.send('POST', '/v1/cmdb/relationships', {
      source_ci: cis[source],
      target_ci: cis[target],
      type: 'depends_on',
    });
  app.clock.advance(60 * SECOND);
  const ids = [(await world.ingest('a', 'sw-1', 'Link down')).eventId];
  app.clock.advance(20 * SECOND);
  ids.push((await world.ingest('b', 'db-1', 'PostgreSQL unreachable')).eventId);
  app.clock.advance(15 * SECOND);
  ids.push((await world.ingest('c', 'app-1', 'HTTP 503', 'major')).eventId);
  return { ids, cis };
};

/** Every sentence names citations of the analysis, and each of them can be fetched. */
const expectGrounded = async ({ send }: World, analysis: Reply['body']): Promise<void> => {
  const known = analysis.citations.map(({ ref }: { ref: string }) => ref);
  const { history, hypothesis, warnings = [], actions } = analysis.refs;
  const sentences = [history, hypothesis, ...warnings, ...actions];
  expect(sentences).toHaveLength(2 + (analysis.warnings ?? []).length + analysis.recommendedActions.length);
  expect(analysis.claims.map(({ refs }: { refs: string[] }) => refs)).toEqual(sentences);
  for (const refs of sentences) expect(refs.length).toBeGreaterThan(0);
  for (const ref of sentences.flat()) expect(known).toContain(ref);
  for (const { href } of analysis.citations) expect((await send('GET', href)).status).toBe(200);
};

describe('an incident', () => {
  let world: World;
  let ids: string[];
  beforeAll(async () => {
    world = await worldOf('acme');
    ({ ids } = await incident(world));
    await settle();
  });

  test('each event says what is unusual, why, and what to do', async () => {
    const { event } = await world.event(ids[2]!);
    expect(event.aiAnalysis).toMatchObject({
      eventId: ids[2],
      generatedBy: 'rules',
      abstained: false,
      rootCauseHypothesis: 'Probable root cause: "Link down" on sw-1 (explains 2 CIs in the group).',
    });
    expect(event.aiAnalysis.ciId).toBe(event.ciId._id);
    expect(event.aiAnalysis).toMatchObject({ model: null, degraded: null });
    const { claims, citations } = event.aiAnalysis;
    expect(claims[1]).toMatchObject({ text: event.aiAnalysis.rootCauseHypothesis, certainty: 'likely' });
    const labels = claims[1].refs.map((ref: string) => citations.find((one: { ref: string }) => one.ref === ref).label);
    expect(labels).toEqual(expect.arrayContaining(['Link down', 'sw-1', 'db-1', 'app-1']));
    expect(event.aiAnalysis.warnings).toEqual([expect.stringContaining('first 4 hours')]);
    expect(event.aiAnalysis.history.text).toMatch(/^Not enough history/);
    expect(event.aiAnalysis.anomalyScore).toBeLessThanOrEqual(0.5);
    expect(event.aiAnalysis.relatedEvents).toEqual(expect.arrayContaining([ids[0]]));
    expect(event.aiAnalysis.recommendedActions[0]).toBe('Check sw-1 first: "Link down" on sw-1.');
    await expectGrounded(world, event.aiAnalysis);
  });

  test('what comes again is analysed no more', async () => {
    const before = (await world.event(ids[2]!)).event;
    await world.ingest('c', 'app-1', 'HTTP 503', 'major');
    await settle();
    const after = (await world.event(ids[2]!)).event;
    expect(after.occurrenceCount).toBe(before.occurrenceCount + 1);
    expect(after.aiAnalysis).toEqual(before.aiAnalysis);
  });

  test('the group is analysed when it was quiet for 30 s', async () => {
    const id = (await world.event(ids[0]!)).event.correlationId;
    const shown = async () => (await world.send('GET', `/api/events/groups/${id}`)).body.group;
    await analyseIncidents(app.app.ports, () => false);
    expect((await shown()).aiAnalysis).toBeUndefined();
    app.clock.advance(30 * SECOND);
    await analyseIncidents(app.app.ports, () => false);
    const { aiAnalysis } = await shown();
    expect(aiAnalysis).toMatchObject({ eventId: ids[0], correlationId: id, abstained: false });
    await expectGrounded(world, aiAnalysis);
    expect((await world.event(ids[1]!)).correlationGroup.aiAnalysis).toEqual(aiAnalysis);
    const { body } = await world.send('GET', `/api/events/${ids[1]}/correlations`);
    expect(body.correlationGroup.aiAnalysis).toEqual(aiAnalysis);
  });

  test('an unknown group is not found', async () => {
    expect((await world.send('GET', '/api/events/groups/COR-1-nothing')).status).toBe(404);
  });

  test('a tenant with the same events sees nothing of it', async () => {
    const other = await worldOf('other');
    const { ids: own, cis } = await incident(other);
    await settle();
    const { aiAnalysis } = (await other.event(own[2]!)).event;
    expect(
      aiAnalysis.citations.filter(({ kind }: { kind: string }) => kind === 'ci').map(({ id }: { id: string }) => id),
    ).toEqual(expect.arrayContaining([cis[0]]));
    for (const id of ids) expect(JSON.stringify(aiAnalysis)).not.toContain(id);
    await expectGrounded(other, aiAnalysis);
  });
});

test('an event that was analysed before its cause came names it when it is shown', async () => {
  const world = await worldOf('later-cause');
  const [top, below] = [await world.ci('sw-9', 'switch'), await world.ci('db-9', 'database')];
  await world.send('POST', '/v1/cmdb/relationships', { source_ci: below, target_ci: top, type: 'depends_on' });
  const { eventId } = await world.ingest('b', 'db-9', 'Replication is odd', 'major');
  await settle();
  expect((await world.event(eventId)).event.aiAnalysis.rootCauseHypothesis).toMatch(/^No root cause identified/);
  app.clock.advance(5 * SECOND);
  await world.ingest('a', 'sw-9', 'Link down');
  await settle();
  const { aiAnalysis } = (await world.event(eventId)).event;
  expect(aiAnalysis.rootCauseHypothesis).toMatch(/^Probable root cause: "Link down" on sw-9/);
  await app.app.idle();
  expect((await world.event(eventId)).event.aiAnalysis).toEqual(aiAnalysis);
});

test('an event of an unknown host that joined by time alone is told so, and nothing is probable', async () => {
  const world = await worldOf('unknown');
  const { ids } = await incident(world);
  app.clock.advance(5 * SECOND);
  const { eventId } = await world.ingest('x', 'mystery-1', 'Checkout is strange');
  await settle();
  const { event, correlationGroup } = await world.event(eventId);
  expect(correlationGroup.analysis.rootCauseCandidate).toMatchObject({ eventId: ids[0] });
  expect(correlationGroup.analysis.rootCauseCandidate.confidence).toBeGreaterThan(0.5);
  const { aiAnalysis } = event;
  expect(aiAnalysis).toMatchObject({ ciId: null, confidence: 0.4, abstained: false });
  expect(aiAnalysis.rootCauseHypothesis).toBe(
    'Possible root cause by time only: "Link down" on sw-1 is the group\'s root-cause candidate, but this event has no CI.',
  );
  expect(aiAnalysis.warnings).toEqual([
    'Grouped by time only: no shared relationship, signature or service with the other events.',
    correlationGroup.analysis.learningReason,
  ]);
  expect(aiAnalysis.claims.map(({ certainty }: { certainty: string }) => certainty)).not.toContain('likely');
  expect(aiAnalysis.recommendedActions.join(' ')).not.toMatch(/first|restart/);
  expect(aiAnalysis.recommendedActions.at(-1)).toMatch(/^Bind the event to a CI/);
  await expectGrounded(world, aiAnalysis);
});

test('while the tenant wants none, nothing is analysed', async () => {
  const world = await worldOf('silent');
  expect((await world.send('PUT', '/api/admin/settings/ai', { analyse: false })).status).toBe(200);
  const { eventId, aiAnalysisQueued } = await world.ingest('a', 'sw-1', 'Link down');
  expect(aiAnalysisQueued).toBe(false);
  await settle();
  expect((await world.event(eventId)).event.aiAnalysis).toBeUndefined();
});

test('an event that no one came to is analysed when somebody looks at it', async () => {
  const world = await worldOf('late');
  const { eventId, aiAnalysisQueued } = await world.ingest('a', 'sw-9', 'Something odd');
  expect(aiAnalysisQueued).toBe(true);
  expect((await world.ingest('a', 'sw-9', 'Something odd')).aiAnalysisQueued).toBe(false);
  const { aiAnalysis } = (await world.event(eventId)).event;
  expect(aiAnalysis).toMatchObject({ abstained: true, ciId: null, confidence: 0 });
  expect(aiAnalysis.rootCauseHypothesis).toMatch(/^No root cause identified: not in a group, and no CI bound/);
  expect(aiAnalysis.recommendedActions.at(-1)).toMatch(/^Bind the event to a CI/);
  await app.app.idle();
  app.clock.advance(60 * SECOND);
  expect((await world.event(eventId)).event.aiAnalysis).toEqual(aiAnalysis);
});

test('how the same was resolved before is told', async () => {
  const world = await worldOf('again');
  await world.ci('web-1', 'server');
  const first = await world.ingest('a', 'web-1', 'Queue of mails grows');
  await world.send('PATCH', `/api/events/${first.eventId}/status`, {
    status: 'resolved',
    resolutionCategory: 'manual-fix',
    notes: 'restarted the mailer',
  });
  app.clock.advance(3_600 * SECOND);
  const second = await world.ingest('a2', 'web-1', 'Queue of mails grows');
  expect(second.eventId).not.toBe(first.eventId);
  await settle();
  const { recommendedActions, history } = (await world.event(second.eventId)).event.aiAnalysis;
  expect(recommendedActions[0]).toMatch(/^Previous occurrence on web-1: .*"restarted the mailer"/);
  expect(history).toMatchObject({ events: 1, episodes: 1 });
  expect(START).toBeLessThan(app.clock.now());
});
