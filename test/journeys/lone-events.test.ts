import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

/* Events in no group are listed among groups, as groups of one. */

const MINUTE = 60_000;
const app = appOfTests();
let tenants = 0;

const furnished = async () => {
  const token = await app.tenant(`lone-${++tenants}`);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  /** Far from all others in time. */
  const event = async (severity: string, host: string, more: object = {}): Promise<string> => {
    app.clock.advance(40 * MINUTE);
    const timestamp = app.clock.now();
    const title = `${host} is not well`;
    const body = { source: 'test', sourceId: host, hostname: host, severity, title, timestamp, ...more };
    const reply = await send('POST', '/api/events/ingest', body);
    await app.app.idle();
    return reply.body.eventId;
  };
  const group = async (severity: string, site: string): Promise<string> => {
    app.clock.advance(40 * MINUTE);
    const timestamp = app.clock.now();
    const events = [1, 2, 3].map((n) => ({
      sourceId: `${site}-${n}`,
      hostname: `${site}-${n}`,
      severity,
      title: `Link down at ${site}`,
      timestamp,
    }));
    const reply = await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
    await app.app.idle();
    const first = reply.body.results.success[0].eventId;
    return (await send('GET', `/api/events/${first}`)).body.event.correlationId;
  };
  const list = async (query: string) => (await send('GET', `/api/events/groups?include=single&${query}`)).body;
  const ids = async (query: string): Promise<string[]> =>
    (await list(query)).groups.map(({ correlationId }: { correlationId: string }) => correlationId);
  return { send, event, group, list, ids };
};

describe('include=single', () => {
  test('from the severity of the settings up, unless the request names one', async () => {
    const { send, event, ids } = await furnished();
    const [minor, info] = [await event('minor', 'a-1'), await event('info', 'b-1')];
    expect(await ids('status=active')).toEqual([minor]);
    await send('PUT', '/api/admin/settings/lifecycle', { loneFrom: 'info' });
    expect(await ids('status=active')).toEqual([minor, info]);
    await send('PUT', '/api/admin/settings/lifecycle', { loneFrom: 'major' });
    expect([await ids('status=active'), await ids('status=active&singleFrom=info')]).toEqual([[], [minor, info]]);
    await send('PUT', '/api/admin/settings/lifecycle', {});
    expect(await ids('status=active')).toEqual([minor]);
  });

  test('a lone critical event is a row of its own, worked with by its id', async () => {
    const { send, event, list } = await furnished();
    const id = await event('critical', 'pay-db-01');
    const { groups, pagination } = await list('status=active');
    expect(pagination.total).toBe(1);
    expect(groups).toEqual([
      expect.objectContaining({
        kind: 'event',
        correlationId: id,
        title: 'pay-db-01 is not well',
        severity: 'critical',
        status: 'active',
        eventCount: 1,
        growing: false,
        rootCauseCandidate: null,
        spark: null,
        counts: { open: 1, acknowledged: 0, suppressed: 0, resolved: 0 },
        hosts: { names: ['pay-db-01'], count: 1 },
        rootCause: expect.objectContaining({ eventId: id }),
      }),
    ]);
    expect((await send('GET', '/api/events/groups')).body.groups).toEqual([]);
    await send('POST', '/api/events/groups/acknowledge', { ids: [id] });
    expect((await list('status=active')).groups).toEqual([]);
    const acknowledged = (await list('status=acknowledged&view=row')).groups;
    expect(acknowledged).toMatchObject([{ correlationId: id, acknowledgedBy: { name: 'test' } }]);
    expect(acknowledged[0]).not.toHaveProperty('rootCause');
    await send('POST', '/api/events/groups/resolve', { ids: [id] });
    expect((await list('status=resolved')).groups).toMatchObject([{ correlationId: id, status: 'resolved' }]);
  });

  test('the worst first, whatever it is; pages by cursor are the whole list, and the total counts both', async () => {
    const { event, group, ids, list, send } = await furnished();
    const minor = await event('minor', 'h-1');
    await event('warning', 'h-2');
    await event('info', 'h-3');
    const major = await group('major', 'fra');
    const critical = await event('critical', 'h-4');
    const late = await event('major', 'h-5');
    const storm = await group('critical', 'ams');
    const expected = [storm, critical, late, major, minor];
    expect(await ids('status=active')).toEqual(expected);
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await list(`status=active&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.pagination.total).toBe(5);
      paged.push(...page.groups.map((row: { correlationId: string }) => row.correlationId));
      cursor = page.pagination.nextCursor ?? '';
    } while (cursor !== '');
    expect(paged).toEqual(expected);
    expect(await ids('status=active&singleFrom=critical')).toEqual([storm, critical, major]);
    expect(await ids('status=active&singleFrom=info')).toHaveLength(7);
    expect(await ids('sortBy=first&sortOrder=asc&singleFrom=critical')).toEqual([major, critical, storm]);
    expect(await ids('sortBy=size&singleFrom=critical')).toEqual(expect.arrayContaining([major, critical, storm]));
    expect((await send('GET', '/api/events/groups?include=single&page=2')).status).toBe(400);
    expect((await send('GET', '/api/events/groups?include=single&cursor=abc')).status).toBe(400);
  });

  test('the filters of groups hold for them', async () => {
    const { event, ids, send } = await furnished();
    const id = await event('major', 'DB-7.example.org', { service: 'orders' });
    const finds = async (query: string): Promise<boolean> => (await ids(query)).includes(id);
    for (const query of [
      'host=db-7.example.org',
      'service=orders',
      'source=test',
      'search=well',
      'assignee=none',
      'verdict=none',
      'severity=major',
      'hasOpen=true',
    ])
      expect([query, await finds(query)]).toEqual([query, true]);
    for (const query of [
      'host=db-8',
      'service=shop',
      'source=zabbix',
      'search=nothing',
      'assignee=me',
      'verdict=right',
      'severity=critical',
      'hasOpen=false',
      'growing=true',
      'ci=none',
      `from=${new Date(app.clock.now() + MINUTE).toISOString()}`,
    ])
      expect([query, await finds(query)]).toEqual([query, false]);
    await send('POST', '/api/events/groups/assign', { ids: [id], user_id: null });
  });
});
