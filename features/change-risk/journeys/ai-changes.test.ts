import { beforeEach, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const ANALYZE = '/api/change-analysis/analyze';
const QUICK = '/api/change-analysis/quick-assess';
const at = (ms: number) => new Date(ms).toISOString();
/** A Tuesday, after START, which is a Friday at 10:00. */
const TUESDAY_NOON = Date.parse('2026-11-24T12:00:00Z');
const TUESDAY_NIGHT = Date.parse('2026-11-24T22:00:00Z');

const app = appOfTests();
let tenant: string;
let token: string;
let serial = 0;
beforeEach(async () => {
  app.clock.set(START);
  tenant = `changes-${++serial}`;
  token = await app.tenant(tenant);
});

const { send, ci, join } = infrastructureOf(() => ({ app, token }));
const event = (title: string, hostname: string, timestamp: number, more: object = {}) =>
  send('POST', '/api/events/ingest', {
    source: 's',
    sourceId: `${title} ${timestamp}`,
    severity: 'critical',
    title,
    hostname,
    timestamp,
    ...more,
  });
const analyze = async (ciId: string, changeType: string, more: object = {}) =>
  (await send('POST', ANALYZE, { ciId, changeType, ...more })).body;
// biome-ignore lint/suspicious/noExplicitAny: factors of a reply.
const factor = (body: any, name: string) => body.factors.find((one: { name: string }) => one.name === name);
// biome-ignore lint/suspicious/noExplicitAny: as above.
const names = (body: any): string[] => body.factors.map((one: { name: string }) => one.name);

test('a restart of a lone CI of low criticality is a risk of 7', async () => {
  const id = await ci('test-1', { custom_fields: { criticality: 'low' } });
  const { status, body } = await send('POST', QUICK, { ciId: id, changeType: 'restart' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, riskScore: 7, riskLevel: 'low', changeType: 'restart' });
  expect(body).toMatchObject({ generatedBy: 'rules', probability: 0.055, impact: 0.1 });
  expect(body.summary).toContain('Base failure rate of restart changes: 5%.');
  for (const { href } of body.citations) expect((await send('GET', href)).status).toBe(200);
  const aliases = body.citations.map(({ ref }: { ref: string }) => ref);
  for (const { refs } of body.factors) for (const ref of refs) expect(aliases).toContain(ref);
});

test('what it hits, what it needs, and what redundancy saves', async () => {
  const [db, san] = [await ci('db-1', { custom_fields: { criticality: 'high' } }), await ci('san-1')];
  const [web, spare, lb] = [
    await ci('web-1'),
    await ci('web-2'),
    await ci('lb-1', { attributes: { criticality: 'critical' } }),
  ];
  await join(db, san);
  await join(web, db);
  await join(lb, web, { redundancy_group: 'pool' });
  await join(lb, spare, { redundancy_group: 'pool' });
  const components = [{ ci_id: web, role: 'web' }];
  await send('POST', '/v1/services', { name: 'Shop', criticality: 'high', components });
  const body = await analyze(db, 'OS upgrade', { plannedTime: at(TUESDAY_NIGHT), plannedDuration: '2h30m' });
  expect(body.affectedSystems).toEqual([
    { ciId: web, name: 'web-1', criticality: 'high', impact: 'outage' },
    { ciId: lb, name: 'lb-1', criticality: 'critical', impact: 'degraded' },
  ]);
  expect(body.upstreamDependencies).toEqual(['san-1']);
  expect(names(body)).toEqual(['change_type', 'criticality', 'blast_radius', 'service']);
  expect(factor(body, 'change_type')).toMatchObject({ value: 'upgrade', effect: 0.18 });
  expect(factor(body, 'criticality')).toMatchObject({ value: 'high', effect: 0.4 });
  expect(factor(body, 'service')).toMatchObject({ value: 'Shop', effect: 0.3 });
  expect(body.recommendations[0]).toContain('Change redundant members one at a time');
  expect(body.confidence).toBeCloseTo(0.7);
});

test.each([
  ['firmware upgrade', 'hardware', '“firmware upgrade” treated as hardware.'],
  ['blessing', 'other', '“blessing” is not a known change type; treated as other.'],
  ['Hardware', 'hardware', null],
])('free words are said to be taken as a type: %s', async (said, type, sentence) => {
  const body = (await send('POST', QUICK, { ciId: await ci('db-1'), changeType: said })).body;
  expect(body.changeType).toBe(type);
  if (sentence === null) expect(body.summary).toMatch(/^Base failure rate of hardware changes/);
  else {
    expect(body.summary.startsWith(`${sentence} `)).toBe(true);
    expect(body.claims[0]).toMatchObject({ text: sentence, refs: [factor(body, 'change_type').refs[0], 'C1'] });
  }
});

describe('An assessment that is kept', () => {
  const SAME = ['summary', 'claims', 'citations', 'factors', 'recommendations', 'riskScore', 'riskLevel', 'changeType'];

  test('is shown as it was', async () => {
    const id = await ci('db-1');
    await event('Disk full', 'db-1', START);
    const body = await analyze(id, 'firmware upgrade', { plannedTime: at(TUESDAY_NOON), plannedDuration: '90' });
    app.clock.advance(HOUR);
    const { status, body: kept } = await send('GET', `/api/change-analysis/assessments/${body.assessmentId}`);
    expect(status).toBe(200);
    for (const part of SAME) expect([part, kept[part]]).toEqual([part, body[part]]);
    expect(kept).toMatchObject({
      success: true,
      assessmentId: body.assessmentId,
      ciId: id,
      said: 'firmware upgrade',
      description: null,
      assessedAt: at(START),
      plannedTime: at(TUESDAY_NOON),
      plannedMinutes: 90,
      generatedBy: 'rules',
      model: null,
      degraded: 'no_model',
      confidence: body.confidence,
    });
  });

  test('keeps its words from who may not read the events that they tell of', async () => {
    const { assessmentId } = await analyze(await ci('db-1'), 'restart');
    const made = await send('POST', '/api/admin/tokens', { name: 'reader', scopes: ['cmdb.read', 'ai.use'] });
    const reader = made.body.data.token;
    const path = (id: string) => `/api/change-analysis/assessments/${id}`;
    const { status, body } = await app.send('GET', path(assessmentId), undefined, { token: reader });
    expect([status, body.summary, body.claims, body.factors]).toEqual([200, null, [], []]);
    const ciId = await ci('db-2');
    const own = (await app.send('POST', ANALYZE, { ciId, changeType: 'restart' }, { token: reader })).body;
    expect((await app.send('GET', path(own.assessmentId), undefined, { token: reader })).body.summary).toBe(
      own.summary,
    );
  });

  test('that is none is not found', async () => {
    const reply = await send('GET', '/api/change-analysis/assessments/01M7YWBDXTWDA6R21CQ905J7YR');
    expect([reply.status, reply.body.error.code]).toEqual([404, 'INVALID_REQUEST']);
  });
});

describe('The past of such changes', () => {
  const history = (query: string) => send('GET', `/api/change-analysis/history?${query}`);

  test('has the prior, each change that counted, and the chance from both', async () => {
    const db = await ci('db-1');
    app.clock.set(START);
    await event('Deployment of db-schema 5 finished', 'db-1', START, { severity: 'info', category: 'deployment' });
    app.clock.set(START + 2 * DAY);
    const { body } = await history(`ciId=${db}&changeType=database`);
    expect(body).toMatchObject({ success: true, ciId: db, changeType: 'database', prior: 0.22 });
    expect(body.changes).toMatchObject([{ date: at(START), failed: false, elsewhere: false }]);
    expect(body.changes[0].weight).toBeCloseTo(2 ** (-2 / 180), 3);
    expect(body.probability).toBeCloseTo((8 * 0.22) / (8 + 2 ** (-2 / 180)), 3);
    expect(factor(await analyze(db, 'database'), 'history').effect).toBe(body.probability);
  });

  test('of free words is that of the type that they mean', async () => {
    const { body } = await history(`ciId=${await ci('db-1')}&changeType=firmware%20upgrade`);
    expect(body).toMatchObject({ changeType: 'hardware', prior: 0.15, probability: 0.15, changes: [] });
  });

  test.each([
    ['of an unknown CI', 'ciId=nobody&changeType=patch', 404],
    ['without a type', 'ciId=x', 400],
  ])('%s is refused', async (_, query, status) => expect((await history(query)).status).toBe(status));
});

describe('The list of changes', () => {
  const list = (query = '') => send('GET', `/api/change-analysis/changes${query}`);

  test('has planned ones and reported ones within its range, the latest first, and of the former those without a time', async () => {
    const db = await ci('db-1');
    app.clock.set(START);
    await event('Deployment of db-schema 5 finished', 'db-1', START, { severity: 'info', category: 'deployment' });
    await event('Disk full', 'db-1', START);
    const late = await analyze(db, 'OS upgrade', { plannedTime: at(TUESDAY_NOON), plannedDuration: '90' });
    app.clock.advance(HOUR);
    const timeless = await analyze(db, 'restart');
    const { body } = await list();
    expect([body.truncated, body.changes]).toMatchObject([
      false,
      [
        { kind: 'planned', id: late.assessmentId, title: 'OS upgrade', start: at(TUESDAY_NOON), hasTime: true },
        { kind: 'planned', id: timeless.assessmentId, start: at(START + HOUR), end: null, hasTime: false },
        { kind: 'reported', title: 'Deployment of db-schema 5 finished', start: at(START), by: 's', place: 'db-1' },
      ],
    ]);
    expect(body.changes[0]).toMatchObject({
      end: at(TUESDAY_NOON + 90 * 60_000),
      ciId: db,
      place: 'db-1',
      riskScore: late.riskScore,
      riskLevel: late.riskLevel,
    });
    const planned = await list(`?from=${at(TUESDAY_NOON)}&to=${at(TUESDAY_NOON + 1)}`);
    expect(planned.body.changes).toEqual([body.changes[0]]);
    expect((await list(`?from=${at(START + 1)}&to=${at(TUESDAY_NOON)}`)).body.changes).toEqual([body.changes[1]]);
  });

  test('has no events for callers who may not read them, and no range that ends before it begins', async () => {
    await ci('db-1');
    await event('Deployment of db-schema 5 finished', 'db-1', START, { severity: 'info', category: 'deployment' });
    const made = await send('POST', '/api/admin/tokens', { name: 'reader', scopes: ['cmdb.read'] });
    const token = made.body.data.token;
    const { body } = await app.send('GET', '/api/change-analysis/changes', undefined, { token });
    expect(body.changes).toEqual([]);
    const refused = await list(`?from=${at(START)}&to=${at(START - 1)}`);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('from')]);
  });
});

describe('Its time', () => {
  test.each([
    ['on a Tuesday at noon', at(TUESDAY_NOON), {}, ['business_hours']],
    ['on a Tuesday night', at(TUESDAY_NIGHT), {}, []],
    ['on a Friday afternoon', '2026-11-27T16:00:00Z', {}, ['business_hours', 'before_rest']],
    ['on a Saturday', '2026-11-28T12:00:00Z', {}, []],
    ['for five hours', at(TUESDAY_NIGHT), { plannedDuration: 'PT5H' }, ['long']],
    ['for four hours', at(TUESDAY_NIGHT), { plannedDuration: 240 }, []],
    ['without a time', undefined, {}, ['no_time']],
  ])('%s', async (_, plannedTime, more, expected) => {
    const body = await analyze(await ci('db-1'), 'restart', { ...(plannedTime && { plannedTime }), ...more });
    const timing = ['no_time', 'maintenance_window', 'business_hours', 'before_rest', 'long'];
    expect(names(body).filter((name) => timing.includes(name))).toEqual(expected);
  });

  test('within the maintenance window it is neither late nor early', async () => {
    const custom_fields = { maintenance_window: '2026-11-27T15:00:00Z' };
    const id = await ci('db-1', { custom_fields });
    const during = await analyze(id, 'restart', { plannedTime: '2026-11-27T16:00:00Z', plannedDuration: '3h' });
    expect(factor(during, 'maintenance_window')).toMatchObject({ effect: 1 });
    expect(names(during)).not.toContain('business_hours');
    const longer = await analyze(id, 'restart', { plannedTime: '2026-11-27T16:00:00Z', plannedDuration: '3h30m' });
    expect(names(longer)).toContain('before_rest');
    const before = await analyze(id, 'restart', { plannedTime: at(TUESDAY_NOON) });
    expect(before.recommendations).toContain('Move it into the maintenance window starting at 2026-11-27 15:00 UTC.');
  });

  test.each([
    ['DE', 'on the eve of Christmas', '2026-12-24T11:00:00Z', ['business_hours', 'before_rest']],
    ['DE', 'on Christmas, before Boxing Day', '2026-12-25T11:00:00Z', ['before_rest']],
    ['DE', 'on the last day of a year', '2026-12-31T11:00:00Z', ['business_hours', 'before_rest']],
    ['DE', 'on a day that is one in the US', '2026-07-03T11:00:00Z', ['business_hours']],
    ['US', 'on the day before a substitute', '2026-07-02T11:00:00Z', ['business_hours', 'before_rest']],
    [null, 'on an eve nobody knows of', '2026-12-24T11:00:00Z', ['business_hours']],
  ])('%s %s', async (country, _, plannedTime, expected) => {
    await send('PUT', '/api/admin/settings/ai', { country });
    const body = await analyze(await ci('db-1'), 'restart', { plannedTime });
    const timing = ['business_hours', 'before_rest'];
    expect(names(body).filter((name) => timing.includes(name))).toEqual(expected);
    if (expected.includes('before_rest')) expect(factor(body, 'before_rest')).toMatchObject({ effect: 1.15 });
  });

  test('hours are those of the tenant', async () => {
    await send('PUT', '/api/admin/settings/ai', { zone: 'Asia/Tokyo' });
    const body = await analyze(await ci('db-1'), 'restart', { plannedTime: '2026-11-24T01:00:00Z' });
    expect(factor(body, 'business_hours')).toMatchObject({ value: '2026-11-24 10:00', effect: 1.25 });
  });
});

describe('What happened before', () => {
  test('a change that severe events followed within a day has failed', async () => {
    // Brokers stamp records by a clock of their own, so it all lies in its past.
    const start = START - 30 * DAY;
    app.clock.set(start);
    const [db, web] = [await ci('db-1'), await ci('web-1')];
    await join(web, db);
    const planned = (day: number) => ({ plannedTime: at(start + day * DAY) });
    for (const day of [1, 3, 5]) await analyze(db, 'restart', planned(day));
    app.clock.set(start + 1 * DAY + 2 * HOUR);
    await event('HTTP 503', 'web-1', app.clock.now());
    app.clock.set(start + 3 * DAY + 25 * HOUR);
    await event('Disk full', 'db-1', app.clock.now());
    app.clock.set(start + 6 * DAY + HOUR);
    token = await app.tenant(tenant);
    const body = await analyze(db, 'patch');
    expect(factor(body, 'history')).toMatchObject({ value: '1 of 3 failed' });
    expect(factor(body, 'open_events')).toMatchObject({ value: 1, effect: 1.3 });
    expect(body.historicalIncidents).toMatchObject([{ type: 'disk_full', impact: 'critical', title: 'Disk full' }]);
    expect(body.recommendations).toEqual(
      expect.arrayContaining([
        'Rehearse the change and prepare a rollback: earlier changes failed.',
        "If this change doesn't fix “Disk full”, resolve that first.",
      ]),
    );
    const away = await analyze(await ci('other-1'), 'restart');
    expect(factor(away, 'history')).toMatchObject({ value: '1 of 3 failed' });
    const another = await analyze(await ci('other-2'), 'network');
    expect(names(another)).not.toContain('history');
  });

  test('changes that pipelines told of count, too', async () => {
    const db = await ci('db-1');
    await event('Deployment of db-schema 5 finished', 'db-1', START, { severity: 'info', category: 'deployment' });
    app.clock.set(START + 2 * DAY);
    expect(factor(await analyze(db, 'database'), 'history')).toMatchObject({ value: '0 of 1 failed' });
  });
});

describe('Other changes at the same time', () => {
  test('on the CI, near it, and on a common service raise the risk', async () => {
    const [db, web, far, alone] = [await ci('db-1'), await ci('web-1'), await ci('far-1'), await ci('alone-1')];
    await join(web, db);
    const components = [db, far].map((ci_id) => ({ ci_id, role: 'any' }));
    await send('POST', '/v1/services', { name: 'Shop', components });
    const plannedTime = at(TUESDAY_NIGHT);
    const before = await analyze(db, 'restart', { plannedTime });
    for (const [id, type] of [
      [db, 'patch'],
      [web, 'restart'],
      [far, 'restart'],
      [alone, 'restart'],
    ] as const)
      await analyze(id, type, { plannedTime: at(TUESDAY_NIGHT + 30 * 60_000) });
    await analyze(web, 'config', { plannedTime: at(TUESDAY_NIGHT + 2 * HOUR) });
    const body = await analyze(db, 'restart', { plannedTime });
    const found = body.conflicts
      .map(({ name, reason }: { name: string; reason: string }) => `${name} ${reason}`)
      .sort();
    expect(found).toEqual(['db-1 same_ci', 'far-1 common_service', 'web-1 within_two_hops']);
    expect(factor(body, 'overlap')).toMatchObject({ value: 3, effect: 1.6 });
    expect(body.riskScore).toBeGreaterThan(before.riskScore);
    expect((await analyze(db, 'restart', { plannedTime: at(TUESDAY_NIGHT + 6 * HOUR) })).conflicts).toEqual([]);
  });

  test('a quick look is kept nowhere and tells the same score', async () => {
    const db = await ci('db-1');
    const quick = async () => (await send('POST', QUICK, { ciId: db, changeType: 'blessing' })).body;
    const first = await quick();
    expect(first).toMatchObject({ changeType: 'other' });
    expect(first.summary).toContain('“blessing” is not a known change type; treated as other.');
    const { riskScore } = await analyze(db, 'blessing');
    expect([(await quick()).riskScore, riskScore]).toEqual([first.riskScore, first.riskScore]);
  });
});

test('a proposed relationship is no part of it', async () => {
  const [db, web] = [await ci('db-1'), await ci('web-1')];
  const source = { source: web, target: db, type: 'depends-on' };
  const { relationshipId } = (await send('POST', '/api/cmdb/ai-relationships', source)).body;
  expect((await analyze(db, 'restart')).affectedSystems).toEqual([]);
  await send('POST', `/api/cmdb/ai-relationships/${relationshipId}/accept`);
  expect((await analyze(db, 'restart')).affectedSystems).toMatchObject([{ name: 'web-1' }]);
});

test('the old id of a merged CI leads to the one that stays', async () => {
  const [into, from] = [await ci('db-1'), await ci('db-2')];
  await send('POST', `/v1/cmdb/ci/${into}/merge`, { from });
  expect((await analyze(from, 'restart')).summary).toContain('db-1: ');
});

test.each([
  [ANALYZE, { ciId: '01M7YWBDXTWDA6R21CQ905J7YR', changeType: 'restart' }, {}],
  [QUICK, { ciId: '01M7YWBDXTWDA6R21CQ905J7YR', changeType: 'restart' }, {}],
  [ANALYZE, { changeType: 'restart' }, {}],
  [QUICK, { ciId: 'x' }, {}],
  [QUICK, { ciId: 'x', changeType: 'restart', plannedTime: START }, {}],
  [ANALYZE, { ciId: 'x', changeType: 'restart', plannedDuration: 'a while' }, {}],
  [ANALYZE, { ciId: 'x', changeType: 'restart', plannedTime: 'soon' }, {}],
  [ANALYZE, { ciId: 'x', changeType: 'restart' }, { 'x-ai-mode': 'perhaps' }],
])('%s %j %j is refused', async (path, body, headers) => {
  const reply = await send('POST', path, body, headers);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
});

test('it needs ai.use and cmdb.read; without events.read no event counts', async () => {
  const db = await ci('db-1');
  await event('Disk full', 'db-1', START);
  const as = async (right: object) =>
    (await send('POST', '/api/admin/tokens', { name: 'other', ...right })).body.data.token as string;
  const asked = async (other: string) =>
    app.send('POST', ANALYZE, { ciId: db, changeType: 'restart' }, { token: other });
  expect((await asked(await as({ role: 'viewer' }))).status).toBe(403);
  expect((await asked(await as({ scopes: ['ai.use'] }))).status).toBe(403);
  const blind = await asked(await as({ scopes: ['ai.use', 'cmdb.read'] }));
  expect([blind.status, blind.body.historicalIncidents, names(blind.body).includes('open_events')]).toEqual([
    200,
    [],
    false,
  ]);
});
