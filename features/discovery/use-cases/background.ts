import type { Background, BackgroundOptions } from '#application/job.ts';
import { leaveLeft } from '#application/services/leave-services.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { LEFT_AFTER_MS } from './joined.ts';
import { moveEvents } from './move-events.ts';
import { processScans, type Worker } from './process-scans.ts';
import { noteTenants, rebindDue, sweepSome } from './rebind.ts';
import { REBINDER } from './rebinder.ts';
import { rewireDue, rewireLeft } from './rewire.ts';

/** Scans, events that find their CI later, and those whose CI gets relationships. */
export function startBackground(ports: Ports, { failed }: Pick<BackgroundOptions, 'failed'>): Background {
  const rebinder = ports.memory.of(REBINDER);
  let stopping = false;
  let running: Promise<readonly unknown[]> | null = null;
  let again = false;
  const worker: Worker = { ports, owner: ports.ids.ulid(), isStopping: () => stopping, failures: new Map() };

  /** Resolves with what failed; a later turn will try that again. */
  const turns = async (): Promise<readonly unknown[]> => {
    const errors: unknown[] = [];
    const note = (error: unknown): void => void errors.push(error);
    while (again && !stopping) {
      again = false;
      const worked = await processScans(worker).catch((error) => {
        note(error);
        return false;
      });
      again ||= worked;
      await rebindDue(ports, rebinder, worker.isStopping).catch(note);
      await moveEvents(ports, worker.isStopping).catch(note);
      await rewireDue(ports, rebinder, worker.isStopping).catch(note);
      await leaveLeft(ports, worker.isStopping).catch(note);
    }
    return errors;
  };
  const run = (): Promise<readonly unknown[]> => {
    again = true;
    running ??= turns().finally(() => {
      running = null;
    });
    return running;
  };
  /** A request that tells of work does not wait for it. */
  const runUnheard = async (): Promise<void> => {
    for (const error of await run()) failed(error);
  };
  let lookedAt = Number.NEGATIVE_INFINITY;
  const lookForLeft = async (): Promise<void> => {
    const now = ports.clock.now();
    if (now - lookedAt < LEFT_AFTER_MS) return;
    lookedAt = now;
    await rewireLeft(ports, worker.isStopping);
  };
  const wake = (): void => void ports.deadline.without(runUnheard);
  rebinder.onWork(wake);
  return {
    wake,
    async tick() {
      const errors: unknown[] = [];
      const note = (error: unknown): void => void errors.push(error);
      if (rebinder.remind(ports.clock.now())) await noteTenants(ports, rebinder).catch(note);
      errors.push(...(await run()));
      await sweepSome(ports, rebinder, worker.isStopping).catch(note);
      await lookForLeft().catch(note);
      for (const error of errors.slice(1)) failed(error);
      if (errors.length > 0) throw new Error('Discovery is stuck and tries again', { cause: errors[0] });
    },
    async idle() {
      while (running !== null || (rebinder.isSweeping && !stopping)) {
        await running;
        await sweepSome(ports, rebinder, worker.isStopping);
      }
    },
    async stop() {
      stopping = true;
      await running;
    },
  };
}
