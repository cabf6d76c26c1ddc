import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { errorMessage } from '#domain/fault.ts';
import { infrastructureIntake } from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import { infrastructureSearch } from '#features/analyzer/rules/communities/infrastructure-steps.ts';
import type { RowsAsked, RowsRead } from '#features/analyzer/rules/infrastructure-messages.ts';
import type { InfrastructureRead } from '#features/analyzer/rules/service-searches.ts';
import { takeWhatIsLeft } from '#infra/thread-priority.ts';
import type { Answered, ReadAsked, SearchBegun, StepAsked, ThreadRequest } from './messages.ts';

// No pauses: a sleeping thread takes over the core of the answering one at each wake-up, a waiting one does not.
takeWhatIsLeft();

const { rows: source } = workerData as SearchBegun;
const { add, steps } = infrastructureSearch();
const intake = infrastructureIntake(add);

/** A third of the bytes: stored parts pass through the disk that each event waits for. */
const packed = (text: string): string => zstdCompressSync(text).toString('base64');
const unpacked = (text: string): string => zstdDecompressSync(Buffer.from(text, 'base64')).toString();

async function rowsOf(asked: RowsAsked): Promise<RowsRead> {
  if (source === null) throw new Error('The source of rows is missing');
  const given = new AbortController();
  const ended = once(source, 'close', { signal: given.signal }).then(() => {
    throw new Error('The thread that reads the infrastructure has ended');
  });
  const answer = once(source, 'message', { signal: given.signal });
  source.postMessage(asked);
  try {
    return ((await Promise.race([answer, ended])) as [RowsRead])[0];
  } finally {
    given.abort();
  }
}

async function read({ read: asked, rows }: ReadAsked): Promise<InfrastructureRead> {
  const found = rows ?? (await rowsOf(asked));
  if ('error' in found) throw new Error(found.error);
  const taken = intake.take(found);
  return { ...taken, text: packed(taken.text), nextCursor: found.nextCursor };
}

// Both sides use the types of `InfrastructureSteps`; a message carries any of them.
const step = ({ step: name, input }: StepAsked): unknown => (steps[name] as (input: unknown) => unknown)(input);

async function answerTo(asked: StepAsked | ReadAsked): Promise<Answered> {
  try {
    return { answer: 'read' in asked ? await read(asked) : step(asked) };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

parentPort?.on('message', (asked: ThreadRequest) => {
  if ('again' in asked) intake.again(asked.again, unpacked(asked.text));
  else void answerTo(asked).then((answered) => parentPort?.postMessage(answered));
});
