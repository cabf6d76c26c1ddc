import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DELIVERY_BODIES } from '#features/webhooks/schemas/delivery-bodies.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

let app: TestApp;
let receiver: HookReceiver;
beforeEach(async () => {
  receiver = await openHookReceiver();
  app = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterEach(async () => {
  await app.stop();
  await receiver.stop();
});

const settled = async (): Promise<void> => {
  app.app.ports.background.ring('deliver-webhooks');
  await app.app.idle();
};
/** Lists of engines show due work a moment later. */
const received = (count: number) =>
  until(async () => {
    await settled();
    return receiver.received.length >= count;
  });

describe.each(['/v1', '/api'])('deliveries on %s', (prefix) => {
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes; the server checks them against their schemas.
  const of = (body: any) => (prefix === '/v1' || body.pagination !== undefined ? body : body.data);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, `${prefix}/webhooks${path}`, body);
    return { status: reply.status, body: reply.status < 300 ? of(reply.body) : reply.body };
  };
  const hook = async (more: object = {}): Promise<string> =>
    (await send('POST', '', { name: 'Chat', url: receiver.url, events: ['ci.created'], ...more })).body.id;
  const ci = async (name: string): Promise<string> =>
    (await app.send('POST', '/v1/cmdb/ci', { name, type: 'server' })).body.id;
  const listed = async (id: string, query = '') => (await send('GET', `/${id}/deliveries${query}`)).body.data;
  const first = async (id: string) => (await listed(id))[0];
  const later = async (ms: number): Promise<void> => {
    app.clock.advance(ms);
    await settled();
  };
  const died = async (id: string): Promise<void> => {
    receiver.always(500);
    await settled();
    for (let tries = 1; (await first(id)).status === 'waiting' && tries < 80; tries += 1) await later(2 * 60 * MINUTE);
  };

  test('a test is sent whatever the webhook subscribes to, and is in the log with its body', async () => {
    const id = await hook();
    const tested = await send('POST', `/${id}/test`);
    expect([tested.status, tested.body.event, tested.body.status]).toEqual([202, 'webhook.test', 'waiting']);
    await settled();
    expect(receiver.received).toMatchObject([{ body: { event: 'webhook.test', delivery_id: tested.body.id } }]);
    const got = await send('GET', `/${id}/deliveries/${tested.body.id}`);
    expect(got.body).toMatchObject({
      status: 'delivered',
      webhook_id: id,
      resource: { kind: 'webhook', id },
      content_type: 'application/json',
      attempts: [{ status: 200, error: null }],
      next_attempt_at: null,
    });
    expect(got.body.body).toBe(receiver.received[0]!.text);
    expect(got.body.resource.name).toBe('Chat');
    const shown = await send('GET', `/${id}`);
    expect(shown.body.receiver).toMatchObject({ waiting: 0, failures_in_row: 0, rests_until: null });
    expect(shown.body.receiver.last_success_at).not.toBeNull();
  });

  test('a webhook that is switched off gets no test until it is resumed', async () => {
    const id = await hook({ active: false });
    expect((await send('POST', `/${id}/test`)).status).toBe(409);
    expect((await send('POST', `/${id}/resume`)).body).toMatchObject({ active: true, inactive_reason: null });
    expect((await send('POST', `/${id}/test`)).status).toBe(202);
  });

  test('410 switches a webhook off: it misses what happens until it is resumed', async () => {
    const id = await hook();
    receiver.next(410);
    await ci('a');
    await settled();
    expect((await send('GET', `/${id}`)).body).toMatchObject({ active: false, inactive_reason: 'gone' });
    await ci('missed');
    await settled();
    expect(receiver.received).toHaveLength(1);
    await send('POST', `/${id}/resume`);
    await ci('b');
    await settled();
    const names = receiver.received.map(({ body }) => body.data.ci.name);
    expect(names).toContain('b');
    expect(names).not.toContain('missed');
    expect((await send('GET', `/${id}`)).body).toMatchObject({ active: true, inactive_reason: null });
  });

  test('the log has filters and pages', async () => {
    const id = await hook({ events: ['ci.created', 'ci.deleted'] });
    const a = await ci('a');
    app.clock.advance(1);
    await app.send('DELETE', `/v1/cmdb/ci/${a}`);
    await settled();
    app.clock.advance(MINUTE);
    receiver.always('hang-up');
    await ci('b');
    await settled();
    const events = async (query: string) => (await listed(id, query)).map(({ event }: { event: string }) => event);
    expect(await events('')).toEqual(['ci.created', 'ci.deleted', 'ci.created']);
    expect(await events('?status=waiting')).toEqual(['ci.created']);
    expect(await events('?status=delivered&event=ci.deleted')).toEqual(['ci.deleted']);
    expect(await events(`?from=${app.clock.now()}`)).toEqual(['ci.created']);
    expect(await events(`?to=${app.clock.now() - 1}`)).toHaveLength(2);
    for (const { body } of receiver.received)
      expect(DELIVERY_BODIES.get(body.event)!.safeParse(body).error).toBeUndefined();
    const page = (await send('GET', `/${id}/deliveries?limit=2`)).body;
    expect(page.data).toHaveLength(2);
    expect(await events(`?limit=2&cursor=${page.pagination.nextCursor}`)).toEqual(['ci.created']);
    expect((await first(id)).attempts).toMatchObject([{ status: null, error: 'connection lost' }]);
    expect((await send('GET', `/${id}/deliveries?status=lost`)).status).toBe(400);
  });

  test('a dead delivery is sent again with the same id and body, one by one and all at once', async () => {
    const id = await hook();
    await ci('a');
    await died(id);
    const dead = await first(id);
    expect(dead).toMatchObject({ status: 'dead', next_attempt_at: null });
    receiver.always(200);
    await send('POST', `/${id}/resume`);
    const again = await send('POST', `/${id}/deliveries/${dead.id}/redeliver`);
    expect([again.status, again.body.id, again.body.status]).toEqual([202, dead.id, 'waiting']);
    await settled();
    expect(await first(id)).toMatchObject({ id: dead.id, status: 'delivered' });
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    const range = { status: 'delivered', from: app.clock.now() - 30 * DAY };
    const count = receiver.received.length;
    expect((await send('POST', `/${id}/redeliver`, range)).body).toMatchObject({ redelivered: 1 });
    await received(count + 1);
    expect((await send('POST', `/${id}/redeliver`, { ids: [dead.id] })).body).toMatchObject({ redelivered: 1 });
    await received(count + 2);
    expect(receiver.received).toHaveLength(count + 2);
    expect((await send('POST', `/${id}/redeliver`, {})).body).toMatchObject({ redelivered: 0 });
  });

  test('each time that a delivery is asked for again it is sent once, also twice in the same millisecond', async () => {
    const id = await hook();
    const sent = async (count: number) => {
      await received(count);
      await settled();
      expect([receiver.received.length, (await first(id)).status]).toEqual([count, 'delivered']);
    };
    const { body: tested } = await send('POST', `/${id}/test`);
    await sent(1);
    for (let times = 2; times <= 4; times += 1) {
      await send('POST', `/${id}/deliveries/${tested.id}/redeliver`);
      await sent(times);
    }
    expect(await listed(id)).toHaveLength(1);
  });

  test('what waits and is asked for again is sent once: at once, and not again at the time that it had', async () => {
    const id = await hook();
    receiver.next(500);
    const { body: tested } = await send('POST', `/${id}/test`);
    await settled();
    expect(await first(id)).toMatchObject({ status: 'waiting', attempts: [{ status: 500 }] });
    const again = () => send('POST', `/${id}/deliveries/${tested.id}/redeliver`);
    await Promise.all([again(), again(), again()]);
    await received(2);
    expect((await send('GET', `/${id}`)).body.receiver.waiting).toBe(0);
    await later(MINUTE);
    expect(receiver.received).toHaveLength(2);
    expect(await first(id)).toMatchObject({ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] });
  });

  test('resume makes all that waits due at once, and remembers the last failure', async () => {
    const id = await hook();
    receiver.always(500);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const name of names) await ci(name);
    await received(5);
    await settled();
    const { rests_until, waiting } = (await send('GET', `/${id}`)).body.receiver;
    expect([waiting, rests_until]).toEqual([7, expect.any(String)]);
    expect((await send('GET', '')).body.data[0].rests_until).toBe(rests_until);
    const count = receiver.received.length;
    receiver.always(200);
    await send('POST', `/${id}/resume`);
    await received(count + 7);
    await settled();
    const { receiver: lately } = (await send('GET', `/${id}`)).body;
    const at = new Date(app.clock.now()).toISOString();
    expect(lately).toMatchObject({ waiting: 0, failures_in_row: 0, rests_until: null, last_failure_at: at });
    expect((await send('GET', '')).body.data[0].rests_until).toBeNull();
    const arrived = receiver.received.slice(count).map(({ body }) => body.data.ci.name);
    expect(arrived.sort()).toEqual(names);
  });

  test('what fails again after a resume keeps its pauses', async () => {
    const id = await hook();
    receiver.always(500);
    await ci('a');
    await received(1);
    await settled();
    await send('POST', `/${id}/resume`);
    await received(2);
    for (let looks = 0; looks < 5; looks += 1) await settled();
    expect(receiver.received).toHaveLength(2);
    expect(await first(id)).toMatchObject({ status: 'waiting', attempts: [{}, {}] });
  });

  test('a delivery names what it is about as people know it', async () => {
    const id = await hook({ events: ['*'] });
    const ciId = await ci('db-1');
    const event = {
      source: 'test',
      sourceId: '1',
      severity: 'critical',
      title: 'Disk full',
      timestamp: app.clock.now(),
    };
    const { eventId } = (await app.send('POST', '/api/events/ingest', event)).body;
    await received(2);
    await settled();
    const about = (await listed(id)).map(({ resource }: { resource: unknown }) => resource);
    expect(about).toContainEqual({ kind: 'ci', id: ciId, name: 'db-1' });
    expect(about).toContainEqual({ kind: 'event', id: eventId, name: null });
  });

  test('what is unknown is 404 in the path and 400 in the body', async () => {
    const [id, other] = [await hook(), await hook({ name: 'Other' })];
    const { body: tested } = await send('POST', `/${other}/test`);
    for (const path of ['/WHK-x/test', '/WHK-x/resume', '/WHK-x/redeliver', `/${id}/deliveries/${tested.id}/redeliver`])
      expect((await send('POST', path, path.endsWith('x/redeliver') ? {} : undefined)).status).toBe(404);
    for (const path of ['/WHK-x/deliveries', `/${id}/deliveries/DLV-x`, `/${id}/deliveries/${tested.id}`])
      expect((await send('GET', path)).status).toBe(404);
    const refused = await send('POST', `/${id}/redeliver`, { ids: [tested.id] });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('ids[0]')]);
    expect((await send('POST', `/${id}/redeliver`, { ids: [tested.id], from: 0 })).status).toBe(400);
    await settled();
  });

  test.each([
    ['slack', {}, 'blocks'],
    ['teams', {}, 'attachments'],
  ])('format %s is sent', async (format, headers, field) => {
    const id = await hook({ format, headers });
    await send('POST', `/${id}/test`);
    await settled();
    expect(receiver.received[0]!.body).toHaveProperty(field);
  });

  test('PagerDuty gets its key, which no log shows, and is told nothing of CIs', async () => {
    const id = await hook({ format: 'pagerduty', headers: { 'X-Routing-Key': 'R0123456789' }, events: ['*'] });
    await ci('a');
    const { body: tested } = await send('POST', `/${id}/test`);
    await settled();
    expect(receiver.received).toMatchObject([{ body: { routing_key: 'R0123456789', event_action: 'trigger' } }]);
    const shown = await send('GET', `/${id}/deliveries/${tested.id}`);
    expect(JSON.stringify(shown.body)).not.toContain('R0123456789');
  });
});

test('every kind has the body that the documents show', async () => {
  const hook = { name: 'All', url: receiver.url, events: ['*', 'event.created'] };
  await app.send('POST', '/v1/webhooks', hook);
  const made = async (name: string) => (await app.send('POST', '/v1/cmdb/ci', { name, type: 'server' })).body.id;
  const [source_ci, target_ci] = [await made('web-1'), await made('db-1')];
  await app.send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci });
  const ingested = async (title: string, hostname: string): Promise<string> => {
    const event = {
      source: 'test',
      sourceId: title,
      severity: 'critical',
      title,
      hostname,
      timestamp: app.clock.now(),
    };
    return (await app.send('POST', '/api/events/ingest', event)).body.eventId;
  };
  const ids = [await ingested('PostgreSQL does not answer', 'db-1'), await ingested('HTTP 503', 'web-1')];
  await settled();
  for (const id of ids)
    await app.send('PATCH', `/api/events/${id}/status`, { status: 'resolved', category: 'manual-fix' });
  await settled();
  app.clock.advance(MINUTE);
  await settled();
  await app.send('PUT', `/v1/cmdb/ci/${source_ci}`, { name: 'web-2' });
  const leaving = await made('gone-1');
  await settled();
  app.clock.advance(1);
  await app.send('DELETE', `/v1/cmdb/ci/${leaving}`);
  await settled();
  const told = receiver.received.map(({ body }) => body.event);
  const expected = ['ci.created', 'ci.updated', 'ci.deleted', 'relationship.created', 'event.created'];
  expect(told).toEqual(expect.arrayContaining([...expected, 'event.status_changed', 'correlation.created']));
  expect(told).toContain('correlation.resolved');
  for (const { body } of receiver.received)
    expect([body.event, DELIVERY_BODIES.get(body.event)!.safeParse(body).error]).toEqual([body.event, undefined]);
});
