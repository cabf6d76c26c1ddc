import { pause } from '#application/records/pause.ts';
import type { Clock } from '#domain/ports/clock.ts';

/** How long steps hold up others at a time, ms. */
const TURN_MS = 10;

/** Runs the steps to their end, and lets others run in between. */
export async function inTurns<T>(steps: Generator<undefined, T>, clock: Clock): Promise<T> {
  let since = clock.steady();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.steady() - since < TURN_MS) continue;
    await pause(0);
    since = clock.steady();
  }
}
