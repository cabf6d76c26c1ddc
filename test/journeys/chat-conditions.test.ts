import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { estateOf } from '#test/setup/estate.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* What a question narrows by is either applied or told; questions of something else are not answered. */

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

let app: TestApp;
let token: string;
const { send, ci } = estateOf(() => ({ app, token }));

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

// biome-ignore lint/suspicious/noExplicitAny: as above.
const calls = ({ toolCalls }: any) => toolCalls.map(({ tool, params }: any) => [tool, params]);

describe('conditions are applied', () => {
  test.each([
    [
      'how many open incidents are there?',
      'analytics-query',
      { metric: 'incidents', status: 'open' },
      '1 open incident',
    ],
    [
      'how many critical incidents this week',
      'analytics-query',
      { metric: 'incidents', severity: 'critical', timeRange: 'this week' },
      '1 critical incident (',
    ],
    [
      'how many events in production today',
      'analytics-query',
      { metric: 'events', environment: 'production', timeRange: 'today' },
      '1 event in production (',
    ],
    [
      'how many unacknowledged alerts are there',
      'analytics-query',
      { metric: 'open_events', status: 'open' },
      '4 open events that nobody has acknowledged.',
    ],
    [
      'Which events are open on all switches?',
      'search-events',
      { type: 'switch' },
      '1 open event on CIs of type switch. "Port flaps" on sw-1',
    ],
    ['show me events from zabbix', 'search-events', { source: 'zabbix' }, '1 open event from zabbix. "Port flaps"'],
    [
      'list all events from zabbix on servers',
      'search-events',
      { source: 'zabbix', type: 'server' },
      'No open events from zabbix on CIs of type server.',
    ],
    ['list resolved events', 'search-events', { status: 'resolved' }, 'No resolved events.'],
    ['show disk alerts', 'search-events', { text: 'disk' }, '1 open event with "disk". "Disk full"'],
    [
      'show critical and major events',
      'search-events',
      { severity: 'critical,major' },
      '4 open critical or major events.',
    ],
    ['is there a network outage?', 'search-events', { text: 'network' }, 'No open events with "network".'],
  ])('%s', async (message, tool, params, said) => {
    const body = await asked(message);
    expect([calls(body), body.notUnderstood, body.abstained]).toEqual([[[tool, params]], [], false]);
    expect(body.response.slice(0, said.length)).toBe(said);
    for (const { href } of body.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  });

  test('the cause of something else is no answer', async () => {
    const body = await asked('what is the root cause of the power outage?');
    expect([calls(body), body.abstained]).toEqual([[['search-events', { text: 'power' }]], true]);
    expect(body.response).toBe('No open events with "power". No cause can be named: no event tells of a problem.');
    expect((await asked('what is the root cause of the disk alert?')).response).toContain('No cause can be named');
    await send('PUT', '/api/admin/settings/ai', { abstainBelow: 0 });
    expect((await asked('what is the root cause of the disk alert?')).response).toContain(
      '"Disk full" on web-2 is the cause',
    );
    await send('PUT', '/api/admin/settings/ai', { abstainBelow: null });
  });

  test('a count says what it counts', async () => {
    expect((await asked('How many events were there today?')).response).toMatch(
      /^3 events \(.*\), by when they began\.$/,
    );
  });
});

describe('what an answer leaves out is told first', () => {
  test.each([
    ['Which servers are in production?', ['production'], 'There are 2 CIs of type server'],
    ['list events in production', ['production'], '4 open events.'],
    ['how many events by severity today', ['by severity'], '3 events ('],
    ['which servers were added yesterday', ['added', 'yesterday'], 'There are 2 CIs'],
    ['what is the status of web-1 in production?', ['production'], 'web-1 is a CI'],
    ['what depends on web-1 and ghost-77', ['ghost-77'], 'Nothing that is known depends on web-1'],
  ])('%s', async (message, left, said) => {
    const { response, notUnderstood } = await asked(message);
    expect(notUnderstood).toEqual(left);
    const first = `Not understood, and left out: ${left.map((text) => `"${text}"`).join(', ')}. ${said}`;
    expect(response.slice(0, first.length)).toBe(first);
  });
});

describe('something else is not answered', () => {
  const [UNKNOWN, READS] = ['I have not understood that.', 'I only read, and change nothing.'];
  test.each([
    ['Who resolved the most events yesterday?', UNKNOWN],
    ['who acknowledged the disk alert?', UNKNOWN],
    ['which host has the most events?', UNKNOWN],
    ['what are the top 3 noisiest hosts', UNKNOWN],
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
    expect([body.toolCalls, body.claims, body.abstained]).toEqual([[], [], true]);
    expect(body.response.slice(0, said.length)).toBe(said);
  });

  test.each(['why is nosuchhost-77 slow?', 'what caused the crash of ghost-12?'])(
    '%s has no cause',
    async (message) => {
      const body = await asked(message);
      expect(body.abstained).toBe(true);
      expect(body.response).toContain('No CI is called');
    },
  );

  test.each([
    'what depends on it?',
    'why is it so slow?',
    'how is it doing?',
    'is everything fine?',
    'what else fails with it?',
  ])('of the CI that is looked at: %s', async (message) => {
    const body = await asked(message, { context: { currentCI: 'web-1' } });
    expect([body.notUnderstood, body.response]).toEqual([[], expect.stringContaining('web-1')]);
  });
});
