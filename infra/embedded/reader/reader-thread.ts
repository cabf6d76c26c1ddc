import { parentPort, workerData } from 'node:worker_threads';
import { connectReader, readingOver } from '#infra/embedded/redo-log/connections.ts';
import { letInterrupt } from '#infra/embedded/redo-log/interrupt.ts';
import { letOthersGoFirst } from '#infra/thread-priority.ts';
import { END, INTERRUPTED, type Request, type Response, sendable } from './messages.ts';
import { openQueries } from './queries.ts';

/** Less than the writer has: further pages are in the cache of the operating system anyway. */
const CACHE_KIB = 32_768;

const { path, interrupted } = workerData as { path: string; interrupted: Int32Array };
const db = connectReader(path, CACHE_KIB);

let current = 0;
letInterrupt(db, () => {
  if (Atomics.load(interrupted, 0) === current) throw new Error(INTERRUPTED);
});
const queries = openQueries(readingOver(db));

function answer({ number, name, query }: Request): Response {
  current = number;
  if (name === 'correlation.analyze') letOthersGoFirst();
  try {
    // Both sides use the types of `Queries`; a message carries any of them.
    return { number, answer: (queries[name] as (query: unknown) => unknown)(query) };
  } catch (error) {
    return { number, ...sendable(error) };
  }
}

parentPort?.on('message', (message: Request | typeof END) => {
  if (message !== END) return parentPort?.postMessage(answer(message));
  db.close();
  parentPort?.close();
});
