import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const app = appOfTests();

const check = async () => {
  const { checks } = (await app.send('GET', '/readyz?verbose')).body;
  return checks.find(({ name }: { name: string }) => name === 'clock');
};
const settling = async () =>
  Number(/^faultline_clock_settling_seconds (\S+)$/m.exec((await app.send('GET', '/metrics')).body)?.[1]);

test('a clock that was set shows, and a platform administrator confirms it', async () => {
  expect([(await check()).warn, await settling()]).toEqual([undefined, 0]);
  app.clock.set(START + 91 * 86_400_000);
  expect(await check()).toMatchObject({ ok: true, warn: true, detail: expect.stringContaining('jumped +91d') });
  expect(await settling()).toBeGreaterThan(3_500);
  const confirm = (token?: string) =>
    app.send('POST', '/api/admin/pipeline/clock/confirm', undefined, token === undefined ? {} : { token });
  expect((await confirm(await app.tenant('acme'))).status).toBe(403);
  const { status, body } = await confirm();
  expect([status, body.data]).toEqual([200, { confirmed_at: '2027-02-19T10:00:00.000Z' }]);
  const { body: trail } = await app.send('GET', '/api/admin/audit?target=clock/system');
  expect(trail.data).toMatchObject([{ action: 'clock.confirmed' }]);
});
