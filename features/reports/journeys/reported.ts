import type { TestApp } from '#test/setup/test-app.ts';

const HOUR_MS = 3_600_000;

/** A tenant of which every kind of report has something to tell: CIs, a service, incidents over a week, changes. */
export const reportedTenant = async (app: TestApp, id: string, { days = 3 }: { readonly days?: number } = {}) => {
  const token = await app.tenant(id);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const ci = async (name: string, type: string, environment = 'production'): Promise<string> =>
    (await send('POST', '/v1/cmdb/ci', { name, type, attributes: { environment } })).id;
  const [sw, db, web] = [await ci('sw-1', 'switch'), await ci('db-1', 'database'), await ci('web-1', 'server')];
  for (let n = 2; n <= 12; n++) await ci(`spare-${n}`, 'server', 'test');
  const join = (source_ci: string, target_ci: string) =>
    send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci });
  await join(db, sw);
  await join(web, db);
  await send('POST', '/v1/services', {
    name: 'Shop',
    criticality: 'high',
    components: [
      { ci_id: web, role: 'web' },
      { ci_id: db, role: 'database' },
    ],
  });
  const event = async (source: string, severity: string, title: string, hostname: string): Promise<string> => {
    const body = { source, sourceId: 'm-1', severity, title, hostname, timestamp: app.clock.now() };
    return (await send('POST', '/api/events/ingest', body)).eventId;
  };
  for (let day = 0; day < days; day++) {
    const first = await event('zabbix', 'critical', `Link down on port ${day}`, 'sw-1');
    app.clock.advance(20_000);
    const second = await event('nagios', 'major', `PostgreSQL unreachable ${day}`, 'db-1');
    app.clock.advance(10_000);
    await event('nagios', 'major', `PostgreSQL unreachable ${day}`, 'db-1');
    await event('prometheus', 'warning', `HTTP 503 from shop ${day}`, 'web-1');
    await event('zabbix', 'info', '=HYPERLINK("https://evil.example")', `spare-${2 + (day % 11)}`);
    app.clock.advance(HOUR_MS);
    if (day < days - 1)
      for (const one of [first, second]) await send('PATCH', `/api/events/${one}/status`, { status: 'resolved' });
    app.clock.advance(23 * HOUR_MS);
  }
  const plannedTime = new Date(app.clock.now() + 48 * HOUR_MS).toISOString();
  await send('POST', '/api/change-analysis/analyze', { ciId: db, changeType: 'database upgrade', plannedTime });
  await app.app.idle();
  app.clock.advance(1_000);
  return { id, token, send, cis: { sw, db, web } };
};
