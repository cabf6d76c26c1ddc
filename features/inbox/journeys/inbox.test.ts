import { expect, test } from '@jest/globals';
import { mailInboxes } from '#features/inbox/use-cases/mail-inbox.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const PASSWORD = 'a long enough password';
const MINUTE = 60_000;

/** A tenant with the operators ann, who is in team Night, and bo. */
const furnished = async (tenant: string) => {
  const token = await it.tenant(tenant);
  const admin = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const user = async (username: string) => {
    const made = { username, name: username.toUpperCase(), password: PASSWORD, role: 'operator' };
    const { id } = (await admin('POST', '/api/admin/users', made)).body.data;
    const login = await it.send('POST', '/api/auth/login', { username, password: PASSWORD, tenant });
    const send = (method: string, path: string, body?: unknown) =>
      it.send(method, path, body, { token: login.body.data.token });
    const inbox = async () => (await send('GET', '/api/inbox')).body.data;
    const said = async (): Promise<string[]> =>
      (await inbox()).items.map(({ kind, title }: { kind: string; title: string }) => `${kind}: ${title}`);
    return { id, send, inbox, said };
  };
  const [ann, bo] = [await user('ann'), await user('bo')];
  const night = (await admin('POST', '/v1/teams', { name: 'Night', members: [ann.id] })).body.id as string;
  let serial = 0;
  const ingest = async (title: string, severity = 'major'): Promise<string> => {
    const draft = { source: 's', sourceId: `${++serial}`, severity, title, hostname: `h-${serial}` };
    return (await admin('POST', '/api/events/ingest', draft)).body.eventId;
  };
  return { ann, bo, night, ingest };
};

test('an assignment to a team is in the inbox of its members until it is read', async () => {
  const { ann, bo, night, ingest } = await furnished('inbox-1');
  const event = await ingest('Disk full');
  await bo.send('PATCH', `/api/events/${event}/status`, { status: 'acknowledged', assignedTeam: night });
  await it.app.idle();
  const { items, unread } = await ann.inbox();
  expect(unread).toBe(1);
  expect(items).toMatchObject([
    { kind: 'assigned', title: 'h-1: Disk full', severity: 'major', by: { name: 'BO' }, read: false },
  ]);
  expect(items[0].subject).toEqual({ kind: 'event', id: event });
  expect(await bo.said()).toEqual([]);
  await ann.send('POST', '/api/inbox/read', { ids: [items[0].id] });
  expect(await ann.inbox()).toMatchObject({ unread: 0, items: [{ read: true }] });
  await bo.send('PATCH', `/api/events/${event}/status`, { status: 'resolved' });
  await it.app.idle();
  expect(await ann.said()).toEqual([]);
});

test('a mention, an own silence that ends, and all read at once', async () => {
  const { ann, bo, ingest } = await furnished('inbox-2');
  const event = await ingest('Link down');
  await bo.send('PATCH', `/api/events/${event}/status`, { status: 'acknowledged', notes: 'See this, @ann' });
  const endsAt = new Date(it.clock.now() + 40 * MINUTE).toISOString();
  await ann.send('POST', '/api/events/silences', { matcher: { host: 'x' }, endsAt, reason: 'New disks' });
  await it.app.idle();
  expect(await ann.said()).toEqual(['mentioned: h-1: Link down']);
  it.clock.advance(11 * MINUTE);
  expect(await ann.said()).toEqual(['silence: New disks', 'mentioned: h-1: Link down']);
  expect(await bo.said()).toEqual([]);
  await ann.send('POST', '/api/inbox/read', {});
  expect((await ann.inbox()).unread).toBe(0);
});

test('rules of a user choose severities and services', async () => {
  const { ann, bo, ingest } = await furnished('inbox-3');
  for (const [title, severity] of [
    ['Minor', 'minor'],
    ['Critical', 'critical'],
  ] as const)
    await bo.send('PATCH', `/api/events/${await ingest(title, severity)}/status`, {
      status: 'acknowledged',
      assignedTo: ann.id,
    });
  await it.app.idle();
  expect((await ann.said()).sort()).toEqual(['assigned: h-1: Minor', 'assigned: h-2: Critical']);
  const rules = {
    created: [],
    severities: ['critical'],
    services: [],
    notify: true,
    mail: null,
    hours: { from: '08:00', to: '18:00' },
  };
  const stored = { ...rules, sends_email: false };
  expect((await ann.send('PUT', '/api/inbox/rules', rules)).body.data).toEqual(stored);
  expect((await ann.send('GET', '/api/inbox/rules')).body.data).toEqual(stored);
  expect(await ann.said()).toEqual(['assigned: h-2: Critical']);
});

test('new critical problems by rule, and what became of each notification', async () => {
  const { ann, bo, ingest } = await furnished('inbox-4');
  const rules = { created: ['critical'], mail: 'ann@example.com' };
  expect((await ann.send('PUT', '/api/inbox/rules', rules)).status).toBe(200);
  const round = () => mailInboxes(it.app.ports, () => false);
  await round();
  it.clock.advance(MINUTE);
  const other = await ingest('Slow', 'major');
  const event = await ingest('Power lost', 'critical');
  await it.app.idle();
  expect(await ann.said()).toEqual(['created: h-2: Power lost']);
  expect(await bo.said()).toEqual([]);
  it.clock.advance(MINUTE);
  await round();
  const [{ id }] = (await ann.inbox()).items;
  await ann.send('POST', '/api/inbox/read', { ids: [id], state: 'shown' });
  const notified = [
    { channel: 'browser', result: 'sent', reason: null },
    { channel: 'email', result: 'skipped', reason: 'this server has no mail server' },
  ];
  const delivered = async () => {
    const { items, unread } = await ann.inbox();
    return [unread, items[0].deliveries.map(({ at: _, ...rest }: { at: string }) => rest)];
  };
  expect(await delivered()).toEqual([1, expect.arrayContaining(notified)]);
  for (const [resolved, unread] of [
    [event, 1],
    [other, 0],
  ]) {
    await bo.send('PATCH', `/api/events/${resolved}/status`, { status: 'resolved' });
    await it.app.idle();
    expect(await delivered()).toEqual([unread, expect.arrayContaining(notified)]);
  }
});
