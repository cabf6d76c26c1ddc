import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { placeRecord, queueOf } from '#application/tasks/places.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { reportTasks } from '#features/reports/use-cases/generating/report-tasks.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openMailServer } from '#test/setup/mail-server.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

/* Who gets a report, for how long, and how many there may be. */

const HOUR_MS = 3_600_000;
const inventory = { template_id: 'ci-inventory', format: 'csv' };

let app: TestApp;
let receiver: HookReceiver;
let tenants = 0;
beforeAll(async () => {
  receiver = await openHookReceiver();
  app = await openTestApp({
    FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8',
    FAULTLINE_PUBLIC_URL: 'https://faultline.example',
  });
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

async function owner(role = 'admin') {
  const id = `delivery-${++tenants}`;
  const token = await app.tenant(id, role);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  const made = async (asked: object = inventory) => {
    const { report_id } = (await send('POST', '/v1/reports/generate', asked)).body;
    await app.app.idle();
    return (await send('GET', `/v1/reports/${report_id}/status`)).body;
  };
  return { id, token, send, made };
}
const statusAt = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url.replace('https://faultline.example', app.url), { headers })).status;

describe('A link to a file', () => {
  test('opens this report for a day, and is new at each call', async () => {
    const { send, made, token } = await owner();
    const [one, other] = [await made(), await made()];
    expect(one.download_url).toMatch(/^https:\/\/faultline\.example\/v1\/reports\//);
    expect(one.status_url).toBe(`https://faultline.example/v1/reports/${one.report_id}/status`);
    expect(Date.parse(one.link_expires_at) - app.clock.now()).toBe(24 * HOUR_MS);
    expect(await statusAt(one.download_url)).toBe(200);
    const link = new URL(one.download_url).search;
    expect(await statusAt(`${app.url}/api/reports/${one.report_id}/download${link}`)).toBe(200);
    expect(await statusAt(`${app.url}/v1/reports/${other.report_id}/download${link}`)).toBe(401);
    expect(await statusAt(`${app.url}/v1/reports/${one.report_id}/status${link}`)).toBe(401);
    expect(await statusAt(`${app.url}/v1/reports/${one.report_id}/download`)).toBe(401);
    app.clock.advance(23 * HOUR_MS);
    expect(await statusAt(one.download_url)).toBe(200);
    const again = (await send('GET', `/v1/reports/${one.report_id}/status`)).body;
    app.clock.advance(2 * HOUR_MS);
    expect(await statusAt(one.download_url)).toBe(401);
    expect(await statusAt(again.download_url)).toBe(200);
    const bearer = { authorization: `Bearer ${token}` };
    expect(await statusAt(`${app.url}/v1/reports/${one.report_id}/download`, bearer)).toBe(200);
    app.clock.advance(5 * 24 * HOUR_MS + 22 * HOUR_MS);
    const last = (await send('GET', `/v1/reports/${one.report_id}/status`)).body;
    expect(last.link_expires_at).toBe(last.expires_at);
    app.clock.advance(HOUR_MS);
    expect(await statusAt(last.download_url)).toBe(401);
    expect(await statusAt(`${app.url}/v1/reports/${one.report_id}/download`, bearer)).toBe(404);
    expect((await send('GET', '/v1/reports')).body.data).toEqual([]);
  });

  test('of a report that is not made opens nothing', async () => {
    const { send, token } = await owner();
    const { report_id } = (await send('POST', '/v1/reports/generate', { ...inventory, format: 'pdf' })).body;
    const early = await fetch(`${app.url}/v1/reports/${report_id}/download`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([early.status, await early.text()]).toEqual([404, expect.stringContaining('(status: generating)')]);
    await app.app.idle();
  });
});

describe('Delivery', () => {
  test('by webhook tells those who want to know, with the link', async () => {
    const { send, made } = await owner();
    const webhook = { name: 'Board', url: receiver.url, events: ['report.completed'] };
    await send('POST', '/v1/webhooks', webhook);
    const report = await made({ ...inventory, delivery: { method: 'webhook', recipients: ['board'] } });
    expect(report.delivery).toEqual({ method: 'webhook', recipients: ['board'], state: 'queued' });
    await receiver.count(1);
    const { event, data } = receiver.received[0]!.body;
    expect([event, data.report]).toEqual([
      'report.completed',
      expect.objectContaining({
        report_id: report.report_id,
        template: 'ci-inventory',
        name: 'CI inventory',
        status: 'completed',
        format: 'csv',
        recipients: ['board'],
        size_bytes: report.size_bytes,
        status_url: report.status_url,
      }),
    ]);
    expect(await statusAt(data.report.download_url)).toBe(200);
    const other = await made(inventory);
    await receiver.count(2);
    expect(receiver.received[1]!.body.data.report.report_id).toBe(other.report_id);
    expect(receiver.received[1]!.body.data.report).not.toHaveProperty('download_url');
    await app.app.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test('by webhook without one says so, and by email that there is no mail server; the report stands', async () => {
    const { made } = await owner();
    const untold = await made({ ...inventory, delivery: { method: 'webhook' } });
    expect([untold.status, untold.delivery.state]).toEqual(['completed', 'no_subscriber']);
    const mailed = await made({ ...inventory, delivery: { method: 'email', recipients: ['ann@example.com'] } });
    expect([mailed.status, mailed.delivery.state]).toEqual(['completed', 'not_configured']);
    expect(await statusAt(mailed.download_url)).toBe(200);
  });
});

describe('With a mail server', () => {
  test('each recipient gets a link, and the state tells if one was refused', async () => {
    const server = await openMailServer();
    const env = { FAULTLINE_SMTP_URL: server.url, FAULTLINE_PUBLIC_URL: 'https://faultline.example' };
    const mailing = await openTestApp(env);
    try {
      const token = await mailing.tenant('mailing', 'admin');
      const send = (method: string, path: string, body?: unknown) => mailing.send(method, path, body, { token });
      const state = async (...recipients: string[]): Promise<string> => {
        const asked = { ...inventory, delivery: { method: 'email', recipients } };
        const { report_id } = (await send('POST', '/v1/reports/generate', asked)).body;
        await mailing.app.idle();
        return (await send('GET', `/v1/reports/${report_id}/status`)).body.delivery.state;
      };
      expect(await state('ann@example.com', 'bo@example.com')).toBe('sent');
      expect(server.mails.map(({ to }) => to).sort()).toEqual(['ann@example.com', 'bo@example.com']);
      expect(server.mails[0]?.text).toContain('Subject: [Faultline] CI inventory');
      expect(server.mails[0]?.text).toContain('https://faultline.example/v1/reports/');
      server.refuse();
      expect(await state('ann@example.com')).toBe('not_sent');
    } finally {
      await mailing.stop();
      server.close();
    }
  });
});

describe('There is no report', () => {
  test('of what one may not read oneself', async () => {
    const { id, token: admin } = await owner();
    const scoped = async (scopes: readonly string[]) => {
      const given = { name: scopes.join(' '), scopes };
      const { body } = await app.send('POST', '/api/admin/tokens', given, { token: admin });
      return body.data.token as string;
    };
    const [narrow, wide] = [
      await scoped(['reports.write', 'reports.read']),
      await scoped(['reports.write', 'reports.read', 'cmdb.read']),
    ];
    expect((await app.send('POST', '/v1/reports/generate', inventory, { token: narrow })).status).toBe(403);
    const made = await app.send('POST', '/v1/reports/generate', { ...inventory, shared: true }, { token: wide });
    expect([id, made.status]).toEqual([id, 202]);
    await app.app.idle();
    const path = `/v1/reports/${made.body.report_id}/status`;
    expect((await app.send('GET', path, undefined, { token: wide })).status).toBe(200);
    expect((await app.send('GET', path, undefined, { token: narrow })).status).toBe(404);
    expect((await app.send('GET', '/v1/reports', undefined, { token: narrow })).body.data).toEqual([]);
  });

  test('while a hundred others wait', async () => {
    const { id, send } = await owner();
    const { records } = app.app.ports;
    // Places whose reports are not there wait for a minute.
    const places = Array.from({ length: 100 }, (_, n) =>
      placeRecord(reportTasks, { tenant: id, id: `none-${n}`, at: app.clock.now() }),
    );
    for (const { kind, id: place, body } of places) await records.put(SYSTEM_TENANT, kind, place, body);
    const refused = await send('POST', '/v1/reports/generate', inventory);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(refused.body.error.message).toContain('Report queue is full (100)');
    const other = await owner();
    expect((await other.made()).status).toBe('completed');
    app.clock.advance(60_001);
    expect((await other.made()).status).toBe('completed');
    await app.app.idle();
    expect(await records.list(SYSTEM_TENANT, queueOf(reportTasks), { limit: 200 })).toEqual([]);
    expect((await send('POST', '/v1/reports/generate', inventory)).status).toBe(202);
    await app.app.idle();
  });
});
