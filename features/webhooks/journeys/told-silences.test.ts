import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { notifyOfSilences } from '#features/webhooks/use-cases/sources/silences.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

/* Webhooks hear of silences: when they are planned, begin and end, and of each window of recurring ones. */

const HOUR = 3_600_000;
let it: TestApp;
let receiver: HookReceiver;
beforeEach(async () => {
  receiver = await openHookReceiver();
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterEach(async () => {
  await it.stop();
  await receiver.stop();
});

const subscribe = () =>
  it.send('POST', '/v1/webhooks', {
    name: 'Night',
    url: receiver.url,
    events: ['silence.planned', 'silence.started', 'silence.ended'],
  });
const silence = async (more: object): Promise<string> => {
  const body = { matcher: { host: 'db-*' }, reason: 'new disks', ...more };
  return (await it.send('POST', '/api/events/silences', body)).body.silence?.id;
};
const at = (ms: number): string => new Date(it.clock.now() + ms).toISOString();
/** What the next turn of the job sends. */
const told = async (): Promise<string[]> => {
  const before = receiver.received.length;
  await notifyOfSilences(it.app.ports, () => false);
  for (let turn = 0; turn < 3; turn++) {
    it.app.ports.background.ring('deliver-webhooks');
    await it.app.idle();
  }
  return receiver.received.slice(before).map(({ body }) => body.event);
};

test('one silence is told when it is planned, begins and is ended', async () => {
  await subscribe();
  expect(await told()).toEqual([]);
  const id = await silence({ startsAt: at(HOUR), endsAt: at(3 * HOUR) });
  expect(await told()).toEqual(['silence.planned']);
  expect(receiver.received[0]?.body.data.silence).toMatchObject({ id, state: 'planned', matches: 'host=db-*' });
  expect(await told()).toEqual([]);
  it.clock.advance(HOUR);
  expect(await told()).toEqual(['silence.started']);
  await it.send('DELETE', `/api/events/silences/${id}`);
  expect(await told()).toEqual(['silence.ended']);
  expect(await told()).toEqual([]);
});

test('a recurring one is told for each window; those of before are no news', async () => {
  await silence({ endsAt: at(48 * HOUR) });
  await subscribe();
  expect(await told()).toEqual([]);
  const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  await silence({ endsAt: at(47 * HOUR), recurrence: { weekdays, from: '12:00', to: '13:00', zone: 'UTC' } });
  const heard: string[] = [];
  for (let hour = 0; hour < 28; hour++) {
    heard.push(...(await told()).map((event) => `${hour} ${event}`));
    it.clock.advance(HOUR);
  }
  expect(heard).toEqual([
    '0 silence.planned',
    '2 silence.started',
    '3 silence.planned',
    '26 silence.started',
    '27 silence.planned',
  ]);
});

test('the longest silence is a setting; recurring ones may last longer', async () => {
  await it.send('PUT', '/api/admin/settings/lifecycle', { maxSilenceMs: 2 * HOUR });
  const refused = await it.send('POST', '/api/events/silences', {
    matcher: { host: 'db-*' },
    endsAt: at(3 * HOUR),
    reason: 'long',
  });
  expect(refused.body.details).toEqual([{ field: 'endsAt', message: 'expected at most 120 minutes after startsAt' }]);
  const id = await silence({ endsAt: at(2 * HOUR) });
  const changed = await it.send('PUT', `/api/events/silences/${id}`, { endsAt: at(3 * HOUR) });
  expect(changed.status).toBe(400);
  const recurrence = { weekdays: ['mon'], from: '12:00', to: '13:00', zone: 'UTC' };
  expect(await silence({ endsAt: at(72 * HOUR), recurrence })).toMatch(/^SIL-/);
});
