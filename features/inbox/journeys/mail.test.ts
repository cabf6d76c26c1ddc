import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailInboxes } from '#features/inbox/use-cases/mail-inbox.ts';
import { escalate } from '#features/on-call/use-cases/escalate.ts';
import { type MailServer, openMailServer } from '#test/setup/mail-server.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

const PASSWORD = 'a long enough password';
const MINUTE = 60_000;

let server: MailServer;
let it: TestApp;
beforeAll(async () => {
  server = await openMailServer();
  it = await openTestApp({ FAULTLINE_SMTP_URL: server.url, FAULTLINE_PUBLIC_URL: 'https://faultline.example.com' });
});
const sentTo = (address: string) => server.mails.filter(({ to }) => to === address);
afterAll(async () => {
  await it.stop();
  server.close();
});

test('an escalation that was mailed says so in the inbox of its recipient, and is not mailed again', async () => {
  const token = await it.tenant('escalated');
  const admin = async (method: string, path: string, body?: unknown) =>
    (await it.send(method, path, body, { token })).body;
  const user = { username: 'bo', mail: 'bo@example.com', password: PASSWORD, role: 'operator' };
  const { id } = (await admin('POST', '/api/admin/users', user)).data;
  const login = await it.send('POST', '/api/auth/login', { username: 'bo', password: PASSWORD, tenant: 'escalated' });
  const bo = async (method: string, path: string, body?: unknown) =>
    (await it.send(method, path, body, { token: login.body.data.token })).body.data;
  await bo('PUT', '/api/inbox/rules', { mail: 'bo@example.com' });
  await mailInboxes(it.app.ports, () => false);
  const night = (await admin('POST', '/v1/teams', { name: 'Night' })).id;
  const lead = (await admin('POST', '/v1/teams', { name: 'Lead', members: [id] })).id;
  await admin('PUT', `/api/on-call/${night}`, { after_minutes: 1, next_team: lead });
  const cis = [];
  for (const name of ['db', 'web']) cis.push((await admin('POST', '/v1/cmdb/ci', { name, type: 'server' }))._id);
  await admin('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: cis[1], target_ci: cis[0] });
  for (const [hostname, title] of Object.entries({ db: 'Database down', web: 'HTTP 503' })) {
    const draft = { source: 's', sourceId: hostname, severity: 'critical', title, hostname };
    await admin('POST', '/api/events/ingest', draft);
  }
  await it.app.idle();
  const [{ correlationId }] = (await admin('GET', '/api/events/groups')).groups;
  await admin('PUT', `/api/events/groups/${correlationId}/assignee`, { team_id: 'Night' });
  await escalate(it.app.ports, () => false);
  it.clock.advance(MINUTE);
  await escalate(it.app.ports, () => false);
  const [item] = (await bo('GET', '/api/inbox')).items;
  expect(item).toMatchObject({
    kind: 'assigned',
    subject: { kind: 'group', id: correlationId },
    deliveries: [{ channel: 'email', result: 'sent', reason: null }],
  });
  await mailInboxes(it.app.ports, () => false);
  expect(sentTo('bo@example.com')).toHaveLength(1);
});

test('new items are mailed once, within the hours of the user', async () => {
  const token = await it.tenant('mailed');
  const admin = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const made = { username: 'ann', name: 'Ann', password: PASSWORD, role: 'operator' };
  const { id } = (await admin('POST', '/api/admin/users', made)).body.data;
  const login = await it.send('POST', '/api/auth/login', { username: 'ann', password: PASSWORD, tenant: 'mailed' });
  const ann = (method: string, path: string, body?: unknown) =>
    it.send(method, path, body, { token: login.body.data.token });
  const rules = (parts: object) => ann('PUT', '/api/inbox/rules', parts);
  const round = () => mailInboxes(it.app.ports, () => false);
  let serial = 0;
  const assign = async (title: string): Promise<void> => {
    const draft = { source: 's', sourceId: `${++serial}`, severity: 'major', title, hostname: `h-${serial}` };
    const { eventId } = (await admin('POST', '/api/events/ingest', draft)).body;
    it.clock.advance(MINUTE);
    await admin('PATCH', `/api/events/${eventId}/status`, { status: 'acknowledged', assignedTo: id });
    await it.app.idle();
    it.clock.advance(MINUTE);
  };

  expect((await rules({ mail: 'x' })).status).toBe(400);
  expect((await rules({ mail: 'ann@example.com' })).body.data.mail).toBe('ann@example.com');
  await assign('Old');
  await round();
  expect(sentTo('ann@example.com')).toEqual([]);
  await assign('Disk full');
  for (const _ of [1, 2]) await round();
  const [mail] = sentTo('ann@example.com');
  expect(mail?.text).toContain('Subject: [Faultline] MAJOR: h-2: Disk full');
  expect(mail?.text).toContain('https://faultline.example.com/ui/events?event');
  const deliveries = async () =>
    (await ann('GET', '/api/inbox')).body.data.items.map((item: { deliveries: object[] }) => item.deliveries[0]);
  expect(await deliveries()).toEqual([expect.objectContaining({ channel: 'email', result: 'sent' }), undefined]);

  const hour = new Date(it.clock.now()).getUTCHours();
  const clock = (at: number): string => `${String(at % 24).padStart(2, '0')}:00`;
  await rules({ mail: 'ann@example.com', hours: { from: clock(hour + 2), to: clock(hour + 3) } });
  await assign('At night');
  await round();
  await rules({ mail: 'ann@example.com' });
  await round();
  expect(sentTo('ann@example.com')).toHaveLength(1);
  expect((await deliveries())[0]).toMatchObject({ result: 'skipped', reason: 'outside your hours' });

  server.close();
  await assign('No mail server');
  await expect(round()).rejects.toThrow();
  expect((await deliveries())[0]).toMatchObject({ channel: 'email', result: 'failed', reason: expect.any(String) });
});
