import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { VERSION } from '#infra/version.ts';
import { loadEngines } from '#test/kept/engines.ts';
import { ENGINES, type KeptEngines } from '#test/kept/kept.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { distributed } from './distributed.ts';

const FOLDER = 'test/kept';
const versions = readdirSync(FOLDER).filter((name) => /^\d/.test(name));

let it: TestApp | undefined;
afterEach(async () => {
  await it?.stop();
});

const open = async (version: string): Promise<KeptEngines> => {
  const kept = JSON.parse(gunzipSync(readFileSync(join(FOLDER, version, ENGINES))).toString()) as KeptEngines;
  await distributed.empty();
  await loadEngines(kept);
  it = await openTestApp({}, { isEmptied: false });
  await it.app.idle();
  return kept;
};

test('what this version leaves in the engines is kept', () => expect(versions).toContain(VERSION));

test.each(versions)(
  'engines with data of %s give the answers of that version, and the service goes on',
  async (version) => {
    const { answers } = await open(version);
    const { send, app } = it!;
    for (const [path, body] of Object.entries(answers))
      expect({ [path]: (await send('GET', path)).body }).toMatchObject({ [path]: body });
    const login = { username: 'ann', password: 'a password of ann' };
    expect((await send('POST', '/api/auth/login', login, { token: null })).status).toBe(200);
    const event = { source: 'kept', severity: 'critical', title: 'Also down', hostname: 'switch-1', timestamp: START };
    await send('POST', '/api/events/ingest', { ...event, sourceId: 'new-1' });
    await send('POST', '/api/events/ingest', { ...event, sourceId: 'kept-0', title: 'switch is down' });
    await app.idle();
    const [group, ...others] = (await send('GET', '/api/events/groups')).body.groups;
    expect([group.correlationId, others]).toEqual([
      (answers['/api/events/groups'] as { groups: { correlationId: string }[] }).groups[0]?.correlationId,
      [],
    ]);
    const again = (await send('GET', '/api/events?search=switch')).body.events;
    expect(again.find(({ sourceId }: { sourceId: string }) => sourceId === 'kept-0').occurrenceCount).toBe(2);
  },
);
