import { createContext, Script } from 'node:vm';

/** Linear work is eight times as slow for eight times the input, quadratic work 64 times. */
export const LINEAR = 24;
const ROUNDS = 3;
/** The system counts in steps of about a millisecond. */
const ENOUGH_US = 5_000;
/** Work of milliseconds that has not ended by then never does. */
const HANGS_MS = 15_000;

const context = createContext({});
const limited = new Script('work()');

/** Throws when the work hangs: no time-out of a test ends what never waits. */
export const ending = <T>(work: () => T): T => {
  Object.assign(context, { work });
  return limited.runInContext(context, { timeout: HANGS_MS }) as T;
};

/** Processor time of this thread, µs: what else runs on the machine does not count. */
export const processorTime = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/** The same until the work is done: what else this thread does meanwhile counts, too. */
export const processorTimeUntil = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/** The same of one run among as many as can be measured. */
export function timeOf(work: () => unknown): number {
  for (let runs = 1; ; runs *= 2) {
    const time = processorTime(() => {
      for (let left = runs; left > 0; left--) work();
    });
    if (time >= ENOUGH_US) return time / runs;
  }
}

/** Returns the time factor for eight times the input, at best: some rounds collect garbage or compile. */
export const growth = (work: (size: number) => unknown, size: number): number =>
  ending(() => {
    const small = Math.min(...Array.from({ length: ROUNDS }, () => timeOf(() => work(size))));
    let least = Number.POSITIVE_INFINITY;
    for (let left = ROUNDS; left > 0 && least > LINEAR; left--)
      least = Math.min(least, timeOf(() => work(8 * size)) / small);
    return least;
  });
