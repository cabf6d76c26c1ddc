import { describe, expect, test } from '@jest/globals';
import { STYLES, speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();

describe.each(STYLES)('Two CIs that are one under %s', (_, style) => {
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
  const listOf = ({ data, body }: any): any[] => (Array.isArray(data) ? data : body.data);
  const open = async () => {
    const spoken = await speaking(app, style);
    const { send } = spoken;
    const event = (sourceId: string, hostname: string) =>
      send('POST', '/api/events/ingest', { source: 't', sourceId, hostname, severity: 'critical', title: sourceId });
    const eventsOf = async (id: string): Promise<string[]> => {
      const { events } = (await send('GET', `/api/events?ciId=${id}&sortBy=createdAt&sortOrder=asc`)).body;
      return events.map(({ sourceId, ciId }: { sourceId: string; ciId: { _id: string } }) => `${sourceId} ${ciId._id}`);
    };
    return { ...spoken, event, eventsOf };
  };

  test('are merged: relationships, attributes, key, components and events follow, and the old id leads on', async () => {
    const { send, ci, join, event, eventsOf } = await open();
    const into = await ci('db-1', { attributes: { os: 'linux' } });
    const from = await ci('db-1.old', {
      external_key: 'K-old',
      description: 'Twin',
      attributes: { rack: 'r1', os: 'bsd' },
    });
    const app1 = await ci('app-1');
    const link = await join(app1, from);
    await join(from, into);
    const service = await send('POST', '/api/services', {
      name: `shop ${style.prefix}`,
      criticality: 'high',
      components: [{ ci_id: from, role: 'db' }],
    });
    await event('over', 'db-1.old');
    await send('POST', '/api/events/ingest', {
      source: 't',
      sourceId: 'over',
      status: 'resolved',
      severity: 'critical',
      title: 'over',
    });
    await event('open', 'db-1.old');
    app.clock.advance(60_000);
    const before = app.clock.now() - 1;
    const { status, data } = await send('POST', `/cmdb/ci/${into}/merge`, { from, reason: 'same machine' });
    expect([status, data.message]).toEqual([200, expect.stringContaining('was merged into db-1')]);
    expect(data).toMatchObject({
      [style.id]: into,
      name: 'db-1',
      description: 'Twin',
      external_key: 'K-old',
      merged_from: [from],
      attributes: { rack: 'r1' },
      relationships_moved: 1,
      relationships_ended: 1,
    });
    expect((await send('GET', `/cmdb/ci/${from}`)).data[style.id]).toBe(into);
    expect((await send('GET', `/cmdb/ci/${from}?as_of=${before}`)).data).toMatchObject({
      [style.id]: from,
      name: 'db-1.old',
    });
    expect((await send('GET', `/cmdb/relationships/${link}`)).data.target.id).toBe(into);
    expect(listOf(await send('GET', `/cmdb/relationships?ci=${from}`))).toHaveLength(1);
    expect((await send('GET', `/cmdb/ci/${from}/neighbourhood`)).status).toBe(200);
    expect(
      (await send('POST', '/cmdb/relationships', { type: 'uses', source_ci: from, target_ci: app1 })).data.source.id,
    ).toBe(into);
    expect(
      (await send('GET', `/api/services/${service.body.data._id ?? service.body.data.id}`)).body.data.components,
    ).toMatchObject([{ ci_id: into }]);
    const [end] = listOf(await send('GET', `/cmdb/ci/${from}/history`));
    expect(end).toMatchObject({ action: 'merged', merged_into: into });
    const [change] = listOf(await send('GET', `/cmdb/ci/${into}/history`));
    expect(change.changes).toContainEqual({ field: 'merged_from', before: null, after: [from] });
    const audit = await send('GET', '/api/admin/audit?action=ci.merged');
    expect(audit.body.data).toMatchObject([{ target: { id: into }, after: { reason: 'same machine' } }]);

    await until(async () => (await eventsOf(into)).includes(`open ${into}`));
    expect(await eventsOf(from)).toEqual(await eventsOf(into));
    expect(await eventsOf(into)).toHaveLength(2);
    expect(listOf(await send('GET', `/cmdb/ci/${from}/events`))).toHaveLength(2);
    await send('POST', '/api/events/ingest', {
      source: 't',
      sourceId: 'new',
      ciId: from,
      severity: 'major',
      title: 'new',
    });
    await until(async () => (await eventsOf(into)).includes(`new ${into}`));
  });

  test('an import by the key of the one that went finds the one that stays, and makes no other', async () => {
    const { send, ci } = await open();
    const into = await ci('a', { external_key: 'K-a' });
    const from = await ci('b', { external_key: 'K-b' });
    expect((await send('POST', `/cmdb/ci/${into}/merge`, { from })).data.merged_from).toEqual([from, 'K-b']);
    const file = 'external_key,name,type,attributes.x\nk-B,a,server,1\n';
    const report = await send('POST', '/cmdb/import/ci', file as never, { 'content-type': 'text/csv' });
    expect(report.data.rows).toMatchObject([{ action: 'updated', id: into }]);
    const links = `type,source_ci,target_ci\nuses,${from},${await ci('c')}\n`;
    const linked = await send('POST', '/cmdb/import/relationships', links as never, { 'content-type': 'text/csv' });
    expect(linked.data).toMatchObject({ created: 1, failed: 0 });
    const third = await ci('third');
    const chain = await send('POST', `/cmdb/ci/${third}/merge`, { from: into });
    expect(chain.data.merged_from).toEqual([into, from, 'K-b']);
    for (const id of [from, into]) expect((await send('GET', `/cmdb/ci/${id}`)).data[style.id]).toBe(third);
  });

  test('what cannot be merged is told why', async () => {
    const { send, ci } = await open();
    const [a, b] = [await ci('a'), await ci('b')];
    const merge = (into: string, from: unknown) => send('POST', `/cmdb/ci/${into}/merge`, { from });
    expect((await merge(a, a)).status).toBe(400);
    expect((await merge(a, 'nobody')).status).toBe(400);
    expect((await merge('nobody', a)).status).toBe(404);
    expect((await merge(a, 7)).status).toBe(400);
    expect((await merge(a, b)).status).toBe(200);
    expect((await merge(a, b)).status).toBe(409);
    expect((await merge(b, a)).status).toBe(409);
    const refused = await send('DELETE', `/cmdb/ci/${b}`);
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining(`merged into ${a}`)]);
    const { data } = await send('PUT', `/cmdb/ci/${b}`, { status: 'inactive' });
    expect([data[style.id], data.status]).toEqual([a, 'inactive']);
    expect((await send('DELETE', `/cmdb/ci/${a}`)).status).toBe(200);
    expect((await send('GET', `/cmdb/ci/${b}`)).status).toBe(404);
  });
});
