import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { INSIGHT_KINDS } from '#features/detectors/rules/finding.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const PATH = '/api/ai/generate-insights';
const NOBODY = '01M7YWBDXTWDA6R21CQ905J7YR';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const app = appOfTests();
let token: string;
let serial = 0;

const { send, ci, join } = infrastructureOf(() => ({ app, token }));

interface Insight {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly recommendation: string;
  readonly metric: { readonly value: number };
  readonly refs: readonly string[];
}

const ingest = async (hostname: string, title: string, severity = 'critical', more: object = {}): Promise<string> => {
  const timestamp = new Date(app.clock.now()).toISOString();
  const event = { source: 'zabbix', sourceId: `${++serial}`, severity, title, hostname, timestamp, ...more };
  return (await send('POST', '/api/events/ingest', event)).body.eventId;
};
const resolve = (eventId: string, notes: string) =>
  send('PATCH', `/api/events/${eventId}/status`, { status: 'resolved', notes, resolutionCategory: 'manual-fix' });
const at = async (time: number): Promise<void> => {
  await app.app.idle();
  app.clock.set(time);
};
const generate = async (body: object = {}) => (await send('POST', PATH, body)).body.data;
const of = (data: { readonly insights: readonly Insight[] }, kind: string): Insight[] =>
  data.insights.filter((one) => one.kind === kind);

/** The refs of each insight are citations, and each can be opened. */
const expectGrounded = async (data: {
  readonly insights: readonly Insight[];
  readonly citations: readonly { ref: string; href: string }[];
}) => {
  const known = data.citations.map(({ ref }) => ref);
  for (const { refs } of data.insights) {
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) expect(known).toContain(ref);
  }
  for (const { href } of data.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
};

const freshTenant = async (from: number): Promise<void> => {
  app.clock.set(from);
  token = await app.tenant(`detected-${++serial}`);
};

describe('A change', () => {
  const changed = (hostname: string, title: string) =>
    ingest(hostname, title, 'info', { category: 'deployment', tags: ['deployment'] });
  const failed = async (): Promise<string[]> =>
    of(await generate({ kinds: ['failed-change'] }), 'failed-change').map(({ detail }) => detail);

  test('is blamed for what failed after it, unless something else did it, or it was not made or undone', async () => {
    await freshTenant(START - 2 * DAY);
    const ids: Record<string, string> = {};
    for (const name of ['sw-1', 'db-1', 'web-1', 'web-2', 'web-3']) ids[name] = await ci(name);
    await join(ids['db-1']!, ids['sw-1']!);
    for (const [host, title] of [
      ['db-1', 'Deployment of db 7 finished'],
      ['web-1', 'Deployment of web 3 cancelled'],
      ['web-2', 'Deployment of web 3 finished'],
      ['web-3', 'Deployment of web 3 finished'],
    ] as const)
      await changed(host, title);
    await at(START - 2 * DAY + HOUR);
    await changed('web-3', 'Deployment of web 3 rolled back');
    await at(START - 2 * DAY + 2 * HOUR);
    await ingest('sw-1', 'Link down');
    app.clock.advance(MINUTE);
    await ingest('db-1', 'PostgreSQL unreachable');
    for (const [n, host] of ['web-1', 'web-2', 'web-3'].entries()) {
      await at(START - 2 * DAY + (3 + 2 * n) * HOUR);
      await ingest(host, 'Service does not start');
    }
    await at(START - DAY);
    // A rollback may itself be wrong; the previous change is no longer in effect.
    expect(await failed()).toEqual([
      expect.stringContaining('started 5 hours after "Deployment of web 3 finished" on web-2'),
      expect.stringContaining('started 6 hours after "Deployment of web 3 rolled back" on web-3'),
    ]);
  });
});

describe('A tenant with a month behind it', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    await freshTenant(START - 40 * DAY);
    ids.old = await ci('old-1');
    const host = { hostname: 'old-1' };
    const scan = {
      scan_type: 'agent',
      scanner_id: 'a',
      timestamp: app.clock.now(),
      data: { discovered_hosts: [host] },
    };
    await send('POST', '/v1/discovery/scan-data', scan);
    await at(START - 20 * DAY);
    await ingest('somewhere', 'Backup took long', 'info');
    for (const name of ['sw-1', 'db-1', 'web-1', 'web-2', 'lonely-1']) ids[name] = await ci(name);
    for (const name of ['db-1', 'web-1', 'web-2']) await join(ids[name]!, ids['sw-1']!);
    const components = ['db-1', 'web-1', 'web-2'].map((name) => ({ ci_id: ids[name], role: 'web' }));
    ids.service = (await send('POST', '/v1/services', { name: 'Shop', criticality: 'critical', components })).body.id;
    // The same incident on three days.
    for (const days of [6, 5, 4]) {
      await at(START - days * DAY);
      const cause = await ingest('sw-1', 'Link down');
      app.clock.advance(MINUTE);
      const below = await ingest('db-1', 'PostgreSQL unreachable');
      await app.app.idle();
      app.clock.advance(HOUR);
      for (const id of [below, cause]) await resolve(id, 'Replaced the cable');
    }
    // A change, and a failure two hours later.
    const plannedTime = new Date(START - 3 * DAY).toISOString();
    await send('POST', '/api/change-analysis/analyze', { ciId: ids['web-1'], changeType: 'upgrade', plannedTime });
    await at(START - 3 * DAY + 2 * HOUR);
    await ingest('web-1', 'Service does not start');
    // Three unacknowledged ones, unrelated to everything else.
    await at(START - 3 * DAY + 5 * HOUR);
    for (const name of ['sw-1', 'db-1', 'web-2']) await ingest(name, `Certificate of ${name} expired`, 'major');
    // One that flaps.
    for (let n = 0; n < 4; n++) {
      await at(START - 2 * DAY + 2 * n * HOUR);
      await resolve(await ingest('lonely-1', 'Fan speed odd', 'warning'), 'seen');
    }
    await ingest('lonely-1', 'Clock drifts', 'warning');
    // A flood without any action.
    await at(START - HOUR);
    for (let n = 0; n < 40; n++) await ingest(`host-${n}`, 'Swap usage high', 'info');
    await ingest('web-2', 'Kernel panic');
    await at(START);
  });

  test('each detector finds what is there', async () => {
    const data = await generate();
    expect(data).toMatchObject({ generatedBy: 'rules', model: null, degraded: null, abstained: false, failed: [] });
    expect(data.range).toEqual({ from: new Date(START - 7 * DAY).toISOString(), to: new Date(START).toISOString() });
    const kinds = [...new Set((data.insights as Insight[]).map(({ kind }) => kind))].sort();
    expect(kinds).toEqual(
      [
        'burst',
        'failed-change',
        'flapping',
        'missing-relationship',
        'never-acknowledged',
        'new-signature',
        'noisy-monitor',
        'repeated-incident',
        'single-point-of-failure',
        'stale-ci',
        'unbound-share',
      ].sort(),
    );
    await expectGrounded(data);
    const [burst] = of(data, 'burst');
    expect(burst!.detail).toMatch(/^41 events started in the hour from .* Most frequent \(40\): "Swap usage high"\.$/);
    expect(of(data, 'noisy-monitor')[0]!.detail).toContain('none of the 40 events sampled was acted on');
    expect(of(data, 'single-point-of-failure')[0]!.title).toBe('sw-1 is a single point of failure');
    expect(of(data, 'repeated-incident')[0]).toMatchObject({
      metric: { value: 3 },
      recommendation: expect.stringContaining('"Replaced the cable"'),
    });
    expect(of(data, 'failed-change')[0]!.detail).toContain('started 2 hours after "upgrade" on web-1');
    expect(of(data, 'never-acknowledged')[0]!.metric.value).toBe(4);
    expect(of(data, 'stale-ci')[0]!.detail).toContain('old-1');
    expect(of(data, 'missing-relationship')[0]!.title).toBe('lonely-1 has no relationship');
    expect(of(data, 'flapping')[0]!.detail).toContain('"Fan speed odd" on lonely-1 started 4 times within one day');
  });

  test('the same finding has the same id, later too', async () => {
    const idsOf = async () =>
      ((await generate({ kinds: ['single-point-of-failure', 'stale-ci', 'noisy-monitor'] })).insights as Insight[]).map(
        ({ id }) => id,
      );
    const first = await idsOf();
    app.clock.set(START + 10 * MINUTE);
    expect(await idsOf()).toEqual(first);
    app.clock.set(START);
    expect(new Set(first).size).toBe(first.length);
    for (const id of first) expect(id).toMatch(/^INS-[0-9a-f]{24}$/);
  });

  test.each(INSIGHT_KINDS)('%s alone can be asked for', async (kind) => {
    const data = await generate({ kinds: [kind] });
    expect((data.insights as Insight[]).filter((one) => one.kind !== kind)).toEqual([]);
    await expectGrounded(data);
    expect(data.citations.length).toBeGreaterThan(0);
  });

  test('a scope of CIs looks at those alone', async () => {
    const data = await generate({ scope: { ciIds: [ids['lonely-1']] } });
    const kinds = [...new Set((data.insights as Insight[]).map(({ kind }) => kind))].sort();
    expect(kinds).toEqual(['flapping', 'missing-relationship']);
    const none = await generate({ scope: { ciIds: [ids.old], timeRange: '24h' }, kinds: ['burst', 'flapping'] });
    expect(none).toMatchObject({ insights: [], abstained: true, citations: [{ kind: 'query' }] });
  });

  test('a scope of a service looks at its components', async () => {
    const data = await generate({ scope: { serviceId: ids.service } });
    const kinds = [...new Set((data.insights as Insight[]).map(({ kind }) => kind))];
    for (const kind of ['single-point-of-failure', 'failed-change', 'never-acknowledged'])
      expect(kinds).toContain(kind);
    for (const kind of ['stale-ci', 'unbound-share', 'noisy-monitor']) expect(kinds).not.toContain(kind);
  });

  test('a range is looked at as it is said', async () => {
    const data = await generate({ scope: { timeRange: 'last_30_days' }, kinds: ['never-acknowledged'] });
    expect(Date.parse(data.range.from)).toBeLessThanOrEqual(START - 29 * DAY);
    const day = await generate({ scope: { timeRange: '24h' }, kinds: ['failed-change', 'burst'] });
    expect((day.insights as Insight[]).map(({ kind }) => kind)).toEqual(['burst']);
  });

  test('questions about numbers are answered with what detectors recommend', async () => {
    const recommended = async (query: string) => {
      const { recommendations } = (await send('POST', '/v1/reports/ai/query', { query })).body;
      return (recommendations as { action: string; impact: string }[]).map(({ action, impact }) => action + impact);
    };
    const incidents = await recommended('how many incidents in the last 7 days?');
    expect(incidents.join()).toMatch(/"Replaced the cable"".*Link down" on sw-1 was the root cause of 3 groups/);
    expect((await recommended('events of the last 7 days')).join()).toContain('sampled was acted on');
    // Detectors do not judge a part of their data.
    expect((await recommended('critical events of the last 7 days')).join()).not.toContain('sampled was acted on');
  });

  test('another tenant is told nothing of it', async () => {
    const own = token;
    await freshTenant(START);
    const data = await generate();
    expect(data).toMatchObject({ insights: [], abstained: true });
    token = own;
  });
});

describe('What is asked wrongly', () => {
  beforeEach(() => freshTenant(START));

  test.each([
    ['scope.ciIds[0]', { scope: { ciIds: [NOBODY] } }],
    ['scope.ciIds', { scope: { ciIds: [] } }],
    ['scope.serviceId', { scope: { ciIds: [NOBODY], serviceId: NOBODY } }],
    ['scope.timeRange', { scope: { timeRange: 'sometime' } }],
    ['scope.timeRange', { scope: { timeRange: 'last_400_days' } }],
    ['kinds', { kinds: [] }],
    ['kinds', { kinds: ['weather'] }],
    ['kind', { kind: 'burst' }],
  ])('%s is refused', async (field, body) => {
    const reply = await send('POST', PATH, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(reply.body.error)).toContain(field);
  });

  test('an unknown service is not found', async () => {
    expect((await send('POST', PATH, { scope: { serviceId: NOBODY } })).status).toBe(404);
  });

  test('events and CIs must be readable', async () => {
    const as = async (scopes: readonly string[], body: object = {}) => {
      const made = await send('POST', '/api/admin/tokens', { name: `t${++serial}`, scopes });
      return (await app.send('POST', PATH, body, { token: made.body.data.token })).status;
    };
    const all = ['ai.use', 'events.read', 'cmdb.read'];
    expect(await as(all)).toBe(200);
    for (const one of all) expect(await as(all.filter((other) => other !== one))).toBe(403);
    expect(await as(all, { scope: { serviceId: NOBODY } })).toBe(403);
  });
});
