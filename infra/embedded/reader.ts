import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Fault } from '#domain/fault.ts';
import type { Database } from './database.ts';
import { type Answer, openQueries, type Query, type QueryName } from './queries.ts';
import { END, type Response, received } from './reader-messages.ts';
import { startThread } from './start-thread.ts';

/** Queries that may wait; further ones are refused. */
const MAX_WAITING = 64;
const TIMEOUT_MS = 10_000;
const RETRY_AFTER_S = 2;
/** How long a thread may take to end by itself. */
const END_MS = 3_000;

/** Runs the queries that may take long, away from the thread that takes events in. */
export interface Reader {
  /** Throws Fault `unavailable` when too many wait, when it takes too long, or when the thread has died. */
  run<N extends QueryName>(name: N, query: Query<N>): Promise<Answer<N>>;
  close(): Promise<void>;
}

interface Waiting {
  readonly settle: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

const unavailable = (why: string): Fault =>
  new Fault('unavailable', `The query cannot be answered now: ${why}`, [], { retryAfter: RETRY_AFTER_S });

export interface ReaderOptions {
  readonly maxWaiting?: number;
  readonly timeoutMs?: number;
}

/** It closes its connection before it ends: a thread that is cut off within a statement can take the process along. */
async function endOf(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage(END);
  worker.ref();
  await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
  await worker.terminate();
}

class ThreadReader implements Reader {
  readonly #path: string;
  readonly #maxWaiting: number;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #closed = false;
  #last = 0;

  constructor(path: string, { maxWaiting = MAX_WAITING, timeoutMs = TIMEOUT_MS }: ReaderOptions) {
    this.#path = path;
    this.#maxWaiting = maxWaiting;
    this.#timeoutMs = timeoutMs;
  }

  async run<N extends QueryName>(name: N, query: Query<N>): Promise<Answer<N>> {
    if (this.#closed) throw unavailable('the store is closed');
    if (this.#waiting.size >= this.#maxWaiting) throw unavailable('too many queries are waiting');
    const response = await this.#ask(name, query);
    return received(response) as Answer<N>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#lose(worker, 'the store is closed');
    if (worker !== null) await endOf(worker);
  }

  #ask(name: QueryName, query: unknown): Promise<Response> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const number = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The statement cannot be interrupted: it keeps its place until it ends, its answer is dropped.
        reject(unavailable(`it took longer than ${this.#timeoutMs} ms`));
      }, this.#timeoutMs);
      this.#waiting.set(number, {
        settle: (response) => {
          clearTimeout(timer);
          resolve(response);
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      worker.postMessage({ number, name, query });
    });
  }

  #start(): Worker {
    const worker = startThread(new URL('./reader-thread.ts', import.meta.url), { workerData: { path: this.#path } });
    worker.unref();
    worker.on('message', (response: Response) => {
      this.#waiting.get(response.number)?.settle(response);
      this.#waiting.delete(response.number);
    });
    worker.on('error', (error) => this.#lose(worker, error.message));
    worker.on('exit', () => this.#lose(worker, 'the reader has ended'));
    return worker;
  }

  /** Forgets a dead thread; the next query starts another. */
  #lose(worker: Worker | null, why: string): void {
    if (worker === null || worker !== this.#worker) return;
    this.#worker = null;
    for (const { fail } of this.#waiting.values()) fail(unavailable(why));
    this.#waiting.clear();
  }
}

/** In memory there is one connection only, so its queries run where they are asked. */
function openMemoryReader(database: Database): Reader {
  const queries = openQueries(database);
  return {
    run: async (name, query) => (queries[name] as (query: unknown) => Answer<typeof name>)(query),
    close: async () => {},
  };
}

export const openReader = (database: Database, options: ReaderOptions = {}): Reader =>
  database.path === null ? openMemoryReader(database) : new ThreadReader(database.path, options);
