import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import { openLeases } from '#application/records/leases.ts';
import { placeRecord } from '#application/tasks/places.ts';
import type { StoredTasks, StoredTaskTurn, Task } from '#application/tasks/task.ts';
import type { TaskRunner } from '#application/tasks/task-runner.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openDeadline } from '#infra/system/time.ts';
import { openEmbedded } from './embedded.ts';
import { manualEvery } from './manual-every.ts';
import { randomIds } from './random-ids.ts';
import { setClock } from './set-clock.ts';
import { runnerOf } from './tasks.ts';

/** The record that a task of these tests is about. */
export interface Chore {
  readonly state: 'open' | 'done' | 'failed';
  readonly steps: number;
  readonly reason?: string;
}
type Run = (turn: StoredTaskTurn<Chore>) => Promise<void>;
type Parts = Partial<Omit<StoredTasks<Chore>, 'run'>>;

/** The queue on an embedded store, in as many processes as a test asks for. */
export function openTaskWorld({ isAlone = false }: { readonly isAlone?: boolean } = {}) {
  const clock = setClock(1_000_000);
  const { database, tables } = openEmbedded('memory');
  const records = openRecordStore(database, tables.records, clock);
  const timers = manualEvery();
  const errors: unknown[] = [];
  const portsOf = (stored: Ports['records']): Ports =>
    ({
      records: stored,
      clock,
      ids: randomIds,
      memory: openMemory(stored, new CallerCache()),
      leases: openLeases({ records: stored, clock }, { isAlone }),
      deadline: openDeadline(),
    }) as unknown as Ports;
  const ports = portsOf(records);
  const choreOf = async (tenant: string, id: string) => (await records.get<Chore>(tenant, 'chore', id))?.body;
  const kindOf = (run: Run, parts: Parts = {}): StoredTasks<Chore> => ({
    name: 'do-chores',
    everyMs: 5_000,
    failure: 'A chore has failed',
    about: 'chore',
    places: 'queue',
    atOnce: 1,
    tries: { most: 3, counted: 'failed' },
    find: (stored, tenant, id) => stored.get<Chore>(tenant, 'chore', id),
    isOpen: ({ state }) => state === 'open',
    run,
    async giveUp({ ports: { records: stored }, task, thing: { body, revision } }, reason) {
      const failed: Chore = { ...body, state: 'failed', reason };
      await stored.put(task.tenant, 'chore', task.id, failed, { expected: revision });
    },
    ...parts,
  });
  return {
    clock,
    ports,
    timers,
    errors,
    choreOf,
    kindOf,
    /** One process. */
    runner: (kind: StoredTasks<Chore>, own: Ports = ports): TaskRunner =>
      runnerOf(kind, own, { every: timers.every, failed: (error) => errors.push(error) }),
    /** A process that is killed at its n-th write; later ones change nothing either. */
    mortal(n: number): Ports {
      let writes = 0;
      const alive = async <T>(work: () => Promise<T>): Promise<T> => {
        writes += 1;
        if (writes >= n) throw new Fault('unavailable', 'killed');
        return work();
      };
      return portsOf({
        ...records,
        put: (...given) => alive(() => records.put(...given)),
        remove: (...given) => alive(() => records.remove(...given)),
      });
    },
    async ask(kind: StoredTasks<Chore>, tenant: string, id: string): Promise<void> {
      const chore: Chore = { state: 'open', steps: 0 };
      const place = placeRecord(kind, { tenant, id, at: clock.now() });
      await records.put(tenant, 'chore', id, chore, { sideRecords: [place] });
      clock.advance(1);
    },
    waiting: async (): Promise<Task[]> =>
      (await records.list<Task>(SYSTEM_TENANT, 'chore-queue', { limit: 100 })).map(({ body }) => body),
  };
}

/** Counts a step and ends the chore. */
export const finish: Run = async ({ ports: { records }, task, thing: { body, revision } }) => {
  const done: Chore = { ...body, state: 'done', steps: body.steps + 1 };
  await records.put(task.tenant, 'chore', task.id, done, { expected: revision });
};
