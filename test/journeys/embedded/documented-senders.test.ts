import { describe, expect, test } from '@jest/globals';
import { documentText } from '#test/conventions/tables.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/* docs/sources.md lists the fields that Nagios and Icinga 2 send: their values have to arrive. */

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'documented');

const section =
  documentText('docs/sources.md')
    .split('\n## ')
    .find((part) => part.startsWith('Nagios')) ?? '';
/** Fields by macro, as the two commands pass them. */
const nagios = new Map([...section.matchAll(/(\w+)='\$(\w+)\$'/g)].map(([, field, macro]) => [macro!, field!]));
const icinga = new Map([...section.matchAll(/(\w+) = "([\w.]+)"/g)].map(([, field, macro]) => [macro!, field!]));

/** A notification; macros that no field passes are lost. */
const notify = async (fields: ReadonlyMap<string, string>, macros: Readonly<Record<string, string>>) => {
  const passed = Object.entries(macros).flatMap(([macro, value]) => {
    const field = fields.get(macro);
    return field === undefined ? [] : [[field, value] as const];
  });
  const body = { timestamp: String(START / 1_000), ...Object.fromEntries(passed) };
  return (await own.send('POST', '/api/events/webhook/nagios', body)).body.results[0];
};
const shown = async (eventId: string) => (await own.send('GET', `/api/events/${eventId}`)).body.event;

describe('Nagios', () => {
  const host = { HOSTNAME: 'n-1', HOSTADDRESS: '10.0.0.1', HOSTSTATE: 'DOWN', HOSTOUTPUT: 'no reply' };
  const service = { SERVICEDESC: 'SMTP', SERVICESTATE: 'CRITICAL', SERVICEOUTPUT: 'no banner' };
  const problem = { ...host, NOTIFICATIONTYPE: 'PROBLEM', HOSTSTATETYPE: 'HARD' };

  test('tells of a host, and who acknowledged it with which words', async () => {
    const { eventId } = await notify(nagios, { ...problem, SERVICEDESC: '', SERVICESTATETYPE: '$SERVICESTATETYPE$' });
    const acknowledgement = { HOSTACKAUTHOR: 'ann', HOSTACKCOMMENT: 'on it', SERVICEACKAUTHOR: '' };
    await notify(nagios, { ...host, ...acknowledgement, NOTIFICATIONTYPE: 'ACKNOWLEDGEMENT' });
    const event = await shown(eventId);
    expect(event).toMatchObject({ hostname: 'n-1', ipAddress: '10.0.0.1', acknowledgedBy: { name: 'ann' } });
    expect(event.history.at(-1)).toMatchObject({ to: 'acknowledged', notes: 'on it' });
  });

  test('tells of a service, and whether its state is soft', async () => {
    const soft = await notify(nagios, { ...problem, ...service, SERVICESTATETYPE: 'SOFT' });
    expect(soft.status).toBe('ignored');
    const { eventId } = await notify(nagios, { ...problem, ...service, SERVICESTATETYPE: 'HARD' });
    const said = {
      SERVICEACKAUTHOR: 'ben',
      SERVICEACKCOMMENT: 'mine',
      HOSTACKAUTHOR: 'ann',
      HOSTACKCOMMENT: 'not this',
    };
    await notify(nagios, { ...host, ...service, ...said, NOTIFICATIONTYPE: 'ACKNOWLEDGEMENT' });
    const event = await shown(eventId);
    expect(event).toMatchObject({ title: 'SMTP: no banner', service: 'SMTP', acknowledgedBy: { name: 'ben' } });
    expect(event.history.at(-1)).toMatchObject({ notes: 'mine' });
  });
});

test('Icinga 2 tells of a service, who acknowledged it and whose downtime it is', async () => {
  const about = { 'host.name': 'i-1', address: '10.0.0.2', 'service.name': 'ntp', 'service.state': 'WARNING' };
  const hard = { 'notification.type': 'PROBLEM', 'service.state_type': 'HARD', 'service.output': 'offset 0.9 s' };
  const { eventId } = await notify(icinga, { ...about, ...hard });
  const said = { 'notification.author': 'ann', 'notification.comment': "I'm on it" };
  await notify(icinga, { ...about, ...said, 'notification.type': 'ACKNOWLEDGEMENT' });
  await notify(icinga, { ...about, ...said, 'notification.type': 'DOWNTIMESTART' });
  const event = await shown(eventId);
  expect(event).toMatchObject({ hostname: 'i-1', status: 'suppressed', acknowledgedBy: { name: 'ann' } });
  expect(event.history.slice(-2)).toMatchObject([{ to: 'acknowledged' }, { to: 'suppressed' }]);
  expect(event.history.at(-1)).toMatchObject({ notes: "I'm on it", by: { name: 'ann' } });
});
