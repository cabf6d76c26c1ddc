import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const HOUR = 3_600_000;

test('counts of now, and what happened in the period', async () => {
  const token = await it.tenant('home');
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  let serial = 0;
  const ingest = async (severity: string, title: string): Promise<string> => {
    const draft = { source: 'zabbix', sourceId: `${++serial}`, severity, title, hostname: `${title}-1`.toLowerCase() };
    return (await send('POST', '/api/events/ingest', draft)).body.eventId;
  };
  const status = (id: string, to: string) => send('PATCH', `/api/events/${id}/status`, { status: to });
  const old = await ingest('critical', 'Database');
  it.clock.advance(13 * HOUR);
  const fan = await ingest('minor', 'Fan');
  await status(fan, 'resolved');
  it.clock.advance(3 * HOUR);
  await ingest('minor', 'Disk');
  it.clock.advance(HOUR);
  await status(old, 'acknowledged');
  const endsAt = (hours: number) => new Date(it.clock.now() + hours * HOUR).toISOString();
  for (const [hours, reason] of [
    [1, 'Disks'],
    [3, 'Later'],
  ] as const)
    await send('POST', '/api/events/silences', { matcher: { host: 'x' }, endsAt: endsAt(hours), reason });
  await it.app.idle();

  const { status: code, body } = await send('GET', '/api/home');
  expect(code).toBe(200);
  const { now, period } = body.data;
  expect(now).toMatchObject({ services: [], silentSources: [] });
  expect(now.groups).toEqual([
    { status: 'active', severity: 'minor', count: 1 },
    { status: 'acknowledged', severity: 'critical', count: 1 },
  ]);
  expect(now.silencesEnding).toMatchObject([{ reason: 'Disks' }]);
  expect(period).toMatchObject({ began: 2, unresolved: 1, resolved: 1, truncated: false });
  expect(period.longest.map(({ title }: { title: string }) => title)).toEqual([
    'database-1: Database',
    'disk-1: Disk',
    'fan-1: Fan',
  ]);
  expect(period.users).toMatchObject([
    {
      actions: [
        { action: 'silence.created', count: 2 },
        { action: 'event.acknowledged', count: 1 },
        { action: 'event.resolved', count: 1 },
      ],
    },
  ]);
  const wide = await send('GET', `/api/home?since=${new Date(it.clock.now() - 20 * HOUR).toISOString()}`);
  expect(wide.body.data.period).toMatchObject({ began: 3 });
});
