import { beforeAll, describe, expect, test } from '@jest/globals';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* A list of a storm is filtered until it shows the wanted event. */

const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'finding');
const { send } = own;
let ann: string;
let switchId: string;
let shopService: string;
const ids: string[] = [];

const STORM = [
  { hostname: 'fra1-core-01', title: 'Interface down', severity: 'critical', service: 'network', tags: ['gold'] },
  { hostname: 'FRA1-acc-02', title: 'NullPointerException in cart', severity: 'major', application: 'shop' },
  { hostname: 'fra1-db-01', title: 'Disk full', severity: 'minor', service: 'shop', environment: 'prod' },
  {
    hostname: 'ams2-db-01',
    title: 'Disk full',
    severity: 'minor',
    service: 'shop',
    environment: 'prod',
    tags: ['gold', 'eu'],
  },
  {
    hostname: 'ams2-web-01',
    title: 'HTTP 503',
    severity: 'warning',
    environment: 'lab',
    description: 'Upstream fra1 is gone',
  },
].map((event, n) => ({ ...event, source: 'test', sourceId: `s-${n}`, timestamp: START - (5 - n) * MINUTE }));

beforeAll(async () => {
  switchId = (await send('POST', '/v1/cmdb/ci', { name: 'fra1-core-01', type: 'switch' })).body.id;
  const person = { username: 'ann', name: 'Ann', password: 'a long enough password', role: 'viewer' };
  ann = (await send('POST', '/api/admin/users', person)).body.data.id;
  const shop = (await send('POST', '/v1/cmdb/ci', { name: 'shop-app', type: 'application' })).body.id;
  const dependence = { type: 'depends_on', source_ci: shop, target_ci: switchId };
  await send('POST', '/v1/cmdb/relationships', dependence);
  const serve = async (name: string, ...cis: readonly string[]): Promise<string> =>
    (await send('POST', '/v1/services', { name, components: cis.map((ci_id) => ({ ci_id, role: 'node' })) })).body.id;
  shopService = await serve('Web, shop', shop);
  await serve('Network', switchId);
  await serve('Empty');
  for (const event of STORM) ids.push((await send('POST', '/api/events/ingest', event)).body.eventId);
  await send('PATCH', `/api/events/${ids[2]}/status`, { status: 'acknowledged', assignedTo: 'ann' });
  await send('POST', '/api/admin/teams', { name: 'Night', members: [ann] });
  await send('PATCH', `/api/events/${ids[3]}/status`, { status: 'acknowledged', assignedTeam: 'Night' });
  await app.app.idle();
});

/** Returns the positions in the storm of the results of a query. */
const found = async (query: string, list = 'events'): Promise<number[]> => {
  const { status, body } = await send(
    'GET',
    `/api/events?${query.replace('SWITCH', switchId).replace('SHOP', shopService)}&sortOrder=asc`,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body[list].map(({ eventId }: { eventId: string }) => ids.indexOf(eventId));
};

test.each([
  ['host=fra1-core-01', [0]],
  ['host=FRA1-CORE-01.', [0]],
  ['host=fra1-*', [0, 1, 2]],
  ['host=*-db-0%3F', [2, 3]],
  ['host=fra1-core-01,ams2-*', [0, 3, 4]],
  ['host=nobody', []],
  ['service=shop', [1, 2, 3]],
  ['environment=prod', [2, 3]],
  ['tag=gold', [0, 3]],
  ['tag=eu,none', [3]],
  [`from=${iso(START - 4 * MINUTE)}&to=${iso(START - 3 * MINUTE)}`, [1, 2]],
  [`from=${iso(START - MINUTE)}`, [4]],
  ['assignee=ann', [2]],
  ['assignee=Night', [3]],
  ['assignee=none', [0, 1, 4]],
  ['assignee=me', []],
  ['ciId=SWITCH,nobody', [0]],
  ['ciId=nobody,none', []],
  ['businessService=network', [0]],
  ['businessService=SHOP', [0]],
  ['businessService=Empty', []],
  ['businessService=Empty,Network', [0]],
  ['businessService=Network&ciId=nobody', []],
  ['bound=true', [0]],
  ['bound=false&service=shop&status=open', [1]],
  ['usual=false', [0, 1, 2, 3, 4]],
  ['search=NullPointer', [1]],
  ['search=fra1-core', [0]],
  ['search=fra1', [0, 1, 2, 4]],
  ['search=disk%20ams2', [3]],
  ['search=upstr', [4]],
] as const)('%s', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test('what is mine is that of my teams, too', async () => {
  const login = { username: 'ann', password: 'a long enough password', tenant: 'finding' };
  const { data } = (await app.send('POST', '/api/auth/login', login, { token: null })).body;
  const mine = (await app.send('GET', '/api/events?assignee=me&sortOrder=asc', undefined, { token: data.token })).body;
  expect(mine.events.map(({ eventId }: { eventId: string }) => ids.indexOf(eventId))).toEqual([2, 3]);
  const known = (await app.send('GET', '/api/events/assignees', undefined, { token: data.token })).body;
  expect(known.teams).toEqual([{ _id: expect.any(String), name: 'Night', mine: true }]);
});

test('by ids, with and without their prefix', async () => {
  expect(await found(`ids=${ids[3]},${ids[1]!.slice(4)},EVT-01M7YWBDXTWDA6R21CQ905J7YQ`)).toEqual([1, 3]);
});

test('what is in a group and what is not make all', async () => {
  const [grouped, alone] = [await found('grouped=true'), await found('grouped=false')];
  expect([...grouped, ...alone].sort()).toEqual([0, 1, 2, 3, 4]);
  const shown = (await send('GET', '/api/events')).body.events as { eventId: string; correlationId: string | null }[];
  const inGroup = shown
    .filter(({ correlationId }) => correlationId !== null)
    .map(({ eventId }) => ids.indexOf(eventId));
  expect(grouped.toSorted()).toEqual(inGroup.toSorted());
});

test('a filter is gone through by cursor', async () => {
  const first = (await send('GET', '/api/events?host=*-0*&limit=3')).body;
  expect(first.pagination).toMatchObject({ total: 5, pageSize: 3 });
  const next = (await send('GET', `/api/events?host=*-0*&limit=3&cursor=${first.pagination.nextCursor}`)).body;
  const seen = [...first.events, ...next.events].map(({ eventId }: { eventId: string }) => ids.indexOf(eventId));
  expect(seen).toEqual([4, 3, 2, 1, 0]);
  expect(next.pagination.nextCursor).toBeNull();
});

test('rows have neither details nor tags nor description, and come by five hundred', async () => {
  const { status, body } = await send('GET', '/api/events?view=row&limit=500&host=ams2-*');
  expect(status).toBe(200);
  expect(body.events).toHaveLength(2);
  for (const row of body.events) {
    expect(row).toMatchObject({ source: 'test', hostname: expect.stringContaining('ams2'), occurrenceCount: 1 });
    for (const left of ['details', 'tags', 'description']) expect(row).not.toHaveProperty(left);
  }
});

test.each([
  ['limit=101', 'limit', 'with view=row to 500'],
  ['view=row&limit=501', 'limit', '500'],
  ['view=tall', 'view', 'row'],
  ['ids=EVT-1', 'ids', 'event IDs'],
  ['assignee=nobody-at-all', 'assignee', 'nobody-at-all'],
  ['businessService=Network,none', 'businessService', 'no service with the ID or name “none”'],
  ['grouped=maybe', 'grouped', 'true, false'],
  [`from=${iso(START)}&to=${iso(START - 1)}`, 'from', 'must not be after to'],
  [`timeRange=1h&to=${iso(START)}`, 'timeRange', 'from or to'],
  ['hosts=x', 'hosts', 'host'],
])('refuses %s and names the field', async (query, field, expected) => {
  const { status, body } = await send('GET', `/api/events?${query}`);
  expect(status).toBe(400);
  expect(body.message).toContain(field);
  expect(JSON.stringify(body)).toContain(expected);
});

describe('what the list can be narrowed by', () => {
  test('facets of all', async () => {
    const { status, body } = await send('GET', '/api/events/facets');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, total: 5, truncated: false });
    expect(body.facets).toMatchObject({
      severity: [
        { value: 'minor', count: 2 },
        { value: 'critical', count: 1 },
        { value: 'major', count: 1 },
        { value: 'warning', count: 1 },
      ],
      service: [
        { value: 'shop', count: 3 },
        { value: 'network', count: 1 },
      ],
      environment: [
        { value: 'prod', count: 2 },
        { value: 'lab', count: 1 },
      ],
      ci: [{ value: switchId, name: 'fra1-core-01', count: 1 }],
      assignee: [{ value: ann, name: 'Ann', count: 1 }],
    });
    expect(body.facets.host).toHaveLength(5);
  });

  test('every value that is shown finds as many events as it says', async () => {
    const names = {
      severity: 'severity',
      status: 'status',
      service: 'service',
      environment: 'environment',
      host: 'host',
    };
    const { facets } = (await send('GET', '/api/events/facets?status=open')).body;
    for (const [facet, parameter] of Object.entries(names))
      for (const { value, count } of facets[facet]) {
        const narrowed = parameter === 'status' ? '' : 'status=open&';
        expect(await found(`${narrowed}${parameter}=${value}`)).toHaveLength(count);
      }
  });

  test('facets of a filter', async () => {
    const { body } = await send('GET', '/api/events/facets?host=fra1-*&severity=critical,minor');
    expect(body).toMatchObject({ total: 2, facets: { environment: [{ value: 'prod', count: 1 }] } });
  });
});

describe('over time', () => {
  test('the last 24 hours by severity', async () => {
    const { status, body } = await send('GET', '/api/events/histogram');
    expect(status).toBe(200);
    expect([body.from, body.to, body.stepMs]).toEqual([iso(START - 24 * 60 * MINUTE), iso(START), 15 * MINUTE]);
    const none = { critical: 0, major: 0, minor: 0, warning: 0, info: 0 };
    expect(body.buckets).toEqual([
      { at: iso(START - 15 * MINUTE), bySeverity: { ...none, critical: 1, major: 1, minor: 2, warning: 1 } },
    ]);
  });

  test('a narrow range and a filter', async () => {
    const range = `from=${iso(START - 4 * MINUTE)}&to=${iso(START - 2 * MINUTE)}`;
    const { stepMs, buckets } = (await send('GET', `/api/events/histogram?${range}&service=shop`)).body;
    expect(stepMs).toBe(2_000);
    expect(buckets.map(({ at }: { at: string }) => at)).toEqual([4, 3, 2].map((n) => iso(START - n * MINUTE)));
  });

  test('another tenant sees nothing of it', async () => {
    const other = await app.tenant('elsewhere');
    const ask = async (path: string) => (await app.send('GET', path, undefined, { token: other })).body;
    expect((await ask('/api/events/facets?host=fra1-*')).total).toBe(0);
    expect((await ask('/api/events/histogram?service=shop')).buckets).toEqual([]);
    expect((await ask(`/api/events?ids=${ids[0]}`)).events).toEqual([]);
  });
});
