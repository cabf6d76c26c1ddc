import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { errorMessage } from '#domain/fault.ts';
import { estateIntake } from '#features/analyzer/rules/communities/estate-intake.ts';
import { estateSearch } from '#features/analyzer/rules/communities/estate-steps.ts';
import type { RowsAsked, RowsRead } from '#features/analyzer/rules/estate-messages.ts';
import type { EstateRead } from '#features/analyzer/rules/service-searches.ts';
import { takeWhatIsLeft } from '#infra/thread-priority.ts';
import type { Answered, Asked, ReadAsked, SearchBegun, StepAsked } from './messages.ts';

// No rests: a thread that sleeps and wakes takes its core from the one that answers each time, one that waits behind it does not.
takeWhatIsLeft();

const { rows: source } = workerData as SearchBegun;
const { add, steps } = estateSearch();
const intake = estateIntake(add);

/** A third of the bytes: what an estate keeps goes through the disk that each event waits for. */
const packed = (text: string): string => zstdCompressSync(text).toString('base64');
const unpacked = (text: string): string => zstdDecompressSync(Buffer.from(text, 'base64')).toString();

async function rowsOf(asked: RowsAsked): Promise<RowsRead> {
  if (source === null) throw new Error('The rows are missing');
  const given = new AbortController();
  const ended = once(source, 'close', { signal: given.signal }).then(() => {
    throw new Error('What reads the estate has ended');
  });
  const answer = once(source, 'message', { signal: given.signal });
  source.postMessage(asked);
  try {
    return ((await Promise.race([answer, ended])) as [RowsRead])[0];
  } finally {
    given.abort();
  }
}

async function read({ read: asked, rows }: ReadAsked): Promise<EstateRead> {
  const found = rows ?? (await rowsOf(asked));
  if ('error' in found) throw new Error(found.error);
  const taken = intake.take(found);
  return { ...taken, text: packed(taken.text), nextCursor: found.nextCursor };
}

// Both sides take the types from `EstateSteps`; a message carries any of them.
const step = ({ step: name, input }: StepAsked): unknown => (steps[name] as (input: unknown) => unknown)(input);

async function answerTo(asked: StepAsked | ReadAsked): Promise<Answered> {
  try {
    return { answer: 'read' in asked ? await read(asked) : step(asked) };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

parentPort?.on('message', (asked: Asked) => {
  if ('again' in asked) intake.again(asked.again, unpacked(asked.text));
  else void answerTo(asked).then((answered) => parentPort?.postMessage(answered));
});
