import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { escalate } from '#features/on-call/use-cases/escalate.ts';
import { readRotas } from '#features/on-call/use-cases/read-rotas.ts';
import { type MailServer, openMailServer } from '#test/setup/mail-server.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

const MINUTE = 60_000;
const stamp = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
const calendar = (name: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    'UID:1',
    `DTSTAMP:${stamp(START)}`,
    `DTSTART:${stamp(START - 60 * MINUTE)}`,
    `DTEND:${stamp(START + 600 * MINUTE)}`,
    'SUMMARY:Night',
    `ATTENDEE;CN=${name}:mailto:${name.toLowerCase()}@example.com`,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');

let server: Server;
let mails: MailServer;
let url = '';
const posted: string[] = [];
let body = calendar('Ann');
let it: TestApp;
beforeAll(async () => {
  server = createServer((request, reply) => {
    let text = '';
    request.on('data', (piece) => (text += piece));
    request.on('end', () => {
      if (request.method === 'POST') posted.push(text);
      reply.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}/night.ics`;
  mails = await openMailServer();
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.1', FAULTLINE_SMTP_URL: mails.url });
});
afterAll(async () => {
  await it.stop();
  mails.close();
  server.closeAllConnections();
  server.close();
});

const tenantOf = async (tenant: string) => {
  const token = await it.tenant(tenant);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const team = async (name: string): Promise<string> => (await send('POST', '/v1/teams', { name })).body.id;
  return { send, team };
};

/** A database and the server that depends on it fail: one group. */
const breakDown = async (send: Awaited<ReturnType<typeof tenantOf>>['send']): Promise<void> => {
  const cis = [
    ['db', 'database'],
    ['web', 'server'],
  ];
  const ids = [];
  for (const [name, type] of cis) ids.push((await send('POST', '/v1/cmdb/ci', { name, type })).body._id);
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: ids[1], target_ci: ids[0] });
  for (const [hostname, title] of [
    ['db', 'Database down'],
    ['web', 'HTTP 503'],
  ])
    await send('POST', '/api/events/ingest', {
      source: 's',
      sourceId: hostname,
      severity: 'critical',
      title,
      hostname,
    });
  await it.app.idle();
};

test('a team shows who is on call; its address stays secret, and a file that cannot be read keeps the shifts', async () => {
  const { send, team } = await tenantOf('rota');
  const night = await team('Night');
  const { status, body: put } = await send('PUT', `/api/on-call/${night}`, { calendar: url });
  expect([status, put.data.now?.name, put.data.error]).toEqual([200, 'Ann', null]);
  expect(JSON.stringify([put, (await send('GET', '/api/admin/audit')).body])).not.toContain('night.ics');
  body = 'no calendar';
  await readRotas(it.app.ports, () => false);
  const [shown] = (await send('GET', '/api/on-call')).body.data;
  expect(shown).toMatchObject({
    team: { name: 'Night' },
    members: 0,
    now: { name: 'Ann' },
    calendar_host: new URL(url).host,
  });
  expect(shown.error).not.toBeNull();
  body = calendar('Ann');
});

test.each([
  [{ calendar: 'http://10.1.2.3/x.ics' }, 'calendar'],
  [{ calendar: 'file:///etc/passwd' }, 'calendar'],
  [{ after_minutes: 5 }, 'next_team'],
  [{ after_minutes: 0, next_team: 'x' }, 'after_minutes'],
])('%j is refused with the field', async (put, field) => {
  const { send, team } = await tenantOf(`refused-${JSON.stringify(put).length}`);
  const { status, body: said } = await send('PUT', `/api/on-call/${await team('Night')}`, put);
  expect(status).toBe(400);
  expect(JSON.stringify(said)).toContain(field);
});

test('a group that its team does not acknowledge in time is assigned to the next, whose person on call is mailed', async () => {
  const { send, team } = await tenantOf('escalated');
  const [night, lead] = [await team('Night'), await team('Lead')];
  await send('PUT', `/api/on-call/${lead}`, { calendar: url });
  const hook = { name: 'Pager', url: `http://${new URL(url).host}/hook`, events: ['correlation.escalated'] };
  const { id: webhook } = (await send('POST', '/v1/webhooks', hook)).body;
  await send('PUT', `/api/on-call/${night}`, { after_minutes: 10, next_team: lead });
  await breakDown(send);
  const group = async () => (await send('GET', '/api/events/groups')).body.groups[0];
  const { correlationId } = await group();
  await send('PUT', `/api/events/groups/${correlationId}/assignee`, { team_id: 'Night' });
  const round = () => escalate(it.app.ports, () => false);
  await round();
  it.clock.advance(9 * MINUTE);
  await round();
  expect((await group()).assignedTeam.name).toBe('Night');
  it.clock.advance(MINUTE);
  for (const _ of [1, 2]) await round();
  expect((await group()).assignedTeam.name).toBe('Lead');
  const { history } = (await send('GET', `/api/events/groups/${correlationId}`)).body.group;
  expect(history.at(-1)).toMatchObject({ by: { name: 'Faultline' }, text: 'escalated: assigned to Lead' });
  expect(mails.mails.map(({ to }) => to)).toEqual(['ann@example.com']);
  expect(mails.mails[0]?.text).toContain('Not acknowledged by Night within 10 minutes');
  await until(async () => posted.length > 0);
  expect(posted.map((text) => JSON.parse(text))).toMatchObject([
    {
      event: 'correlation.escalated',
      webhook_id: webhook,
      data: {
        correlation: { correlationId },
        escalation: { from_team: 'Night', to_team: 'Lead', on_call: 'Ann', after_minutes: 10 },
      },
    },
  ]);
});

test('without a calendar, all members of the next team with an address are mailed', async () => {
  const { send, team } = await tenantOf('members');
  const [night, lead] = [await team('Night'), await team('Lead')];
  const ids = [];
  for (const [username, mail] of [
    ['ann', 'ann@members.example.com'],
    ['bo', null],
    ['cy', 'cy@members.example.com'],
  ]) {
    const user = { username, mail, role: 'operator', password: 'a long enough password' };
    ids.push((await send('POST', '/api/admin/users', user)).body.data.id);
  }
  await send('PUT', `/api/admin/teams/${lead}`, { members: ids });
  await send('PUT', `/api/on-call/${night}`, { after_minutes: 1, next_team: lead });
  await breakDown(send);
  const [{ correlationId }] = (await send('GET', '/api/events/groups')).body.groups;
  await send('PUT', `/api/events/groups/${correlationId}/assignee`, { team_id: 'Night' });
  await escalate(it.app.ports, () => false);
  it.clock.advance(MINUTE);
  await escalate(it.app.ports, () => false);
  const to = mails.mails.map((mail) => mail.to).filter((one) => one.endsWith('members.example.com'));
  expect(to.sort()).toEqual(['ann@members.example.com', 'cy@members.example.com']);
});
