import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { occurred } from '#test/setup/occurred.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { jobsOf, sinks } from '#whole';

const directory = temporaryDirectory();
const it = appOfTests({ FAULTLINE_DATA: directory.path });
let file: DatabaseSync;
let token: string;
let tenants = 0;

beforeAll(async () => {
  // The writer leaves its transaction open for a while.
  file = new DatabaseSync(join(directory.path, 'faultline.db'), { timeout: 15_000 });
});
beforeEach(async () => {
  token = await it.tenant(`ops-${++tenants}`);
});
afterAll(async () => {
  file.close();
  directory.remove();
});

const send = (method: string, path: string, body?: unknown, as = token) => it.send(method, path, body, { token: as });
const letters = async (query = '', as = token) =>
  (await send('GET', `/api/admin/dead-letters${query}`, undefined, as)).body;

/** A dead letter of the tenant, as stored. */
const letter = (id: string, changes: object = {}) => {
  const place = { topic: 'events.incoming', partition: 0, offset: 1, position: 1, processor: 'dedup', attempts: 1 };
  const body = { id, ...place, reason: 'bad', at: 1, content: { kind: 'json', record: 1 }, settled: null, ...changes };
  return it.app.ports.records.put(`ops-${tenants}`, 'dead-letter', id, body);
};
/** Makes a dead letter of each host's event. */
const poison = async (...hostnames: readonly string[]) => {
  for (const hostname of hostnames) {
    const { ids, clock } = it.app.ports;
    const draft = { source: 'poison', sourceId: hostname, hostname, title: 'Database down' };
    const record = occurred({ ...draft, receivedAt: clock.now() });
    const said = { processor: 'store', reason: 'the event is poison', at: clock.now() };
    await letter(ids.ulid(), { ...said, content: { kind: 'json', record } });
    it.clock.advance(1_000);
  }
};

test('what the database refuses though it was kept is a dead letter of nobody; all else is there, and what comes next', async () => {
  const event = (hostname: string, source = 'fine') => ({
    source,
    sourceId: hostname,
    hostname,
    severity: 'critical',
    title: 'Database down',
  });
  const ingest = (...given: Parameters<typeof event>) => send('POST', '/api/events/ingest', event(...given));
  file.exec(`CREATE TRIGGER poison BEFORE INSERT ON event WHEN NEW.source = 'poison'
    BEGIN SELECT RAISE(ABORT, 'the event is poison'); END`);
  const statuses = await Promise.all([ingest('db-1'), ingest('db-2', 'poison'), ingest('db-3')]);
  expect(statuses.map(({ status }) => status)).toEqual([201, 201, 201]);
  await it.app.ports.eventLog.caughtUp().catch(() => undefined);
  file.exec('DROP TRIGGER poison');
  // Memory held an event that the file did not have: until it was read again, nothing is accepted.
  let again = await ingest('db-2', 'poison');
  expect([again.status, again.headers.has('retry-after')]).toEqual([503, true]);
  for (let tries = 0; again.status === 503 && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    again = await ingest('db-2', 'poison');
  }
  expect(again.status).toBe(201);
  const { events } = (await send('GET', '/api/events')).body;
  expect(events.map(({ hostname }: { hostname: string }) => hostname).sort()).toEqual(['db-1', 'db-2', 'db-3']);
  const { data } = (await it.send('GET', '/api/admin/dead-letters?unassigned=true')).body;
  expect(data).toMatchObject([{ processor: 'store', reason: 'the event is poison', state: 'waiting' }]);
  const shown = (await it.send('GET', `/api/admin/dead-letters/${data[0].id}`)).body.data;
  expect(shown).toMatchObject({ record: { text: expect.stringContaining('INTO event'), values: expect.any(Array) } });
  expect(shown.not_replayable).toContain('the record itself was processed');
  expect((await it.send('DELETE', `/api/admin/dead-letters/${data[0].id}`)).status).toBe(200);
});

test('a dead letter is listed and shown with its record, replayed once, and audited', async () => {
  await poison('db-1');
  const { data, pagination } = await letters();
  expect(pagination).toMatchObject({ total: 1, nextCursor: null });
  expect(data).toMatchObject([
    { processor: 'store', topic: 'events.incoming', reason: 'the event is poison', state: 'waiting', settled: null },
  ]);
  const path = `/api/admin/dead-letters/${data[0].id}`;
  const shown = (await send('GET', path)).body.data;
  expect(shown).toMatchObject({ not_replayable: null, record: { ask: { occurrence: { hostname: 'db-1' } } } });

  const first = await send('POST', `${path}/replay`);
  expect(first.body.data).toMatchObject({ state: 'replayed', settled: { outcome: 'created', by: { name: 'test' } } });
  const again = await send('POST', `${path}/replay`);
  expect([again.status, again.body]).toEqual([200, first.body]);
  const { events } = (await send('GET', '/api/events')).body;
  expect(events).toMatchObject([{ hostname: 'db-1', occurrenceCount: 1 }]);
  expect((await send('DELETE', path)).status).toBe(409);
  const audited = (await send('GET', '/api/admin/audit?action=dead-letter.replayed')).body.data;
  expect(audited).toMatchObject([{ target: { kind: 'dead-letter', id: data[0].id }, after: { outcome: 'created' } }]);
  expect((await letters()).data).toEqual([]);
  expect((await letters('?state=replayed')).data).toHaveLength(1);
});

test('a replay whose note was lost counts once: the record keeps its delivery, or gets one', async () => {
  await poison('db-2');
  const [{ id }] = (await letters()).data;
  const tenant = `ops-${tenants}`;
  const { records } = it.app.ports;
  const before = await records.get<object>(tenant, 'dead-letter', id);
  await send('POST', `/api/admin/dead-letters/${id}/replay`);
  await records.put(tenant, 'dead-letter', id, before?.body);
  expect((await send('POST', `/api/admin/dead-letters/${id}/replay`)).body.data.settled.outcome).toBe('created');
  expect((await send('GET', '/api/events')).body.events).toMatchObject([{ occurrenceCount: 1 }]);
});

test('a discarded letter is not replayed; discarding twice is one', async () => {
  await poison('db-3');
  const [{ id }] = (await letters()).data;
  const path = `/api/admin/dead-letters/${id}`;
  const first = await send('DELETE', path);
  expect(first.body.data).toMatchObject({ state: 'discarded', settled: { outcome: 'discarded' } });
  expect((await send('DELETE', path)).body).toEqual(first.body);
  expect(await send('POST', `${path}/replay`)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  expect((await send('GET', '/api/admin/audit?action=dead-letter.discarded')).body.data).toHaveLength(1);
  expect((await send('GET', '/api/events')).body.events).toEqual([]);
});

test('what cannot be appended anew says why, with 409', async () => {
  const id = (n: number) => String(n).padStart(26, '0');
  await letter(id(1), {});
  await letter(id(2), { topic: 'events.saved' });
  await letter(id(3), { content: { kind: 'avro', base64: 'AAAA' } });
  await letter(id(4), { content: { kind: 'document', base64: 'e30=' } });
  const reasons = await Promise.all(
    [1, 2, 3, 4].map(async (n) => {
      const reply = await send('POST', `/api/admin/dead-letters/${id(n)}/replay`);
      const shown = await send('GET', `/api/admin/dead-letters/${id(n)}`);
      expect(reply.body.error.message).toContain(shown.body.data.not_replayable);
      return [reply.status, reply.body.error.message];
    }),
  );
  expect(reasons).toEqual([
    [409, expect.stringContaining('Not an event request')],
    [409, expect.stringContaining('Records of events.saved are produced by the pipeline')],
    [409, expect.stringContaining('distributed mode')],
    [409, expect.stringContaining('the record itself was processed')],
  ]);
  expect((await letters()).pagination.total).toBe(4);
});

test('a record without a tenant is seen by platform administrators, and cannot be replayed', async () => {
  const id = '9'.padStart(26, '0');
  const place = { topic: 'events.incoming', partition: 0, offset: 9, position: 9, processor: 'dedup', attempts: 1 };
  const record = { ask: { kind: 'expired', eventId: 'none' }, receivedAt: 1 };
  const body = { id, ...place, reason: 'no key', at: 1, content: { kind: 'json', record }, settled: null };
  await it.app.ports.records.put('_system', 'dead-letter', id, body);
  const platform = (path: string, method = 'GET') => it.send(method, `/api/admin/dead-letters${path}`);
  expect((await platform('')).body.data).toEqual([]);
  expect((await platform('?unassigned=true')).body.data).toMatchObject([{ id, reason: 'no key' }]);
  expect((await send('GET', `/api/admin/dead-letters/${id}`)).status).toBe(404);
  expect((await platform(`/${id}/replay`, 'POST')).body.error.message).toContain('Tenant is not readable');
  expect((await platform(`/${id}`, 'DELETE')).body.data.state).toBe('discarded');
});

test('many are settled by processor or reason, the oldest first, at most as many as asked', async () => {
  await poison('a', 'b', 'c', 'd');
  const replay = (body: object) => send('POST', '/api/admin/dead-letters/replay', body);
  expect((await replay({})).status).toBe(400);
  expect((await replay({ processor: 'store', limit: 1_001 })).status).toBe(400);
  expect((await replay({ reason: 'no such' })).body.data).toEqual({ settled: 0, failed: 0, failures: [], more: false });
  expect((await replay({ reason: 'is POISON', limit: 2 })).body.data).toMatchObject({
    settled: 2,
    failed: 0,
    more: true,
  });
  const { events } = (await send('GET', '/api/events')).body;
  expect(events.map(({ hostname }: { hostname: string }) => hostname).sort()).toEqual(['a', 'b']);
  const discarded = await send('POST', '/api/admin/dead-letters/discard', { processor: 'store' });
  expect(discarded.body.data).toMatchObject({ settled: 2, failed: 0, more: false });
  const states = (await letters('?state=all')).data.map(({ state }: { state: string }) => state);
  expect(states).toEqual(['discarded', 'discarded', 'replayed', 'replayed']);
  expect((await send('GET', '/api/admin/audit?action=dead-letters.replayed')).body.data).toHaveLength(1);
});

test('pages go from the newest to the oldest', async () => {
  await poison('p1', 'p2', 'p3');
  const all = (await letters()).data.map(({ id }: { id: string }) => id);
  expect(all).toEqual([...all].sort().reverse());
  const first = await letters('?limit=2');
  const second = await letters(`?limit=2&cursor=${first.pagination.nextCursor}`);
  expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(all);
  expect(second.pagination.nextCursor).toBeNull();
});

test('another tenant finds nothing of them, and who may not manage cannot settle', async () => {
  await poison('db-9');
  const [{ id }] = (await letters()).data;
  const stranger = await it.tenant(`strangers-${tenants}`);
  const viewer = await it.tenant(`viewers-${tenants}`, 'operator');
  expect((await letters('', stranger)).data).toEqual([]);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/replay'],
    ['DELETE', ''],
  ] as const) {
    const whole = `/api/admin/dead-letters/${id}${path}`;
    expect((await send(method, whole, undefined, stranger)).status).toBe(404);
    expect((await send(method, whole, undefined, viewer)).status).toBe(403);
  }
  expect((await send('GET', '/api/admin/dead-letters?unassigned=true')).status).toBe(403);
});

test('the state of the pipeline: for a tenant its own part, for a platform administrator all of it', async () => {
  await poison('db-10');
  const own = (await send('GET', '/api/admin/pipeline')).body.data;
  expect(own.dead_letters).toEqual({ waiting: 1, at_least: false });
  expect(own.processors.map(({ name, status }: Record<string, string>) => [name, status])).toEqual(
    [
      'dedup',
      'enrich',
      ...['dependency', 'temporal', 'topology', 'pattern', 'service'].map((s) => `correlate.${s}`),
      'merge',
      ...sinks.filter(({ isForEngines }) => isForEngines !== true).map(({ name }) => name),
    ].map((name) => [name, 'running']),
  );
  expect(own.processors[0]).toMatchObject({ members: 1, lag: 0, processes: [], partitions: [{ member: null }] });
  const bootstrap = (await it.send('GET', '/api/admin/pipeline')).body.data;
  expect(bootstrap.processors[0].processes).toEqual([expect.objectContaining({ partitions: [0] })]);
  expect(bootstrap.jobs.map(({ name }: Record<string, string>) => name)).toEqual(
    jobsOf('embedded', false).map(({ name }) => name),
  );
  expect(bootstrap.jobs.find(({ name }: Record<string, string>) => name === 'delete-events')).toMatchObject({
    every_seconds: 3_600,
    outcome: null,
    last_run: null,
    duration_ms: null,
    last_success: null,
    running_since: null,
    next_run: expect.stringMatching(/^2026-11-20T10:00:(?:[1-3]\d|4[0-5])/),
    error: null,
  });
  const topics = (await send('GET', '/api/admin/topics')).body;
  expect(topics.pagination.total).toBe(8);
  expect(topics.data[0]).toEqual({
    name: 'events.incoming',
    key: 'tenant',
    storage: 'memory',
    partitions: 1,
    retention_ms: null,
    compacted: false,
    schema: { subject: 'events.incoming-value', version: null, id: null },
    offsets: [],
  });
  const saved = (await it.send('GET', '/api/admin/topics')).body.data[1];
  expect(saved).toMatchObject({ name: 'events.saved', storage: 'memory', offsets: [{ partition: 0 }] });
  expect(saved.offsets[0].first).toBe(saved.offsets[0].end);
});

test('readiness names every processor, and the topics are documented', async () => {
  const ready = await it.send('GET', '/readyz?verbose', undefined, { token: null });
  expect([ready.status, ready.body.status]).toEqual([200, 'ready']);
  expect(ready.body.checks).toContainEqual({ name: 'processor merge', ok: true, detail: '1 member, 0 records behind' });
  const { status, body } = await it.send('GET', '/asyncapi.json', undefined, { token: null });
  expect([status, body.asyncapi, body.channels['events.incoming'].address]).toEqual([200, '3.0.0', 'events.incoming']);
});
