import { describe, expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';
import { STYLES } from './cmdb-styles.ts';
import { type Scanning, scanning } from './discovery-styles.ts';

const app = appOfTests();

const HOUR = 3_600_000;
type Sent = Awaited<ReturnType<Scanning['send']>>;

interface AtOnce {
  readonly what: string;
  /** The id of an endpoint of its feature. */
  readonly needs?: string;
  readonly furnish?: (tenant: Scanning) => Promise<string>;
  readonly ask: (tenant: Scanning, of: string, n: number) => Promise<Sent>;
  /** Returns the number of changes that exist afterwards. */
  readonly left: (tenant: Scanning, of: string) => Promise<number>;
}

const group = async ({ send }: Scanning): Promise<string> => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const event = { source: 's', sourceId: `${n}`, severity: 'critical', title: `Disk ${n}`, hostname: `h${n}` };
    ids.push((await send('POST', '/api/events/ingest', event)).body.eventId);
  }
  const [primaryEventId, ...relatedEventIds] = ids;
  return (await send('POST', '/api/events/correlate', { primaryEventId, relatedEventIds, reason: 'x' })).body
    .correlationId;
};
const ci = ({ ci: made }: Scanning): Promise<string> => made('a');
const attributes = async ({ send }: Scanning, path: string): Promise<number> =>
  Object.keys((await send('GET', path)).data.attributes).length;

const TABLE: readonly AtOnce[] = [
  {
    what: 'PUT of a CI',
    furnish: ci,
    ask: ({ send }, id, n) => send('PUT', `/v1/cmdb/ci/${id}`, { attributes: { [`k${n}`]: n } }),
    left: (tenant, id) => attributes(tenant, `/v1/cmdb/ci/${id}`),
  },
  {
    what: 'POST of a CI with upsert, and PUT of it',
    furnish: ci,
    ask: ({ send }, id, n) =>
      n % 2 === 0
        ? send('PUT', `/v1/cmdb/ci/${id}`, { attributes: { [`k${n}`]: n } })
        : send('POST', '/v1/cmdb/ci?upsert=true', { name: 'a', type: 'server', attributes: { [`k${n}`]: n } }),
    left: (tenant, id) => attributes(tenant, `/v1/cmdb/ci/${id}`),
  },
  {
    what: 'upsert of a CI that is not there',
    ask: ({ send }, _, n) =>
      send('POST', '/v1/cmdb/ci?upsert=true', { name: 'new', type: 'server', attributes: { [`k${n}`]: n } }),
    left: async ({ send }) => Object.keys((await send('GET', '/v1/cmdb/ci')).body.data[0].attributes).length,
  },
  {
    what: 'bulk changes of one CI',
    furnish: ci,
    ask: ({ send }, id, n) =>
      send('POST', '/v1/cmdb/ci/bulk', { ids: [id], action: 'update', set: { attributes: { [`k${n}`]: n } } }),
    left: (tenant, id) => attributes(tenant, `/v1/cmdb/ci/${id}`),
  },
  {
    what: 'imports of one CI',
    needs: 'cmdb.import-ci',
    furnish: ci,
    ask: ({ send }, _, n) =>
      send('POST', '/v1/cmdb/import/ci', `name,type,attributes.k${n}\na,server,x\n`, { 'content-type': 'text/csv' }),
    left: (tenant, id) => attributes(tenant, `/v1/cmdb/ci/${id}`),
  },
  {
    what: 'notes on a group',
    furnish: group,
    ask: ({ send }, id, n) => send('POST', `/api/events/groups/${id}/notes`, { text: `note ${n}` }),
    left: async ({ send }, id) => (await send('GET', `/api/events/groups/${id}`)).body.group.notes.length,
  },
  {
    what: 'verdicts on a group',
    furnish: group,
    ask: ({ send }, id, n) =>
      send('PUT', `/api/events/groups/${id}/verdict`, { cause: 'right', members: 'right', note: `note ${n}` }),
    left: async ({ send }, id) =>
      (await send('GET', `/api/events/groups/${id}`)).body.group.history.filter(
        ({ kind }: { kind: string }) => kind === 'verdict',
      ).length,
  },
  {
    what: 'silences',
    needs: 'events.silences.create',
    ask: ({ send }, _, n) =>
      send('POST', '/api/events/silences', {
        matcher: { host: `h${n}` },
        reason: 'r',
        endsAt: new Date(START + HOUR).toISOString(),
      }),
    left: async ({ send }) => (await send('GET', '/api/events/silences')).body.pagination.total,
  },
  {
    what: 'views of all',
    ask: ({ send }, _, n) => send('POST', '/api/views', { name: `v${n}`, page: 'events', shared: true }),
    left: async ({ send }) => (await send('GET', '/api/views')).data.length,
  },
  {
    what: 'settings of sources',
    ask: ({ send }, _, n) =>
      send('PUT', '/api/admin/settings/inbound', { severities: { zabbix: { [`k${n}`]: 'major' } } }),
    left: async ({ send }) =>
      Object.keys((await send('GET', '/api/admin/settings/inbound')).data.severities.zabbix).length,
  },
];
const THERE = TABLE.filter(({ needs }) => needs === undefined || isThere(needs));
/** Three times the attempts of one change; with engines that have just started each needs up to 300 ms. */
const AT_ONCE = 24;

describe('Changes of one record at once, without If-Match', () => {
  test.each(THERE.map((one) => [one.what, one] as const))('%s: all are made', async (_, { furnish, ask, left }) => {
    const tenant = await scanning(app, STYLES[0]![1]);
    const of = (await furnish?.(tenant)) ?? '';
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(tenant, of, n)));
    expect(replies.filter(({ status }) => status >= 300).map(({ status, body }) => [status, body])).toEqual([]);
    await app.app.idle();
    expect(await left(tenant, of)).toBe(AT_ONCE);
  });
});

test('with If-Match one of them is made, and the others are told the revision', async () => {
  const { send, ci: made } = await scanning(app, STYLES[0]![1]);
  const id = await made('a');
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => send('PUT', `/v1/cmdb/ci/${id}`, { name: `n${n}` }, { 'if-match': '"1"' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
  const { error } = replies.find(({ status }) => status === 412)!.body;
  expect(error).toEqual({
    code: 'CONFLICT',
    message: expect.stringContaining('"2"'),
    details: [],
    request_id: expect.any(String),
    documentation_url: expect.any(String),
  });
});
