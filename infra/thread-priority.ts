import { constants, getPriority, setPriority } from 'node:os';

/** A third of the share of an ordinary thread where both want to run. */
const BEHIND = 5;

/**
 * For threads whose work may come a little later: the one that answers requests is interrupted less. Linux has a priority for each thread;
 * elsewhere it would be that of the whole process.
 */
export function letOthersGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + BEHIND));
  } catch {
    // A sandbox may forbid it; then all threads are equal.
  }
}
