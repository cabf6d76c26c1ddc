import { beforeAll, describe, expect, test } from '@jest/globals';
import { countSilences } from '#features/silences/use-cases/count-silences.ts';
import { liftSilences, openLifting } from '#features/silences/use-cases/lift-silences.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* Silences of users, and maintenance of CIs. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const it = appOfTests();
let tenants = 0;
beforeAll(async () => {
  // Hours pass here, and receipt times are limited by the broker's append time.
  it.clock.set(START - 60 * 24 * HOUR);
});

const iso = (ms: number): string => new Date(ms).toISOString();
/** Runs the job's work of each second. */
const lift = async () => {
  await liftSilences(it.app.ports, openLifting(), () => false);
  await it.app.idle();
};

const fresh = async () => {
  const id = `silencing-${++tenants}`;
  const token = await it.tenant(id);
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    it.send(method, path, body, { token, headers });
  const ingest = async (more: object = {}) => {
    const draft = { source: 'otel', sourceId: 'a', severity: 'major', title: 'Disk full', hostname: 'fra1-db-1' };
    const event = { ...draft, ...more };
    // A busy topology store leaves an event unbound after 300 ms: it is asked before, and remembers.
    await it.app.ports.matcher.bind(id, [{ hostname: event.hostname }]);
    const { status, body } = await send('POST', '/api/events/ingest', event);
    expect([200, 201]).toContain(status);
    return body;
  };
  const shown = async (eventId: string) => (await send('GET', `/api/events/${eventId}`)).body.event;
  const silence = async (matcher: object, more: object = {}) => {
    const body = { matcher, endsAt: iso(it.clock.now() + HOUR), reason: 'new disks', ...more };
    const made = await send('POST', '/api/events/silences', body);
    expect(made.status).toBe(201);
    return made.body.silence;
  };
  const show = async (silenceId: string) => (await send('GET', `/api/events/silences/${silenceId}`)).body.silence;
  const ci = async (name: string, more: object = {}): Promise<string> => {
    const made = await send('POST', '/v1/cmdb/ci', { name, type: 'server', attributes: { hostname: name }, ...more });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const relate = async (source: string, target: string) => {
    const made = await send('POST', '/v1/cmdb/relationships', {
      source_ci: source,
      target_ci: target,
      type: 'depends_on',
    });
    expect(made.status).toBe(201);
  };
  return { id, send, ingest, shown, silence, show, ci, relate };
};

describe('a silence', () => {
  test('suppresses what matches from its start until before its end, to the millisecond', async () => {
    const { ingest, shown, silence } = await fresh();
    const now = it.clock.now();
    const { id } = await silence({ host: 'fra1-*' }, { startsAt: now + MINUTE, endsAt: now + 2 * MINUTE });
    const at = async (ms: number, sourceId: string) => {
      it.clock.set(now + ms);
      return ingest({ sourceId, title: `Disk full on ${sourceId}`, hostname: `fra1-${sourceId}` });
    };
    expect(await at(MINUTE - 1, 'a')).not.toHaveProperty('suppressedBy');
    const caught = await at(MINUTE, 'b');
    expect(caught).toMatchObject({ status: 'created', suppressedBy: id });
    expect(await at(2 * MINUTE - 1, 'c')).toMatchObject({ suppressedBy: id });
    const event = await shown(caught.eventId);
    expect(event).toMatchObject({ status: 'suppressed', suppressedBy: id, suppressedUntil: iso(now + 2 * MINUTE) });
    expect(event.history[0]).toMatchObject({ to: 'suppressed', by: null, notes: `suppressed by ${id}` });
    expect(await at(2 * MINUTE, 'd')).not.toHaveProperty('suppressedBy');
  });

  test('suppresses an open event with its next occurrence, and opens it when it ends', async () => {
    const { ingest, shown, silence, send, show } = await fresh();
    const { eventId } = await ingest();
    const { id } = await silence({ title: 'full DISK' });
    expect(await ingest()).toMatchObject({ status: 'duplicate_updated', occurrenceCount: 2, suppressedBy: id });
    expect(await shown(eventId)).toMatchObject({ status: 'suppressed', occurrenceCount: 2 });
    expect(await show(id)).toMatchObject({ state: 'active', caught: 1, createdBy: { username: expect.any(String) } });
    await lift();
    expect(await shown(eventId)).toMatchObject({ status: 'suppressed' });
    const ended = await send('DELETE', `/api/events/silences/${id}`);
    expect(ended.body.silence).toMatchObject({ state: 'past', endsAt: iso(it.clock.now()) });
    await lift();
    const event = await shown(eventId);
    expect(event).toMatchObject({ status: 'open' });
    expect(event).not.toHaveProperty('suppressedBy');
    expect(event.history.at(-1)).toMatchObject({ from: 'suppressed', to: 'open', notes: `${id} ended` });
    expect(await show(id)).toMatchObject({ state: 'past', caught: 1 });
    expect((await send('DELETE', `/api/events/silences/${id}`)).body).toEqual(ended.body);
  });

  test('with windows suppresses in them only, and is planned between them', async () => {
    const { ingest, shown, silence, show, send } = await fresh();
    it.clock.set(Date.parse(`${iso(it.clock.now() + 24 * HOUR).slice(0, 10)}T21:30:00Z`));
    const recurrence = {
      weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      from: '22:00',
      to: '02:00',
      zone: 'UTC',
    };
    const { id } = await silence({ source: 'otel' }, { endsAt: it.clock.now() + 72 * HOUR, recurrence });
    let { eventId } = await ingest();
    expect([await show(id), await shown(eventId)]).toMatchObject([
      { state: 'planned', recurrence },
      { status: 'open' },
    ]);
    for (const [hours, state, status] of [
      [1, 'active', 'suppressed'],
      [4, 'planned', 'open'],
      [20, 'active', 'suppressed'],
    ] as const) {
      it.clock.advance(hours * HOUR);
      if (state === 'active') eventId = (await ingest()).eventId;
      await lift();
      expect([await show(id), await shown(eventId)]).toMatchObject([{ state }, { status }]);
    }
    expect((await shown(eventId)).suppressedUntil).toBe(iso(it.clock.now() + 3.5 * HOUR));
    const changed = await send('PUT', `/api/events/silences/${id}`, { recurrence: null });
    expect(changed.body.silence).not.toHaveProperty('recurrence');
    const wrong = { ...recurrence, zone: 'Mars' };
    const refused = await send('PUT', `/api/events/silences/${id}`, { recurrence: wrong });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'recurrence.zone' }] } });
  });

  test('leaves resolved what recovered meanwhile', async () => {
    const { ingest, shown, silence } = await fresh();
    await silence({ source: 'otel' });
    const { eventId } = await ingest();
    await ingest({ status: 'resolved' });
    it.clock.advance(HOUR);
    await lift();
    expect(await shown(eventId)).toMatchObject({ status: 'resolved' });
  });

  test('opens by an occurrence after its end, before any job runs', async () => {
    const { ingest, shown, silence } = await fresh();
    await silence({ tag: 'lab' }, { endsAt: it.clock.now() + MINUTE });
    const { eventId } = await ingest({ tags: ['lab'] });
    it.clock.advance(MINUTE);
    expect(await ingest({ tags: ['lab'] })).not.toHaveProperty('suppressedBy');
    expect(await shown(eventId)).toMatchObject({ status: 'open' });
  });

  test('hides nothing that is worse than what it means', async () => {
    const { ingest, shown, silence } = await fresh();
    const { id } = await silence({ severity: ['warning', 'info'] });
    const low = await ingest({ severity: 'warning' });
    expect(low.suppressedBy).toBe(id);
    const high = await ingest({ severity: 'critical' });
    expect(high).not.toHaveProperty('suppressedBy');
    expect(await shown(high.eventId)).toMatchObject({ status: 'open', supersedes: low.eventId });
  });

  test('does not suppress again what a person has acknowledged', async () => {
    const { ingest, shown, silence, send } = await fresh();
    await silence({ source: 'otel' });
    const { eventId } = await ingest();
    await send('PATCH', `/api/events/${eventId}/status`, { status: 'acknowledged' });
    await ingest();
    expect(await shown(eventId)).toMatchObject({ status: 'acknowledged' });
    it.clock.advance(HOUR);
    await lift();
    expect(await shown(eventId)).toMatchObject({ status: 'acknowledged' });
  });

  test('gives way to a person who suppresses without an end', async () => {
    const { ingest, shown, silence, send } = await fresh();
    await silence({ source: 'otel' });
    const { eventId } = await ingest();
    await send('PATCH', `/api/events/${eventId}/status`, { status: 'suppressed', notes: 'known' });
    expect(await shown(eventId)).not.toHaveProperty('suppressedBy');
    it.clock.advance(HOUR);
    await lift();
    expect(await shown(eventId)).toMatchObject({ status: 'suppressed' });
  });

  test('hands over to another one that lasts longer', async () => {
    const { ingest, shown, silence } = await fresh();
    const short = await silence({ source: 'otel' }, { endsAt: it.clock.now() + MINUTE });
    const { eventId } = await ingest();
    const long = await silence({ host: '*-db-?' });
    it.clock.advance(MINUTE);
    await lift();
    const event = await shown(eventId);
    expect(event).toMatchObject({ status: 'suppressed', suppressedBy: long.id });
    expect(event.history.at(-1).notes).toBe(`suppressed by ${long.id}`);
    expect(short.id).not.toBe(long.id);
  });

  test('names several hosts in a list or in a text', async () => {
    const { ingest, silence, show, send } = await fresh();
    const { id } = await silence({ host: ['fra1-db-1', ' muc1-* '] });
    expect((await show(id)).matcher).toEqual({ host: 'fra1-db-1, muc1-*' });
    for (const hostname of ['FRA1-DB-1', 'muc1-db-7'])
      expect(await ingest({ sourceId: hostname, hostname })).toMatchObject({ suppressedBy: id });
    expect(await ingest({ sourceId: 'c', hostname: 'fra1-db-2' })).not.toHaveProperty('suppressedBy');
    const refused = async (host: unknown): Promise<string> => {
      const { status, body } = await send('POST', '/api/events/silences/preview', { matcher: { host } });
      return `${status} ${body.details?.[0]?.field}`;
    };
    for (const host of [[], [''], ['a', 'web-(01|02)'], Array(51).fill('a'), [7], { a: 1 }])
      expect(await refused(host)).toBe('400 matcher.host');
  });

  test('that is changed takes other events, and opens those that it means no more', async () => {
    const { ingest, shown, silence, send } = await fresh();
    const { id } = await silence({ host: 'fra1-*' });
    const first = await ingest();
    it.clock.advance(1_000);
    const changed = await send('PUT', `/api/events/silences/${id}`, { matcher: { host: 'muc1-*' } });
    expect(changed.body.silence).toMatchObject({ id, matcher: { host: 'muc1-*' }, reason: 'new disks' });
    await lift();
    expect(await shown(first.eventId)).toMatchObject({ status: 'open' });
    expect(await ingest({ sourceId: 'b', hostname: 'muc1-db-1' })).toMatchObject({ suppressedBy: id });
  });

  test('below a CI reaches what its failure reaches when the event arrives', async () => {
    const { ingest, silence, ci, relate } = await fresh();
    const [sw, host, late] = [await ci('sw-1'), await ci('host-1'), await ci('host-2')];
    await relate(host, sw);
    const { id } = await silence({ below: sw });
    expect(await ingest({ hostname: 'sw-1' })).toMatchObject({ suppressedBy: id });
    expect(await ingest({ hostname: 'host-1', sourceId: 'b' })).toMatchObject({ suppressedBy: id });
    expect(await ingest({ hostname: 'host-2', sourceId: 'c' })).not.toHaveProperty('suppressedBy');
    await relate(late, sw);
    expect(await ingest({ hostname: 'host-2', sourceId: 'd', title: 'Fan broken' })).toMatchObject({
      suppressedBy: id,
    });
  });

  test('of several CIs reaches each of them, and names the one that is unknown', async () => {
    const { ingest, silence, ci, send } = await fresh();
    const [one, other] = [await ci('web-1'), await ci('web-2')];
    await ci('web-3');
    const { id, matcher } = await silence({ ciIds: [one, other] });
    expect(matcher).toEqual({ ciIds: [one, other] });
    for (const hostname of ['web-1', 'web-2'])
      expect(await ingest({ hostname, sourceId: hostname })).toMatchObject({ suppressedBy: id });
    expect(await ingest({ hostname: 'web-3', sourceId: 'c' })).not.toHaveProperty('suppressedBy');
    const refused = async (given: object): Promise<string> => {
      const { status, body } = await send('POST', '/api/events/silences/preview', { matcher: given });
      return `${status} ${body.details?.[0]?.field}`;
    };
    expect(await refused({ ciIds: [one, 'gone'] })).toBe('400 matcher.ciIds');
    expect(await refused({ ciIds: Array(101).fill(one) })).toBe('400 matcher.ciIds');
    expect(await refused({ ciId: one, ciIds: [other] })).toBe('400 matcher');
  });

  test('lets suppressed events found no group', async () => {
    const groupsOf = async (silent: boolean) => {
      const { ingest, silence, send, ci, relate } = await fresh();
      const [sw, host] = [await ci('sw-9'), await ci('host-9')];
      await relate(host, sw);
      if (silent) await silence({ below: sw });
      await ingest({ hostname: 'sw-9', title: 'Link down', severity: 'critical', sourceId: 'x' });
      await ingest({ hostname: 'host-9', title: 'Host unreachable', severity: 'critical', sourceId: 'y' });
      await it.app.idle();
      return (await send('GET', '/api/events/groups')).body.groups.length;
    };
    expect([await groupsOf(false), await groupsOf(true)]).toEqual([1, 0]);
  });

  test('is found by its state, shown to those who read and refused when it means nothing', async () => {
    const { silence, send } = await fresh();
    const now = it.clock.now();
    const planned = await silence({ ciType: 'server' }, { startsAt: now + HOUR, endsAt: now + 2 * HOUR });
    const active = await silence({ environment: 'test', service: 'shop' });
    const ids = async (state: string) =>
      (await send('GET', `/api/events/silences?state=${state}`)).body.silences.map((one: { id: string }) => one.id);
    expect([await ids('planned'), await ids('active'), await ids('past')]).toEqual([[planned.id], [active.id], []]);
    await send('DELETE', `/api/events/silences/${planned.id}`);
    expect([await ids('planned'), await ids('past')]).toEqual([[], [planned.id]]);
    const page = (await send('GET', '/api/events/silences?limit=1')).body;
    expect(page).toMatchObject({ silences: [{ id: active.id }], pagination: { total: 2 } });
    const cursor = page.pagination.nextCursor;
    expect((await send('GET', `/api/events/silences?limit=1&cursor=${cursor}`)).body.silences[0].id).toBe(planned.id);
    const endsAt = iso(now + HOUR);
    const refused = async (body: object) =>
      (await send('POST', '/api/events/silences', { reason: 'x', endsAt, ...body })).body;
    expect(await refused({ matcher: {} })).toMatchObject({ details: [{ field: 'matcher' }] });
    expect(await refused({ matcher: { below: 'nobody' } })).toMatchObject({ details: [{ field: 'matcher.below' }] });
    expect(await refused({ matcher: { tag: 'a' }, endsAt: iso(now) })).toMatchObject({
      details: [{ field: 'endsAt' }],
    });
    const gone = await send('PUT', `/api/events/silences/${planned.id}`, { reason: 'again' });
    expect(gone.status).toBe(409);
  });

  test('is counted before it is made: the preview tells what it would have caught', async () => {
    const { ingest, send } = await fresh();
    for (const host of ['fra1-a', 'fra1-b', 'muc1-a']) await ingest({ hostname: host, sourceId: host });
    const { body } = await send('POST', '/api/events/silences/preview', { matcher: { host: 'fra1-*' } });
    expect(body).toMatchObject({ matched: 2, truncated: false });
  });

  test('is made once however often it is asked for, and every change of it is in the audit trail', async () => {
    const { silence, send } = await fresh();
    const key = { 'idempotency-key': 'once' };
    const body = { matcher: { tag: 'b' }, endsAt: iso(it.clock.now() + HOUR), reason: 'x' };
    const [first, second] = [
      await send('POST', '/api/events/silences', body, key),
      await send('POST', '/api/events/silences', body, key),
    ];
    expect(second.body).toEqual(first.body);
    expect((await send('GET', '/api/events/silences')).body.pagination.total).toBe(1);
    const { id } = await silence({ tag: 'a' });
    await send('PUT', `/api/events/silences/${id}`, { reason: 'other disks' });
    await send('PUT', `/api/events/silences/${id}`, { reason: 'other disks' });
    await send('DELETE', `/api/events/silences/${id}`);
    await send('DELETE', `/api/events/silences/${id}`);
    const trail = (await send('GET', `/api/admin/audit?target=silence/${id}`)).body.data;
    expect(trail).toMatchObject([
      { action: 'silence.ended', before: { reason: 'other disks' }, after: { endsAt: iso(it.clock.now()) } },
      { action: 'silence.updated', before: { reason: 'new disks' }, after: { reason: 'other disks' } },
      { action: 'silence.created', before: null, after: { matcher: { tag: 'a' } } },
    ]);
  });

  test('and what it suppresses is measured', async () => {
    const { ingest, silence } = await fresh();
    await silence({ source: 'otel' });
    const measured = async (name: string) => {
      const text = (await it.send('GET', '/metrics')).body as string;
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    const before = await measured('faultline_events_suppressed_total{by="silence"}');
    await ingest();
    expect(await measured('faultline_events_suppressed_total{by="silence"}')).toBe(before + 1);
    await countSilences(it.app.ports, () => false);
    expect(await measured('faultline_silences{state="active"}')).toBeGreaterThan(0);
  });
});

describe('maintenance', () => {
  test('of a CI by its status suppresses its own events until it ends', async () => {
    const { ingest, shown, ci, send } = await fresh();
    const id = await ci('db-1', { status: 'maintenance' });
    const own = await ingest({ hostname: 'db-1' });
    expect(own.suppressedBy).toBe(`maintenance:${id}`);
    expect(await ingest({ hostname: 'db-2', sourceId: 'b' })).not.toHaveProperty('suppressedBy');
    const event = await shown(own.eventId);
    expect(event).toMatchObject({ status: 'suppressed', suppressedBy: `maintenance:${id}` });
    expect(event.history[0].notes).toBe('suppressed by maintenance of db-1');
    await lift();
    expect(await shown(own.eventId)).toMatchObject({ status: 'suppressed' });
    await send('PUT', `/v1/cmdb/ci/${id}`, { status: 'active' });
    await lift();
    expect(await shown(own.eventId)).toMatchObject({ status: 'open' });
    expect(await ingest({ hostname: 'db-1' })).not.toHaveProperty('suppressedBy');
  });

  test.each([
    ['start and end', (at: number) => `${iso(at)}/${iso(at + HOUR)}`, HOUR],
    ['a start', (at: number) => iso(at), 4 * HOUR],
  ])('within a window of %s suppresses from its start until before its end', async (_, windowAt, lasts) => {
    const { ingest, shown, ci } = await fresh();
    const begins = it.clock.now() + MINUTE;
    await ci('db-1', { custom_fields: { maintenance_window: windowAt(begins) } });
    expect(await ingest({ hostname: 'db-1', sourceId: 'a', title: 'One' })).not.toHaveProperty('suppressedBy');
    it.clock.set(begins);
    const caught = await ingest({ hostname: 'db-1', sourceId: 'b', title: 'Two' });
    expect(caught.suppressedBy).toMatch(/^maintenance:/);
    it.clock.set(begins + lasts - 1);
    await lift();
    expect(await shown(caught.eventId)).toMatchObject({ status: 'suppressed', suppressedUntil: iso(begins + lasts) });
    it.clock.set(begins + lasts);
    await lift();
    expect(await shown(caught.eventId)).toMatchObject({ status: 'open' });
  });

  test('reaches below its CI where the tenant wants it', async () => {
    const { ingest, shown, ci, relate, send } = await fresh();
    const sw = await ci('sw-1', { status: 'maintenance' });
    const host = await ci('host-1');
    await relate(host, sw);
    expect(await ingest({ hostname: 'host-1', sourceId: 'a', title: 'One' })).not.toHaveProperty('suppressedBy');
    await send('PUT', '/api/admin/settings/lifecycle', { maintenanceBelow: true });
    const caught = await ingest({ hostname: 'host-1', sourceId: 'b', title: 'Two' });
    expect(caught.suppressedBy).toBe(`maintenance:${sw}`);
    await send('PUT', `/v1/cmdb/ci/${sw}`, { status: 'active' });
    await lift();
    expect(await shown(caught.eventId)).toMatchObject({ status: 'open' });
  });
});

describe('What a matcher takes', () => {
  test.each([
    ['host', 'web-(01|02).*'],
    ['service', 'shop-*'],
    ['tag', 'team:(a|b)'],
    ['environment', '^prod$'],
  ])('%s %s never holds, and is refused', async (field, value) => {
    const { send } = await fresh();
    for (const path of ['/api/events/silences', '/api/events/silences/preview']) {
      const body = {
        matcher: { [field]: value },
        ...(path.endsWith('s') && { endsAt: iso(it.clock.now() + HOUR), reason: 'r' }),
      };
      const refused = await send('POST', path, body);
      expect([refused.status, refused.body.details[0].field]).toEqual([400, `matcher.${field}`]);
    }
  });

  test('several hosts, separated by commas', async () => {
    const { send, ingest } = await fresh();
    const matcher = { host: 'web-01, db-*' };
    await send('POST', '/api/events/silences', { matcher, endsAt: iso(it.clock.now() + HOUR), reason: 'r' });
    const statuses: string[] = [];
    for (const hostname of ['web-01', 'db-7', 'web-02']) {
      const { eventId } = await ingest({ sourceId: hostname, hostname });
      statuses.push((await send('GET', `/api/events/${eventId}`)).body.event.status);
    }
    expect(statuses).toEqual(['suppressed', 'suppressed', 'open']);
  });
});

describe('a suppression with an end by a user', () => {
  const suppressed = async (more: object = {}) => {
    const all = await fresh();
    const { eventId } = await all.ingest();
    const until = iso(it.clock.now() + HOUR);
    const body = { ids: [eventId], status: 'suppressed', notes: 'new disks', until, ...more };
    return { ...all, eventId, until, reply: await all.send('POST', '/api/events/status', body) };
  };

  test('holds through silences and worse messages, and reopens at its end what still fires', async () => {
    const { until, ingest, shown, silence, send } = await suppressed();
    const { id } = await silence({ host: 'fra1-*' });
    await ingest();
    const { eventId } = await ingest({ severity: 'critical' });
    await send('DELETE', `/api/events/silences/${id}`);
    await lift();
    expect(await shown(eventId)).toMatchObject({
      status: 'suppressed',
      suppressedBy: `manual:${until}`,
      suppressedUntil: until,
    });
    it.clock.advance(HOUR);
    await lift();
    const event = await shown(eventId);
    expect(event.status).toBe('open');
    expect(event.history.at(-1)).toMatchObject({ from: 'suppressed', to: 'open', notes: 'suppression ended' });
  });

  test('leaves what recovered resolved', async () => {
    const { eventId, ingest, shown } = await suppressed();
    await ingest({ status: 'resolved' });
    it.clock.advance(HOUR);
    await lift();
    expect(await shown(eventId)).toMatchObject({ status: 'resolved' });
  });

  test.each([
    ['an end in the past', { until: iso(START - 90 * 24 * HOUR) }],
    ['an end of another status', { status: 'acknowledged' }],
  ])('refuses %s', async (_, more) => {
    const { reply, eventId, shown } = await suppressed(more);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining('until')]);
    expect(await shown(eventId)).toMatchObject({ status: 'open' });
  });
});
