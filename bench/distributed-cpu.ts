/** Processor time of processes, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** Of one clock tick, which is 10 ms wherever Node runs on Linux. */
const TICK_S = 0.01;

const readOr = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const childrenOf = (pid: number): number[] =>
  readOr(`/proc/${pid}/task/${pid}/children`).trim().split(/\s+/).filter(Boolean).map(Number);

/** Seconds that a process and all that it has started and that still runs have used. */
export const cpuSecondsOf = (pid: number): number => {
  const stat = readOr(`/proc/${pid}/stat`);
  // The name stands in brackets and may hold spaces; the 14th and 15th fields are user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_S;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), own);
};

/** Of the whole machine since it was started, without idling: what else runs is in it too. */
export const machineCpuSeconds = (): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (readOr('/proc/stat').split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * TICK_S;
};

export type Components = Readonly<Record<string, number>>;

export const cpuOf = (pids: Components): Components =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuSecondsOf(pid)]));

export const since = (before: Components, after: Components): Components =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
