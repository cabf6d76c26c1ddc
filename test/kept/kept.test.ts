import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { VERSION } from '#infra/version.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { FILES, type KeptRecord } from './kept.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const versions = readdirSync(HERE).filter((name) => /^\d/.test(name));
const kept = (version: string, name: string): Buffer => gunzipSync(readFileSync(join(HERE, version, `${name}.gz`)));

const bytesOf = ({ bytes }: KeptRecord): Buffer => Buffer.from(bytes, 'base64');

let [it, folder]: [TestApp?, string?] = [];
afterEach(async () => {
  await it?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  [it, folder] = [undefined, undefined];
});
const open = async (version: string): Promise<TestApp> => {
  folder = mkdtempSync(join(tmpdir(), 'faultline-kept-'));
  for (const name of FILES) writeFileSync(join(folder, name), kept(version, name));
  it = await openTestApp({ FAULTLINE_DATA: folder });
  await it.app.idle();
  return it;
};

test('data of this version is kept', () => expect(versions).toContain(VERSION));

test.each(versions)('data of %s opens, with the answers of that version and what its redo log had', async (version) => {
  const { send } = await open(version);
  expect((await send('GET', '/readyz?verbose')).body).toMatchObject({ status: 'ready', version: VERSION });
  const answers = JSON.parse(readFileSync(join(HERE, version, 'answers.json'), 'utf8')) as Record<string, object>;
  for (const [path, body] of Object.entries(answers))
    expect({ [path]: (await send('GET', path)).body }).toMatchObject({ [path]: body });
});

test.each(versions)('with data of %s people sign in, and events join the groups of before', async (version) => {
  const { send } = await open(version);
  const login = { username: 'ann', password: 'a password of ann' };
  expect((await send('POST', '/api/auth/login', login, { token: null })).status).toBe(200);
  const before = (await send('GET', '/api/events/groups')).body;
  expect(before.groups).toHaveLength(1);
  const event = { source: 'kept', sourceId: 'new-1', severity: 'critical', title: 'Also down', hostname: 'switch-1' };
  await send('POST', '/api/events/ingest', { ...event, timestamp: START });
  await it!.app.idle();
  const after = (await send('GET', '/api/events/groups')).body;
  expect([after.groups.length, after.groups[0].correlationId]).toEqual([1, before.groups[0].correlationId]);
});

test.each(versions)('records of the topics of %s are read', async (version) => {
  const records = JSON.parse(kept(version, 'records.json').toString()) as KeptRecord[];
  const idOf = (record: KeptRecord): number => bytesOf(record).readInt32BE(1);
  const registry = openMemoryRegistry();
  for (const { topic, schema } of records.toSorted((a, b) => idOf(a) - idOf(b)))
    await registry.register(topic, JSON.stringify(schema));
  const codecs = await openCodecs(registry);
  for (const record of records) {
    const name = record.topic as TopicName;
    const codec = codecs.of(name);
    if (!codec.knows(bytesOf(record))) await codec.learn(bytesOf(record));
    const value = codec.decode(bytesOf(record));
    if (version === VERSION) expect(value).toStrictEqual(topicSamples[name][0]);
    else expect(value).toBeDefined();
  }
});
