import { expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';
import { runDeferredAnalyses } from '#features/analysis/use-cases/deferred-analyses.ts';
import { DEFERRED_KIND } from '#features/analysis/use-cases/deferred-records.ts';
import { takeCreated } from '#features/analysis/use-cases/sinks.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const eventsOf = async (tenant: string): Promise<readonly Event[]> =>
  (await app.app.ports.events.find(tenant, {}, { sort: 'createdAt', order: 'asc', limit: 100 })).items;
const analysedIn = async (tenant: string): Promise<string[]> =>
  (await eventsOf(tenant)).flatMap(({ sourceId, aiAnalysis }) => (aiAnalysis ? [sourceId] : [])).sort();

test('in a storm the telling events are analysed first, and the others when it is over', async () => {
  const token = await app.tenant('storm');
  // Whoever receives analyses also gets those of members of groups.
  const hook = { name: 'all', url: 'https://hooks.example.com/', events: ['analysis.completed'] };
  await app.send('POST', '/v1/webhooks', hook, { token });
  const given = (sourceId: string, severity: string, title: string) => ({
    source: 'zabbix',
    sourceId,
    severity,
    title,
    hostname: `host-${sourceId}`,
    timestamp: app.clock.now(),
  });
  const events = [
    ...['a', 'b', 'c'].map((id) => given(id, 'minor', 'Queue of mails grows')),
    given('d', 'major', 'Queue of mails grows'),
    given('e', 'minor', 'Something odd'),
  ];
  expect((await app.send('POST', '/api/events/bulk-ingest', { events }, { token })).status).toBe(200);
  await app.app.idle();
  const stored = await eventsOf('storm');
  const batch = stored.map(
    ({ id, createdPosition, createdAt }): SinkEvent => ({
      tenant: 'storm',
      happened: 'created',
      id,
      position: createdPosition,
      at: createdAt,
    }),
  );
  await takeCreated(app.app.ports, batch, 50_001);
  await app.app.idle();
  expect(await analysedIn('storm')).toHaveLength(3);
  expect(await analysedIn('storm')).toEqual(expect.arrayContaining(['d', 'e']));
  const left = await app.app.ports.records.list<{ ids: string[] }>('storm', DEFERRED_KIND, { limit: 10 });
  expect(left.map(({ body }) => body.ids.length)).toEqual([2]);
  await runDeferredAnalyses(app.app.ports, () => false);
  await app.app.idle();
  expect(await analysedIn('storm')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await app.app.ports.records.list('storm', DEFERRED_KIND, { limit: 10 })).toEqual([]);
});
