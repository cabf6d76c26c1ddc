import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { TRIAL } from '#features/trials/rules/trial.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { oneOfSeveral } from '#test/setup/record-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { openTestApp, START } from '#test/setup/test-app.ts';
import { trialTasks } from './trial-tasks.ts';

const MINUTE = 60_000;
const PATH = '/api/admin/settings/correlation/trials';

const app = appOfTests();
let tenants = 0;

const fresh = async (role?: string) => {
  const id = `tried-${++tenants}`;
  const token = await app.tenant(id, role);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  /** Two groups of three, by their services. */
  const story = async (): Promise<string[]> => {
    const events = ['mail', 'shop'].flatMap((service, n) =>
      [0, 1, 2].map((one) => ({
        sourceId: `${service}${one}`,
        hostname: `${service}-${one}`,
        service,
        severity: 'major',
        title: `Odd ${service} ${'abc'[one]}`,
        timestamp: START - (70 * (1 - n) + one) * MINUTE,
      })),
    );
    const { body } = await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
    await app.app.idle();
    return body.results.success.map(({ eventId }: { eventId: string }) => eventId);
  };
  const tried = async (patch: object, hours = 24) => {
    const { data } = (await send('POST', PATH, { patch, hours })).body;
    await app.app.idle();
    return (await send('GET', `${PATH}/${data.id}`)).body.data;
  };
  return { id, send, story, tried };
};

const NO_TIME = { strategies: { temporal: { enabled: false } } };
const NOTHING = { strategies: { temporal: { enabled: false }, service: { enabled: false } } };

describe('what a trial says', () => {
  test('is every group that comes out otherwise, with the titles of what they are about', async () => {
    const { story, tried } = await fresh();
    await story();
    const said = await tried(NOTHING);
    expect(said).toMatchObject({
      state: 'completed',
      hours: 24,
      events: 6,
      truncated: false,
      changed: 2,
      before: { groups: 2, grouped: 6, largest: 3, noise: 0 },
      after: { groups: 0, grouped: 0, largest: 0, noise: 6 },
    });
    expect(said.changes).toHaveLength(2);
    for (const change of said.changes)
      expect(change).toEqual({
        kind: 'gone',
        before: [{ correlationId: expect.stringMatching(/^COR-/), size: 3 }],
        after: [],
        titles: [expect.stringMatching(/^Odd (shop|mail) [abc]$/)],
      });
  });

  test('is about the last hours alone', async () => {
    const { story, tried } = await fresh();
    await story();
    expect(await tried(NOTHING, 1)).toMatchObject({ events: 3, before: { groups: 1 }, changed: 1 });
  });

  test('and which verdicts would stand', async () => {
    const { send, story, tried } = await fresh();
    await story();
    const { groups } = (await send('GET', '/api/events/groups')).body;
    for (const [n, { correlationId }] of groups.entries())
      await send('PUT', `/api/events/groups/${correlationId}/verdict`, {
        cause: n === 0 ? 'right' : 'unknown',
        members: 'right',
      });
    expect((await tried({})).verdicts).toEqual({ kept: 2, lost: 0 });
    expect((await tried(NO_TIME)).verdicts).toEqual({ kept: 2, lost: 0 });
    expect((await tried(NOTHING)).verdicts).toEqual({ kept: 0, lost: 2 });
  });

  test('what a person put together stays together', async () => {
    const { send, story, tried } = await fresh();
    const [a, , , d] = await story();
    await send('POST', '/api/events/correlate', { primaryEventId: a, relatedEventIds: [d] });
    await app.app.idle();
    expect(await tried(NO_TIME)).toMatchObject({ before: { groups: 1, largest: 6 }, after: { groups: 1, largest: 6 } });
    expect(await tried(NOTHING)).toMatchObject({ after: { groups: 1, largest: 2, noise: 4 } });
  });
});

describe('what cannot be tried', () => {
  test.each([
    [{ dedupWindowMs: 120_000 }, 'dedupWindowMs'],
    [{ maxBehindMs: null }, 'maxBehindMs'],
    [{ threshold: 2 }, 'threshold'],
    [{ unheard: 1 }, 'unheard'],
  ])('%j', async (patch, named) => {
    const { send } = await fresh();
    const { status, body } = await send('POST', PATH, { patch, hours: 24 });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(named)]);
  });

  test.each([0, 169, 1.5])('%d hours', async (hours) => {
    expect((await (await fresh()).send('POST', PATH, { patch: {}, hours })).status).toBe(400);
  });

  test('by who may not change settings', async () => {
    const { send } = await fresh('operator');
    expect((await send('POST', PATH, { patch: {} })).status).toBe(403);
    expect((await send('GET', PATH)).status).toBe(403);
  });
});

describe('one at a time', () => {
  /** State left by a process that is gone. */
  const left = async (tenant: string, state: string) => {
    const { records, ids, clock } = app.app.ports;
    const id = ids.ulid();
    const trial = {
      id,
      state,
      done: 0.4,
      patch: {},
      hours: 24,
      startedAt: clock.now(),
      endedAt: null,
      by: 'x',
      error: null,
    };
    await records.put(tenant, TRIAL, id, { ...trial, result: null });
    const place = { tenant, id, at: clock.now(), tries: state === 'running' ? 1 : 0 };
    await records.put(SYSTEM_TENANT, `${TRIAL}-queue`, tenant, place);
    return id;
  };

  test('another one is refused, and the first ends', async () => {
    const { id, send } = await fresh();
    const other = await left(id, 'waiting');
    expect((await send('POST', PATH, { patch: {} })).status).toBe(409);
    expect((await send('GET', `${PATH}/${other}`)).body.data.before).toBeNull();
    app.app.ports.background.ring('try-settings');
    await app.app.idle();
    expect((await send('GET', `${PATH}/${other}`)).body.data.state).toBe('completed');
    expect((await send('POST', PATH, { patch: {} })).status).toBe(202);
    await app.app.idle();
    const listed = (await send('GET', PATH)).body.data.map(({ id: one }: { id: string }) => one);
    expect(listed).toHaveLength(2);
    expect(listed[1]).toBe(other);
  });

  test('one that a process has left that died has failed, and the next one runs', async () => {
    const { id, send, tried } = await fresh();
    const dead = await left(id, 'running');
    app.app.ports.background.ring('try-settings');
    await app.app.idle();
    const { data } = (await send('GET', `${PATH}/${dead}`)).body;
    expect([data.state, data.error]).toEqual(['failed', 'The server restarted during the simulation. Start it again']);
    expect((await tried({})).state).toBe('completed');
  });

  test('while another process has the lease it is let be', async () => {
    const { id, send } = await fresh();
    const { records } = app.app.ports;
    const theirs = await left(id, 'running');
    const lease = { owner: 'another', ms: 15_000 };
    await records.put(SYSTEM_TENANT, `${TRIAL}-lease`, id, lease);
    const failed = (error: unknown) => {
      throw error;
    };
    const trials = runnerOf(trialTasks, oneOfSeveral(app.app.ports), { failed });
    await trials.tick();
    expect((await send('GET', `${PATH}/${theirs}`)).body.data.state).toBe('running');
    app.clock.advance(16_000);
    await trials.tick();
    expect((await send('GET', `${PATH}/${theirs}`)).body.data.state).toBe('failed');
  });
});

test('nothing that is stored of events, groups and decisions is another thing afterwards', async () => {
  const directory = temporaryDirectory();
  const own = await openTestApp({ FAULTLINE_DATA: directory.path });
  const file = new DatabaseSync(join(directory.path, 'faultline.db'), { readOnly: true });
  try {
    const token = await own.tenant('kept');
    const send = (method: string, path: string, body?: unknown) => own.send(method, path, body, { token });
    for (let n = 0; n < 30; n++) {
      const event = { source: 't', sourceId: `s${n}`, severity: 'major', hostname: `h${n}`, service: `svc${n % 3}` };
      await send('POST', '/api/events/ingest', { ...event, title: `Odd ${n % 4}`, timestamp: START - n * MINUTE });
    }
    await own.app.idle();
    const dump = async () => {
      await send('GET', '/api/events');
      const tables = ['event', 'tally', 'enriched', 'decision', 'decision_link', 'grp', 'grp_alias', 'surroundings'];
      // Side records move the position of the redo log.
      const queries = [...tables, "cursor WHERE name <> 'redo'"];
      return queries.map((from) => JSON.stringify([from, file.prepare(`SELECT * FROM ${from}`).all()]));
    };
    const before = await dump();
    expect(before.join('').length).toBeGreaterThan(5_000);
    const { data } = (await send('POST', PATH, { patch: NOTHING })).body;
    await own.app.idle();
    expect((await send('GET', `${PATH}/${data.id}`)).body.data).toMatchObject({
      state: 'completed',
      after: { groups: expect.any(Number) },
    });
    expect(await dump()).toEqual(before);
  } finally {
    file.close();
    await own.stop();
    directory.remove();
  }
});
