import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { START, type TestApp } from '#test/setup/test-app.ts';

const SECOND = 1_000;

/** In a new tenant: a release on a switch, then the switch, the database on it and the application on that complain; `mail-1` is silent. */
export const incidentOf = async (app: TestApp, tenant: string) => {
  app.clock.set(START);
  const token = await app.tenant(tenant);
  const { send, ci, join } = infrastructureOf(() => ({ app, token }));
  const ingest = async (hostname: string, title: string, more: object = {}): Promise<string> => {
    const timestamp = new Date(app.clock.now()).toISOString();
    const event = { source: 'zabbix', sourceId: hostname + title, severity: 'critical', title, hostname, timestamp };
    return (await send('POST', '/api/events/ingest', { ...event, ...more })).body.eventId;
  };
  const [sw, db, web, mail] = [await ci('sw-1'), await ci('db-1'), await ci('app-1'), await ci('mail-1')];
  await join(db, sw);
  await join(web, db);
  await join(mail, sw);
  app.clock.advance(60 * SECOND);
  const change = await ingest('sw-1', 'Firmware 4.2 rolled out', { severity: 'info', category: 'change' });
  app.clock.advance(30 * 60 * SECOND);
  const events = [await ingest('sw-1', 'Link down')];
  app.clock.advance(20 * SECOND);
  events.push(await ingest('db-1', 'PostgreSQL unreachable'));
  app.clock.advance(20 * SECOND);
  events.push(await ingest('app-1', 'HTTP 503', { severity: 'major' }));
  await app.app.idle();
  const { event } = (await send('GET', `/api/events/${events[0]}`)).body;
  return { token, send, sw, db, web, mail, change, events, group: event.correlationId as string };
};
