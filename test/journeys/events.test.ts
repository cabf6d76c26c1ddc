import { describe, expect, jest, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const it = appOfTests();
let tokens = 0;

/** A tenant of its own for each test. */
const fresh = async () => {
  const token = await it.tenant(`journey-${++tokens}`);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const ci = async (name: string, type = 'server') =>
    (await send('POST', '/v1/cmdb/ci', { name, type })).body.id as string;
  const depends = (source_ci: string, target_ci: string) =>
    send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci });
  const ingest = (event: object) =>
    send('POST', '/api/events/ingest', {
      source: 'test',
      sourceId: '1',
      severity: 'major',
      title: 'Something is down',
      ...event,
    });
  return { send, ci, depends, ingest };
};

describe('ingest', () => {
  test('creates, counts repeats, resolves by status, ignores a stray recovery', async () => {
    const { ingest, send } = await fresh();
    const created = await ingest({ hostname: 'db-1', timestamp: START });
    expect(created).toMatchObject({
      status: 201,
      body: { success: true, status: 'created', isDuplicate: false, aiAnalysisQueued: true, correlationId: null },
    });
    const again = await ingest({ hostname: 'db-1', timestamp: START + 1_000 });
    expect(again).toMatchObject({
      status: 200,
      body: {
        status: 'duplicate_updated',
        isDuplicate: true,
        aiAnalysisQueued: false,
        occurrenceCount: 2,
        eventId: created.body.eventId,
      },
    });
    const recovery = { source: 'test', sourceId: '1', status: 'resolved' };
    expect((await send('POST', '/api/events/ingest', recovery)).body).toMatchObject({
      status: 'resolved',
      eventId: created.body.eventId,
    });
    expect((await send('POST', '/api/events/ingest', recovery)).body).toMatchObject({
      status: 'ignored',
      eventId: null,
    });
    const { event } = (await send('GET', `/api/events/${created.body.eventId}`)).body;
    expect(event).toMatchObject({ status: 'resolved', resolutionCategory: 'auto-resolved', occurrenceCount: 2 });
    expect(event.history.map((entry: { to: string }) => entry.to)).toEqual(['open', 'resolved']);
  });

  test('refuses an unknown severity and names the field', async () => {
    const { ingest } = await fresh();
    const refused = await ingest({ severity: 'fatal' });
    expect(refused.status).toBe(400);
    expect(refused.body.details[0].field).toBe('severity');
    expect(refused.body.error).toBe('Bad Request');
  });

  test('counts the bytes of details, not their characters', async () => {
    const { ingest } = await fresh();
    expect((await ingest({ details: { a: 'x'.repeat(60_000) } })).status).toBe(201);
    const refused = await ingest({ details: { a: 'ä'.repeat(40_000) } });
    expect(refused.body.details).toEqual([
      { field: 'details', message: expect.stringContaining('expected at most 64 KiB') },
    ]);
  });

  test('finds events by the source that they were sent with', async () => {
    const { ingest, send } = await fresh();
    await ingest({ source: 'Prometheus' });
    expect((await send('GET', '/api/events?source=Prometheus')).body.pagination.total).toBe(1);
    const refused = await send('GET', '/api/events?severity=critical,high');
    expect(refused.body.details).toMatchObject([{ field: 'severity', message: expect.stringContaining('got "high"') }]);
  });

  test("names the field of a webhook that can't be read", async () => {
    const { send } = await fresh();
    const problem = { hostname: 'a', service_description: 'http', notification_type: 'PROBLEM' };
    const bad = { ...problem, state: 'FOO' };
    const one = await send('POST', '/api/events/webhook/nagios', bad);
    expect(one.body.details).toMatchObject([{ field: 'state' }]);
    const two = await send('POST', '/api/events/webhook/nagios', [bad, bad]);
    expect(two.body.details).toMatchObject([{ field: '[0].state' }, { field: '[1].state' }]);
    const broken = await send('POST', '/api/events/webhook/nagios', '{"hostname": "a", "output": "two\nlines"');
    expect(broken.body.details).toMatchObject([{ field: 'body', message: expect.stringContaining('valid JSON') }]);
  });

  test('a monitor that tells no time of a recovery may fire again with a clock that is behind', async () => {
    const { send } = await fresh();
    const alert = (status: string, startsAt?: string) =>
      send('POST', '/api/events/webhook/prometheus', {
        alerts: [{ status, labels: { alertname: 'A', instance: 'w:1' }, fingerprint: 'f', startsAt }],
      });
    await alert('firing', '2026-11-20T09:00:00Z');
    expect((await alert('resolved')).body.results).toMatchObject([{ status: 'resolved' }]);
    const [{ eventId }] = (await alert('firing', '2026-11-20T09:59:57Z')).body.results;
    expect((await send('GET', `/api/events/${eventId}`)).body.event.status).toBe('open');
  });

  test('judges a bulk item by item', async () => {
    const { send } = await fresh();
    const events = [
      { sourceId: 'a', severity: 'major', title: 'Disk full', hostname: 'h1' },
      { sourceId: 'b', severity: 'major', title: 'Disk full', hostname: 'h1' },
      { sourceId: 'c', severity: 'nonsense', title: 'Disk full', hostname: 'h2' },
      { sourceId: 'd', severity: 'major', title: 'Disk full', hostname: 'h2', source: 'other' },
    ];
    const { status, body } = await send('POST', '/api/events/bulk-ingest', { source: 'bulk', events });
    expect(status).toBe(200);
    expect(body.summary).toEqual({ total: 4, successful: 2, failed: 1, duplicates: 1, queued: 0 });
    expect(body.results.failed[0]).toMatchObject({ index: 2, sourceId: 'c' });
    const expected = 'expected one of critical, major, minor, warning, info; got "nonsense"';
    expect(body.results.failed[0].details).toEqual([{ field: 'severity', message: expected }]);
    expect(body.results.duplicates[0]).toMatchObject({ sourceId: 'b', occurrenceCount: 2 });
    const other = await send('GET', '/api/events?source=other');
    expect(other.body.pagination.total).toBe(1);
    expect((await send('POST', '/api/events/bulk-ingest', { source: 'bulk', events: [] })).status).toBe(400);
  });

  test('answers a request sent again with its key, without counting', async () => {
    const token = await it.tenant('journey-idem');
    const body = { source: 's', sourceId: '1', severity: 'major', title: 'Queue full', hostname: 'mq-1' };
    const options = { token, headers: { 'idempotency-key': 'k-1' } };
    const first = await it.send('POST', '/api/events/ingest', body, options);
    const second = await it.send('POST', '/api/events/ingest', body, options);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await it.send('POST', '/api/events/ingest', { ...body, title: 'Other' }, options)).status).toBe(422);
    const { event } = (await it.send('GET', `/api/events/${first.body.eventId}`, undefined, { token })).body;
    expect(event.occurrenceCount).toBe(1);
  });

  test('a key that one endpoint has seen is new to another', async () => {
    const token = await it.tenant('one-key');
    const options = { token, headers: { 'idempotency-key': 'k-2' } };
    const recovery = { source: 'test', sourceId: 'none', status: 'resolved' };
    const ignored = await it.send('POST', '/api/events/ingest', recovery, options);
    expect(ignored.body).toMatchObject({ status: 'ignored', eventId: null });
    const draft = { title: 'Disk is full', severity: 'high', source: 'test', source_id: 'd-1' };
    const made = await it.send('POST', '/v1/events', draft, options);
    expect([made.status, made.body.title]).toEqual([201, 'Disk is full']);
  });
});

describe('a fault and its effects', () => {
  const incident = async () => {
    const world = await fresh();
    const [sw, db, app] = [await world.ci('sw-1', 'switch'), await world.ci('db-1'), await world.ci('app-1')];
    await world.depends(db, sw);
    await world.depends(app, db);
    const at = (seconds: number) => START + seconds * 1_000;
    const first = await world.ingest({ title: 'Link down', severity: 'critical', hostname: 'sw-1', timestamp: at(0) });
    const second = await world.ingest({
      title: 'PostgreSQL unreachable',
      severity: 'critical',
      hostname: 'db-1',
      service: 'Shop',
      timestamp: at(20),
    });
    const third = await world.ingest({
      title: 'HTTP 503',
      severity: 'major',
      hostname: 'app-1',
      service: 'shop',
      timestamp: at(35),
    });
    return { ...world, ids: [first, second, third].map(({ body }) => body.eventId as string), sw };
  };

  test('are one group with the switch as its root cause', async () => {
    const { send, ids, sw } = await incident();
    const { body } = await send('GET', `/api/events/${ids[2]}`);
    expect(body.correlationGroup.analysis).toMatchObject({
      eventCount: 3,
      rootCauseCandidate: { eventId: ids[0], ciId: sw, reasoning: 'earliest_severe_event_upstream_dependency' },
    });
    expect(body.event.correlationId).toMatch(/^COR-\d+-[a-z0-9]{6}$/);
    expect(body.event.correlationMetadata).toMatchObject({
      correlationType: 'dependency',
      rootCauseEvent: ids[0],
      rootCauseCI: sw,
    });
    const root = (await send('GET', `/api/events/${ids[0]}`)).body.event;
    expect(root.childEventIds).toHaveLength(2);
    expect(root.parentEventId).toBeUndefined();
    expect(body.event.parentEventId).toBe(root._id);
    const listed = await send('GET', `/api/events?correlationId=${body.event.correlationId}`);
    expect(listed.body.pagination.total).toBe(3);
    const groups = await send('GET', '/api/events/groups');
    expect(groups.body.groups).toHaveLength(1);
    const v1 = await send('GET', `/v1/events/${ids[2]}/correlations`);
    expect(v1.body.suggested_root_cause).toMatchObject({ ci_id: sw });
    expect(v1.body.correlated_events.length).toBeGreaterThan(0);
  });

  test('are explained pair by pair', async () => {
    const { send, ids } = await incident();
    const { body } = await send('GET', `/api/events/${ids[1]}/explain?with=${ids[0]}`);
    expect(body.together).toBe(true);
    const dependency = body.strategies.find(({ strategy }: { strategy: string }) => strategy === 'dependency');
    expect(dependency).toMatchObject({ joined: true, factor: 1 });
    expect(dependency.score).toBeCloseTo(1, 10);
    expect((await send('GET', `/api/events/${ids[1]}/explain?with=${ids[1]}`)).status).toBe(400);
    expect((await send('GET', `/api/events/${ids[1]}/explain?with=EVT-01M7YWBDXTWDA6R21CQ905J7YQ`)).status).toBe(404);
  });

  test('are found again on demand and over the last hours', async () => {
    const { send, ids } = await incident();
    const demanded = await send('POST', `/api/events/${ids[1]}/correlate`);
    expect(demanded.body.correlations).toMatchObject({ isCorrelated: true, correlationScore: 1 });
    expect(
      demanded.body.correlations.correlatedEvents.map(({ eventId }: { eventId: string }) => eventId).sort(),
    ).toEqual([ids[0], ids[2]].sort());
    it.clock.advance(60_000);
    const analysis = await send('POST', '/api/events/analyze-correlations', { hours: 1 });
    expect(analysis.body).toMatchObject({ correlationGroups: 1, eventsAnalyzed: 3, eventsCorrelated: 3 });
    expect(analysis.body.results[0].analysis).toMatchObject({ totalImpact: 2, affectedServices: ['Shop'] });
    expect((await send('POST', '/api/events/analyze-correlations')).status).toBe(200);
    expect((await send('POST', '/api/events/analyze-correlations', { hours: 169 })).status).toBe(400);
  });
});

test('a tenant has one analysis at a time, and another tenant its own', async () => {
  const [one, other] = [await fresh(), await fresh()];
  const { correlation } = it.app.ports;
  const analyze = correlation.analyze.bind(correlation);
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  jest.spyOn(correlation, 'analyze').mockImplementationOnce(async (...asked) => {
    begun.resolve();
    await gate.promise;
    return analyze(...asked);
  });
  const ask = ({ send }: typeof one) => send('POST', '/api/events/analyze-correlations');
  const first = ask(one);
  await begun.promise;
  const [second, third] = [await ask(one), await ask(other)];
  expect([second.status, second.headers.get('retry-after'), third.status]).toEqual([429, '10', 200]);
  gate.resolve();
  expect([(await first).status, (await ask(one)).status]).toEqual([200, 200]);
});

test('events are put together by hand', async () => {
  const { ingest, send } = await fresh();
  const one = (await ingest({ title: 'Tape library empty', hostname: 'a', timestamp: START - 7_200_000 })).body.eventId;
  const two = (await ingest({ title: 'Fan noise', hostname: 'b', timestamp: START })).body.eventId;
  const unknown = await send('POST', '/api/events/correlate', {
    primaryEventId: one,
    relatedEventIds: ['EVT-01M7YWBDXTWDA6R21CQ905J7YQ'],
  });
  expect(unknown.status).toBe(404);
  const { status, body } = await send('POST', '/api/events/correlate', {
    primaryEventId: one,
    relatedEventIds: [two],
    reason: 'same rack',
  });
  expect(status).toBe(200);
  expect(body.correlationGroup.analysis.eventCount).toBe(2);
  const shown = await send('GET', `/api/events/${two}/correlations`);
  expect(shown.body.correlations[0]).toMatchObject({
    eventId: one,
    score: 1,
    reasons: [{ strategy: 'manual', reason: 'same rack' }],
  });
  const { correlations } = (await send('POST', `/api/events/${two}/correlate`)).body;
  expect(correlations).toMatchObject({ isCorrelated: true, correlationScore: 1 });
  expect(correlations.correlatedEvents).toMatchObject([{ eventId: one }]);
});

describe('status', () => {
  test('moves, keeps notes and history, and refuses to reopen beside a newer event', async () => {
    const { ingest, send } = await fresh();
    const { eventId } = (await ingest({ hostname: 'x' })).body;
    const patch = (body: object, id = eventId) => send('PATCH', `/api/events/${id}/status`, body);
    expect((await patch({ status: 'acknowledged', notes: 'on it' })).body.event).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: { name: expect.any(String) },
    });
    expect(
      (await patch({ status: 'resolved', notes: 'rebooted', resolutionCategory: 'manual-fix' })).body.event,
    ).toMatchObject({ status: 'resolved', resolutionNotes: 'rebooted', resolutionCategory: 'manual-fix' });
    const newer = (await ingest({ hostname: 'x' })).body;
    expect(newer.status).toBe('created');
    const conflict = await patch({ status: 'acknowledged' });
    expect(conflict).toMatchObject({ status: 409, body: { conflictingEventId: newer.eventId } });
    expect((await patch({ status: 'open' })).status).toBe(400);
    expect((await patch({ status: 'resolved', notes: 'x'.repeat(4_097) })).status).toBe(400);
    for (const letter of 'abcdefgh') await patch({ status: 'resolved', notes: letter.repeat(4_096) });
    const { resolutionNotes } = (await send('GET', `/api/events/${eventId}`)).body.event;
    expect([resolutionNotes.length, resolutionNotes.slice(0, 2), resolutionNotes.at(-1)]).toEqual([32_768, 'aa', 'h']);
    expect((await patch({ status: 'resolved' }, 'EVT-nonsense')).status).toBe(404);
    const v1 = await send('PATCH', `/v1/events/${newer.eventId}/status`, { status: 'resolved', comment: 'done' });
    expect(v1).toMatchObject({ status: 200, body: { status: 'resolved' } });
  });

  test('is counted', async () => {
    const { ingest, send } = await fresh();
    await ingest({ hostname: 'x', timestamp: START });
    await ingest({ hostname: 'y', severity: 'critical' });
    const { body } = await send('GET', '/api/events/stats?timeRange=24h');
    expect(body).toMatchObject({
      timeRange: '24h',
      stats: {
        total: 2,
        severityBreakdown: { critical: 1, major: 1, minor: 0, warning: 0, info: 0 },
        avgResolutionTime: null,
      },
    });
  });
});

test('the general style creates, repeats and lists in its own words', async () => {
  const { send } = await fresh();
  const body = {
    title: 'API latency high',
    severity: 'high',
    source: 'apm',
    source_id: '77',
    affected_cis: ['nowhere'],
    metrics: { p99: 3.2 },
  };
  const created = await send('POST', '/v1/events', body);
  expect(created).toMatchObject({
    status: 201,
    body: { severity: 'high', metrics: { p99: 3.2 }, affected_cis: ['nowhere'] },
  });
  expect(created.headers.get('location')).toBe(`/v1/events/${created.body.id}`);
  expect((await send('POST', '/v1/events', body)).status).toBe(200);
  const listed = await send('GET', '/v1/events?severity=high');
  expect(listed.body.data).toHaveLength(1);
  expect(listed.headers.get('x-total-count')).toBe('1');
  expect((await send('POST', '/v1/events', { ...body, extra: 1 })).status).toBe(400);
  for (const [field, value] of [
    ['metrics', Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}`.padEnd(250, 'x'), n]))],
    ['affected_cis', Array.from({ length: 20 }, () => 'x'.repeat(4_096))],
  ] as const) {
    const refused = await send('POST', '/v1/events', { ...body, [field]: value });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: [{ field, error: expect.stringMatching('64 KiB') }] } },
    });
  }
});

interface Shown {
  readonly correlationId: string;
  readonly rootCause: Shown;
  readonly impactedEvents: readonly Shown[];
}

test('of two groups that became one, every answer names the one that stands', async () => {
  const { ingest, send } = await fresh();
  const pair = async (hostname: string, timestamp: number) => {
    const [first] = [
      await ingest({ hostname, timestamp }),
      await ingest({ hostname, title: 'And so is this', timestamp }),
    ];
    return first.body.eventId as string;
  };
  const [older, younger] = [await pair('a', START - 7_200_000), await pair('b', START)];
  const group = async (id: string) => (await send('GET', `/api/events/${id}`)).body.event.correlationId as string;
  const [standing, alias] = [await group(older), await group(younger)];
  expect(standing).not.toBe(alias);
  await send('POST', '/api/events/correlate', { primaryEventId: older, relatedEventIds: [younger] });
  const listed = await send('GET', '/v1/events');
  const patched = await send('PATCH', `/v1/events/${younger}/status`, { status: 'acknowledged' });
  const { results } = (await send('POST', '/api/events/analyze-correlations', {})).body as { results: Shown[] };
  const named = [...listed.body.data, patched.body].map(({ correlation_id }) => correlation_id);
  const shown = results
    .flatMap((of) => [of, of.rootCause, ...of.impactedEvents])
    .map(({ correlationId }) => correlationId);
  expect(named).toEqual(Array(5).fill(standing));
  expect(shown.length).toBeGreaterThan(3);
  expect(new Set(shown)).toEqual(new Set([standing]));
});

test('what a clock that is ahead saw is in the list, in the numbers and in an analysis', async () => {
  const { ingest, send } = await fresh();
  await ingest({ hostname: 'x', timestamp: START + 240_000 });
  const [listed, counted, analysed] = [
    await send('GET', '/api/events?timeRange=1h'),
    await send('GET', '/api/events/stats?timeRange=1h'),
    await send('POST', '/api/events/analyze-correlations', { hours: 1 }),
  ];
  expect([listed.body.pagination.total, counted.body.stats.total, analysed.body.eventsAnalyzed]).toEqual([1, 1, 1]);
});

test('a request that takes no Idempotency-Key does not look at it', async () => {
  const headers = { 'idempotency-key': 'x'.repeat(300) };
  expect((await it.send('GET', '/api/events', undefined, { headers })).status).toBe(200);
  const event = { source: 's', sourceId: '1', severity: 'major', title: 'Down' };
  expect((await it.send('POST', '/api/events/ingest', event, { headers })).body.message).toMatch('Idempotency-Key');
});

test('a webhook counts what was sent, and names what it refused by its place there', async () => {
  const { send } = await fresh();
  const problem = { event_id: '1', trigger_name: 'Disk full', hostname: 'db-9', severity: '3' };
  const update = {
    ...problem,
    event_update_status: '1',
    event_update_action: 'changed severity from Warning to Average',
    event_ack_status: 'Yes',
  };
  const list = [update, { ...problem, severity: '9' }, { ...problem, event_id: '2', trigger_name: 'Swap full' }];
  const { status, body } = await send('POST', '/api/events/webhook/zabbix', list);
  expect(status).toBe(200);
  expect(body).toMatchObject({ received: 3, rejected: [{ index: 1 }] });
  expect(body.results.map(({ action }: { action: string }) => action)).toEqual(['acknowledge', 'open']);
  expect((await send('POST', '/api/events/webhook/zabbix', update)).body.received).toBe(1);
  const empty = await send('POST', '/api/events/webhook/cloudevents', []);
  expect(empty).toMatchObject({ status: 200, body: { received: 0, results: [], rejected: [] } });
});

test('webhooks take the monitors as they are', async () => {
  const { send } = await fresh();
  const problem = {
    notification_type: 'PROBLEM',
    hostname: 'db-9',
    service: 'Disk',
    state: 'CRITICAL',
    output: 'full',
    timestamp: START / 1_000,
  };
  const fired = await send('POST', '/api/events/webhook/naemon', problem);
  expect(fired).toMatchObject({
    status: 200,
    body: { source: 'nagios', received: 1, results: [{ action: 'open', status: 'created' }] },
  });
  const recovered = await send('POST', '/api/events/webhook/nagios', {
    ...problem,
    notification_type: 'RECOVERY',
    state: 'OK',
  });
  expect(recovered.body.results[0]).toMatchObject({
    action: 'resolve',
    status: 'resolved',
    eventId: fired.body.results[0].eventId,
  });
  expect((await send('POST', '/api/events/webhook/nagios', { hostname: 'x', state: 'PURPLE' })).status).toBe(400);
  expect((await send('POST', '/api/events/webhook/unknown', {})).status).toBe(404);
  const pd = await send('POST', '/api/events/webhook/pagerduty', {
    routing_key: 'r',
    event_action: 'trigger',
    dedup_key: 'k1',
    payload: { summary: 'Down', source: 'h1', severity: 'critical' },
  });
  expect(pd).toMatchObject({ status: 202, body: { status: 'success', message: 'Event processed', dedup_key: 'k1' } });
});

test('a foreign tenant finds nothing', async () => {
  const mine = await fresh();
  const theirs = await fresh();
  const { eventId } = (await mine.ingest({ hostname: 'secret' })).body;
  expect((await theirs.send('GET', `/api/events/${eventId}`)).status).toBe(404);
  expect((await theirs.send('GET', '/api/events')).body.pagination.total).toBe(0);
});
