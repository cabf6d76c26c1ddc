import { beforeAll, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* Two CIs fail one after the other, day by day, and the map does not relate them. */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const app = appOfTests();
let token: string;
let serial = 0;
const ids: Record<string, string> = {};

const { send, ci, join } = infrastructureOf(() => ({ app, token }));
const fail = async (hostname: string, title: string): Promise<void> => {
  const timestamp = new Date(app.clock.now()).toISOString();
  const event = { source: 'zabbix', sourceId: `${++serial}`, severity: 'critical', title, hostname, timestamp };
  const { eventId } = (await send('POST', '/api/events/ingest', event)).body;
  await app.app.idle();
  failed.push(eventId);
};
let failed: string[] = [];
const settle = async (): Promise<void> => {
  app.clock.advance(HOUR);
  for (const id of failed) await send('PATCH', `/api/events/${id}/status`, { status: 'resolved', notes: 'over' });
  failed = [];
  await app.app.idle();
};

beforeAll(async () => {
  app.clock.set(START - 30 * DAY);
  token = await app.tenant('taught');
  const names = ['gateway-1', 'billing-7', 'old-db', 'client-1', ...Array.from({ length: 8 }, (_, n) => `host-${n}`)];
  for (const name of names) ids[name] = await ci(name);
  ids.edge = (await join(ids['client-1']!, ids['old-db']!)).body.id;
  for (let day = 0; day < 9; day++) {
    app.clock.set(START - (20 - day) * DAY);
    if (day < 7) {
      await fail('gateway-1', 'Link down');
      app.clock.advance(20 * SECOND);
      await fail('billing-7', 'HTTP 503 from the billing service');
    }
    await settle();
    // What its client never noticed, and what has to do with nothing.
    for (const name of ['old-db', `host-${day % 8}`]) {
      app.clock.advance(HOUR);
      await fail(name, 'Process is not running');
      await settle();
    }
  }
  app.clock.advance(HOUR);
  await fail('client-1', 'Out of memory');
  await settle();
  app.clock.set(START);
});

const generate = async (kinds: readonly string[], scope: object = {}) =>
  (await send('POST', '/api/ai/generate-insights', { kinds, scope })).body.data;
const discover = async (body: object = {}) =>
  (await send('POST', '/api/ai/discover-relationships', { sources: ['incidents'], minConfidence: 0.3, ...body })).body
    .data;
const expectToLead = async (citations: readonly { readonly href: string }[]): Promise<void> => {
  expect(citations.length).toBeGreaterThan(0);
  for (const { href } of citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
};

describe('Incidents teach the map', () => {
  test('the failures are one incident each day', async () => {
    const { groups } = (await send('GET', '/api/events/groups?limit=50')).body;
    expect(groups.length).toBeGreaterThanOrEqual(7);
  });

  test('what fails after another seems to need it', async () => {
    const data = await generate(['missing-relationship'], { ciIds: [ids['billing-7']] });
    const [found] = data.insights.filter(({ title }: { title: string }) => title.includes('seems to depend'));
    expect(found).toMatchObject({
      kind: 'missing-relationship',
      title: 'billing-7 seems to depend on gateway-1',
      severity: 'major',
      metric: { name: 'groups together', value: 7 },
    });
    expect(found.detail).toMatch(
      /together with gateway-1 in 7 groups in 90 days, 7 of 7 times after it \(median 20s later\)/,
    );
    await expectToLead(data.citations);
    expect(data.looked).toContainEqual({ what: 'incidents', read: expect.any(Number), truncated: false });
  });

  test('a relationship that no failure went along is doubtful', async () => {
    const data = await generate(['doubtful-relationship']);
    expect(data.insights).toMatchObject([
      {
        kind: 'doubtful-relationship',
        title: 'Questionable relationship: client-1 depends_on old-db',
        severity: 'info',
        metric: { value: 9, threshold: 8 },
      },
    ]);
    await expectToLead(data.citations);
    expect((await generate(['doubtful-relationship'], { ciIds: [ids['host-1']] })).insights).toEqual([]);
  });

  test('it is looked for as other relationships are, stored, and then not found again', async () => {
    const data = await discover();
    expect(data.relationships).toMatchObject([
      {
        source: ids['billing-7'],
        target: ids['gateway-1'],
        type: 'depends-on',
        foundBy: 'incidents',
        port: null,
        frequency: 7,
        status: 'new',
        stored: false,
      },
    ]);
    expect(data.looked.incidents).toBeGreaterThanOrEqual(7);
    expect(data.abstained).toBe(false);
    await expectToLead(data.citations);
    expect((await discover({ minConfidence: 0.9 })).relationships).toEqual([]);
    expect((await discover({ sources: ['network'] })).relationships).toEqual([]);
    expect((await discover({ sources: ['network', 'incidents'] })).relationships).toHaveLength(1);
    expect((await discover({ ciIds: [ids['host-1']] })).relationships).toEqual([]);
    const stored = await discover({ store: true });
    expect(stored).toMatchObject({ stored: 1, relationships: [{ status: 'open', stored: true }] });
    const [{ relationshipId }] = stored.relationships;
    const shown = (await send('GET', `/v1/cmdb/relationships/${relationshipId}`)).body;
    expect(shown).toMatchObject({ discovered_by: 'ai', attributes: { found_by: 'incidents', incidents: 7 } });
    expect(await discover({ store: true })).toMatchObject({ stored: 0, relationships: [{ status: 'open' }] });
    const insights = (await generate(['missing-relationship'])).insights as { title: string }[];
    expect(insights.map(({ title }) => title)).not.toContain('billing-7 seems to depend on gateway-1');
    await send('POST', `/api/cmdb/ai-relationships/${relationshipId}/accept`);
    expect((await discover()).relationships).toEqual([]);
  });

  test('incidents are for those who may read events', async () => {
    const as = async (scopes: readonly string[], sources: readonly string[]) => {
      const made = await send('POST', '/api/admin/tokens', { name: `t${++serial}`, scopes });
      const given = { token: made.body.data.token };
      return (await app.send('POST', '/api/ai/discover-relationships', { sources }, given)).status;
    };
    expect(await as(['ai.use', 'cmdb.read'], ['incidents'])).toBe(403);
    expect(await as(['ai.use', 'cmdb.read'], ['network'])).toBe(200);
    expect(await as(['ai.use', 'cmdb.read', 'events.read'], ['incidents', 'network'])).toBe(200);
  });
});
