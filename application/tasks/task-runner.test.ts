import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { Fault } from '#domain/fault.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { finish, openTaskWorld } from '#test/setup/task-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { until } from '#test/setup/until.ts';
import { acquirePlace, cancelTask } from './places.ts';
import type { FoundTasks, StoredTaskTurn } from './task.ts';

const BEAT = 5_000;
const LEASE = 15_000;
type Turn = Parameters<typeof finish>[0];

/** Work that continues until a test ends it, or until it is stopped. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = async (turn: Turn): Promise<void> => {
    const { task, signal } = turn;
    begun.push(task.id);
    await new Promise<void>((resolve, reject) => {
      ends.set(task.id, resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    await finish(turn);
  };
  return { begun, run, end: (id: string) => ends.get(id)!() };
}

describe('A task', () => {
  test('is done once and leaves the queue; with its bell at once', async () => {
    const world = openTaskWorld();
    const kind = world.kindOf(finish);
    const runner = world.runner(kind);
    await world.ask(kind, 'a', '1');
    runner.ring();
    await runner.idle();
    await runner.tick();
    expect([await world.choreOf('a', '1'), await world.waiting()]).toEqual([{ state: 'done', steps: 1 }, []]);
  });

  test('is worked on by one process; another one takes it when the lease was not renewed for its length', async () => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run);
    await world.ask(kind, 'a', '1');
    const one = world.runner(kind, world.mortal(3));
    one.ring();
    await until(async () => work.begun.length === 1);
    const other = world.runner(world.kindOf(finish), world.mortal(Number.POSITIVE_INFINITY));
    await other.tick();
    world.clock.advance(LEASE - 1_000);
    await other.tick();
    expect((await world.choreOf('a', '1'))!.state).toBe('open');
    world.clock.advance(1_000);
    await other.tick();
    expect([await world.choreOf('a', '1'), await world.waiting()]).toEqual([{ state: 'done', steps: 1 }, []]);
    await one.stop();
  });

  test('keeps its lease as long as it takes, and is let go when another process has it', async () => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run);
    await world.ask(kind, 'a', '1');
    const one = world.runner(kind);
    one.ring();
    await until(async () => work.begun.length === 1);
    const other = world.runner(kind, world.mortal(Number.POSITIVE_INFINITY));
    for (let beat = 0; beat < 6; beat++) {
      const before = (await world.ports.records.get(SYSTEM_TENANT, 'chore-lease', 'a'))!.revision;
      world.timers.pass(BEAT);
      await until(
        async () => (await world.ports.records.get(SYSTEM_TENANT, 'chore-lease', 'a'))!.revision === before + 1,
      );
      await other.tick();
      world.clock.advance(BEAT);
    }
    expect(work.begun).toEqual(['1']);
    await world.ports.records.put(SYSTEM_TENANT, 'chore-lease', 'a', { owner: 'thief', ms: LEASE });
    world.timers.pass(BEAT);
    await one.idle();
    expect([(await world.choreOf('a', '1'))!.state, await world.waiting(), world.errors]).toEqual([
      'open',
      [expect.objectContaining({ id: '1' })],
      [],
    ]);
  });

  test('that a killed process of embedded mode has left is taken at the start', async () => {
    const world = openTaskWorld({ isAlone: true });
    const kind = world.kindOf(finish);
    await world.ask(kind, 'a', '1');
    await world
      .runner(kind, world.mortal(1))
      .tick()
      .catch(() => undefined);
    expect((await world.choreOf('a', '1'))!.state).toBe('open');
    await world.runner(kind, world.mortal(Number.POSITIVE_INFINITY)).tick();
    expect(await world.choreOf('a', '1')).toEqual({ state: 'done', steps: 1 });
  });

  test('killed at any write is done by the next process', async () => {
    for (let n = 1; n <= 8; n++) {
      const world = openTaskWorld();
      const kind = world.kindOf(finish);
      await world.ask(kind, 'a', '1');
      await world
        .runner(kind, world.mortal(n))
        .tick()
        .catch(() => undefined);
      const next = world.runner(kind);
      await next.tick();
      world.clock.advance(LEASE);
      await next.tick();
      expect([n, await world.choreOf('a', '1'), await world.waiting()]).toEqual([n, { state: 'done', steps: 1 }, []]);
    }
  });

  test('of a process that stops stays in the queue', async () => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run, { tries: { most: 2, counted: 'begun', unended: 'never ended' } });
    await world.ask(kind, 'a', '1');
    const one = world.runner(kind);
    const ticking = one.tick();
    await until(async () => work.begun.length === 1);
    expect((await world.waiting())[0]!.tries).toBe(1);
    await one.stop();
    await ticking;
    expect(await world.waiting()).toEqual([expect.objectContaining({ id: '1', tries: 0 })]);
  });

  test('that is cancelled is let go within seconds, and never done', async () => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run);
    await world.ask(kind, 'a', '1');
    const one = world.runner(kind);
    one.ring();
    await until(async () => work.begun.length === 1);
    await cancelTask(world.ports, kind, { tenant: 'a', id: '1' });
    world.timers.pass(BEAT);
    await one.idle();
    await one.tick();
    expect([work.begun, await world.waiting(), world.errors]).toEqual([['1'], [], []]);
  });

  test('of a tenant that is being deleted is not begun, and let go when it was', async () => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run);
    await world.ask(kind, 'a', '1');
    const one = world.runner(kind);
    one.ring();
    await until(async () => work.begun.length === 1);
    const leaving = { id: 'a', disabled: true, state: 'deleting' };
    await world.ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, 'a', leaving);
    world.timers.pass(BEAT);
    await one.idle();
    await one.tick();
    expect([work.begun, (await world.choreOf('a', '1'))!.state]).toEqual([['1'], 'open']);
  });
});

describe('A task that fails', () => {
  const failing = (error: unknown) => async () => {
    throw error;
  };

  test('is tried again after waits that double, and given up with its reason', async () => {
    const world = openTaskWorld();
    const times: number[] = [];
    const kind = world.kindOf(
      async () => {
        times.push(world.clock.now());
        throw new Error('a bug');
      },
      { tries: { most: 6, counted: 'failed' }, stuck: 'Chores are stuck' },
    );
    await world.ask(kind, 'a', '1');
    const runner = world.runner(kind);
    await expect(runner.tick()).rejects.toMatchObject({ message: 'Chores are stuck', cause: new Error('a bug') });
    for (let n = 0; n < 200; n++) {
      world.clock.advance(500);
      await runner.tick().catch(() => undefined);
    }
    expect(times.map((at, n) => at - (times[n - 1] ?? at))).toEqual([0, 2_500, 5_000, 10_000, 20_000, 30_000]);
    expect(await world.choreOf('a', '1')).toEqual({
      state: 'failed',
      steps: 0,
      reason: 'Internal error; see the server log',
    });
    expect([await world.waiting(), world.errors]).toEqual([[], [new Error('a bug')]]);
  });

  test('counts its failures in the store: another process goes on counting', async () => {
    const world = openTaskWorld({ isAlone: true });
    const kind = world.kindOf(failing(new Fault('invalid', 'no such thing')));
    await world.ask(kind, 'a', '1');
    for (let n = 1; n <= 2; n++) {
      await expect(world.runner(kind, world.mortal(Number.POSITIVE_INFINITY)).tick()).rejects.toThrow();
      expect((await world.waiting())[0]!.tries).toBe(n);
    }
    await world.runner(kind, world.mortal(Number.POSITIVE_INFINITY)).tick();
    expect(await world.choreOf('a', '1')).toMatchObject({ state: 'failed', reason: 'no such thing' });
  });

  test('because a store is down waits for it without counting', async () => {
    const world = openTaskWorld();
    const kind = world.kindOf(failing(new Fault('unavailable', 'down')));
    await world.ask(kind, 'a', '1');
    const runner = world.runner(kind);
    for (let n = 0; n < 20; n++) {
      await runner.tick().catch(() => undefined);
      world.clock.advance(30_000);
    }
    expect(await world.waiting()).toEqual([expect.not.objectContaining({ tries: expect.anything() })]);
    await world.runner(world.kindOf(finish)).tick();
    expect((await world.choreOf('a', '1'))!.state).toBe('done');
  });

  test('ends as failed although a write of its own came late', async () => {
    const world = openTaskWorld();
    const kind = world.kindOf(failing(new Fault('unprocessable', 'too much')));
    const late: typeof kind = {
      ...kind,
      async giveUp(turn, reason) {
        const { revision, body } = turn.thing;
        if (body.steps === 0)
          await world.ports.records.put('a', 'chore', '1', { ...body, steps: 1 }, { expected: revision });
        await kind.giveUp(turn, reason);
      },
    };
    await world.ask(late, 'a', '1');
    await world.runner(late).tick();
    expect(await world.choreOf('a', '1')).toEqual({ state: 'failed', steps: 1, reason: 'too much' });
    expect(await world.waiting()).toEqual([]);
  });

  test('in vain is given up at once, and the log hears nothing', async () => {
    const world = openTaskWorld();
    const kind = world.kindOf(failing(new Fault('unprocessable', 'too much')));
    await world.ask(kind, 'a', '1');
    await world.runner(kind).tick();
    expect(await world.choreOf('a', '1')).toMatchObject({ state: 'failed', reason: 'too much' });
    expect([await world.waiting(), world.errors]).toEqual([[], []]);
  });

  test('by killing its process is given up when tries that were begun count', async () => {
    const world = openTaskWorld({ isAlone: true });
    const kind = world.kindOf(finish, { tries: { most: 3, counted: 'begun', unended: 'never ended' } });
    await world.ask(kind, 'a', '1');
    for (let n = 1; n <= 3; n++) {
      await world
        .runner(kind, world.mortal(2))
        .tick()
        .catch(() => undefined);
      expect((await world.waiting())[0]!.tries).toBe(n);
    }
    await world.runner(kind).tick();
    expect(await world.choreOf('a', '1')).toEqual({ state: 'failed', steps: 0, reason: 'never ended' });
  });

  test('holds up those of its tenant that came later, and no other tenant', async () => {
    const world = openTaskWorld();
    const done: string[] = [];
    let isBroken = true;
    const kind = world.kindOf(async (turn) => {
      if (isBroken && turn.task.id === 'a1') throw new Error('a bug');
      await finish(turn);
      done.push(turn.task.id);
    });
    for (const [tenant, id] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const)
      await world.ask(kind, tenant, id);
    const runner = world.runner(kind);
    await runner.tick().catch(() => undefined);
    expect(done).toEqual(['b1']);
    isBroken = false;
    world.clock.advance(2_500);
    await runner.tick();
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });
});

describe('Tasks of one process', () => {
  test.each([
    ['queue', ['a1', 'b1'], ['a1', 'b1', 'a2']],
    ['many', ['a1', 'b1', 'a2'], ['a1', 'b1', 'a2']],
  ] as const)('of places %s are as many at once as it may, of a key one at a time', async (places, first, all) => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run, { places, atOnce: 3 });
    for (const [tenant, id] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const)
      await world.ask(kind, tenant, id);
    const runner = world.runner(kind);
    runner.ring();
    await until(async () => work.begun.length === first.length);
    expect(work.begun).toEqual(first);
    work.end('a1');
    await until(async () => work.begun.length === 3);
    for (const id of ['a2', 'b1']) work.end(id);
    await runner.idle();
    expect(work.begun).toEqual(all);
  });

  test('never exceed their bound; one that comes while there is room does not wait for those under way', async () => {
    const world = openTaskWorld();
    const work = openWork();
    const kind = world.kindOf(work.run, { places: 'many', atOnce: 2 });
    const runner = world.runner(kind);
    await world.ask(kind, 'a', '1');
    runner.ring();
    await until(async () => work.begun.length === 1);
    for (const id of ['2', '3']) await world.ask(kind, 'a', id);
    runner.ring();
    await until(async () => work.begun.length === 2);
    runner.ring();
    work.end('2');
    await until(async () => work.begun.length === 3);
    expect(work.begun).toEqual(['1', '2', '3']);
    for (const id of ['1', '3']) work.end(id);
    await runner.idle();
    expect(await world.waiting()).toEqual([]);
  });

  test('follow one of their key that ended while the round went on', async () => {
    const world = openTaskWorld();
    const kind = world.kindOf(finish, { atOnce: 3 });
    for (const [tenant, id] of [
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
    ] as const)
      await world.ask(kind, tenant, id);
    const { records } = world.ports;
    const get: typeof records.get = async (tenant, ...of) => {
      if (tenant === 'b') await until(async () => (await records.get(SYSTEM_TENANT, 'chore-lease', 'a')) === null);
      if (tenant === 'b') await setImmediate();
      return records.get(tenant, ...of);
    };
    await world.runner(kind, { ...world.ports, records: { ...records, get } }).tick();
    expect(await world.waiting()).toEqual([]);
  });

  test('have their sources asked before each look, and a source that fails keeps none of them waiting', async () => {
    const world = openTaskWorld();
    const kind = world.kindOf(finish, { sources: [() => Promise.reject(new Error('no source'))] });
    await world.ask(kind, 'a', '1');
    await expect(world.runner(kind).tick()).rejects.toMatchObject({ cause: new Error('no source') });
    expect((await world.choreOf('a', '1'))!.state).toBe('done');
  });
});

describe('The only place of a tenant', () => {
  const at = (id: string, now: number) => ({ tenant: 'a', id, at: now });

  test('is held by one of many that ask at once, until its task has ended', async () => {
    const world = openTaskWorld();
    const { ports, clock } = world;
    const kind = world.kindOf(finish, { places: 'tenant' });
    const held = await Promise.all(['1', '2', '3'].map((id) => acquirePlace(ports, kind, at(id, clock.now()))));
    expect(held.map(({ id }) => id)).toEqual(['1', '1', '1']);
    await ports.records.put('a', 'chore', '1', { state: 'open', steps: 0 });
    clock.advance(600_000);
    expect((await acquirePlace(ports, kind, at('4', clock.now()))).id).toBe('1');
    await world.runner(kind).tick();
    expect((await acquirePlace(ports, kind, at('4', clock.now()))).id).toBe('4');
  });

  test('is free a minute after a request died before it wrote what the task is about', async () => {
    const world = openTaskWorld();
    const { ports, clock } = world;
    const kind = world.kindOf(finish, { places: 'tenant' });
    await acquirePlace(ports, kind, at('1', clock.now()));
    clock.advance(59_999);
    await world.runner(kind).tick();
    expect((await acquirePlace(ports, kind, at('2', clock.now()))).id).toBe('1');
    clock.advance(1);
    expect((await acquirePlace(ports, kind, at('2', clock.now()))).id).toBe('2');
    clock.advance(60_000);
    await world.runner(kind).tick();
    expect(await world.waiting()).toEqual([]);
  });
});

test('found tasks go on while the job looks again, and hear of what has come', async () => {
  const world = openTaskWorld();
  const work = openWork();
  const taken: string[] = [];
  const kind: FoundTasks = {
    name: 'find',
    everyMs: 1_000,
    failure: 'Stuck',
    about: 'found',
    atOnce: Number.POSITIVE_INFINITY,
    async *waiting() {
      for (const id of ['1', '2']) yield { tenant: 'a', id, at: 0 };
    },
    run: ({ task, signal }) => work.run({ task, signal } as StoredTaskTurn<never>).catch(() => undefined),
    takesAlong(_, { id }) {
      taken.push(id);
      return true;
    },
  };
  const runner = runnerOf(kind, world.ports);
  await runner.tick();
  await runner.tick();
  expect([work.begun, taken]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
  await runner.stop();
});
