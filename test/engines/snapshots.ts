/**
 * `npm run test:snapshots`: takes snapshots with the engines' own tools as docs/operations.md says, loses all data, restores
 * it, and compares answers; with the log retained, then with an empty one.
 */
import { deepStrictEqual } from 'node:assert';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readEnginesConfig } from '#infra/config.ts';
import { fill } from '#test/kept/fill.ts';
import { answersOf } from '#test/kept/kept.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { runOn } from '#test/setup/test-mode.ts';
import { javaOf } from '#tools/engines/engine.ts';
import { run } from '#tools/engines/run.ts';
import { startEngines } from '#tools/engines/start-engines.ts';
import { distributed, emptyLog, emptyStore, rewindLog } from './distributed.ts';

const progress = (line: string): void => void process.stderr.write(`${line}\n`);
const timed = async (what: string, work: () => Promise<void>): Promise<void> => {
  const since = performance.now();
  await work();
  progress(`${what}: ${((performance.now() - since) / 1_000).toFixed(1)} s`);
};

const engines = await startEngines({ ...readEnginesConfig(), progress });
const { env } = process;
Object.assign(env, engines.addresses);
runOn(distributed);

const { neo4j } = engines.engine;
/** `neo4j-admin database …` of the distribution; the server must be stopped. */
const neo4jAdmin = (...args: readonly string[]): Promise<void> => {
  const { place } = neo4j;
  return run({
    program: javaOf(place),
    args: ['-cp', join(place.program, 'lib', '*'), 'org.neo4j.cli.AdminTool', 'database', ...args],
    folder: place.data,
    variables: { NEO4J_HOME: place.data, NEO4J_CONF: join(place.data, 'conf') },
  });
};
const dumps = join(engines.data, 'dumps');
mkdirSync(dumps);

const elasticsearch = async (method: string, path: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const url = `${engines.addresses.ELASTICSEARCH_URL}/_snapshot/${path}`;
  const reply = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
};
const INDICES = { indices: 'faultline-*', include_global_state: false };

const back = async (): Promise<void> => {
  await elasticsearch('PUT', 'backup', { type: 'fs', settings: { location: 'faultline' } });
  await elasticsearch('PUT', 'backup/first?wait_for_completion=true', INDICES);
  await neo4j.stop();
  await neo4jAdmin('dump', 'neo4j', `--to-path=${dumps}`);
  await neo4j.start();
};

const lose = async (): Promise<void> => {
  await emptyStore();
  await neo4j.stop();
  for (const folder of ['databases', 'transactions'])
    rmSync(join(neo4j.place.data, 'data', folder), { recursive: true });
};

const restore = async (): Promise<void> => {
  await elasticsearch('POST', 'backup/first/_restore?wait_for_completion=true', INDICES);
  await neo4jAdmin('load', 'neo4j', `--from-path=${dumps}`, '--overwrite-destination');
  await neo4j.start();
};

const during = async <T>(work: (it: TestApp) => Promise<T>): Promise<T> => {
  const it = await openTestApp({}, { isEmptied: false });
  try {
    await it.app.idle();
    return await work(it);
  } finally {
    await it.app.idle();
    await it.stop();
  }
};

const report = (it: TestApp, sourceId: string) => {
  const event = { source: 'kept', severity: 'critical', hostname: 'switch-1', timestamp: START };
  return it.send('POST', '/api/events/ingest', { ...event, sourceId, title: `Process ${sourceId} is down` });
};
/** Ids that the service has of each report. */
const idsOf = async ({ send }: TestApp): Promise<Map<string, string>> => {
  const { events } = (await send('GET', '/api/events?limit=100')).body;
  return new Map(events.map((event: { sourceId: string; eventId: string }) => [event.sourceId, event.eventId]));
};
/** People sign in, and what comes joins the group of before. */
const goesOn = async (it: TestApp, sourceId: string): Promise<void> => {
  const login = { username: 'ann', password: 'a password of ann' };
  deepStrictEqual((await it.send('POST', '/api/auth/login', login, { token: null })).status, 200);
  deepStrictEqual((await report(it, sourceId)).status, 201);
  await it.app.idle();
  const { groups } = (await it.send('GET', '/api/events/groups')).body;
  deepStrictEqual(groups.length, 1);
};

try {
  const before = await during(async ({ send, app }) => {
    await fill(send);
    await app.idle();
    return answersOf(send);
  });
  await timed('snapshot and dump', back);
  const late = await during(async (it) => {
    await report(it, 'sshd');
    await it.app.idle();
    return (await idsOf(it)).get('sshd');
  });

  await lose();
  await timed('restore', restore);
  await rewindLog();
  await during(async (it) => {
    deepStrictEqual((await idsOf(it)).get('sshd'), late);
    const { body } = await it.send('GET', '/v1/cmdb/ci');
    deepStrictEqual(body, before['/v1/cmdb/ci']);
    await goesOn(it, 'snmpd');
    progress('the log was retained: what came after the snapshot is there again');
  });

  await lose();
  await timed('restore', restore);
  await emptyLog();
  await during(async (it) => {
    deepStrictEqual(await answersOf(it.send), before);
    await goesOn(it, 'lldpd');
    progress('the log was lost: everything is as it was at the snapshot');
  });
} finally {
  await engines.stop();
}
