import { expect, test } from '@jest/globals';
import { REGULAR_AFTER_MS, SILENT_AFTER_MS } from '#features/silent-sources/rules/rhythm.ts';
import { watchSources } from '#features/silent-sources/use-cases/watch-sources.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const MINUTE = 60_000;

const watch = () => watchSources(it.app.ports, { now: it.clock.now(), listeningSince: 0 });

/** A tenant whose source `probe` sends each minute for an hour, and its ways to ask. */
const regular = async (tenant: string) => {
  const token = await it.tenant(tenant);
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const ping = async () => {
    const event = { source: 'probe', sourceId: '1', severity: 'info', title: 'Ping' };
    expect((await send('POST', '/api/events/ingest', event)).body.success).toBe(true);
    await watch();
  };
  for (let at = 0; at <= REGULAR_AFTER_MS; at += MINUTE) {
    await ping();
    it.clock.advance(MINUTE);
  }
  const events = async () => (await send('GET', '/api/events?source=faultline')).body.events;
  const silent = async () => (await send('GET', '/api/sources/silent')).body.data;
  return { send, ping, events, silent };
};

test('a source that sent each minute and stops for 15 minutes is one major event, until its next message', async () => {
  const { ping, events, silent } = await regular('silent-1');
  const last = new Date(it.clock.now() - MINUTE).toISOString();
  it.clock.advance(SILENT_AFTER_MS - MINUTE);
  await watch();
  expect([await events(), await silent()]).toEqual([[], []]);
  it.clock.advance(MINUTE);
  for (const _ of [1, 2]) await watch();
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ severity: 'major', status: 'open', title: 'No data from source probe' });
  expect(event.occurrenceCount).toBe(1);
  expect(await silent()).toMatchObject([
    { name: 'probe', title: 'probe', lastEventAt: last, eventId: event.eventId, since: event.createdAt },
  ]);
  await ping();
  expect(await silent()).toEqual([]);
  expect((await events()).map(({ status }: { status: string }) => status)).toEqual(['resolved']);
});

test('a resolved event means that the silence is wanted', async () => {
  const { send, events, silent } = await regular('silent-2');
  it.clock.advance(SILENT_AFTER_MS);
  await watch();
  const [{ eventId }] = await events();
  await send('PATCH', `/api/events/${eventId}/status`, { status: 'resolved' });
  it.clock.advance(SILENT_AFTER_MS);
  await watch();
  expect(await silent()).toEqual([]);
  expect(await events()).toMatchObject([{ eventId, status: 'resolved' }]);
});
