import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { type App, start } from '#app';
import { readConfig } from '#infra/config.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import { pipeline } from '#processors/pipeline.ts';
import { operationsContract } from '#test/contract/operations.ts';
import { ROOT } from '#test/conventions/planted.ts';
import { type Gate, openGate } from '#test/faults/chaos/gate.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { sinks } from '#whole';
import { addresses } from './addresses.ts';
import { distributed } from './distributed.ts';

const LEFT_OUT = 'correlate.service';
const READERS = [...pipeline, ...sinks];
const NAMES = READERS.map(({ name }) => name);
const PARTITIONS = Number(distributed.env.FAULTLINE_PARTITIONS);
const TENANT = 'acme';
const HOME = partitionOf(TENANT, PARTITIONS);

let it: TestApp;
let toNeo4j: Gate;
let worker: App | null = null;
let token: string;
const kafka = new kafkajs.Kafka({ brokers: [...addresses().brokers], logLevel: kafkajs.logLevel.NOTHING });

beforeAll(async () => {
  const { hostname, port } = new URL(addresses().neo4j);
  toNeo4j = await openGate(hostname, Number(port));
  it = await openTestApp({
    NEO4J_URL: `bolt://127.0.0.1:${toNeo4j.port}`,
    FAULTLINE_PROCESSORS: NAMES.filter((name) => name !== LEFT_OUT).join(','),
  });
  token = await it.tenant(TENANT);
}, 180_000);
afterAll(async () => {
  await worker?.stop();
  await it.stop();
  await toNeo4j.close();
});

const state = async (as?: string) =>
  (await it.send('GET', '/api/admin/pipeline', undefined, as === undefined ? {} : { token: as })).body.data;
const statusOf = async (name: string): Promise<string> =>
  (await state()).processors.find((one: { name: string }) => one.name === name).status;
const readiness = async (url = it.url) => {
  const response = await fetch(`${url}/readyz?verbose`);
  return { status: response.status, body: (await response.json()) as { status: string; checks: object[] } };
};
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 250));
};
const ingest = (hostname: string) =>
  it.send(
    'POST',
    '/api/events/ingest',
    { source: 'zabbix', sourceId: hostname, hostname, severity: 'critical', title: 'Database down' },
    { token },
  );

test('a processor that nobody runs is missing, for operators and for readiness; events are taken in', async () => {
  await until(async () => (await statusOf('dedup')) === 'running' && (await statusOf('merge')) === 'running');
  expect(await statusOf(LEFT_OUT)).toBe('missing');
  const { status, body } = await readiness();
  expect([status, body.status]).toEqual([200, 'degraded']);
  expect(body.checks).toContainEqual({
    name: `processor ${LEFT_OUT}`,
    ok: false,
    detail: 'no process runs it; 0 records queued',
  });
  for (const hostname of ['db-1', 'db-2', 'db-1']) expect((await ingest(hostname)).status).toBeLessThan(300);
});

test('a worker that runs it catches up, and all is well in every process', async () => {
  const env = { ...distributed.env, PORT: '0', FAULTLINE_ROLE: 'worker', FAULTLINE_LOG_LEVEL: 'silent' };
  worker = await start(readConfig({ ...env, FAULTLINE_PROCESSORS: LEFT_OUT }), { clock: it.clock });
  await until(async () => (await statusOf(LEFT_OUT)) === 'running');
  await it.app.idle();
  const groups = (await it.send('GET', '/api/events/groups', undefined, { token })).body.groups;
  expect(groups).toMatchObject([{ eventCount: 2 }]);
  const { url } = worker;
  await until(async () => (await readiness(url)).body.status === 'ready');
  const shown = async () => (await state()).processors as { readonly lag: number }[];
  it.clock.advance(10_000);
  await until(async () => (await shown()).every(({ lag }) => lag === 0));
  const { processors } = await state();
  expect(processors).toHaveLength(NAMES.length);
  for (const one of processors) {
    expect(one).toMatchObject({ status: 'running', members: 1, lag: 0, detail: null, last_error: null });
    expect(one.partitions.map(({ member }: { member: string }) => member)).toEqual(
      Array.from({ length: PARTITIONS }, () => one.processes[0].id),
    );
  }
});

test('without Neo4j the service is degraded, names it, and takes events in', async () => {
  const seen = async () => {
    const { status, body } = await readiness();
    return [status, body.status, body.checks.find((check) => 'name' in check && check.name === 'neo4j')];
  };
  const check = { name: 'neo4j', ok: true, detail: 'reachable' };
  expect(await seen()).toEqual([200, 'ready', check]);
  toNeo4j.refuse();
  expect(await seen()).toEqual([200, 'degraded', { ...check, ok: false, detail: 'unreachable' }]);
  expect((await ingest('db-1')).status).toBeLessThan(300);
  toNeo4j.open();
  await until(async () => (await seen())[1] === 'ready');
});

operationsContract('Kafka', READERS, async () => ({ store: it.app.ports.operations, close: async () => {} }));

test('an administrator of a tenant sees its own partition and nobody else', async () => {
  const { processors } = await state(token);
  for (const one of processors) {
    expect(one.partitions).toMatchObject([{ partition: HOME, member: null }]);
    expect(one).toMatchObject({ processes: [], detail: null, last_error: null });
  }
});

test('topics are shown as the brokers and the registry have them', async () => {
  const { data } = (await it.send('GET', '/api/admin/topics')).body;
  expect(data[0]).toMatchObject({
    name: 'events.incoming',
    storage: 'kafka',
    partitions: PARTITIONS,
    retention_ms: 7 * 24 * 3_600_000,
    schema: { subject: 'events.incoming-value', version: expect.any(Number), id: expect.any(Number) },
  });
  expect(data[0].offsets[HOME].end).toBeGreaterThanOrEqual(3);
  const shown = (await it.send('GET', '/api/admin/topics', undefined, { token })).body.data;
  expect(shown.flatMap(({ offsets }: { offsets: object[] }) => offsets)).toEqual([]);
});

const garbage = Buffer.from('no record');
/** Returns a record as stored in events.incoming, read without a group. */
const firstIncoming = async (): Promise<Buffer> => {
  const consumer = kafka.consumer({ groupId: 'test.operations' });
  await consumer.connect();
  await consumer.subscribe({ topics: ['events.incoming'], fromBeginning: true });
  const found = Promise.withResolvers<Buffer>();
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ message: { value } }) => {
      if (value !== null) found.resolve(value);
    },
  });
  const value = await found.promise;
  await consumer.disconnect();
  return value;
};
const letters = async (query = '') =>
  (await it.send('GET', `/api/admin/dead-letters${query}`, undefined, { token })).body.data;

test('a record that cannot be read becomes one dead letter, which is shown, not replayed, and discarded', async () => {
  const value = await firstIncoming();
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic: 'events.incoming', messages: [{ key: TENANT, value: garbage, partition: HOME }] });
  await producer.disconnect();
  await until(async () => (await letters()).length > 0);
  const [letter] = await letters();
  expect(letter).toMatchObject({ processor: 'dedup', topic: 'events.incoming', partition: HOME, state: 'waiting' });
  const path = `/api/admin/dead-letters/${letter.id}`;
  const shown = (await it.send('GET', path, undefined, { token })).body.data;
  expect(shown).toMatchObject({ record: null, value: garbage.toString('base64') });
  const replay = await it.send('POST', `${path}/replay`, undefined, { token });
  expect([replay.status, replay.body.error.message]).toEqual([409, expect.stringContaining(shown.not_replayable)]);
  expect((await it.send('DELETE', path, undefined, { token })).body.data.state).toBe('discarded');

  const other = await it.tenant('bravo');
  const id = letter.id.replace(/.$/, letter.id.endsWith('0') ? '1' : '0');
  const body = { ...letter, id, at: it.clock.now(), content: { kind: 'avro', base64: value.toString('base64') } };
  await it.app.ports.records.put('bravo', 'dead-letter', id, { ...body, settled: null });
  const again = await it.send('POST', `/api/admin/dead-letters/${id}/replay`, undefined, { token: other });
  expect(again.body.data).toMatchObject({ state: 'replayed', settled: { outcome: 'created' } });
  const { events } = (await it.send('GET', '/api/events', undefined, { token: other })).body;
  expect(events).toMatchObject([{ hostname: 'db-1', occurrenceCount: 1 }]);
});

/** Metrics of embedded mode: its data directory, its queues. */
const NEVER = [
  'faultline_database_bytes',
  'faultline_disk_free_bytes',
  'faultline_disk_size_bytes',
  'faultline_requests_waiting',
];

test('every measurement of the alerts and the dashboard is really there', async () => {
  const texts = ['prometheus/alerts.yaml', 'grafana/faultline.json'].map((name) =>
    readFileSync(join(ROOT, 'infra/deploy', name), 'utf8'),
  );
  const asked = new Set(texts.join('\n').match(/\bfaultline_[a-z_]+/g));
  const both = await Promise.all([it.url, worker?.url].map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const samples = new Set([...both.join('\n').matchAll(/^(faultline_\w+)[{ ]/gm)].map(([, name]) => name));
  expect([...asked].filter((name) => !samples.has(name) && !NEVER.includes(name))).toEqual([]);
  const counted = (name: string): number =>
    [...both.join('\n').matchAll(new RegExp(`^${name}(?:{[^}]*})? (\\d.*)$`, 'gm'))].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  for (const name of [
    'faultline_commit_seconds_count',
    'faultline_batch_records_count',
    'faultline_receipt_seconds_count',
  ])
    expect(counted(name)).toBeGreaterThan(0);
  expect(counted('faultline_accepted_to_correlated_seconds_count')).toBeGreaterThan(0);
  expect(counted('faultline_state_size')).toBeGreaterThan(0);
  expect(counted('faultline_groups_open')).toBe(1);
  expect(counted('faultline_processor_members')).toBe(2 * NAMES.length);
});
