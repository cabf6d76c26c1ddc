import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const ci = async (name: string, token: string): Promise<string> =>
  (await app.send('POST', '/v1/cmdb/ci', { name, type: 'server' }, { token })).body.id;
const relate = (source: string, target: string, token: string, attributes = {}) =>
  app.send(
    'POST',
    '/v1/cmdb/relationships',
    { type: 'depends_on', source_ci: source, target_ci: target, attributes },
    { token },
  );
const component = (ci_id: string, role = 'node', more = {}) => ({ ci_id, role, ...more });
const event = (hostname: string, severity: string, token: string, title = 'Host is unreachable') =>
  app.send(
    'POST',
    '/api/events/ingest',
    { source: 'test', sourceId: `${hostname}-${title}`, severity, title, hostname },
    { token },
  );

describe.each([
  ['v1', '/v1', (body: unknown) => body],
  ['api', '/api', (body: { data: unknown }) => body.data],
])('a service in the style of %s', (style, prefix, inner) => {
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
  const of = (reply: { body: any }): any => inner(reply.body);

  test('is created, shown, listed, changed and deleted', async () => {
    const token = await app.tenant(`crud-${style}`);
    const [web, db] = [await ci('web-1', token), await ci('db-1', token)];
    const draft = {
      name: 'Shop',
      description: 'Sells things',
      criticality: 'high',
      sla: { availability: '99.9%', response_time: '200ms' },
      components: [component(web, 'frontend'), component(db, 'database', { redundancy_group: 'db' })],
    };
    const made = await app.send('POST', `${prefix}/services`, draft, { token });
    expect(made.status).toBe(201);
    const { id } = of(made);
    expect(made.headers.get('location')).toBe(`${prefix}/services/${id}`);
    expect(of(made)).toMatchObject({
      ...draft,
      components: [draft.components[0], { ...draft.components[1], redundancy_required: 1 }],
      health: { status: 'healthy', score: 100 },
      message: 'Service created',
    });

    const shown = await app.send('GET', `${prefix}/services/${id}`, undefined, { token });
    const { message: _, ...record } = of(made);
    expect(of(shown)).toEqual(record);
    const tag = shown.headers.get('etag')!;

    const twin = await app.send('POST', `${prefix}/services`, { name: ' shop ' }, { token });
    expect(twin.status).toBe(409);
    const changed = await app.send(
      'PUT',
      `${prefix}/services/${id}`,
      { name: 'Store' },
      { token, headers: { 'if-match': tag } },
    );
    expect([changed.status, of(changed).name, of(changed).components.length]).toEqual([200, 'Store', 2]);
    const stale = await app.send(
      'PUT',
      `${prefix}/services/${id}`,
      { name: 'Late' },
      { token, headers: { 'if-match': tag } },
    );
    expect(stale.status).toBe(412);
    const free = await app.send('POST', `${prefix}/services`, { name: 'Shop', criticality: 'low' }, { token });
    expect([free.status, of(free).health.status]).toEqual([201, 'unknown']);

    const list = await app.send('GET', `${prefix}/services`, undefined, { token });
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Store']);
    expect(list.body.pagination).toMatchObject({ total: 2, page: 1, limit: 20, pages: 1 });
    const low = await app.send('GET', `${prefix}/services?criticality=low,medium`, undefined, { token });
    expect(low.body.data).toHaveLength(1);
    const first = await app.send('GET', `${prefix}/services?limit=1`, undefined, { token });
    const next = await app.send(
      'GET',
      `${prefix}/services?limit=1&cursor=${first.body.pagination.nextCursor}`,
      undefined,
      { token },
    );
    expect(next.body.data[0].name).toBe('Store');

    const gone = await app.send('DELETE', `${prefix}/services/${id}`, undefined, { token });
    expect([gone.status, of(gone).message]).toEqual([200, 'Service deleted']);
    expect((await app.send('GET', `${prefix}/services/${id}`, undefined, { token })).status).toBe(404);
    const audit = await app.send('GET', '/api/admin/audit', undefined, { token });
    const actions = audit.body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['service.created', 'service.updated', 'service.deleted']));
  });

  test('changes at the same time are all kept, unless they say what they have seen; one that changes nothing is none', async () => {
    const token = await app.tenant(`races-${style}`);
    const { id } = of(await app.send('POST', `${prefix}/services`, { name: 'Shop' }, { token }));
    const put = (change: object, headers = {}) =>
      app.send('PUT', `${prefix}/services/${id}`, change, { token, headers });
    const changes = [{ description: 'Sells' }, { criticality: 'low' }, { sla: { availability: '99%' } }];
    expect((await Promise.all(changes.map((one) => put(one)))).map(({ status }) => status)).toEqual([200, 200, 200]);
    const shown = await app.send('GET', `${prefix}/services/${id}`, undefined, { token });
    expect([of(shown), shown.headers.get('etag')]).toMatchObject([Object.assign({}, ...changes), '"4"']);
    const rivals = ['x', 'y', 'z'].map((name) => put({ name }, { 'if-match': '"4"' }));
    expect((await Promise.all(rivals)).map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect((await put({ criticality: 'low' })).headers.get('etag')).toBe('"5"');
    const { name } = of(await app.send('GET', `${prefix}/services/${id}`, undefined, { token }));
    const create = async (other: string) =>
      (await app.send('POST', `${prefix}/services`, { name: other }, { token })).status;
    for (const other of ['x', 'y', 'z'])
      expect([other, await create(other)]).toEqual([other, other === name ? 409 : 201]);
    const remove = (tag: string) =>
      app.send('DELETE', `${prefix}/services/${id}`, undefined, { token, headers: { 'if-match': tag } });
    expect([(await remove('"4"')).status, (await remove('"5"')).status]).toEqual([412, 200]);
  });

  test('bad bodies are refused by field', async () => {
    const token = await app.tenant(`bad-${style}`);
    const web = await ci('web-1', token);
    const foreign = await ci('web-1', await app.tenant(`foreign-${style}`));
    const twice = await app.send(
      'POST',
      `${prefix}/services`,
      { name: 'x', components: [component(web), component(web)] },
      { token },
    );
    expect([twice.status, JSON.stringify(twice.body)]).toEqual([400, expect.stringContaining('components[1].ci_id')]);
    const unknown = await app.send(
      'POST',
      `${prefix}/services`,
      { name: 'x', components: [component(foreign)] },
      { token },
    );
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([
      400,
      expect.stringContaining('components[0].ci_id'),
    ]);
    expect((await app.send('POST', `${prefix}/services`, { name: 'x', criticality: 'huge' }, { token })).status).toBe(
      400,
    );
  });

  test('dependencies come from the relationships of components, and the map opens without a login', async () => {
    const token = await app.tenant(`deps-${style}`);
    const names = ['web', 'vm', 'db', 'mail', 'phone'];
    const [web, vm, db, mail, phone] = await Promise.all(names.map((name) => ci(name, token)));
    await relate(web!, vm!, token);
    await relate(vm!, db!, token);
    await relate(web!, mail!, token, { criticality: 'low' });
    await relate(phone!, web!, token);
    const make = async (name: string, id: string) =>
      of(await app.send('POST', `${prefix}/services`, { name, components: [component(id)] }, { token })).id as string;
    const shop = await make('shop <&>', web!);
    const [stock, post, calls] = [await make('stock', db!), await make('post', mail!), await make('calls', phone!)];
    const health = { status: 'healthy', score: 100 };
    const reply = await app.send('GET', `${prefix}/services/${shop}/dependencies`, undefined, { token });
    expect(of(reply)).toEqual({
      service_id: shop,
      dependencies: {
        upstream: [
          { service_id: post, name: 'post', health, type: 'optional', impact: 'degraded_functionality' },
          { service_id: stock, name: 'stock', health, type: 'required', impact: 'full_outage' },
        ],
        downstream: [{ service_id: calls, name: 'calls', health, type: 'required', impact: 'full_outage' }],
      },
      dependency_map: { visualization_url: expect.stringMatching(`^${prefix}/services/${shop}/map\\?link=`) },
    });

    await event('db', 'critical', token);
    const address: string = of(reply).dependency_map.visualization_url;
    const map = await app.send('GET', address, undefined, { token: null });
    expect([map.status, map.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(map.body).toContain('shop &lt;&amp;&gt;');
    expect(map.body).toContain('stock: critical, 0 of 100');
    expect(map.body).toContain('calls: critical, 27 of 100');
    expect(map.body).toContain('post: healthy, 100 of 100');

    const other = address.replace(shop, stock);
    expect((await app.send('GET', other, undefined, { token: null })).status).toBe(401);
    app.clock.advance(24 * 60 * 60 * 1_000);
    expect((await app.send('GET', address, undefined, { token: null })).status).toBe(401);
  });
});

test('health turns with the events on components and what they depend on, and back', async () => {
  const token = await app.tenant('health');
  const [web, vm] = [await ci('web-h', token), await ci('vm-h', token)];
  await relate(web, vm, token);
  const { body } = await app.send('POST', '/v1/services', { name: 'Shop', components: [component(web)] }, { token });
  const health = async () => (await app.send('GET', `/v1/services/${body.id}`, undefined, { token })).body.health;
  const { body: down } = await event('vm-h', 'critical', token);
  expect(await health()).toEqual({ status: 'critical', score: 10 });
  const resolve = { status: 'resolved' };
  await app.send('PATCH', `/api/events/${down.eventId}/status`, resolve, { token });
  expect(await health()).toEqual({ status: 'healthy', score: 100 });
});

test('an event names the services of its CI, and events of one service are related', async () => {
  const token = await app.tenant('impact');
  const [web, db] = [await ci('web-i', token), await ci('db-i', token)];
  const components = [component(web), component(db)];
  const { body: made } = await app.send(
    'POST',
    '/v1/services',
    { name: 'Shop', criticality: 'high', components },
    { token },
  );
  const { body: first } = await event('web-i', 'minor', token, 'Slow answers');
  app.clock.advance(60_000);
  const { body: second } = await event('db-i', 'major', token, 'Disk is full');
  await app.app.idle();
  const shown = await app.send('GET', `/api/events/${first.eventId}`, undefined, { token });
  expect(shown.body.event.businessImpact).toEqual({
    level: 'medium',
    affectedServices: [{ id: made.id, name: 'Shop', criticality: 'high' }],
    affectedUsers: null,
  });
  const explained = await app.send('GET', `/api/events/${second.eventId}/explain?with=${first.eventId}`, undefined, {
    token,
  });
  const service = explained.body.strategies.find(({ strategy }: { strategy: string }) => strategy === 'service');
  expect([service.literalScore, service.joined]).toEqual([0.8, true]);
});

test('a group of the list names the services that its cause takes down, with or without an event of theirs', async () => {
  const token = await app.tenant('hit');
  const [feed, rack, web] = [await ci('feed-g', token), await ci('rack-g', token), await ci('web-g', token)];
  const { body: edge } = await relate(rack, feed, token);
  await relate(web, rack, token);
  const made = { name: 'Shop', components: [component(web)] };
  await app.send('POST', '/v1/services', made, { token });
  await event('feed-g', 'critical', token, 'Power feed lost');
  app.clock.advance(5_000);
  const { body: below } = await event('rack-g', 'critical', token);
  await app.app.idle();
  const listed = async (view: string) =>
    (await app.send('GET', `/api/events/groups${view}`, undefined, { token })).body.groups;
  const shop = { names: ['Shop'], count: 1 };
  const none = { names: [], count: 0 };
  for (const view of ['', '?view=row'])
    expect(await listed(view)).toEqual([expect.objectContaining({ services: shop, servicesHit: shop })]);
  const [{ correlationId }] = await listed('');
  const shown = await app.send('GET', `/api/events/groups/${correlationId}`, undefined, { token });
  expect(shown.body.group).toMatchObject({ servicesHit: shop, impactedServices: [{ name: 'Shop' }] });

  await app.send('POST', '/v1/services', { ...made, name: 'Billing' }, { token });
  expect((await listed(''))[0].servicesHit).toEqual({ names: ['Billing', 'Shop'], count: 2 });
  await app.send('DELETE', `/v1/cmdb/relationships/${edge.id}`, undefined, { token });
  expect((await app.send('DELETE', `/v1/cmdb/ci/${feed}`, undefined, { token })).status).toBe(200);
  app.clock.advance(31_000);
  // Another member is on, and they depend on it.
  expect((await listed(''))[0].servicesHit).toMatchObject({ count: 2 });
  await app.send('PATCH', `/api/events/${below.eventId}/status`, { status: 'resolved' }, { token });
  await app.app.idle();
  expect((await listed(''))[0].servicesHit).toEqual(none);
});

test('an event that finds its CI later names the services of the CI then', async () => {
  const token = await app.tenant('later');
  const { body: made } = await event('web-later', 'critical', token);
  const web = await ci('web-other', token);
  await app.send('POST', '/v1/services', { name: 'Shop', components: [component(web)] }, { token });
  await app.send('PUT', `/v1/cmdb/ci/${web}`, { attributes: { hostname: 'web-later' } }, { token });
  await app.app.idle();
  const shown = await app.send('GET', `/api/events/${made.eventId}`, undefined, { token });
  expect(shown.body.event).toMatchObject({ ciId: { _id: web }, businessImpact: { level: 'medium' } });
});

test('a level that the sender gives takes the services of the CI neither from the event nor from correlation', async () => {
  const token = await app.tenant('level');
  const [web, db] = [await ci('web-l', token), await ci('db-l', token)];
  const shop = { name: 'Shop', criticality: 'high', components: [component(web), component(db)] };
  const { body: made } = await app.send('POST', '/v1/services', shop, { token });
  const { body: first } = await event('web-l', 'minor', token, 'Slow answers');
  const said = { source: 'plain', sourceId: 'db-l', hostname: 'db-l', severity: 'major', title: 'Disk is full' };
  const own = { ...said, businessImpact: { level: 'low' } };
  const { body: second } = await app.send('POST', '/api/events/ingest', own, { token });
  await app.app.idle();
  const shown = await app.send('GET', `/api/events/${second.eventId}`, undefined, { token });
  expect(shown.body.event.businessImpact).toEqual({
    level: 'low',
    affectedServices: [{ id: made.id, name: 'Shop', criticality: 'high' }],
    affectedUsers: null,
  });
  const path = `/api/events/${second.eventId}/explain?with=${first.eventId}`;
  const explained = await app.send('GET', path, undefined, { token });
  expect(explained.body.strategies).toContainEqual(expect.objectContaining({ strategy: 'service', literalScore: 0.8 }));
});

test('an event whose sender gave a level and that finds its CI later names the services of the CI too', async () => {
  const token = await app.tenant('level-later');
  const said = { source: 'plain', sourceId: '1', hostname: 'web-late', severity: 'major', title: 'Disk is full' };
  const own = { ...said, businessImpact: { level: 'low' } };
  const { body: made } = await app.send('POST', '/api/events/ingest', own, { token });
  const web = await ci('web-elsewhere', token);
  await app.send('POST', '/v1/services', { name: 'Shop', components: [component(web)] }, { token });
  await app.send('PUT', `/v1/cmdb/ci/${web}`, { attributes: { hostname: 'web-late' } }, { token });
  await app.app.idle();
  const shown = await app.send('GET', `/api/events/${made.eventId}`, undefined, { token });
  const businessImpact = { level: 'low', affectedServices: [{ name: 'Shop' }] };
  expect(shown.body.event).toMatchObject({ ciId: { _id: web }, businessImpact });
});

test('the next services are found behind one that has gone since', async () => {
  const token = await app.tenant('services-next');
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  const ids: string[] = [];
  for (const name of ['a', 'ä', 'b']) ids.push((await send('POST', '/v1/services', { name })).body.id);
  const { pagination } = (await send('GET', '/v1/services?limit=2')).body;
  await send('DELETE', `/v1/services/${ids[1]}`);
  const { data } = (await send('GET', `/v1/services?cursor=${pagination.nextCursor}`)).body;
  expect(data).toEqual([expect.objectContaining({ id: ids[2] })]);
});
