import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { liftSilences, openLifting } from '#features/silences/use-cases/lift-silences.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

/* A suppressed event is no new problem: webhooks receive it when it is open. */

const HOUR = 3_600_000;

let it: TestApp;
let receiver: HookReceiver;
beforeEach(async () => {
  receiver = await openHookReceiver();
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  // An hour passes here, and receipt times are limited by the broker's append time.
  it.clock.set(START - 24 * HOUR);
});
afterEach(async () => {
  await it.stop();
  await receiver.stop();
});

const send = async (method: string, path: string, body?: unknown) => {
  const reply = await it.send(method, path, body);
  expect([200, 201]).toContain(reply.status);
  return reply.body;
};
const ingest = (hostname: string, more: object = {}) => {
  const event = { source: 'otel', sourceId: hostname, severity: 'major', title: 'Disk full', hostname, ...more };
  return send('POST', '/api/events/ingest', event);
};
const heard = (): string[] =>
  receiver.received.map(({ body }) => `${body.event} ${body.data.event.hostname} ${body.data.event.status}`);
const hears = (...wanted: readonly string[]) =>
  until(async () => {
    it.app.ports.background.ring('deliver-webhooks');
    await it.app.idle();
    return wanted.every((one) => heard().includes(one));
  });

test('an event that comes in a silence is told when it is open, and never when it recovers before', async () => {
  await send('POST', '/v1/webhooks', {
    name: 'All',
    url: receiver.url,
    events: ['event.created', 'event.status_changed'],
  });
  await ingest('known');
  await hears('event.created known open');
  const endsAt = new Date(it.clock.now() + HOUR).toISOString();
  await send('POST', '/api/events/silences', { matcher: { tag: 'move' }, endsAt, reason: 'the rack moves' });
  const tags = ['move'];
  const known = await ingest('known', { tags });
  expect(known.status).toBe('duplicate_updated');
  const [late, gone] = [await ingest('late', { tags }), await ingest('gone', { tags })];
  for (const { suppressedBy } of [late, gone]) expect(suppressedBy).toMatch(/^SIL-/);
  await send('PATCH', `/api/events/${gone.eventId}/status`, { status: 'resolved' });
  await ingest('other');
  await hears('event.created other open', 'event.status_changed known suppressed');
  expect(heard().filter((one) => / (late|gone) /.test(one))).toEqual([]);

  it.clock.advance(HOUR);
  await liftSilences(it.app.ports, openLifting(), () => false);
  await hears('event.created late open', 'event.status_changed known open');
  await send('PATCH', `/api/events/${late.eventId}/status`, { status: 'resolved' });
  await hears('event.status_changed late resolved');
  expect(heard().filter((one) => / (late|gone) /.test(one))).toEqual([
    'event.created late open',
    'event.status_changed late resolved',
  ]);
});
