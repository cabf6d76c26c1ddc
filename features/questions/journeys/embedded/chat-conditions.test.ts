import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* What a question narrows by is either applied or told; questions of something else are not answered. */

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

let app: TestApp;
let token: string;
const { send, ci } = infrastructureOf(() => ({ app, token }));

beforeAll(async () => {
  app = await openTestApp();
  app.clock.set(START - 2 * DAY);
  token = await app.tenant('conditions');
  await ci('web-1');
  await ci('web-2');
  await ci('sw-1', { type: 'switch' });
  const event = async (title: string, hostname: string, ago: number, more: object = {}) => {
    app.clock.set(START - ago);
    const sent = { source: 'nagios', sourceId: `${title}${hostname}`, severity: 'major', title, hostname, ...more };
    return (await send('POST', '/api/events/ingest', sent)).body;
  };
  await event('Service stopped', 'web-1', 30 * HOUR, { severity: 'critical' });
  await event('Queue is long', 'web-1', 20 * MINUTE, { environment: 'production' });
  await event('Disk full', 'web-2', 15 * MINUTE, { severity: 'critical', environment: 'staging' });
  await event('Port flaps', 'sw-1', 10 * MINUTE, { source: 'zabbix' });
  await app.app.idle();
  app.clock.set(START);
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: replies are checked against their schemas by the server.
const asked = async (message: string, more: object = {}): Promise<any> => {
  const { status, body } = await send('POST', '/api/chatbot', { message, ...more });
  expect([message, status, body.error]).toEqual([message, 200, undefined]);
  return body;
};

describe('conditions are applied', () => {
  test.each([
    ['how many critical incidents this week', '1 critical group ('],
    ['how many events in production today', '1 event ('],
    ['how many unacknowledged alerts are there', '4 unacknowledged open events.'],
    ['Which events are open on all switches?', '1 open event on switch: '],
    ['show me events from zabbix', '1 open event from zabbix. "Port flaps" on sw-1'],
    ['list all events from zabbix on servers', 'No open events on server from zabbix'],
    ['list resolved events', 'No resolved events.'],
    ['show disk alerts', '1 open event with "disk". "Disk full" on web-2'],
    ['show critical and major events', '4 open critical or major events.'],
    ['which host has the most events?', 'web-1 2, of 4 in all.'],
  ])('%s', async (message, said) => {
    const body = await asked(message);
    expect([message, body.notUnderstood, body.abstained]).toEqual([message, [], false]);
    expect(body.response).toContain(said.replace(/: $/, ''));
    for (const { href } of body.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  });

  test('the cause of something else is no answer', async () => {
    const body = await asked('what is the root cause of the power outage?');
    expect(body.abstained).toBe(true);
    expect(body.response).toMatch(/^No incident found with "power" in the last 30 days: none of \d incidents fits/);
  });
});

describe('what an answer leaves out is told first', () => {
  test.each([
    ['Which servers are in production?', ['production'], '2 CIs of type server'],
    ['list events in production', ['production'], '4 open events.'],
    ['which servers were added yesterday', ['added', 'yesterday'], '2 CIs'],
    ['what is the status of web-1 in production?', ['production'], 'web-1 has'],
    ['what depends on web-1 and ghost-77', ['ghost-77'], 'web-1 has no known dependents'],
  ])('%s', async (message, left, said) => {
    const { response, notUnderstood } = await asked(message);
    expect(notUnderstood).toEqual(left);
    expect(response).toMatch(/^(?:Ignored|Not found): "/);
    for (const text of [...left.map((one) => `"${one}"`), said]) expect(response).toContain(text);
  });
});

describe('something else is not answered', () => {
  const [UNKNOWN, READS] = ["I didn't understand the question.", 'I can only read data, not change anything.'];
  test.each([
    ['Who resolved the most events yesterday?', UNKNOWN],
    ['list events not from zabbix', UNKNOWN],
    ['delete all events', READS],
    ['please close all alarms on web-1', READS],
    ['can you restart web-1', READS],
    ['what is the best pizza in Rome?', UNKNOWN],
    ['is it raining in Rome?', UNKNOWN],
    ['tell me a joke about it', UNKNOWN],
    ['who wrote hamlet?', UNKNOWN],
  ])('%s', async (message, said) => {
    const body = await asked(message, { context: { currentCI: 'web-1' } });
    expect([message, body.toolCalls, body.claims, body.abstained]).toEqual([message, [], [], true]);
    expect(body.response.slice(0, said.length)).toBe(said);
  });

  test.each(['why is nosuchhost-77 slow?', 'what caused the crash of ghost-12?'])(
    '%s has no cause',
    async (message) => {
      const body = await asked(message);
      expect(body.abstained).toBe(true);
      expect(body.response).toContain('No CI found named');
    },
  );

  test.each(['what depends on it?', 'why is it so slow?', 'how is it doing?', 'what else fails with it?'])(
    'of the CI that is looked at: %s',
    async (message) => {
      const body = await asked(message, { context: { currentCI: 'web-1' } });
      expect([body.notUnderstood, body.response]).toEqual([[], expect.stringContaining('web-1')]);
    },
  );
});
