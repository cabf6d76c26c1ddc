import { parentPort } from 'node:worker_threads';
import { estateSearch } from '#domain/services/communities/estate-steps.ts';
import { letOthersGoFirst } from '#infra/thread-priority.ts';
import type { Added, Answered, StepAsked } from './messages.ts';

// No rests: a thread that sleeps and wakes takes its core from the one that answers each time, one that waits behind it does not.
letOthersGoFirst();

const { add, steps } = estateSearch();

function answer({ name, input }: StepAsked): Answered {
  try {
    // Both sides take the types from `EstateSteps`; a message carries any of them.
    return { answer: (steps[name] as (input: unknown) => unknown)(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (message: StepAsked | Added) => {
  if ('part' in message) add(message.part);
  else parentPort?.postMessage(answer(message));
});
