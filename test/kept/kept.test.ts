import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { answersOfThen, KEPT_TOKEN, LEFT, unpack } from './unpack.ts';

/* A directory that the program of commit 5c17e74 left behind goes on under the program of today. */

const MINUTE = 60_000;
const directory = temporaryDirectory();
let app: TestApp;
const started = async () => {
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
  app.clock.set(LEFT);
};
beforeAll(async () => {
  unpack(directory.path);
  await started();
});
afterAll(async () => {
  await app.stop();
  directory.remove();
});

const send = async (method: string, path: string, body?: unknown) => {
  const reply = await app.send(method, path, body, { token: KEPT_TOKEN });
  if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
const ingest = (sourceId: string, more: object) =>
  send('POST', '/api/events/ingest', { source: 'script', sourceId, severity: 'major', ...more });
// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
const eventOf = async (sourceId: string): Promise<any> => {
  const { events } = await send('GET', '/api/events?limit=100&sortBy=timestamp&sortOrder=desc');
  return events.find((event: { sourceId: string }) => event.sourceId === sourceId);
};

const answers = Object.entries(answersOfThen());

test('it has something to ask', () => {
  expect(answers.length).toBeGreaterThan(50);
});

/** Defaults may change; what the tenant has set stays. */
const SETTINGS = '/api/admin/settings/correlation';

const GROUPS = '/api/events/groups?limit=100';
interface Listed {
  readonly correlationId: string;
  readonly status: string;
}
/** Groups have another order and other words for their state since; everything else of them stays. */
const stateless = (groups: readonly Listed[]) =>
  groups.map(({ status: _, ...group }) => group).sort((a, b) => (a.correlationId < b.correlationId ? -1 : 1));

test('the groups of then are listed, with the words of today for their state', async () => {
  const { groups } = await send('GET', GROUPS);
  expect(stateless(groups)).toMatchObject(stateless((answersOfThen()[GROUPS] as { groups: Listed[] }).groups));
  const states: readonly string[] = groups.map(({ status }: Listed) => status);
  expect(states.filter((state) => !['active', 'acknowledged', 'resolved'].includes(state))).toEqual([]);
});

/** Reasons may say more than they did, and nothing else. */
const stillSaid = (said: unknown): unknown => {
  if (typeof said !== 'object' || said === null) return said;
  if (Array.isArray(said)) return said.map(stillSaid);
  const fields = Object.entries(said).map(([name, value]) => [
    name,
    name === 'reason' && typeof value === 'string' ? expect.stringContaining(value) : stillSaid(value),
  ]);
  return Object.fromEntries(fields);
};

test.each(answers.filter(([path]) => path !== GROUPS))('%s is answered as it was', async (path, said) => {
  const { overrides } = (said as { data?: { overrides?: object } }).data ?? {};
  const expected = path === SETTINGS ? { data: { overrides } } : (stillSaid(said) as object);
  expect(await send('GET', path)).toMatchObject(expected);
});

const rows: [string, () => Promise<unknown>, string, object][] = [
  [
    'a repeat with another reading',
    () => ingest('cpu-7', { severity: 'warning', title: 'CPU 97 %', hostname: 'app-7', timestamp: at(1) }),
    'cpu-7',
    { status: 'open', occurrenceCount: 2 },
  ],
  [
    'a repeat of what was in the redo log alone',
    () => ingest('last', { title: 'Storage latency high', hostname: 'san-1', timestamp: at(1) }),
    'last',
    { status: 'open', occurrenceCount: 2 },
  ],
  [
    'a repeat of an acknowledged event',
    () => ingest('1', { severity: 'critical', title: 'Switch link down', hostname: 'sw-1', timestamp: at(1) }),
    '1',
    { status: 'acknowledged', occurrenceCount: 2 },
  ],
  [
    'a recovery of the same source and sourceId',
    () => ingest('disk-1', { status: 'resolved', timestamp: at(1) }),
    'disk-1',
    { status: 'resolved' },
  ],
  [
    'a recovery of a condition',
    () =>
      send('POST', '/api/events/webhook/zabbix', {
        ...{ event_id: '9', trigger_name: 'Service crashed', hostname: 'zbx-1', severity: '4', event_value: '0' },
        timestamp: String((START + MINUTE) / 1_000),
      }),
    '9',
    { status: 'resolved', occurrenceCount: 2 },
  ],
];

test.each(rows)('%s finds its event', async (_, ask, sourceId, expected) => {
  const { eventId } = await eventOf(sourceId);
  await ask();
  expect(await eventOf(sourceId)).toMatchObject({ eventId, ...expected });
});

const interfaceOver = (fingerprint: string, device: string) =>
  send('POST', '/api/events/webhook/prometheus', {
    version: '4',
    alerts: [
      {
        status: 'resolved',
        labels: { alertname: 'InterfaceDown', severity: 'warning', instance: 'edge-1', device },
        annotations: { summary: 'Interface is down' },
        startsAt: at(-20),
        endsAt: at(1),
        fingerprint,
      },
    ],
  });

test('an event with two conditions waits for both, over a restart', async () => {
  await interfaceOver('aa01', 'eth0');
  const { eventId, status } = await send('GET', '/api/events?source=prometheus&status=open').then(
    ({ events }) => events[0],
  );
  expect(status).toBe('open');
  await app.stop();
  await started();
  await interfaceOver('aa02', 'eth1');
  expect((await send('GET', `/api/events/${eventId}`)).event.status).toBe('resolved');
});

test('it takes in what is new', async () => {
  const event = { severity: 'critical', title: 'Backup tape jammed', hostname: 'tape-1', timestamp: at(1) };
  expect(await ingest('new-1', event)).toMatchObject({ status: 'created' });
});
