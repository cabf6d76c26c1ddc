import { beforeEach, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const DAY = 86_400_000;
const app = appOfTests();
let token: string;
let serial = 0;
beforeEach(async () => {
  app.clock.set(START);
  token = await app.tenant(`insights-${++serial}`);
});

const { send, ci, join } = infrastructureOf(() => ({ app, token }));
const event = (title: string, hostname: string, more: object = {}) =>
  send('POST', '/api/events/ingest', { source: 's', sourceId: title, severity: 'major', title, hostname, ...more });
const path = (id: string) => `/api/cmdb-ai/insights/${id}`;

interface Cited {
  readonly claims: readonly { readonly text: string; readonly refs: readonly string[] }[];
  readonly citations: readonly { readonly ref: string; readonly label: string }[];
}
/** What the sentence that begins so stands on. */
const labelsOf = ({ claims, citations }: Cited, begin: string) =>
  claims
    .find(({ text }) => text.startsWith(begin))!
    .refs.map((ref) => citations.find((citation) => citation.ref === ref)!.label);

test('what it is, needs, what hangs on it, what is open, with evidence', async () => {
  const [db, disk] = [await ci('db-1'), await ci('san-1')];
  const apps = await Promise.all(['app-1', 'app-2', 'app-3'].map((name) => ci(name)));
  await join(db, disk);
  for (const one of apps) await join(one, db);
  await send('POST', '/v1/services', { name: 'Shop', criticality: 'high', components: [{ ci_id: apps[0] }] });
  const { eventId } = (await event('Disk full', 'db-1')).body;
  const { status, body } = await send('GET', path(db));
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, ciId: db, generatedBy: 'rules', model: null, abstained: false });
  expect(body.generatedAt).toBe(new Date(START).toISOString());
  expect(body.insights.split('\n')).toEqual([
    'db-1: server, active.',
    'It depends directly on 1 CI: san-1.',
    'If it fails, 3 other CIs are impacted: app-1, app-2 and app-3.',
    'Affected business services: Shop (high) goes down.',
    'Single point of failure for 3 CIs and 1 business service; no redundancy.',
    '1 open event: major “Disk full”.',
  ]);
  expect(body.claims.map(({ text }: { text: string }) => text)).toEqual(body.insights.split('\n'));
  expect(labelsOf(body, 'It depends directly on')).toEqual(['db-1', 'san-1']);
  expect(labelsOf(body, '1 open event')).toEqual(['db-1', 'Disk full']);
  expect(body.claims.map(({ certainty }: { certainty: string }) => certainty)).toEqual([
    'fact',
    'fact',
    'fact',
    'fact',
    'likely',
    'fact',
  ]);
  const hrefs = body.citations.map(({ href }: { href: string }) => href);
  expect(hrefs).toEqual(expect.arrayContaining([`/v1/cmdb/ci/${db}`, `/v1/cmdb/ci/${disk}`, `/api/events/${eventId}`]));
  for (const href of hrefs) expect((await send('GET', href)).status).toBe(200);
});

test('made, kept, and shown from then on', async () => {
  const id = await ci('web-1');
  const made = await send('POST', path(id));
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ success: true, storedAt: new Date(START).toISOString(), generatedBy: 'rules' });
  app.clock.advance(60_000);
  await event('Disk full', 'web-1');
  const shown = (await send('GET', path(id))).body;
  expect([shown.insights, shown.generatedAt]).toEqual([made.body.insight, made.body.storedAt]);
  const grounds = ['generatedBy', 'model', 'abstained', 'degraded', 'claims', 'citations'];
  expect(made.body.degraded).toBe('no_model');
  expect(made.body.claims.map(({ text }: { text: string }) => text).join('\n')).toBe(made.body.insight);
  for (const part of grounds) expect([part, shown[part]]).toEqual([part, made.body[part]]);
  const again = (await send('POST', path(id))).body;
  expect(again.insight).toContain('Disk full');
  const { ciId, insights } = (await send('GET', `${path(id)}/history`)).body;
  expect(ciId).toBe(id);
  expect(insights.map(({ content }: { content: string }) => content)).toEqual([again.insight, made.body.insight]);
  for (const part of grounds) expect([part, insights[1][part]]).toEqual([part, made.body[part]]);
  expect((await send('GET', `${path(id)}/history?limit=1`)).body.insights).toHaveLength(1);
});

test('the newest hundred are kept, for 400 days', async () => {
  const [id, other] = [await ci('web-1'), await ci('web-2')];
  await send('POST', path(other));
  for (let n = 0; n < 101; n++) {
    app.clock.advance(1_000);
    await send('POST', path(id));
  }
  const { insights } = (await send('GET', `${path(id)}/history?limit=100`)).body;
  expect(insights).toHaveLength(100);
  expect(insights.at(-1).generatedAt).toBe(new Date(START + 2_000).toISOString());
  expect((await send('GET', `${path(other)}/history`)).body.insights).toHaveLength(1);
  app.clock.set(START + 400 * DAY);
  token = await app.tenant(`insights-${serial}`);
  expect((await send('GET', `${path(other)}/history`)).body.insights).toEqual([]);
});

test('the old id of a merged CI leads to the one that stays', async () => {
  const [into, from] = [await ci('a'), await ci('b')];
  await send('POST', `/v1/cmdb/ci/${into}/merge`, { from });
  expect((await send('GET', path(from))).body.ciId).toBe(into);
  expect((await send('POST', path(from))).status).toBe(201);
  expect((await send('GET', `${path(into)}/history`)).body.insights).toHaveLength(1);
});

test('who may not read events sees none of them, not even in what others made', async () => {
  const id = await ci('db-1');
  await event('Disk full', 'db-1');
  await send('POST', path(id));
  const scopes = ['cmdb.read', 'ai.use'];
  const reader = (await send('POST', '/api/admin/tokens', { name: 'reader', scopes })).body.data.token;
  const shown = (await app.send('GET', path(id), undefined, { token: reader })).body;
  expect(shown.insights).toContain('db-1: ');
  expect(shown.insights).not.toMatch(/Disk full|is open/);
  const history = async () =>
    (await app.send('GET', `${path(id)}/history`, undefined, { token: reader })).body.insights;
  expect(await history()).toEqual([]);
  await app.send('POST', path(id), undefined, { token: reader });
  expect(await history()).toHaveLength(1);
});

test.each([
  ['GET', '', {}, 404],
  ['POST', '', {}, 404],
  ['GET', '/history', {}, 404],
  ['GET', '/history?limit=101', {}, 400],
  ['GET', '/history?limit=0', {}, 400],
  ['POST', '', { 'x-ai-mode': 'perhaps' }, 400],
])('%s …%s %j of a CI that is not there: %i', async (method, rest, headers, status) => {
  const reply = await send(method, path('01M7YWBDXTWDA6R21CQ905J7YR') + rest, undefined, headers);
  expect([reply.status, reply.body.error.code]).toEqual([status, 'INVALID_REQUEST']);
});
