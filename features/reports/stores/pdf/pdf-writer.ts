import type { Worker } from 'node:worker_threads';
import { Fault } from '#domain/fault.ts';
import { MOST_SHOWN_ROWS, type ReportDocument } from '#features/reports/rules/document/document.ts';
import { firstRows } from '#features/reports/rules/document/first-rows.ts';
import { startThread } from '#infra/start-thread.ts';
import { END, type Written } from './messages.ts';

/** A thread that has nothing to do ends after so long. */
const IDLE_MS = 30_000;
/** Of the thread: what 2,000 rows need, with room. Beyond it the thread ends and the process goes on. */
const HEAP_MB = 320;

interface Asked {
  readonly document: ReportDocument;
  readonly signal: AbortSignal;
  readonly settle: (written: Written) => void;
  readonly fail: (error: unknown) => void;
}

const tooLarge = (): Fault =>
  new Fault('unprocessable', 'The report needs more memory than a PDF may take: ask for less, or for format csv');
const aborted = (): Fault => new Fault('unavailable', 'The report was given up before it was written');

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Writes PDFs one after the other in a thread of its own, which is there only while it is needed. */
export class PdfWriter {
  readonly #otherFonts: readonly string[];
  readonly #queue: Asked[] = [];
  #running: Asked | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** `otherFonts`: files of fonts for what the main one lacks. */
  constructor(otherFonts: readonly string[]) {
    this.#otherFonts = otherFonts;
  }

  async write(whole: ReportDocument, signal: AbortSignal): Promise<Uint8Array> {
    if (signal.aborted) throw aborted();
    const document = firstRows(whole, MOST_SHOWN_ROWS.pdf);
    const { promise, resolve, reject } = Promise.withResolvers<Written>();
    const asked: Asked = { document, signal, settle: resolve, fail: reject };
    const giveUp = (): void => this.#giveUp(asked);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.push(asked);
    this.#next();
    try {
      const written = await promise;
      if ('file' in written) return written.file;
      throw new Error(`The PDF could not be written: ${written.error}`);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async close(): Promise<void> {
    for (const { fail } of this.#queue.splice(0)) fail(aborted());
    this.#running?.fail(aborted());
    await this.#end();
  }

  #next(): void {
    if (this.#running !== null) return;
    clearTimeout(this.#idle);
    const asked = this.#queue.shift();
    if (asked === undefined) {
      this.#rest();
      return;
    }
    this.#running = asked;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(asked.document);
  }

  #start(): Worker {
    const worker = startThread(new URL('./pdf-thread.ts', import.meta.url), {
      workerData: { otherFonts: this.#otherFonts },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.on('message', (written: Written) => this.#done(worker, ({ settle }) => settle(written)));
    worker.on('error', (error) =>
      this.#lost(
        worker,
        isOutOfMemory(error) ? tooLarge() : new Error('The PDF could not be written', { cause: error }),
      ),
    );
    worker.on('exit', () => this.#lost(worker, new Error('The thread that writes PDFs has ended')));
    return worker;
  }

  #done(worker: Worker, tell: (asked: Asked) => void): void {
    if (worker !== this.#worker || this.#running === null) return;
    const asked = this.#running;
    this.#running = null;
    worker.unref();
    tell(asked);
    this.#next();
  }

  #lost(worker: Worker, why: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    const asked = this.#running;
    this.#running = null;
    asked?.fail(why);
    this.#next();
  }

  /** A thread that is within a document cannot be told to stop: it is ended, and the next document gets another one. */
  #giveUp(asked: Asked): void {
    asked.fail(aborted());
    const waiting = this.#queue.indexOf(asked);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    if (this.#running !== asked) return;
    this.#running = null;
    void this.#end();
    this.#next();
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.#leave(), IDLE_MS).unref();
  }

  #leave(): void {
    this.#worker?.postMessage(END);
    this.#worker = null;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}
