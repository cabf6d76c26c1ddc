import { describe, expect, test } from '@jest/globals';
import { STYLES, type Style, speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const open = async (style: Style) => {
  const it = await speaking(app, style);
  let told = 0;
  /** An open event on the host; a function that resolves it. */
  const event = async (hostname: string, severity: string) => {
    const draft = { source: 's', sourceId: `${++told}`, severity, title: `Complaint number ${told} about disk full` };
    const { eventId } = (await it.send('POST', '/api/events/ingest', { ...draft, hostname })).body;
    return (status: string) => it.send('PATCH', `/api/events/${eventId}/status`, { status });
  };
  const service = async (name: string, components: object[], more: object = {}): Promise<string> =>
    (await it.send('POST', '/services', { name, components, ...more })).data.id;
  /** The same whether one is asked for or all. */
  const health = async (id: string) => {
    const one = (await it.send('GET', `/services/${id}`)).data.health;
    const listed = (await it.send('GET', '/services')).body.data.find((found: { id: string }) => found.id === id);
    expect(listed.health).toEqual(one);
    return `${one.status} ${one.score}`;
  };
  return { ...it, event, service, health };
};

describe.each(STYLES)('The health of a service under %s', (_, style) => {
  test.each([
    ['critical', 'critical 0'],
    ['major', 'degraded 55'],
    ['minor', 'degraded 80'],
    ['warning', 'healthy 92'],
    ['info', 'healthy 100'],
  ])('falls with an open event of severity %s to %s, and comes back', async (severity, expected) => {
    const { ci, service, event, health } = await open(style);
    const id = await service('Shop', [{ ci_id: await ci('web-1'), role: 'web' }]);
    expect(await health(id)).toBe('healthy 100');
    const set = await event('web-1', severity);
    expect(await health(id)).toBe(expected);
    await set('acknowledged');
    expect(await health(id)).toBe(expected);
    await set('resolved');
    expect(await health(id)).toBe('healthy 100');
  });

  test.each([
    ['web', 'critical 0'],
    ['read replica', 'degraded 50'],
    ['backup', 'degraded 70'],
  ])('depends on the role: %s', async (role, expected) => {
    const { ci, service, event, health } = await open(style);
    const id = await service('Shop', [{ ci_id: await ci('host-1'), role }]);
    await event('host-1', 'critical');
    expect(await health(id)).toBe(expected);
  });

  test('stands while enough of a redundant group is left', async () => {
    const { ci, service, event, health, send } = await open(style);
    const group = { role: 'web', redundancy_group: 'web', redundancy_required: 2 };
    const names = ['web-1', 'web-2', 'web-3'];
    const components = await Promise.all(names.map(async (name) => ({ ci_id: await ci(name), ...group })));
    const id = await service('Shop', components);
    await event('web-1', 'critical');
    expect(await health(id)).toBe('healthy 100');
    const second = await event('web-2', 'critical');
    expect(await health(id)).toMatch(/^critical/);
    await second('suppressed');
    expect(await health(id)).toBe('healthy 100');
    // One of three is needed now, and two are gone.
    await event('web-3', 'critical');
    await send('PUT', `/services/${id}`, { components: components.map((one) => ({ ...one, redundancy_required: 1 })) });
    expect(await health(id)).toBe('healthy 100');
  });

  test('falls with what its components depend on, unless something stands in', async () => {
    const { ci, join, service, event, health } = await open(style);
    const [web, left, right] = [await ci('web'), await ci('left'), await ci('right')];
    const uplink = { attributes: { redundancy_group: 'uplink' } };
    await join(web, left, uplink);
    await join(web, right, uplink);
    const id = await service('Shop', [{ ci_id: web, role: 'web' }]);
    await event('left', 'critical');
    expect(await health(id)).toBe('healthy 100');
    await event('right', 'critical');
    expect(await health(id)).toBe('critical 10');
  });

  test('is unknown without components, and is drawn in its colour', async () => {
    const { ci, join, service, event, health, send } = await open(style);
    const [web, db] = [await ci('web'), await ci('db')];
    await join(web, db);
    const shop = await service('Shop', [{ ci_id: web, role: 'web' }]);
    await service('Stock', [{ ci_id: db, role: 'database' }]);
    const empty = await service('Plan', []);
    expect(await health(empty)).toBe('unknown 100');
    const { dependency_map } = (await send('GET', `/services/${shop}/dependencies`)).data;
    const colours = async () => {
      const map = await app.send('GET', dependency_map.visualization_url, undefined, { token: null });
      expect(map.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
      return [...(map.body as string).matchAll(/stroke="(#\w+)" stroke-width="2"/g)].map(([, colour]) => colour).sort();
    };
    const before = await colours();
    expect(before).toHaveLength(2);
    await event('db', 'critical');
    const after = await colours();
    expect(new Set(before).size).toBe(1);
    expect(after.filter((colour) => before.includes(colour))).toEqual([]);
  });
});

describe.each(STYLES)('Services under %s', (_, style) => {
  test('are found by words and by how much hangs on them', async () => {
    const { send, service } = await open(style);
    await service('Shop', [], { criticality: 'high', description: 'Sells things' });
    await service('Payroll', [], { criticality: 'low' });
    await service('Mail', []);
    const names = async (query: string) =>
      (await send('GET', `/services?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['Mail', 'Payroll', 'Shop']);
    expect(await names('search=SELLS')).toEqual(['Shop']);
    expect(await names('criticality=low,medium')).toEqual(['Mail', 'Payroll']);
    expect((await send('GET', '/services?criticality=huge')).status).toBe(400);
  });

  test('that nobody has are not found', async () => {
    const { send } = await open(style);
    const asked = [
      send('GET', '/services/nobody'),
      send('PUT', '/services/nobody', { name: 'x' }),
      send('DELETE', '/services/nobody'),
      send('GET', '/services/nobody/dependencies'),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

test('a member in maintenance counts the same in the list and on its page', async () => {
  const { ci, service, event, health, send } = await open(STYLES[0]![1]);
  const group = { role: 'web', redundancy_group: 'web' };
  const ids = [await ci('web-1'), await ci('web-2')];
  const id = await service(
    'Shop',
    ids.map((ci_id) => ({ ci_id, ...group })),
  );
  await send('PUT', `/cmdb/ci/${ids[0]}`, { status: 'maintenance' });
  await event('web-2', 'major');
  expect(await health(id)).toBe('degraded 55');
});

test('by the hour: scores since they were created, of services that have components', async () => {
  const token = await app.tenant('trend');
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  const { id: ci_id } = (await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'server' })).body;
  const made = (name: string, components: object[]) => send('POST', '/v1/services', { name, components });
  const [{ body: shop }, { body: empty }] = [await made('Shop', [{ ci_id }]), await made('Empty', [])];
  const draft = { source: 's', sourceId: '1', severity: 'major', title: 'Disk full', hostname: 'db-1' };
  const { eventId } = (await send('POST', '/api/events/ingest', draft)).body;
  app.clock.advance(2.5 * 3_600_000);
  await send('PATCH', `/api/events/${eventId}/status`, { status: 'resolved' });
  app.clock.advance(3_600_000);
  const { status, body } = await send('GET', `/api/services/health?ids=${shop.id},${empty.id},nobody`);
  expect(status).toBe(200);
  const [trend, ...others] = body.data;
  expect(others).toEqual([]);
  expect(trend).toMatchObject({ service_id: shop.id, scores: [55, 55, 55, 100] });
  expect((await send('GET', '/api/services/health?ids=')).status).toBe(400);
});

test('days that are over stay the same when a relationship is removed and a component is added', async () => {
  const { ci, service, event, send, join } = await open(STYLES[0]![1]);
  const [web, db, cache] = [await ci('web-1'), await ci('db-1'), await ci('cache-1')];
  const id = await service('Shop', [{ ci_id: web, role: 'web' }]);
  const edge = await join(web, db);
  await event('db-1', 'critical');
  await event('cache-1', 'major');
  app.clock.advance(24 * 3_600_000);
  const days = async () => (await send('GET', `/services/${id}/health?days=3`)).data.days.slice(0, -1);
  const before = await days();
  expect(before.at(-1)).toMatchObject({ worst: { status: 'critical' } });
  await send('DELETE', `/cmdb/relationships/${edge}`);
  const components = [web, cache].map((ci_id) => ({ ci_id, role: 'web' }));
  await send('PUT', `/services/${id}`, { components });
  app.clock.advance(3_600_000);
  expect(await days()).toEqual(before);
});
