import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DELIVERY_KINDS } from '#features/webhooks/use-cases/delivery/records.ts';
import { WAITING } from '#features/webhooks/use-cases/delivery/room.ts';
import { notifyOfGroupChanges } from '#features/webhooks/use-cases/sources/sinks.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let test_: TestApp;
let receiver: HookReceiver;
beforeEach(async () => {
  receiver = await openHookReceiver();
  test_ = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterEach(async () => {
  await test_.stop();
  await receiver.stop();
});

const webhook = async (events: readonly string[], more: object = {}, token?: string) => {
  const body = { name: `hook ${Math.max(0, receiver.received.length)}`, url: receiver.url, events, ...more };
  const made = await test_.send('POST', '/v1/webhooks', body, token === undefined ? {} : { token });
  expect(made.status).toBe(201);
  return made.body;
};
const ci = async (name: string, token?: string) =>
  (await test_.send('POST', '/v1/cmdb/ci', { name, type: 'server' }, token === undefined ? {} : { token })).body.id;
const delivered = async () => {
  test_.app.ports.background.ring('deliver-webhooks');
  await test_.app.idle();
  return receiver.received;
};

test('a CI is told when it is made, changed and removed, signed, in order, once', async () => {
  const { id: webhookId, secret } = await webhook(['ci.created', 'ci.updated', 'ci.deleted']);
  receiver.verifyWith(secret);
  const id = await ci('db-1');
  await test_.send('PUT', `/v1/cmdb/ci/${id}`, { name: 'db-2' });
  await test_.send('DELETE', `/v1/cmdb/ci/${id}`);
  const told = await delivered();
  expect(told.map(({ body }) => [body.event, body.sequence, body.webhook_id, body.timestamp])).toEqual([
    ['ci.created', 1, webhookId, new Date(START).toISOString()],
    ['ci.updated', 2, webhookId, new Date(START).toISOString()],
    ['ci.deleted', 3, webhookId, new Date(START).toISOString()],
  ]);
  expect(told.map(({ verified }) => verified)).toEqual([true, true, true]);
  expect(told[2]!.body.data.ci).toMatchObject({ id, name: 'db-2', type: 'server' });
  await delivered();
  expect(told).toHaveLength(3);
});

test('a receiver that is down for an hour gets everything, each with the same id and body at every attempt', async () => {
  await webhook(['ci.created']);
  receiver.always(503);
  for (const name of ['a', 'b', 'c']) await ci(name);
  await delivered();
  for (let at = 0; at < HOUR_MS; at += 5 * MINUTE_MS) {
    test_.clock.advance(5 * MINUTE_MS);
    await delivered();
  }
  const failed = receiver.received.length;
  expect(failed).toBeGreaterThan(3);
  receiver.always(200);
  for (let at = 0; at < 8 * HOUR_MS; at += 20 * MINUTE_MS) {
    test_.clock.advance(20 * MINUTE_MS);
    await delivered();
  }
  const byId = Map.groupBy(receiver.received, ({ body }) => body.delivery_id);
  expect(byId.size).toBe(3);
  for (const attempts of byId.values()) expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
  expect(receiver.received.length - failed).toBe(3);
});

test('an attempt that was put off by a clock that was 30 days ahead is made when the clock is right', async () => {
  await webhook(['ci.created']);
  receiver.always(503);
  test_.clock.set(START + 30 * 24 * HOUR_MS);
  await ci('a');
  await delivered();
  expect(receiver.received).toHaveLength(1);
  test_.clock.set(START);
  receiver.always(200);
  await until(async () => (await delivered()).length === 2);
  expect(new Set(receiver.received.map(({ body }) => body.delivery_id)).size).toBe(1);
});

test('what finds no room is counted, and told when there is room again', async () => {
  const made = await webhook(['ci.created']);
  const { ports } = test_.app;
  ports.memory.of(WAITING).set(made.id, { count: 9_999, countedAt: START });
  for (const name of ['a', 'b', 'c']) await ci(name);
  expect((await delivered()).map(({ body }) => body.event)).toEqual(['ci.created']);
  test_.clock.advance(5 * SECOND_MS);
  const told = await delivered();
  expect(told.map(({ body }) => body.event)).toEqual(['ci.created', 'webhook.overflow']);
  const at = new Date(START).toISOString();
  expect(told[1]!.body.data).toEqual({ overflow: { kind: 'ci.created', from: at, to: at, count: 2 } });
  await ci('d');
  expect((await delivered()).map(({ body }) => body.event)).toEqual(['ci.created', 'webhook.overflow', 'ci.created']);
});

test('an equal tenant is told of its own alone', async () => {
  const [a, b] = [await test_.tenant('a'), await test_.tenant('b')];
  const other = await openHookReceiver();
  await webhook(['*'], {}, a);
  await webhook(['*'], { url: other.url }, b);
  const [inA, inB] = [await ci('same', a), await ci('same', b)];
  await delivered();
  const told = (from: HookReceiver) => from.received.map(({ body }) => body.data.ci.id);
  expect([told(receiver), told(other)]).toEqual([[inA], [inB]]);
  await other.stop();
});

test('what another process lets rest is not sent by the one that has it next', async () => {
  const { id } = await webhook(['ci.created']);
  receiver.always(500);
  await ci('a');
  await delivered();
  const { leases, records } = test_.app.ports;
  const take = leases.take.bind(leases);
  const resting = { failures: 5, restsUntil: START + 24 * HOUR_MS, lastSuccessAt: null, lastFailureAt: START };
  const other = jest.spyOn(leases, 'take').mockImplementation(async (lease, ...more) => {
    await records.put('default', DELIVERY_KINDS.state, id, { ...resting, failingSince: START });
    return take(lease, ...more);
  });
  test_.clock.advance(HOUR_MS);
  expect(await delivered()).toHaveLength(1);
  other.mockRestore();
});

test('410 switches the webhook off; five failures in a row let it rest, and one probe ends the rest', async () => {
  await webhook(['ci.created']);
  receiver.always(500);
  for (let n = 0; n < 8; n++) await ci(`host-${n}`);
  await delivered();
  const before = receiver.received.length;
  expect(before).toBeGreaterThanOrEqual(5);
  expect(before).toBeLessThan(9);
  test_.clock.advance(59 * SECOND_MS);
  expect(await delivered()).toHaveLength(before);
  test_.clock.advance(SECOND_MS);
  expect(await delivered()).toHaveLength(before + 1);
  receiver.always(200);
  test_.clock.advance(2 * MINUTE_MS);
  await delivered();
  test_.clock.advance(6 * MINUTE_MS);
  await delivered();
  const succeeded = new Set(receiver.received.slice(before + 1).map(({ body }) => body.delivery_id));
  expect(succeeded.size).toBe(8);
  receiver.always(410);
  await ci('last');
  await delivered();
  const { body } = await test_.send('GET', '/v1/webhooks');
  expect(body.data[0]).toMatchObject({ active: false, inactive_reason: 'gone' });
});

const event = async (title: string, hostname: string, more: object = {}) => {
  const body = { source: 'test', sourceId: title, severity: 'critical', title, hostname, ...more };
  return (await test_.send('POST', '/api/events/ingest', body)).body.eventId as string;
};
const told = () => receiver.received.map(({ body }) => body);

test('an event is told when it is made and when its status changes, as GET shows it', async () => {
  await webhook(['event.created', 'event.status_changed'], { filter: { minSeverity: 'major' } });
  await event('Disk is full', 'h-1');
  await event('Fan is loud', 'h-2', { severity: 'info' });
  await delivered();
  expect(told()).toHaveLength(1);
  const { eventId } = told()[0]!.data.event;
  await test_.send('PATCH', `/api/events/${eventId}/status`, { status: 'acknowledged' });
  await delivered();
  const shown = await test_.send('GET', `/api/events/${eventId}`);
  expect(told()[1]).toMatchObject({ event: 'event.status_changed', data: { previous_status: 'open' } });
  // It may be analyzed by then, or only since; and it became the cause of a group.
  const { aiAnalysis: _, childEventIds: __, ...since } = shown.body.event;
  const { aiAnalysis: ___, childEventIds: ____, ...then } = told()[1]!.data.event;
  expect(since).toMatchObject(then);
  expect(told()[1]!.sequence).toBeGreaterThan(told()[0]!.sequence);
});

test('a group is told once when it is made, when people know of it and when it is over, not once per event', async () => {
  await webhook(['correlation.created', 'correlation.updated', 'correlation.resolved']);
  const titles = ['Link down', 'PostgreSQL unreachable', 'HTTP 503'];
  const ids: string[] = [];
  for (const [n, title] of titles.entries()) ids.push(await event(title, `g-${n}`));
  await delivered();
  await test_.send('POST', '/api/events/correlate', { primaryEventId: ids[0], relatedEventIds: ids.slice(1) });
  await delivered();
  const setAll = async (status: string) => {
    for (const id of ids) await test_.send('PATCH', `/api/events/${id}/status`, { status });
    await delivered();
    test_.clock.advance(10 * SECOND_MS);
    await delivered();
  };
  await setAll('acknowledged');
  await setAll('resolved');
  const kinds = told().map(({ event: kind, data }) => [kind, data.correlation.state]);
  expect(kinds).toEqual([
    ['correlation.created', 'open'],
    ['correlation.updated', 'acknowledged'],
    ['correlation.resolved', 'resolved'],
  ]);
  expect(new Set(told().map(({ data }) => data.correlation.correlationId)).size).toBe(1);
});

test('an event in no group is told half a minute after it came, and when it is over or joins a group', async () => {
  await webhook(['event.ungrouped', 'event.ungrouped_resolved', 'correlation.created']);
  const ids = [
    await event('Payment database is down', 'pay-db'),
    await event('Fan is loud', 'fan', { severity: 'warning', timestamp: START - 9 * HOUR_MS }),
  ];
  const later = async (seconds: number) => {
    await delivered();
    test_.clock.advance(seconds * SECOND_MS);
    await delivered();
    return told().map(({ event: kind, data }) => [
      kind,
      data.event?.title ?? data.correlation.correlationId.slice(0, 3),
    ]);
  };
  expect(await later(29)).toEqual([]);
  expect(await later(1)).toEqual([['event.ungrouped', 'Payment database is down']]);
  await test_.send('POST', '/api/events/groups/resolve', { ids: [ids[0]] });
  const over = ['event.ungrouped_resolved', 'Payment database is down'];
  expect((await later(30)).slice(1)).toEqual([over]);
  await test_.send('PUT', '/api/admin/settings/lifecycle', { loneFrom: 'warning' });
  await event('Fan is louder', 'fan-2', { severity: 'warning', timestamp: START - 6 * HOUR_MS });
  expect((await later(30)).slice(2)).toEqual([['event.ungrouped', 'Fan is louder']]);

  test_.clock.advance(3 * HOUR_MS);
  const one = await event('Link down', 'a-1');
  await later(30);
  const two = await event('Link down too', 'a-2');
  await test_.send('POST', '/api/events/correlate', { primaryEventId: one, relatedEventIds: [two] });
  expect((await later(30)).slice(3)).toEqual([
    ['event.ungrouped', 'Link down'],
    ['correlation.created', 'COR'],
    ['event.ungrouped_resolved', 'Link down'],
  ]);
});

test('the first analysis of an event is told', async () => {
  await webhook(['analysis.completed']);
  await event('Disk is full', 'h-1');
  await until(async () => {
    test_.clock.advance(SECOND_MS);
    return (await delivered()).length > 0;
  });
  expect(told()).toMatchObject([{ event: 'analysis.completed', data: { analysis: { generatedBy: 'rules' } } }]);
  expect(told()[0]!.data.analysis.eventId).toMatch(/^EVT-/);
});

test('of a proposed relationship nothing is told until it is accepted, and then once', async () => {
  await webhook(['relationship.created']);
  const [source, target] = [await ci('web-1'), await ci('db-1')];
  const send = (method: string, path: string, body?: unknown) => test_.send(method, path, body);
  const propose = async (type: string): Promise<string> =>
    (await send('POST', '/api/cmdb/ai-relationships', { source, target, type })).body.relationshipId;
  const [accepted, adopted] = [await propose('depends-on'), await propose('uses')];
  await send('PUT', `/api/cmdb/ai-relationships/${accepted}`, { confidence: 0.7 });
  expect(await delivered()).toEqual([]);
  test_.clock.advance(SECOND_MS);
  for (let times = 0; times < 2; times += 1) await send('POST', `/api/cmdb/ai-relationships/${accepted}/accept`);
  await send('PUT', `/v1/cmdb/relationships/${accepted}`, { confidence: 0.9 });
  await send('PUT', `/v1/cmdb/relationships/${adopted}`, { type: 'runs_on', discovered_by: 'manual' });
  await send('PUT', `/v1/cmdb/relationships/${adopted}`, { type: 'stores_on' });
  const timestamp = new Date(START + SECOND_MS).toISOString();
  const heard = (await delivered()).map(({ body }) => [body.data.relationship.id, body.sequence, body.timestamp]);
  expect(heard.sort()).toEqual(
    [
      [accepted, 3, timestamp],
      [adopted, 2, timestamp],
    ].sort(),
  );
});

test('with event.created, which * includes, an event that joins a group is told, too; with correlation.* the group alone', async () => {
  await webhook(['*'], { name: 'all', url: `${receiver.url}/all` });
  await webhook(['event.created'], { name: 'events', url: `${receiver.url}/events` });
  await webhook(['correlation.created', 'correlation.updated', 'correlation.resolved'], {
    name: 'groups',
    url: `${receiver.url}/groups`,
  });
  const ids = [await event('Disk is full', 'db-1'), await event('PostgreSQL is unreachable', 'db-1')];
  await delivered();
  ids.push(await event('Backup is late', 'db-1', { severity: 'minor' }));
  await delivered();
  test_.clock.advance(20 * SECOND_MS);
  await delivered();
  const groups = ids.map(async (id) => (await test_.send('GET', `/api/events/${id}`)).body.event.correlationId);
  expect(new Set(await Promise.all(groups)).size).toBe(1);
  const at = (path: string) => receiver.received.filter((one) => one.path === path).map(({ body }) => body);
  const toldOf = (path: string) =>
    at(path).flatMap(({ event: kind, data }) => (kind === 'event.created' ? [data.event.eventId] : []));
  expect([toldOf('/all').sort(), toldOf('/events').sort()]).toEqual([ids.toSorted(), ids.toSorted()]);
  const ofGroups = (path: string) =>
    at(path).flatMap(({ event: kind }) => (kind.startsWith('correlation') ? [kind] : []));
  expect([ofGroups('/all'), ofGroups('/groups')]).toEqual([['correlation.created'], ['correlation.created']]);
  expect(at('/groups')).toHaveLength(1);
});

test('onlyCauses is judged when it is known whether an event is in a group', async () => {
  const cause = await event('Disk is full', 'h-1');
  await delivered();
  const { id } = await webhook(['event.created'], { filter: { onlyCauses: true } });
  test_.clock.advance(HOUR_MS);
  const symptom = await event('Fan is loud', 'h-2', { severity: 'minor' });
  await delivered();
  expect(told()).toEqual([]);
  await test_.send('POST', '/api/events/correlate', { primaryEventId: cause, relatedEventIds: [symptom] });
  test_.clock.advance(HOUR_MS);
  const lone = await event('Door is open', 'h-3', { severity: 'minor' });
  await delivered();
  test_.clock.advance(2 * SECOND_MS);
  await until(async () => (await delivered()).length > 0);
  expect(told().map(({ data }) => data.event.eventId)).toEqual([lone]);
  const { body } = await test_.send('GET', `/v1/webhooks/${id}/deliveries`);
  const states = body.data.map((one: { resource: { id: string }; status: string }) => [one.resource.id, one.status]);
  expect(states).toEqual([
    [lone, 'delivered'],
    [symptom, 'skipped'],
  ]);
});

test('groups that are made again from the log tell nothing anew', async () => {
  await webhook(['correlation.created', 'correlation.updated', 'correlation.resolved']);
  const ids = [await event('Disk is full', 'db-1'), await event('PostgreSQL is unreachable', 'db-1')];
  await delivered();
  const [first] = told();
  expect(first).toMatchObject({ event: 'correlation.created' });
  const { ports } = test_.app;
  const id = first.data.correlation.correlationId as string;
  const group = (await ports.correlation.group('default', id))!;
  const again = (change: 'created' | 'joined' | 'root-cause') =>
    ({ happened: 'group', tenant: 'default', id, change, position: group.position + 1, at: START }) as const;
  await notifyOfGroupChanges(ports, [again('created')]);
  await notifyOfGroupChanges(ports, [again('joined'), again('root-cause')]);
  await delivered();
  test_.clock.advance(20 * SECOND_MS);
  await delivered();
  expect(told()).toHaveLength(1);
  for (const one of ids) await test_.send('PATCH', `/api/events/${one}/status`, { status: 'resolved' });
  await notifyOfGroupChanges(ports, [again('created')]);
  await delivered();
  test_.clock.advance(20 * SECOND_MS);
  await delivered();
  expect(told().map(({ event: kind }) => kind)).toEqual(['correlation.created', 'correlation.resolved']);
});
