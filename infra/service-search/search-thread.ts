import { parentPort } from 'node:worker_threads';
import { estateSearch } from '#domain/services/communities/estate-steps.ts';
import type { Added, Answered, StepAsked } from './messages.ts';

/** Works so long at a time and then rests: less than a low priority would take, which on a busy machine never has its turn. */
const WORK_MS = 5;
const REST_MS = 5;

const { add, steps } = estateSearch();
const never = new Int32Array(new SharedArrayBuffer(4));

function toEnd(work: Generator<void, unknown>): unknown {
  for (let since = performance.now(); ; ) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
    if (performance.now() - since < WORK_MS) continue;
    Atomics.wait(never, 0, 0, REST_MS);
    since = performance.now();
  }
}

function answer({ name, input }: StepAsked): Answered {
  try {
    // Both sides take the types from `EstateSteps`; a message carries any of them.
    return { answer: toEnd((steps[name] as (input: unknown) => Generator<void, unknown>)(input)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (message: StepAsked | Added) => {
  if ('part' in message) add(message.part);
  else parentPort?.postMessage(answer(message));
});
