import { pause } from '#application/records/pause.ts';
import type { Clock, Stepwise } from '#domain/ports/clock.ts';

/** Maximum time for which steps block others, ms. */
const TURN_MS = 5;

/** Runs the steps to their end, and lets others run in between. */
export async function inSteps<T>(steps: Stepwise<T>, clock: Pick<Clock, 'steady'>): Promise<T> {
  let since = clock.steady();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.steady() - since < TURN_MS) continue;
    await pause(0);
    since = clock.steady();
  }
}
