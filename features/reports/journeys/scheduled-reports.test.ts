import { beforeAll, expect, test } from '@jest/globals';
import { reportedTenant } from '#features/reports/journeys/reported.ts';
import { runSchedules } from '#features/reports/use-cases/scheduling/run-schedules.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

/* A report is made every day, for as long as its owner may. */

const HOUR_MS = 3_600_000;
const app = appOfTests();
let tenant: Awaited<ReturnType<typeof reportedTenant>>;
beforeAll(async () => {
  tenant = await reportedTenant(app, 'scheduled');
}, 60_000);

const due = async (): Promise<void> => {
  await runSchedules(app.app.ports, () => false);
  await app.app.idle();
};
const listed = async () => (await tenant.send('GET', '/v1/reports/schedules')).data;

test('a schedule starts its report when the time has come, once, and goes with its deletion', async () => {
  const asked = { template_id: 'handover', format: 'md', every: 'day', at: '08:00', time_zone: 'Europe/Berlin' };
  const made = await tenant.send('POST', '/v1/reports/schedules', asked);
  expect(made).toMatchObject({ template_id: 'handover', every: 'day', at: '08:00', last_report_id: null });
  expect(Date.parse(made.next_at)).toBeGreaterThan(app.clock.now());
  await due();
  expect((await listed())[0].last_report_id).toBeNull();
  app.clock.advance(23 * HOUR_MS);
  const { correlationId: id } = (await tenant.send('GET', '/api/events/groups?status=active')).groups[0];
  await tenant.send('POST', `/api/events/groups/${id}/notes`, { text: 'vendor called' });
  await tenant.send('PUT', `/api/events/groups/${id}/verdict`, { cause: 'wrong', members: 'right' });
  app.clock.advance(HOUR_MS);
  await due();
  await due();
  const [after] = await listed();
  expect(Date.parse(after.next_at)).toBeGreaterThan(app.clock.now());
  const reports = (await tenant.send('GET', '/v1/reports')).data;
  expect(reports.map((one: { report_id: string }) => one.report_id)).toEqual([after.last_report_id]);
  expect(reports[0]).toMatchObject({ status: 'completed', template_id: 'handover', format: 'md' });
  const status = await tenant.send('GET', `/v1/reports/${after.last_report_id}/status`);
  const text = await (await fetch(app.url + status.download_url)).text();
  expect(text).toMatch(/^# Handover\n/);
  expect(text).toContain('### Open groups, most urgent first');
  expect(text).toMatch(/rejected by \w+ \| \w+, .* ago: vendor called/);
  expect(text).toMatch(/commented \| sw-1: Link down on port 2 \| vendor called/);
  const since = new Date(Date.UTC(2026, 10, 22, 23)).toISOString();
  const { now, period } = (await tenant.send('GET', `/api/home?since=${since}`)).data;
  const open = now.groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  expect(text).toContain(`open now: **${open}**`);
  expect(text).toContain(`resolved: **${period.resolved}**`);
  const path = `/v1/reports/schedules/${made.schedule_id}`;
  const changed = await tenant.send('PUT', path, { ...asked, format: 'pdf', every: 'month', at: '06:30' });
  const { next_at, ...rest } = after;
  expect(changed).toMatchObject({ ...rest, format: 'pdf', every: 'month', at: '06:30' });
  expect(Date.parse(changed.next_at)).toBeGreaterThan(Date.parse(next_at));
  expect(await listed()).toEqual([changed]);
  await tenant.send('DELETE', path);
  expect(await listed()).toEqual([]);
});

test('a schedule whose owner is gone makes nothing, and says why', async () => {
  const own = await app.tenant('scheduled-gone');
  const send = (method: string, path: string, body?: unknown, token = own) => app.send(method, path, body, { token });
  const made = await send('POST', '/api/admin/tokens', { name: 'reporter', role: 'operator' });
  const { id, token } = made.body.data;
  const asked = { template_id: 'ci-inventory', format: 'csv', every: 'week', weekday: 3 };
  const created = await send('POST', '/v1/reports/schedules', asked, token);
  expect(created.status).toBe(201);
  expect((await send('DELETE', `/api/admin/tokens/${id}`)).status).toBeLessThan(300);
  app.clock.advance(8 * 24 * HOUR_MS);
  await due();
  const [schedule] = (await send('GET', '/v1/reports/schedules')).body.data;
  expect(schedule).toMatchObject({
    last_report_id: null,
    last_error: expect.stringMatching(/^reporter can no longer create reports/),
  });
});

test('a schedule of a report that nobody could ask for is refused', async () => {
  const { token } = tenant;
  const bad = async (body: object) =>
    (await app.send('POST', '/v1/reports/schedules', { every: 'day', ...body }, { token })).status;
  expect(await bad({ template_id: 'nothing' })).toBe(400);
  expect(await bad({ template_id: 'status-update', parameters: { group: 'COR-1-unknown' } })).toBe(400);
  expect(await bad({ template_id: 'handover', at: '25:00' })).toBe(400);
});
