import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let tenants = 0;

const fresh = async () => {
  const admin = await it.tenant(`pagerduty-${++tenants}`);
  const made = await it.send(
    'POST',
    '/api/admin/tokens',
    { name: 'pager', kind: 'integration', scopes: ['events.webhook'] },
    { token: admin },
  );
  const key = made.body.data.token as string;
  const post = async (path: string, body: unknown, more: object = {}) => {
    const reply = await it.send('POST', path, body, { token: null, ...more });
    await it.app.idle();
    return reply;
  };
  const enqueue = (body: object) => post('/v2/enqueue', { routing_key: key, ...body });
  const events = async () => (await it.send('GET', '/api/events?status=all', undefined, { token: admin })).body.events;
  return { admin, key, post, enqueue, events };
};

const payload = { summary: 'Nightly backup failed', source: 'backup-1', severity: 'error' };
const trigger = { event_action: 'trigger', dedup_key: 'backup/nightly', payload };

describe('events of version 2', () => {
  test('open, acknowledge and resolve one event; the key in the body is the only credential', async () => {
    const { key, enqueue, events } = await fresh();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(await enqueue(trigger)).toMatchObject({
      status: 202,
      body: { status: 'success', message: 'Event processed', dedup_key: 'backup/nightly' },
    });
    expect(await events()).toMatchObject([
      { source: 'pagerduty', sourceId: 'backup/nightly', hostname: 'backup-1', severity: 'major', status: 'open' },
    ]);
    for (const [action, status] of [
      ['acknowledge', 'acknowledged'],
      ['resolve', 'resolved'],
    ]) {
      expect(await enqueue({ event_action: action, dedup_key: 'backup/nightly' })).toMatchObject({ status: 202 });
      expect(await events()).toMatchObject([{ status }]);
    }
    expect(JSON.stringify(await events())).not.toContain(key);
  });

  test('without a dedup_key get one by which a repetition is the same event', async () => {
    const { enqueue, events } = await fresh();
    const { dedup_key: _, ...unnamed } = trigger;
    const [first, second] = [await enqueue(unnamed), await enqueue(unnamed)];
    expect(first.body.dedup_key).toMatch(/\S/);
    expect(second.body.dedup_key).toBe(first.body.dedup_key);
    expect(await events()).toMatchObject([{ occurrenceCount: 2 }]);
  });

  test('accept the key in a header, as our own webhooks send it', async () => {
    const { key, post, events } = await fresh();
    for (const headers of [{ 'x-routing-key': key }, { authorization: `Bearer ${key}` }])
      expect(await post('/v2/enqueue', trigger, { headers })).toMatchObject({ status: 202 });
    expect(await events()).toMatchObject([{ occurrenceCount: 2 }]);
  });

  test.each([
    [{ event_action: 'close' }, 'event_action: expected one of trigger, acknowledge, resolve; got "close"'],
    [{}, 'event_action: required; expected one of trigger, acknowledge, resolve'],
    [{ event_action: 'trigger', payload: { severity: 'error' } }, 'payload.summary: expected the text of the alert'],
    [{ event_action: 'resolve' }, 'dedup_key: required for resolve'],
    [{ ...trigger, dedup_key: 'k'.repeat(256) }, 'dedup_key: expected at most 255 characters; got 256'],
  ])('%j is refused in the words of PagerDuty', async (body, error) => {
    const { enqueue } = await fresh();
    expect(await enqueue(body)).toMatchObject({
      status: 400,
      body: { status: 'invalid event', message: 'Event object is invalid', errors: [error] },
    });
  });

  test('need a token that may send them; its revocation counts at once', async () => {
    const { admin, key, post, enqueue } = await fresh();
    const unknown = { ...trigger, routing_key: '0'.repeat(32) };
    expect(await post('/v2/enqueue', unknown)).toMatchObject({ status: 401, body: { status: 'Unauthorized' } });
    expect(await post('/v2/enqueue', trigger)).toMatchObject({ status: 401 });
    expect(await post('/v2/enqueue', { ...trigger, routing_key: 7 })).toMatchObject({ status: 401 });
    const reading = { name: 'reader', kind: 'integration', scopes: ['events.read'] };
    const { data } = (await it.send('POST', '/api/admin/tokens', reading, { token: admin })).body;
    expect(await post('/v2/enqueue', { ...trigger, routing_key: data.token })).toMatchObject({ status: 403 });
    const { body } = await it.send('GET', '/api/admin/tokens?search=pager', undefined, { token: admin });
    await it.send('DELETE', `/api/admin/tokens/${body.data[0].id}`, undefined, { token: admin });
    expect(await enqueue(trigger)).toMatchObject({ status: 401 });
    expect(await post('/api/events/ingest', { routing_key: key })).toMatchObject({ status: 401 });
  });

  test('larger than 512 KiB are refused before anyone is asked who they are', async () => {
    const { post } = await fresh();
    const large = { ...trigger, client: 'x'.repeat(513 * 1_024) };
    expect(await post('/v2/enqueue', large)).toMatchObject({ status: 413, body: { errors: [expect.any(String)] } });
  });
});

test('a change is an event of the category change, whatever else it says', async () => {
  const { key, post, events } = await fresh();
  const said = { summary: 'Deployed cart 4.2', source: 'ci', timestamp: '2026-11-20T10:00:00+00:00Z' };
  const change = { ...said, severity: 'error', custom_details: { service: 'cart' } };
  const sent = { routing_key: key, event_action: 'trigger', payload: change };
  expect(await post('/v2/change/enqueue', sent)).toMatchObject({
    status: 202,
    body: { status: 'success', message: 'Change event processed' },
  });
  expect(await events()).toMatchObject([
    { category: 'change', severity: 'info', title: said.summary, service: 'cart' },
  ]);
  expect(await post('/v2/change/enqueue', { routing_key: key, payload: {} })).toMatchObject({ status: 400 });
});

test.each([
  { source: 'cart', custom_details: {} },
  { source: 'jenkins', custom_details: { service: 'cart', build: 42 } },
])('a deployment becomes the root cause of the errors after it, named by %j', async ({ source, custom_details }) => {
  const { admin, key, post } = await fresh();
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token: admin });
  const ci = async (name: string, type: string) => (await send('POST', '/v1/cmdb/ci', { name, type })).body.id;
  const [cart, shop] = [await ci('cart', 'service'), await ci('shop-web', 'application')];
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: shop, target_ci: cart });
  const payload = { summary: 'Deployed cart 4.2', source, custom_details };
  await post('/v2/change/enqueue', { routing_key: key, payload });
  it.clock.advance(90_000);
  for (const [host, title] of [
    ['cart', 'Error rate of checkout above 5%'],
    ['shop-web', 'Orders fail'],
  ]) {
    const event = { source: 'x', sourceId: title, severity: 'critical', title, hostname: host };
    await send('POST', '/api/events/ingest', event);
    it.clock.advance(5_000);
  }
  await it.app.idle();
  const [group, ...others] = (await send('GET', '/api/events/groups')).body.groups;
  expect(others).toEqual([]);
  const { event } = (await send('GET', `/api/events/${group.rootCauseCandidate.eventId}`)).body;
  expect(event).toMatchObject({ title: 'Deployed cart 4.2', category: 'change', ciId: { name: 'cart' } });
  expect(group.eventCount).toBe(3);
});

test('events of version 1', async () => {
  const { key, post, events } = await fresh();
  const v1 = (body: object) => post('/generic/2010-04-15/create_event.json', { service_key: key, ...body });
  const incident_key = 'srv01/HTTP';
  expect(await v1({ event_type: 'trigger', incident_key, description: 'HTTP is down' })).toMatchObject({
    status: 200,
    body: { status: 'success', message: 'Event processed', incident_key },
  });
  await v1({ event_type: 'acknowledge', incident_key });
  expect(await events()).toMatchObject([{ title: 'HTTP is down', status: 'acknowledged' }]);
  await v1({ event_type: 'resolve', incident_key });
  expect(await events()).toMatchObject([{ status: 'resolved' }]);
  expect((await v1({ event_type: 'trigger' })).body.errors).toEqual(['description: expected the text of the alert']);
  expect((await v1({ event_type: 'resolve' })).body.errors).toEqual(['incident_key: required for resolve']);
});
