import { constants, getPriority, setPriority } from 'node:os';

/** A third of the share of an ordinary thread where both want to run. */
const BEHIND = 5;
/** One part in seventy. */
const LAST = constants.priority.PRIORITY_LOW;

/**
 * Lowers the priority of threads whose work may be delayed a little: the thread of requests is interrupted less. Linux
 * has a priority for each thread; elsewhere it would be that of the whole process.
 */
export function letOthersGoFirst(): void {
  change((priority) => Math.min(LAST, priority + BEHIND));
}

/** The same for work without a waiting caller. */
export function takeWhatIsLeft(): void {
  change(() => LAST);
}

function change(to: (priority: number) => number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(to(getPriority()));
  } catch {
    // A sandbox may forbid it; then all threads are equal.
  }
}
