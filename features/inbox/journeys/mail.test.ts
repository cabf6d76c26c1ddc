import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailInboxes } from '#features/inbox/use-cases/mail-inbox.ts';
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
afterAll(async () => {
  await it.stop();
  server.close();
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
  await assign('Old');
  expect((await rules({ mail: 'ann@example.com' })).body.data.mail).toBe('ann@example.com');
  // It arrives before the first round after the address was saved.
  await assign('Disk full');
  for (const _ of [1, 2]) await round();
  expect(server.mails.map(({ to }) => to)).toEqual(['ann@example.com']);
  expect(server.mails[0]?.text).toContain('Subject: [Faultline] MAJOR: h-2: Disk full');
  expect(server.mails[0]?.text).toContain('https://faultline.example.com/ui/events?event');
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
  expect(server.mails).toHaveLength(1);
  expect((await deliveries())[0]).toMatchObject({ result: 'skipped', reason: 'outside your hours' });

  server.close();
  await assign('No mail server');
  await expect(round()).rejects.toThrow();
  expect((await deliveries())[0]).toMatchObject({ channel: 'email', result: 'failed', reason: expect.any(String) });
});
