import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const MINUTE = 60_000;
const app = appOfTests();

test('a group whose last member is in another one leads there, and brings its owner and notes', async () => {
  const token = await app.tenant('acme');
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  const ingest = async (hostname: string, title: string): Promise<string> => {
    const event = { source: 's', sourceId: `${hostname} ${title}`, hostname, title, severity: 'critical' };
    const timestamp = new Date(app.clock.now()).toISOString();
    const { eventId } = (await send('POST', '/api/events/ingest', { ...event, timestamp })).body;
    await app.app.idle();
    return eventId;
  };
  const groupOf = async (id: string): Promise<string> =>
    (await send('GET', `/api/events/${id}`)).body.event.correlationId;

  const first = await ingest('db-1', 'Disk is full');
  const second = await ingest('db-1', 'Replication has stopped');
  const former = await groupOf(first);
  await send('POST', `/api/events/groups/${former}/split`, { eventIds: [second], reason: 'two faults' });
  await send('POST', '/v1/teams', { name: 'Storage' });
  await send('PUT', `/api/events/groups/${former}/assignee`, { team_id: 'Storage' });
  await send('POST', `/api/events/groups/${former}/notes`, { text: 'The array is being replaced' });

  app.clock.advance(240 * MINUTE);
  await ingest('db-2', 'Memory is exhausted');
  app.clock.advance(MINUTE);
  const other = await ingest('db-1', 'Memory is exhausted');
  const again = await ingest('db-1', 'Disk is full');
  const heir = await groupOf(again);
  expect([again === first, heir === former, await groupOf(other)]).toEqual([false, false, heir]);

  await app.app.idle();
  const { group } = (await send('GET', `/api/events/groups/${former}`)).body;
  expect(group).toMatchObject({ correlationId: heir, assignedTeam: { name: 'Storage' } });
  expect(group.history.map(({ text }: { text: string }) => text)).toContain('The array is being replaced');
  const { groups } = (await send('GET', '/api/events/groups')).body;
  const ids = groups.map(({ correlationId }: { correlationId: string }) => correlationId);
  expect([ids.includes(heir), ids.includes(former)]).toEqual([true, false]);
});
