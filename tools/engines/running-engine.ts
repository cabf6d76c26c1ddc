import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, launch } from './child.ts';
import type { EngineSetup, Recipe } from './engine.ts';
import { lastLines } from './run.ts';

/** How long a start may take, in milliseconds: four times the slowest start that was measured on a quiet machine. */
const START_MS = 90_000;
/** How long a stop may take before the engine is killed, in milliseconds. */
const STOP_MS = 10_000;
const POLL_MS = 100;

/** One engine, on the same ports and data however often it is started. */
export interface RunningEngine {
  readonly address: string;
  readonly place: EngineSetup;
  readonly log: string;
  /** Process id, also of its process group; null while it is down. */
  readonly pid: number | null;
  /** Starts it and resolves when clients can work with it. Throws an Error with the end of its log. */
  start(): Promise<void>;
  /** SIGTERM, and SIGKILL after 10 s. */
  stop(): Promise<void>;
  /** SIGKILL to all its processes; resolves when it is gone. */
  kill(): Promise<void>;
  /** The end of its output since the last start. */
  lastWords(): string;
  /** Any signal to all its processes, for example SIGSTOP and SIGCONT. */
  signal(signal: NodeJS.Signals): void;
}

interface Surroundings {
  readonly place: EngineSetup;
  readonly owner: number | null;
  readonly signal: AbortSignal;
  /** Called when the engine ends though nobody asked it to. */
  readonly died: (how: string) => void;
}

/** Why a start went wrong, in words that follow the engine's name. */
const failure = async (child: Child, isReady: () => Promise<boolean>, signal: AbortSignal): Promise<string | null> => {
  let how: string | null = null;
  child.ended.then((end) => {
    how = end;
  });
  const deadline = performance.now() + START_MS;
  while (!(await isReady())) {
    if (how !== null) return `ended with ${how} while starting`;
    if (signal.aborted) return 'was not waited for';
    if (performance.now() > deadline) return `was not ready after ${START_MS / 1_000} s`;
    await pause(POLL_MS);
  }
  return null;
};

export const runningEngine = (recipe: Recipe, { place, owner, signal, died }: Surroundings): RunningEngine => {
  const log = join(place.data, 'output.log');
  let child: Child | null = null;
  let printed = (): string => '';
  let expected = false;

  const ended = (which: Child, how: string): void => {
    if (child !== which) return;
    child = null;
    if (!expected) died(how);
  };

  const end = async (first: NodeJS.Signals, patienceMs: number): Promise<void> => {
    const running = child;
    if (running === null) return;
    expected = true;
    running.signal(first);
    // A stopped process takes signals only when it goes on.
    running.signal('SIGCONT');
    const timer = setTimeout(() => running.signal('SIGKILL'), patienceMs);
    await running.ended;
    clearTimeout(timer);
  };

  return {
    address: recipe.address(place),
    place,
    log,
    get pid() {
      return child?.pid ?? null;
    },
    async start() {
      if (child !== null) return;
      const started = launch(recipe.command(place), { log, owner });
      child = started;
      printed = started.printed;
      // While it starts, its end is told by the start.
      expected = true;
      started.ended.then((how) => ended(started, how));
      const reason = await failure(started, () => recipe.isReady(place, printed()), signal);
      if (reason !== null) {
        await end('SIGKILL', 0);
        signal.throwIfAborted();
        throw new Error(`${recipe.title} ${reason}; the end of ${log}:\n${lastLines(printed())}`);
      }
      expected = false;
    },
    stop: () => end('SIGTERM', STOP_MS),
    kill: () => end('SIGKILL', 0),
    lastWords: () => lastLines(printed()),
    signal: (name) => child?.signal(name),
  };
};
