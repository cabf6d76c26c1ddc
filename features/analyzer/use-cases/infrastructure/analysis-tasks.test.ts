import { describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { bringSearches } from '#features/analyzer/stores/searches-for-tests.ts';
import { fillInfrastructure } from '#test/setup/known-infrastructure.ts';
import { oneOfSeveral, openRecordWorld, TENANT } from '#test/setup/record-world.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { analysisTasks } from './analysis-tasks.ts';
import { isLast, STEPS } from './progress-event.ts';
import { readAnalysis } from './read-analysis.ts';
import {
  ANALYSIS_KINDS,
  type AnalysisSession,
  findSession,
  firstStoredAfter,
  newestEvent,
  readEvent,
} from './records.ts';

const QUEUE = 'analysis-queue';
const SESSION = 'session-1';
const PAGE = { start: 0, limit: 50 };

/** Asks for an analysis as the endpoint does. */
async function ask({ records, clock }: Ports, tenant = TENANT, id = SESSION): Promise<void> {
  const session: AnalysisSession = {
    id,
    status: 'running',
    startedAt: clock.now(),
    completedAt: null,
    by: 'ann',
    error: null,
    parts: {},
    counts: {},
  };
  await records.put(SYSTEM_TENANT, QUEUE, tenant, { tenant, id, at: clock.now() });
  await records.put(tenant, ANALYSIS_KINDS.session, id, session);
}

const alone = (ports: Ports, failed: (error: unknown) => void = () => undefined) =>
  runnerOf(analysisTasks, ports, { failed });

async function openWorld() {
  const world = openRecordWorld(bringSearches);
  await fillInfrastructure(world.ports, TENANT, 12);
  await ask(world.ports);
  return world;
}

/** Everything that the analysis leaves. */
async function left(ports: Ports) {
  const { session, services, total } = await readAnalysis({ ports, tenant: TENANT }, SESSION, PAGE);
  const queue = await ports.records.list(SYSTEM_TENANT, QUEUE, { limit: 10 });
  return { status: session.status, counts: session.counts, services, total, queue: queue.length };
}

const eventsOf = async ({ records }: Ports) => {
  const newest = await newestEvent(records, TENANT, SESSION);
  const numbers = Array.from({ length: newest }, (_, i) => i + 1);
  return Promise.all(numbers.map((n) => readEvent(records, TENANT, SESSION, n)));
};

/** A process that is killed at its n-th write; later ones change nothing either. */
function mortal(ports: Ports, n: number): Ports {
  let writes = 0;
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes >= n) throw new Fault('unavailable', 'killed');
    return work();
  };
  const { records } = ports;
  const put: Ports['records']['put'] = (...given) => alive(() => records.put(...given));
  const remove: Ports['records']['remove'] = (...given) => alive(() => records.remove(...given));
  return { ...ports, records: { ...records, put, remove } };
}

describe('An analysis in the background', () => {
  test('finds the services, and leaves nothing but them', async () => {
    using world = await openWorld();
    await alone(world.ports).tick();
    const done = await left(world.ports);
    expect(done).toMatchObject({ status: 'completed', queue: 0 });
    expect(await world.ports.records.list(TENANT, ANALYSIS_KINDS.part, { limit: 100 })).toHaveLength(2);
    expect(done.total).toBeGreaterThan(8);
    const events = await eventsOf(world.ports);
    expect(events.filter((event) => event !== null && isLast(event))).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'complete', totalServices: done.total });
  });

  test('tells of each step how much of one total is done, and never more', async () => {
    using world = await openWorld();
    await alone(world.ports).tick();
    const told = (await eventsOf(world.ports)).flatMap((event) => (event?.type === 'progress' ? [event] : []));
    for (const step of STEPS) {
      const own = told.filter((event) => event.step === step);
      const currents = own.map(({ current }) => current);
      expect(new Set(own.map(({ total }) => total)).size).toBe(1);
      expect(currents).toEqual([...currents].sort((a, b) => a - b));
      expect(currents.at(-1)).toBe(own[0]!.total);
    }
  });

  test(
    'that dies at any write goes on from its last step, and finds the same',
    async () => {
      using calm = await openWorld();
      await alone(calm.ports).tick();
      const expected = await left(calm.ports);
      const writes = (await eventsOf(calm.ports)).length + 20;
      for (let n = 1; n <= writes; n += runs({ short: 29, long: 1 })) {
        using world = await openWorld();
        for (const again of [0, 5, 11])
          await alone(mortal(world.ports, n + again))
            .tick()
            .catch(() => undefined);
        await alone(world.ports).tick();
        expect(await left(world.ports)).toEqual(expected);
        const events = await eventsOf(world.ports);
        expect(events).not.toContain(null);
        expect(events.filter((event) => event !== null && isLast(event))).toHaveLength(1);
      }
    },
    longest(60_000),
  );

  test('looks at the estate as it was when it was read', async () => {
    using world = await openWorld();
    const { ports } = world;
    await alone(mortal(ports, 65))
      .tick()
      .catch(() => undefined);
    const [first] = (await ports.topology.findCis(TENANT, {}, { sort: 'name', order: 'asc', limit: 1 })).items;
    const read = (await findSession(ports.records, TENANT, SESSION))!.body.parts;
    expect(Object.keys(read)).toEqual(expect.arrayContaining(['cis', 'relationships', 'networks']));
    await ports.cis.put(TENANT, [{ ...first!, name: 'renamed', revision: first!.revision + 1 }]);
    await alone(ports).tick();
    expect(JSON.stringify((await left(ports)).services)).not.toContain('renamed');
  });

  test('is done by one process, and taken over from one that is gone', async () => {
    using world = await openWorld();
    const { ports, clock } = world;
    const shared = () => alone(oneOfSeveral(ports));
    const [one, other] = [shared(), shared()];
    await Promise.all([one.tick(), other.tick()]);
    expect((await left(ports)).status).toBe('completed');
    expect(await eventsOf(ports)).not.toContain(null);

    await ask(ports, TENANT, 'session-2');
    const dead = alone(oneOfSeveral(mortal(ports, 30)));
    await dead.tick().catch(() => undefined);
    await other.tick();
    const statusOf = async () => (await findSession(ports.records, TENANT, 'session-2'))!.body.status;
    expect(await statusOf()).toBe('running');
    clock.advance(16_000);
    await other.tick();
    expect(await statusOf()).toBe('completed');
  });

  test('that stops lets go', async () => {
    using world = await openWorld();
    const analyses = alone(world.ports);
    const running = analyses.tick();
    await analyses.stop();
    await running;
    expect((await left(world.ports)).status).toBe('running');
    await alone(world.ports).tick();
    expect((await left(world.ports)).status).toBe('completed');
  });

  test('that fails again and again ends, and says so', async () => {
    using world = await openWorld();
    const { ports, clock } = world;
    const topology = { ...ports.topology, findRelationships: () => Promise.reject(new Error('a bug')) };
    const errors: unknown[] = [];
    const broken = alone({ ...ports, topology }, (error) => errors.push(error));
    for (let turn = 0; turn < 2; turn++) {
      await expect(broken.tick()).rejects.toThrow('retrying');
      clock.advance(5_001);
    }
    await broken.tick();
    expect(await left(ports)).toMatchObject({ status: 'failed', queue: 0, total: 0 });
    expect((await eventsOf(ports)).at(-1)).toEqual({ type: 'error', error: 'Internal error; see the server log' });
    expect(errors).toHaveLength(1);
  });

  test('that takes longer than an hour ends', async () => {
    using world = await openWorld();
    const { ports, clock } = world;
    clock.advance(3_600_001);
    await alone(ports).tick();
    const session = (await findSession(ports.records, TENANT, SESSION))!.body;
    expect(session).toMatchObject({ status: 'failed', error: 'The analysis exceeded 1 hour' });
  });

  test('keeps the last 500 events for a day', async () => {
    using world = await openWorld();
    const { ports, clock } = world;
    // As many as five hundred would leave, were it to die that often.
    for (let n = 1; n <= 500; n++)
      await ports.records.put(TENANT, ANALYSIS_KINDS.event, `${SESSION}/${String(n).padStart(6, '0')}`, {
        type: 'progress',
      });
    await alone(ports).tick();
    const newest = await newestEvent(ports.records, TENANT, SESSION);
    expect(newest).toBeGreaterThan(520);
    expect(await firstStoredAfter(ports.records, TENANT, SESSION, 0)).toBe(newest - 500);
    clock.advance(86_400_001);
    expect(await findSession(ports.records, TENANT, SESSION)).toBeNull();
  });

  test('whose session was never written is forgotten', async () => {
    using world = openRecordWorld(bringSearches);
    const { ports, clock } = world;
    const queued = { tenant: TENANT, id: 'lost', at: clock.now() };
    await ports.records.put(SYSTEM_TENANT, QUEUE, TENANT, queued);
    const waits = async () => (await ports.records.get(SYSTEM_TENANT, QUEUE, TENANT)) !== null;
    await alone(ports).tick();
    expect(await waits()).toBe(true);
    clock.advance(60_001);
    await alone(ports).tick();
    expect(await waits()).toBe(false);
  });
});
