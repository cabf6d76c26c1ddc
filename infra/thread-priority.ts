import { constants, getPriority, setPriority } from 'node:os';

/** A third of the share of an ordinary thread where both want to run. */
const BEHIND = 5;
/** One part in seventy. */
const LAST = constants.priority.PRIORITY_LOW;

/**
 * For threads whose work may come a little later: the one that answers requests is interrupted less. Linux has a priority for each thread;
 * elsewhere it would be that of the whole process.
 */
export function letOthersGoFirst(): void {
  step(getPriority() + BEHIND);
}

/** The same for work that nobody waits for. */
export function takeWhatIsLeft(): void {
  step(LAST);
}

function step(priority: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(LAST, priority));
  } catch {
    // A sandbox may forbid it; then all threads are equal.
  }
}
