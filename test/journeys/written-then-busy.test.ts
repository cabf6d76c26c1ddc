import { describe, expect, test } from '@jest/globals';
import { busyAfterWriting } from '#test/setup/busy-after-writing.ts';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { endpoints } from '#whole';
import { STYLES } from './cmdb-styles.ts';
import { type Scanning, scanning } from './discovery-styles.ts';
import { CHANGES, type Change, changesOf } from './platform-changes.ts';

const app = appOfTests();

const HOUR = 3_600_000;
const at = (ms: number): string => new Date(START + ms).toISOString();

const event = (n: number) => ({
  source: 's',
  sourceId: `e${n}`,
  severity: 'critical',
  title: `Disk ${n} is full`,
  hostname: `h${n}`,
});
const ingested = async ({ send }: Scanning, n = 0): Promise<string> =>
  (await send('POST', '/api/events/ingest', event(n))).body.eventId;
const grouped = async (tenant: Scanning): Promise<string> => {
  const [primaryEventId, ...relatedEventIds] = [
    await ingested(tenant, 0),
    await ingested(tenant, 1),
    await ingested(tenant, 2),
  ];
  const made = await tenant.send('POST', '/api/events/correlate', { primaryEventId, relatedEventIds, reason: 'x' });
  return `${made.body.correlationId} ${relatedEventIds.join(' ')}`;
};
const silence = { matcher: { host: 'db1' }, endsAt: at(HOUR), reason: 'work' };
const silenced = async ({ send }: Scanning): Promise<string> =>
  (await send('POST', '/api/events/silences', silence)).body.silence.id;

type Asked = Pick<Change, 'endpoint' | 'furnish' | 'ask'>;
const on = (
  endpoint: string,
  method: string,
  path: (of: string) => string,
  body?: (of: string) => unknown,
  furnish?: Asked['furnish'],
): Asked => ({
  endpoint,
  ...(furnish && { furnish }),
  ask: ({ send }, headers, of) => send(method, path(of), body?.(of), headers),
});
const first = (of: string): string => of.split(' ')[0]!;
const inGroup = (endpoint: string, method: string, path: string, body: (of: string) => unknown): Asked =>
  on(endpoint, method, (of) => `/api/events/groups/${first(of)}/${path}`, body, grouped);

/** Changes of events, groups and silences. */
const OF_EVENTS: readonly Asked[] = [
  on(
    'events.ingest',
    'POST',
    () => '/api/events/ingest',
    () => event(7),
  ),
  on(
    'events.create',
    'POST',
    () => '/v1/events',
    () => ({ source: 's', source_id: 'e8', severity: 'critical', title: 'Disk 8 is full' }),
  ),
  on(
    'events.bulk-ingest',
    'POST',
    () => '/api/events/bulk-ingest',
    () => ({ source: 's', events: [event(9)] }),
  ),
  on(
    'events.webhook',
    'POST',
    () => '/api/events/webhook/prometheus',
    () => ({ status: 'firing', alerts: [{ status: 'firing', labels: { alertname: 'Full', instance: 'h1:9100' } }] }),
  ),
  on(
    'events.set-status',
    'PATCH',
    (id) => `/api/events/${id}/status`,
    () => ({ status: 'acknowledged' }),
    ingested,
  ),
  on(
    'events.add-note',
    'POST',
    (id) => `/api/events/${id}/notes`,
    () => ({ text: 'on it' }),
    ingested,
  ),
  on(
    'events.set-status-of-many',
    'POST',
    () => '/api/events/status',
    (id) => ({ ids: [id], status: 'acknowledged' }),
    ingested,
  ),
  on(
    'events.correlate',
    'POST',
    (id) => `/api/events/${id}/correlate`,
    () => ({}),
    ingested,
  ),
  on(
    'events.correlate-manually',
    'POST',
    () => '/api/events/correlate',
    (of) => ({ primaryEventId: first(of), relatedEventIds: of.split(' ').slice(1), reason: 'x' }),
    async (tenant) => `${await ingested(tenant, 0)} ${await ingested(tenant, 1)}`,
  ),
  inGroup('events.group-assignee', 'PUT', 'assignee', () => ({ user_id: null, team_id: null })),
  inGroup('events.group-notes', 'POST', 'notes', () => ({ text: 'on it' })),
  inGroup('events.group-verdict', 'PUT', 'verdict', () => ({ cause: 'right', members: 'right' })),
  inGroup('events.group-split', 'POST', 'split', (of) => ({ eventIds: of.split(' ').slice(1), reason: 'x' })),
  ...(['acknowledge', 'unacknowledge', 'resolve', 'reopen', 'assign'] as const).map((verb) =>
    on(
      `events.groups-${verb}`,
      'POST',
      () => `/api/events/groups/${verb}`,
      (of) => ({ ids: [first(of)], ...(verb === 'assign' && { user_id: null }) }),
      grouped,
    ),
  ),
  on(
    'events.groups-undo',
    'POST',
    () => '/api/events/groups/undo',
    (operationId) => ({ operationId }),
    async (tenant) => {
      const ids = [first(await grouped(tenant))];
      return (await tenant.send('POST', '/api/events/groups/acknowledge', { ids })).body.operationId;
    },
  ),
  on(
    'events.silences.create',
    'POST',
    () => '/api/events/silences',
    () => silence,
  ),
  on(
    'events.silences.update',
    'PUT',
    (id) => `/api/events/silences/${id}`,
    () => ({ reason: 'more' }),
    silenced,
  ),
  on('events.silences.end', 'DELETE', (id) => `/api/events/silences/${id}`, undefined, silenced),
];

/** A request fails only when nothing was done for it. */
const askWhileBusy = async (tenant: Scanning, { furnish, ask }: Asked) => {
  const of = (await furnish?.(tenant)) ?? '';
  await app.app.idle();
  const restore = busyAfterWriting(app.app.ports);
  const reply = await ask(tenant, {}, of, 0).finally(restore);
  await app.app.idle();
  expect([reply.status < 300, reply.status >= 300 && reply.body]).toEqual([true, false]);
};

test('the table has every change of events, groups and silences', () => {
  const changing = endpoints.filter(({ mounts }) => mounts.some(({ method }) => method !== 'get'));
  const asking = /^events\.(silences\.preview|analyze-correlations|group-investigate)$/;
  const ids = changing.map(({ id }) => id).filter((id) => id.startsWith('events.') && !asking.test(id));
  expect(
    OF_EVENTS.map(({ endpoint }) => endpoint)
      .filter(isThere)
      .sort(),
  ).toEqual(ids.sort());
  expect(CHANGES.length).toBeGreaterThan(25);
});

describe('No reads are answered after the write', () => {
  test.each(OF_EVENTS.filter(({ endpoint }) => isThere(endpoint)).map((one) => [one.endpoint, one] as const))(
    '%s is answered',
    async (_, asked) => {
      await askWhileBusy(await scanning(app, STYLES[1]![1]), asked);
    },
  );
});

const withComponent = async ({ ci }: Scanning) => ({
  name: 'Shop',
  components: [{ ci_id: await ci('a'), role: 'db' }],
});

/** Requests that the other tables make in their plainest form only. */
const MORE: readonly Asked[] = [
  {
    endpoint: 'services.create',
    furnish: async (tenant) => JSON.stringify(await withComponent(tenant)),
    ask: ({ send }, headers, body) => send('POST', '/v1/services', JSON.parse(body), headers),
  },
  {
    endpoint: 'services.update',
    furnish: async (tenant) => (await tenant.send('POST', '/v1/services', await withComponent(tenant))).body.id,
    ask: ({ send }, headers, id) => send('PUT', `/v1/services/${id}`, { name: 'Store' }, headers),
  },
  {
    endpoint: 'cmdb.create-ci',
    furnish: ({ ci }) => ci('a'),
    ask: ({ send }, headers) =>
      send('POST', '/v1/cmdb/ci?upsert=true', { name: 'a', type: 'server', description: 'd' }, headers),
  },
  {
    endpoint: 'cmdb.delete-ci',
    furnish: async (tenant) => {
      const body = await withComponent(tenant);
      if (isThere('services.create')) await tenant.send('POST', '/v1/services', body);
      return body.components[0]!.ci_id;
    },
    ask: ({ send }, headers, id) => send('DELETE', `/v1/cmdb/ci/${id}?cascade=true`, undefined, headers),
  },
];

test.each(MORE.filter(({ endpoint }) => isThere(endpoint)).map((one) => [one.endpoint, one] as const))(
  '%s, with all that hangs on it, is answered',
  async (_, asked) => {
    await askWhileBusy(await scanning(app, STYLES[0]![1]), asked);
  },
);

// A sync plans and writes batch by batch; the same sync again completes one that was interrupted.
const inOneStep = (prefix: string) => changesOf(prefix).filter(([endpoint]) => endpoint !== 'cmdb.sync');
describe.each(STYLES)('No reads are answered after the write under %s', (prefix, style) => {
  test.each(inOneStep(prefix))('%s is answered', async (_, change) => {
    await askWhileBusy(await scanning(app, style), change);
  });
});
