import { beforeAll, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* Earlier groups like this one, with how they ended. */

const DAY_MS = 86_400_000;
const app = appOfTests();
let token: string;
const { send, ci, join } = infrastructureOf(() => ({ app, token }));

beforeAll(async () => {
  token = await app.tenant('similar');
  await join(await ci('web-1'), await ci('db-1', { type: 'database' }));
});

/** The group of the incident as it happens at this time. */
const incident = async (at: number): Promise<string> => {
  app.clock.set(at);
  const event = { source: 's', timestamp: new Date(at).toISOString() };
  const cause = { ...event, sourceId: `db ${at}`, severity: 'critical', title: 'Disk full', hostname: 'db-1' };
  const { eventId } = (await send('POST', '/api/events/ingest', cause)).body;
  const effect = { ...event, sourceId: `web ${at}`, severity: 'major', title: 'HTTP 503', hostname: 'web-1' };
  await send('POST', '/api/events/ingest', effect);
  await app.app.idle();
  return (await send('GET', `/api/events/${eventId}`)).body.event.correlationId;
};
const similarTo = async (group: string, as = token) =>
  app.send('GET', `/api/events/groups/${group}/similar`, undefined, { token: as });

test('the earlier one is found with its outcome, and nobody else finds it', async () => {
  const before = await incident(START - 3 * DAY_MS);
  expect((await similarTo(before)).body).toEqual({ success: true, similar: [] });
  const { events } = (await send('GET', `/api/events?correlationId=${before}`)).body;
  app.clock.set(START - 3 * DAY_MS + 1_800_000);
  for (const { eventId } of events)
    await send('PATCH', `/api/events/${eventId}/status`, { status: 'resolved', notes: 'Rotated the logs' });
  await app.app.idle();
  const now = await incident(START);
  const { body } = await similarTo(now);
  expect(body.similar).toMatchObject([
    { correlationId: before, title: 'Disk full', subject: 'db-1', durationSeconds: 1_800, note: 'Rotated the logs' },
  ]);
  expect(body.similar[0].likeness).toBeGreaterThan(0.5);
  expect((await similarTo(now, await app.tenant('similar-other'))).status).toBe(404);
});
