import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { LEFT_AFTER_MS } from './joined.ts';
import { moveEvents } from './move-events.ts';
import { processScans, type Worker } from './process-scans.ts';
import { noteTenants, rebindDue, sweepSome } from './rebind.ts';
import type { Rebinder } from './rebinder.ts';
import { rewireDue, rewireLeft } from './rewire.ts';

/** Work of discovery that no request waits for: scans, events that find their CI later, and those whose CI gets relationships. */
export interface Background {
  /** Looks for work of this process, and of one that died. To be called every few seconds. */
  tick(): Promise<void>;
  /** Resolves when nothing that this process was told of is left to do. */
  idle(): Promise<void>;
  /** Lets go of the work at the next place where another process can take it up. */
  stop(): Promise<void>;
}

/** How requests tell of new scans; one per store, as there is one store per process. */
const wakers = new WeakMap<RecordStore, () => void>();
export const wakeDiscovery = (records: RecordStore): void => wakers.get(records)?.();

/** `failed` hears of what a later turn will try again. */
export function startBackground(ports: Ports, rebinder: Rebinder, failed: (error: unknown) => void): Background {
  let stopping = false;
  let running: Promise<void> | null = null;
  let again = false;
  const worker: Worker = { ports, owner: ports.ids.ulid(), isStopping: () => stopping, failures: new Map() };

  const turns = async (): Promise<void> => {
    while (again && !stopping) {
      again = false;
      const worked = await processScans(worker).catch((error) => {
        failed(error);
        return false;
      });
      again ||= worked;
      await rebindDue(ports, rebinder, worker.isStopping).catch(failed);
      await moveEvents(ports, worker.isStopping).catch(failed);
      await rewireDue(ports, rebinder, worker.isStopping).catch(failed);
    }
  };
  const run = async (): Promise<void> => {
    again = true;
    running ??= turns().finally(() => {
      running = null;
    });
    await running;
  };
  // A request that tells of work does not wait for it.
  let lookedAt = Number.NEGATIVE_INFINITY;
  const lookForLeft = async (): Promise<void> => {
    const now = ports.clock.now();
    if (now - lookedAt < LEFT_AFTER_MS) return;
    lookedAt = now;
    await rewireLeft(ports, worker.isStopping).catch(failed);
  };
  const wake = (): void => void ports.deadline.without(run);
  wakers.set(ports.records, wake);
  rebinder.onWork(wake);
  return {
    async tick() {
      if (rebinder.remind(ports.clock.now())) await noteTenants(ports, rebinder).catch(failed);
      await run();
      await sweepSome(ports, rebinder, worker.isStopping).catch(failed);
      await lookForLeft();
    },
    async idle() {
      while (running !== null) await running;
    },
    async stop() {
      stopping = true;
      wakers.delete(ports.records);
      await running;
    },
  };
}
