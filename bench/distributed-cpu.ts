/** Processor time of processes, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { pause } from '#infra/wait.ts';

/** Of one clock tick, which is 10 ms wherever Node runs on Linux. */
const TICK_S = 0.01;

const readOr = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** Each thread lists the processes that it has started: Elasticsearch's launcher starts the server from a thread of its own. */
const childrenOf = (pid: number): number[] =>
  threadsOf(pid)
    .flatMap((thread) => readOr(`/proc/${pid}/task/${thread}/children`).trim().split(/\s+/))
    .filter(Boolean)
    .map(Number);

const secondsIn = (stat: string): number => {
  // The name stands in brackets and may hold spaces; the 14th and 15th fields are user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_S;
};

const ownSecondsOf = (pid: number): number => secondsIn(readOr(`/proc/${pid}/stat`));

/** Seconds of each thread of a process that still runs, by its name. */
export const threadSecondsOf = (pid: number): ReadonlyMap<string, number> => {
  const seconds = new Map<string, number>();
  for (const thread of threadsOf(pid)) {
    const name = readOr(`/proc/${pid}/task/${thread}/comm`).trim();
    seconds.set(name, (seconds.get(name) ?? 0) + secondsIn(readOr(`/proc/${pid}/task/${thread}/stat`)));
  }
  return seconds;
};

/** Seconds that a process and all that it has started and that still runs have used. */
export const cpuSecondsOf = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), ownSecondsOf(pid));

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
  // This process has started all the others: of itself only its own time counts.
  Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, pid === process.pid ? ownSecondsOf(pid) : cpuSecondsOf(pid)]),
  );

export const since = (before: Components, after: Components): Components =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));

const LOOK_MS = 5_000;
const QUIET_SHARE = 0.1;
const MAX_LOOKS = 60;
/** Resolves when a process has next to nothing to do, after five minutes at the latest. */
export async function settled(pid: number): Promise<void> {
  for (let looks = 0, before = cpuSecondsOf(pid); looks < MAX_LOOKS; looks++) {
    await pause(LOOK_MS);
    const now = cpuSecondsOf(pid);
    if (now - before < (QUIET_SHARE * LOOK_MS) / 1_000) return;
    before = now;
  }
}
