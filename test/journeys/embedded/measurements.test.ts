import { expect, test } from '@jest/globals';
import { countGroups } from '#application/jobs.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();

/** Value of one line of /metrics, or null when there is none. */
const measured = async (series: string): Promise<number | null> => {
  const { body } = await app.send('GET', '/metrics', undefined, { token: null });
  const line = (body as string).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
};
const ingested = (source: string, outcome: string) =>
  measured(`faultline_events_ingested_total{source="${source}",outcome="${outcome}"}`);
const event = (sourceId: string, hostname: string) => ({
  sourceId,
  hostname,
  severity: 'critical',
  title: 'Database down',
  service: 'shop',
});

test('what became of occurrences is counted by monitor, and names of clients are one label', async () => {
  const events = [event('1', 'db-1'), event('2', 'db-1'), event('3', 'db-2'), { status: 'resolved', sourceId: '1' }];
  const bulk = await app.send('POST', '/api/events/bulk-ingest', { source: 'a client of ours', events });
  expect(bulk.body.summary).toMatchObject({ successful: 3, duplicates: 1 });
  await app.send('POST', '/api/events/ingest', { ...event('4', 'db-3'), source: 'icinga' });
  const problem = { notification_type: 'PROBLEM', hostname: 'db-4', state: 'DOWN' };
  expect((await app.send('POST', '/api/events/webhook/naemon', problem)).status).toBe(200);
  expect(await ingested('other', 'created')).toBe(2);
  expect(await ingested('other', 'duplicate_updated')).toBe(1);
  expect(await ingested('other', 'resolved')).toBe(1);
  expect(await ingested('nagios', 'created')).toBe(2);
  expect(await measured('faultline_duplicates_total')).toBe(1);
  const { body } = await app.send('GET', '/metrics', undefined, { token: null });
  expect(body).not.toContain('a client of ours');
});

test('sizes, lag and open groups are those of the moment', async () => {
  await app.app.idle();
  expect(await measured('faultline_state_size{processor="dedup",what="open_events"}')).toBe(3);
  // Data of brokers is two seconds old at most.
  await until(async () => (await measured('faultline_processor_lag{processor="dedup"}')) === 0);
  expect(await measured('faultline_processor_lag{processor="merge"}')).toBe(0);
  expect(await measured('faultline_groups_open')).toBe(1);
  expect(await measured('faultline_queue_depth')).toBe(0);
});

test('what is refused is counted before anybody looks: webhooks that cannot be read, tokens that ended', async () => {
  expect(await measured('faultline_webhook_rejected_total{source="grafana"}')).toBe(0);
  expect((await app.send('POST', '/api/events/webhook/grafana', { alerts: 'none' })).status).toBe(400);
  expect(await measured('faultline_webhook_rejected_total{source="grafana"}')).toBe(1);
  const made = await app.send('POST', '/api/admin/tokens', { name: 'x', role: 'ingest' });
  const { id, token } = made.body.data;
  await app.send('DELETE', `/api/admin/tokens/${id}`);
  const series = 'faultline_credentials_refused_total{class="webhook",reason="revoked"}';
  expect(await measured(series)).toBe(0);
  expect((await app.send('POST', '/api/events/webhook/grafana', {}, { token })).status).toBe(401);
  expect(await measured(series)).toBe(1);
  expect(await measured('faultline_source_last_event_timestamp_seconds{source="nagios"}')).toBe(
    app.clock.now() / 1_000,
  );
});

test('what people do with events is measured once each, and groups are counted by state and age', async () => {
  const made = await app.send('POST', '/api/events/bulk-ingest', {
    source: 'people',
    events: [
      event('p1', 'db-7'),
      event('p2', 'db-7b'),
      { ...event('p3', 'db-8'), timestamp: app.clock.now() - 90_000 },
    ],
  });
  const ids = made.body.results.success.map(({ eventId }: { eventId: string }) => eventId);
  await app.app.idle();
  const counted = async () => [
    await measured('faultline_acknowledge_seconds_count'),
    await measured('faultline_acknowledge_seconds_bucket{le="60"}'),
    await measured('faultline_resolve_seconds_count'),
  ];
  expect(await counted()).toEqual([0, 0, 0]);
  const acknowledge = () => app.send('POST', '/api/events/status', { ids, status: 'acknowledged' });
  expect((await acknowledge()).body.changed).toBe(3);
  expect((await acknowledge()).body.changed).toBe(0);
  expect(await counted()).toEqual([3, 2, 0]);
  await app.send('POST', '/api/events/status', { ids: ids.slice(0, 1), status: 'resolved' });
  await app.send('POST', '/api/events/status', { ids: ids.slice(0, 1), status: 'open' });
  await app.send('POST', '/api/events/status', { ids: ids.slice(0, 1), status: 'resolved' });
  expect(await counted()).toEqual([3, 2, 1]);
  await countGroups(app.app.ports, () => false);
  const { body } = await app.send('GET', '/api/events/groups');
  let groups = 0;
  for (const state of ['active', 'acknowledged', 'resolved'])
    groups += (await measured(`faultline_groups{state="${state}",age="1h"}`)) ?? Number.NaN;
  expect(groups).toBe(body.pagination.total);
  expect(groups).toBeGreaterThan(0);
  expect(await measured('faultline_groups{state="active",age="older"}')).toBe(0);
});

test('/readyz says whether tokens expire', async () => {
  const { body } = await app.send('GET', '/readyz?verbose', undefined, { token: null });
  const tokens = { name: 'tokens', ok: true, detail: 'none expires within 14 days' };
  expect(body.checks).toContainEqual(tokens);
});
