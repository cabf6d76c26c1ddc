import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Fault } from '#domain/fault.ts';
import { startThread } from '#infra/start-thread.ts';
import { FairQueue, type QueryOrigin, type Shares } from './fair-queue.ts';
import { END, INTERRUPTED, type Response, received } from './messages.ts';
import type { QueryAnswer, QueryInput, QueryName } from './queries.ts';

const RETRY_AFTER_S = 2;
/** Time in which a thread must end by itself. */
const END_MS = 3_000;
/** An interrupted query on events ends within a few milliseconds; another one may not. */
const INTERRUPT_MS = 500;
/** Maximum of abandoned threads that still run their last query; as many cores may be busy for nothing. */
const MAX_LEFT = 2;

export interface PoolOptions {
  /** Queries at a time; a thread is started when all others are busy. */
  readonly threads: number;
  readonly shares: Shares;
  /** Origin of the current query. */
  readonly origin: () => QueryOrigin;
  /** Timeout of one query, from its start. */
  readonly timeoutMs: number;
}

interface QueryTask {
  readonly number: number;
  readonly name: QueryName;
  readonly query: unknown;
  readonly settle: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Number of the query that is to end; read by the thread while it runs. */
  readonly interrupted: Int32Array;
  running: QueryTask | null;
  /** Ends the turn of its query. */
  endTurn: () => void;
}

const unavailable = (why: string): Fault =>
  new Fault('unavailable', `Couldn't run the query: ${why}`, [], { retryAfter: RETRY_AFTER_S });

/** Closes its connection before it ends: a thread that is terminated within a statement can crash the process. */
async function endOf({ worker }: Thread): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage(END);
  worker.ref();
  await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
  // Nor does it wait for one that is within a statement.
  await Promise.race([worker.terminate(), pause(END_MS, undefined, { ref: false })]);
}

/** Queries of no tenant count as those of one. */
const tenantOf = (query: unknown): string => (query as { readonly tenant?: string } | undefined)?.tenant ?? '';

const TOO_MANY = { all: 'too many queued queries', tenant: 'too many queued queries for this tenant' } as const;

/** Threads that run queries, one each at a time; tenants alternate. */
export class QueryPool {
  readonly #path: string;
  readonly #options: PoolOptions;
  readonly #queue: FairQueue<QueryTask>;
  #threads: Thread[] = [];
  /** Abandoned threads: their query continued though it was interrupted. */
  readonly #left = new Set<Thread>();
  #closed = false;
  #last = 0;

  constructor(path: string, options: PoolOptions) {
    this.#path = path;
    this.#options = options;
    this.#queue = new FairQueue(options.shares);
  }

  /** Queries that wait or run. */
  size(origin: QueryOrigin): number {
    return this.#queue.size(origin);
  }

  async run<N extends QueryName>(name: N, query: QueryInput<N>): Promise<QueryAnswer<N>> {
    if (this.#closed) throw unavailable('the store is closed');
    return received(await this.#ask(name, query)) as QueryAnswer<N>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail } of this.#queue.clear()) fail(unavailable('the store is closed'));
    const threads = [...this.#threads, ...this.#left];
    for (const thread of threads) {
      this.#interrupt(thread);
      this.#lose(thread, 'the store is closed');
    }
    await Promise.all(threads.map(endOf));
  }

  #ask(name: QueryName, query: unknown): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const timer = setTimeout(() => this.#late(asked), this.#options.timeoutMs);
    const done =
      <T>(then: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer);
        then(value);
      };
    const asked: QueryTask = { number: ++this.#last, name, query, settle: done(resolve), fail: done(reject) };
    const refused = this.#queue.add(this.#options.origin(), tenantOf(query), asked);
    if (refused === null) this.#next();
    else asked.fail(unavailable(TOO_MANY[refused]));
    return promise;
  }

  /** Assigns the next query to an idle thread. */
  #next(): void {
    if (this.#closed || !this.#queue.hasWaiting) return;
    const thread = this.#threads.find(({ running }) => running === null) ?? this.#start();
    const turn = thread === null ? null : this.#queue.take();
    if (thread === null || turn === null) return;
    const { number, name, query } = turn.item;
    thread.running = turn.item;
    thread.endTurn = turn.end;
    thread.worker.postMessage({ number, name, query });
  }

  #start(): Thread | null {
    if (this.#threads.length >= this.#options.threads) return null;
    const interrupted = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { path: this.#path, interrupted };
    const worker = startThread(new URL('./reader-thread.ts', import.meta.url), { workerData });
    const thread: Thread = { worker, interrupted, running: null, endTurn: () => {} };
    this.#threads.push(thread);
    worker.unref();
    worker.on('message', (response: Response) => this.#answered(thread, response));
    worker.on('error', (error) => this.#lose(thread, error.message));
    worker.on('exit', () => this.#lose(thread, 'the reader stopped'));
    return thread;
  }

  #answered(thread: Thread, response: Response): void {
    const { running } = thread;
    if (running === null) return;
    this.#free(thread);
    const isLate = 'error' in response && response.error === INTERRUPTED;
    if (isLate) running.fail(this.#tooLong());
    else running.settle(response);
    this.#next();
  }

  #tooLong(): Fault {
    return unavailable(
      `timed out after ${this.#options.timeoutMs} ms. Narrow the request, for example with a shorter time range`,
    );
  }

  /** The caller is answered at once; the thread is free when the query has ended, or is replaced when it continues. */
  #late(asked: QueryTask): void {
    asked.fail(this.#tooLong());
    if (this.#queue.remove(asked)) return;
    const thread = this.#threads.find(({ running }) => running === asked);
    if (thread === undefined) return;
    this.#interrupt(thread);
    setTimeout(() => {
      if (thread.running === asked) this.#leave(thread);
    }, INTERRUPT_MS).unref();
  }

  #free(thread: Thread): void {
    if (thread.running === null) return;
    thread.running = null;
    thread.endTurn();
  }

  #interrupt({ running, interrupted }: Thread): void {
    if (running !== null) Atomics.store(interrupted, 0, running.number);
  }

  /** Replaces the thread by another; it ends with its query. Beyond a bound its slot stays empty until then. */
  #leave(thread: Thread): void {
    if (this.#left.size >= MAX_LEFT || this.#closed) return;
    this.#left.add(thread);
    this.#threads = this.#threads.filter((other) => other !== thread);
    thread.worker.postMessage(END);
    this.#next();
  }

  /** Forgets a thread that has ended; another one is started for the next query. */
  #lose(thread: Thread, why: string): void {
    this.#left.delete(thread);
    this.#threads = this.#threads.filter((other) => other !== thread);
    thread.running?.fail(unavailable(why));
    this.#free(thread);
    for (let free = this.#options.threads; free > 0; free--) this.#next();
  }
}
