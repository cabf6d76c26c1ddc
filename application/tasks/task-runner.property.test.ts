import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { finish, openTaskWorld } from '#test/setup/task-world.ts';
import { cancelTask } from './places.ts';
import type { StoredTasks } from './task.ts';
import type { TaskRunner } from './task-runner.ts';

const LEASE = 15_000;
const MAX_TRIES = 3;
const TENANTS = ['a', 'b', 'c'];

type Fate = 'done' | 'bug' | 'down' | 'vain';
type Step =
  | { readonly does: 'ask'; readonly tenant: string; readonly fates: readonly Fate[] }
  | { readonly does: 'tick'; readonly who: number }
  | { readonly does: 'both' }
  | { readonly does: 'wait' }
  | { readonly does: 'cancel'; readonly n: number }
  | { readonly does: 'kill'; readonly who: number; readonly write: number };

const tenant = fc.constantFrom(...TENANTS);
const fate = fc.constantFrom<Fate>('done', 'bug', 'down', 'vain');
const who = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('ask' as const), tenant, fates: fc.array(fate, { maxLength: 5 }) }),
  fc.record({ does: fc.constant('tick' as const), who }),
  fc.record({ does: fc.constant('both' as const) }),
  fc.record({ does: fc.constant('wait' as const) }),
  fc.record({ does: fc.constant('cancel' as const), n: fc.nat(9) }),
  fc.record({ does: fc.constant('kill' as const), who, write: fc.integer({ min: 1, max: 9 }) }),
);

/** Runs the steps in two processes, and then one of them until nothing waits. */
async function play(steps: readonly Step[], { places, atOnce }: Pick<StoredTasks<unknown>, 'places' | 'atOnce'>) {
  const world = openTaskWorld();
  const asked: { readonly tenant: string; readonly id: string }[] = [];
  const fates = new Map<string, Fate[]>();
  const cancelled = new Set<string>();
  const counted = new Map<string, number>();
  const begun: string[] = [];
  const atWork = new Map<string, number>();
  const overlaps: string[] = [];
  const kind = world.kindOf(
    async (turn) => {
      const { task } = turn;
      const key = places === 'many' ? task.id : task.tenant;
      if (!begun.includes(task.id)) begun.push(task.id);
      atWork.set(key, (atWork.get(key) ?? 0) + 1);
      if (atWork.get(key)! > 1) overlaps.push(key);
      await new Promise((resolve) => setImmediate(resolve));
      atWork.set(key, atWork.get(key)! - 1);
      const fated = fates.get(task.id)!.shift() ?? 'done';
      if (fated === 'done') return finish(turn);
      if (fated === 'bug') counted.set(task.id, (counted.get(task.id) ?? 0) + 1);
      throw fated === 'bug' ? new Error('a bug') : new Fault(fated === 'down' ? 'unavailable' : 'unprocessable', fated);
    },
    { places, atOnce, tries: { most: MAX_TRIES, counted: 'failed' } },
  );
  const process = (ports: Ports = world.mortal(Number.POSITIVE_INFINITY)): TaskRunner => world.runner(kind, ports);
  const processes = [process(), process()];
  const tick = (one: TaskRunner) => one.tick().catch(() => undefined);
  for (const one of steps) {
    if (one.does === 'ask') {
      const id = String(asked.length);
      fates.set(id, [...one.fates]);
      await world.ask(kind, one.tenant, id);
      asked.push({ tenant: one.tenant, id });
    } else if (one.does === 'tick') await tick(processes[one.who]!);
    else if (one.does === 'both') await Promise.all(processes.map(tick));
    else if (one.does === 'wait') world.clock.advance(LEASE);
    else if (one.does === 'kill') {
      await tick(process(world.mortal(one.write)));
      processes[one.who] = process();
    } else if (asked.length > 0) {
      const given = asked[one.n % asked.length]!;
      if (await cancelTask(world.ports, kind, given)) cancelled.add(given.id);
    }
  }
  for (let n = 0; n < 60; n++) {
    await tick(processes[0]!);
    world.clock.advance(LEASE);
  }
  const chores = await Promise.all(asked.map(({ tenant: of, id }) => world.choreOf(of, id)));
  return { asked, chores, cancelled, counted, begun, overlaps, waiting: await world.waiting() };
}

test('whatever fails and dies: every task ends once or was cancelled, of a key one at a time, those of a tenant in their order', async () => {
  const queues = fc.record({
    places: fc.constantFrom('queue' as const, 'many' as const),
    atOnce: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), queues, async (steps, queue) => {
      const { asked, chores, cancelled, counted, begun, overlaps, waiting } = await play(steps, queue);
      expect([waiting, overlaps]).toEqual([[], []]);
      for (const [n, chore] of chores.entries()) {
        const { id } = asked[n]!;
        if (chore!.state === 'open') expect(cancelled).toContain(id);
        if (chore!.state === 'done') expect(chore!.steps).toBe(1);
        // A process that is killed may not have counted its last one.
        const uncounted = steps.filter(({ does }) => does === 'kill').length;
        expect(counted.get(id) ?? 0).toBeLessThanOrEqual(MAX_TRIES + uncounted);
      }
      if (queue.places === 'many') return;
      for (const { tenant: of } of asked) {
        const own = asked.filter((one) => one.tenant === of).map(({ id }) => id);
        expect(begun.filter((id) => own.includes(id))).toEqual(own.filter((id) => begun.includes(id)));
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);
