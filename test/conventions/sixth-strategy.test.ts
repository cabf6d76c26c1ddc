import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import { systemClock } from '#infra/system/time.ts';
import { type Launched, launch } from '#test/faults/launch.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { AREAS } from './import-layers.ts';
import { ROOT } from './planted.ts';

/* A copy of the program with one more file and its line in the list of strategies has a sixth strategy everywhere. */

const PRODUCT = [...AREAS.filter((area) => area !== 'console'), 'app.ts', 'whole.ts', 'main.ts', 'package.json'];
const LIST = 'domain/correlation/strategies/strategies.ts';
const TOKEN = 'token-of-the-sixth-strategy';
const MINUTE = 60_000;
const NOW = systemClock.now();

const directory = temporaryDirectory();
const inCopy = (path: string): string => join(directory.path, path);
let server: Launched;

const copyWithSixth = (): void => {
  for (const path of PRODUCT) cpSync(join(ROOT, path), inCopy(path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), inCopy('node_modules'));
  cpSync(join(ROOT, 'test/conventions/sender.ts'), inCopy('domain/correlation/strategies/sender.ts'));
  const list = readFileSync(inCopy(LIST), 'utf8');
  const plugged = `import { sender } from './sender.ts';\n${list.replace('pattern, service];', 'pattern, service, sender];')}`;
  expect(plugged).toContain('service, sender];');
  writeFileSync(inCopy(LIST), plugged);
};

const start = (): Promise<Launched> =>
  launch(
    {
      PORT: '0',
      FAULTLINE_DATA: inCopy('data'),
      FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
      FAULTLINE_LIMIT_SCALE: '0',
      FAULTLINE_ADMIN_PASSWORD: 'a password for this run',
      FAULTLINE_LOG_LEVEL: 'warn',
    },
    { folder: directory.path },
  );
const stop = async (): Promise<void> => {
  server.process.kill('SIGTERM');
  await server.exited;
};

beforeAll(async () => {
  copyWithSixth();
  server = await start();
}, 60_000);
afterAll(async () => {
  await stop();
  directory.remove();
});

const ask = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(server.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
  // biome-ignore lint/suspicious/noExplicitAny: replies of several shapes.
  return { status: response.status, body: (await response.json()) as any };
};
const ingest = async (source: string, hostname: string, minutesAgo: number): Promise<string> => {
  const timestamp = new Date(NOW - minutesAgo * MINUTE).toISOString();
  const event = { source, sourceId: hostname, severity: 'major', title: `${hostname} is odd`, hostname, timestamp };
  return (await ask('POST', '/api/events/ingest', event)).body.eventId;
};
const groupOf = async (id: string): Promise<string | null> =>
  (await ask('GET', `/api/events/${id}`)).body.event.correlationId;
const explained = async (one: string, other: string) => {
  const { strategies, together } = (await ask('GET', `/api/events/${one}/explain?with=${other}`)).body;
  return { together, ...strategies.find(({ strategy }: { strategy: string }) => strategy === 'sender') };
};

const SETTINGS = '/api/admin/settings/correlation';
const set = (sender: object) => ask('PUT', SETTINGS, { strategies: { sender } });

const pair = async (source: string): Promise<[string, string]> => [
  await ingest(source, `first-${source}`, 50),
  await ingest(source, `second-${source}`, 10),
];

test('it has settings with defaults and bounds, and its processor runs', async () => {
  const { body } = await ask('GET', SETTINGS);
  expect(body.data.effective.strategies.sender).toEqual({ enabled: true, windowMs: 60 * MINUTE, worth: 0.6 });
  expect((await set({ worth: 2 })).status).toBe(400);
  const { paths, components } = (await ask('GET', '/openapi.json')).body;
  expect(Object.keys(paths).length).toBeGreaterThan(100);
  const settings = components.schemas.CorrelationSettings.properties.strategies;
  expect(settings.properties.sender.properties.worth).toEqual({ type: 'number', minimum: 0, maximum: 1 });
  const processors = (await ask('GET', '/api/admin/pipeline')).body.data.processors;
  expect(processors.map(({ name }: { name: string }) => name)).toContain('correlate.sender');
});

test('events are grouped by it, as the tenant has weighed it', async () => {
  const others = Object.fromEntries(STRATEGY_NAMES.map((name) => [name, { enabled: false }]));
  expect((await ask('PUT', SETTINGS, { strategies: others })).status).toBe(200);
  const weak = await pair('weak');
  expect([await groupOf(weak[0]), await groupOf(weak[1])]).toEqual([null, null]);
  expect(await explained(...weak)).toMatchObject({ together: false, literalScore: 0.6, joined: false });

  expect((await set({ worth: 0.9 })).status).toBe(200);
  const strong = await pair('strong');
  const group = await groupOf(strong[1]);
  expect(group).not.toBeNull();
  expect(await groupOf(strong[0])).toBe(group);
  expect(await explained(...strong)).toMatchObject({ together: true, literalScore: 0.9, joined: true });

  expect((await set({ enabled: false })).status).toBe(200);
  const off = await pair('off');
  expect(await groupOf(off[1])).toBeNull();
  expect((await explained(...off)).reason).toBe('no match: strategy disabled');
});

test('its records are read after a restart', async () => {
  expect((await set({ enabled: true })).status).toBe(200);
  const [first, second] = await pair('lasting');
  const group = await groupOf(second);
  await stop();
  server = await start();
  expect(await groupOf(first)).toBe(group);
  expect(await explained(first, second)).toMatchObject({ together: true, joined: true });
  const [stranger] = await pair('stranger');
  expect((await explained(first, stranger)).reason).toBe('no match: they have different senders');
  const third = await ingest('lasting', 'third', 5);
  expect(await groupOf(third)).toBe(group);
}, 60_000);
