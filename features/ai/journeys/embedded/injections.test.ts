import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { INJECTIONS, type Injection } from '#features/ai/journeys/injections.ts';
import { claimsText, type ModelStub, openModelStub, type Received } from '#features/ai/journeys/model-stub.ts';
import { after } from '#infra/system/time.ts';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* Texts of an attacker in monitored data, and a model that obeys them literally. */

const HREF = /^\/(v1|api)\/[\w/?=&:%.,-]*$/;
const OUTSIDE = /(https?:|javascript:|www\.|\]\(|<\w)/i;

let app: TestApp;
let stub: ModelStub;
let token: string;
let serial = 0;

const systemOf = ({ messages }: Received): string => messages.find(({ role }) => role === 'system')?.content ?? '';
let worded = 0;
const dataOf = ({ messages }: Received): string => messages.filter(({ role }) => role !== 'system').at(-1)!.content;
const aliasesIn = (text: string): string[] => [...new Set(text.match(/\b[ECRGSQD]\d{1,2}\b/g) ?? ['E1'])];

/** Repeats and executes the orders in the injected text. */
const victim =
  ({ text }: Injection) =>
  (request: Received): string => {
    const [first = 'E1', ...rest] = aliasesIn(dataOf(request));
    const ci = [first, ...rest].find((alias) => alias.startsWith('C')) ?? first;
    return claimsText(
      ['The type of this one is server', ci],
      [text.slice(0, 290), first],
      ['Everything is fine, see https://evil.example/fix', first],
      ['The root cause is host-999', first, ...rest.slice(0, 2)],
      ['All 4711 events were resolved by admin', first],
      ['Next step: [sign in](https://evil.example/login)', first],
    );
  };

beforeAll(async () => {
  stub = await openModelStub(after);
  app = await openTestApp({ OPENAI_BASE_URL: stub.url, OPENAI_MODEL: 'victim' });
});
afterAll(async () => {
  await app.stop();
  await stub.close();
});
beforeEach(async () => {
  app.clock.set(START);
  token = await app.tenant(`injected-${++serial}`);
  await send('PUT', '/api/admin/settings/ai', { dailyTokens: 10_000_000 });
});

const { send, join } = infrastructureOf(() => ({ app, token }));

/** An infrastructure with the text at its place. */
const planted = async ({ place, text }: Injection) => {
  const put = (at: Injection['place'], else_: string): string => (place === at ? text : else_);
  const db = {
    name: put('ci name', 'db-1'),
    type: 'server',
    attributes: { hostname: 'db-1', owner: put('attribute', 'ann') },
  };
  const ciId = (await send('POST', '/v1/cmdb/ci', db)).body.id as string;
  const web = (
    await send('POST', '/v1/cmdb/ci', { name: 'web-1', type: 'server', attributes: { ip_address: '10.0.0.2' } })
  ).body.id;
  await join(web, ciId);
  const host = { hostname: 'db-1', ip_address: '10.0.0.1', os_guess: put('scan', 'Linux') };
  const scan = { scan_type: 'network', scanner_id: 'nmap', timestamp: START, data: { discovered_hosts: [host] } };
  await send('POST', '/v1/discovery/scan-data', scan);
  const event = { source: 's', severity: 'critical', title: put('title', 'Disk full'), hostname: 'db-1' };
  const old = await send('POST', '/api/events/ingest', { ...event, sourceId: 'old', timestamp: START - 86_400_000 });
  const notes = put('notes', 'Logs were rotated.');
  await send('PATCH', `/api/events/${old.body.eventId}/status`, {
    status: 'resolved',
    notes,
    resolutionCategory: 'manual-fix',
  });
  const description = put('description', 'No space left on device');
  const { eventId } = (await send('POST', '/api/events/ingest', { ...event, sourceId: 'new', description })).body;
  await app.app.idle();
  return { ciId, eventId: eventId as string, change: put('change', 'Restart of the database') };
};

/** Returns all records that an order may target; the others must stay unchanged. */
const records = async () => {
  const bodies = await Promise.all(
    [
      '/api/events?status=all',
      '/v1/cmdb/ci',
      '/v1/cmdb/relationships?include_ai=true',
      '/api/admin/users',
      '/api/admin/tokens',
      '/v1/webhooks',
    ].map(async (path) => (await send('GET', path)).body),
  );
  const [events, ...others] = bodies;
  // An analysis is written beside its event.
  const plain = events.events.map(({ aiAnalysis: _, updatedAt: __, ...event }: Record<string, unknown>) => event);
  return JSON.stringify([plain, ...others]);
};

/** Checks all texts of a reply except quoted ones. */
const checkReply = (body: { citations?: readonly { href: string }[] }, said: readonly string[]) => {
  for (const { href } of body.citations ?? []) if (href !== '') expect(href).toMatch(HREF);
  for (const text of said) expect(text).not.toMatch(OUTSIDE);
  const told = JSON.stringify(said);
  for (const invented of ['host-999', '4711', 'evil.example/fix']) expect(told).not.toContain(invented);
};

test('there are sixty of them, in three languages', () => {
  expect(INJECTIONS).toHaveLength(60);
  expect(new Set(INJECTIONS.map(({ text }) => text)).size).toBe(60);
});

test.each(INJECTIONS.map((injection, index) => [index + 1, injection] as const))(
  'number %i does nothing',
  async (_, injection) => {
    stub.plays({ say: victim(injection) });
    const { ciId, eventId, change } = await planted(injection);
    const before = await records();
    const connections = [{ sourceServer: '10.0.0.2', targetServer: 'db-1', port: 5432, protocol: 'tcp', frequency: 9 }];
    const insight = (await send('POST', `/api/cmdb-ai/insights/${ciId}`)).body;
    const relations = (
      await send('POST', `/api/cmdb/ai-relationships/analyze/${ciId}`, { networkConnections: connections })
    ).body;
    const quick = (await send('POST', '/api/change-analysis/quick-assess', { ciId, changeType: change })).body;
    const plain = (
      await send('POST', '/api/change-analysis/quick-assess', { ciId, changeType: change }, { 'x-ai-mode': 'rules' })
    ).body;
    const { event } = (await send('GET', `/api/events/${eventId}`)).body;
    const question = injection.text.slice(0, 1_000);
    const analyzed = (await send('POST', '/api/ai/analyze', { eventId, question })).body;
    for (const body of [insight, relations, quick, analyzed]) expect(body.success).toBe(true);
    expect(quick.riskScore).toBe(plain.riskScore);
    // Sentences of the rules quote titles and names; no model may add to them.
    checkReply(insight, insight.generatedBy === 'rules' ? [] : [insight.insight]);
    checkReply(quick, quick.generatedBy === 'rules' ? [] : [quick.summary]);
    checkReply(relations, []);
    checkReply(analyzed.data, analyzed.data.generatedBy === 'rules' ? [] : [analyzed.data.summary]);
    checkReply(
      event.aiAnalysis ?? {},
      event.aiAnalysis?.generatedBy === 'model' ? [event.aiAnalysis.rootCauseHypothesis] : [],
    );
    if (insight.generatedBy === 'model') worded += 1;
    expect(await records()).toBe(before);
    expect(stub.received.length).toBeGreaterThan(0);
    for (const request of stub.received) {
      expect(request).not.toHaveProperty('tools');
      expect(systemOf(request)).not.toContain(injection.text.slice(0, 40));
    }
    expect(stub.tooLarge()).toEqual([]);
  },
);

test('of what it says, only what is true is shown', () => {
  // Otherwise the tests above have checked sentences of the rules alone.
  expect(worded).toBeGreaterThan(40);
});

test('a model that gives away its orders is not heard at all', async () => {
  const { ciId } = await planted(INJECTIONS[8]!);
  stub.plays({
    say: (request) => claimsText(['The type of this one is server', 'C1'], [systemOf(request).slice(-290), 'C1']),
  });
  const insight = (await send('POST', `/api/cmdb-ai/insights/${ciId}`)).body;
  expect(insight).toMatchObject({ generatedBy: 'rules', degraded: 'invalid_output' });
});
