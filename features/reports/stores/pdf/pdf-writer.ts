import type { Worker } from 'node:worker_threads';
import { Fault } from '#domain/fault.ts';
import { MAX_SHOWN_ROWS, type ReportDocument } from '#features/reports/rules/document/document.ts';
import { firstRows } from '#features/reports/rules/document/first-rows.ts';
import { startThread } from '#infra/start-thread.ts';
import { END, type PdfResult } from './messages.ts';

/** Idle time after which the thread ends. */
const IDLE_MS = 30_000;
/** Heap limit of the thread, sufficient for 2,000 rows. Exceeding it ends the thread but not the process. */
const HEAP_MB = 320;

interface PdfJob {
  readonly document: ReportDocument;
  readonly signal: AbortSignal;
  readonly settle: (written: PdfResult) => void;
  readonly fail: (error: unknown) => void;
}

const tooLarge = (): Fault =>
  new Fault('unprocessable', 'The report is too large for PDF. Reduce the scope or use format csv');
const aborted = (): Fault => new Fault('unavailable', 'The report was canceled before it was written');

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Writes PDFs one by one in a thread that exists only while needed. */
export class PdfWriter {
  readonly #otherFonts: readonly string[];
  readonly #queue: PdfJob[] = [];
  #running: PdfJob | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** `otherFonts`: font files for characters absent from the main font. */
  constructor(otherFonts: readonly string[]) {
    this.#otherFonts = otherFonts;
  }

  async write(whole: ReportDocument, signal: AbortSignal): Promise<Uint8Array> {
    if (signal.aborted) throw aborted();
    const document = firstRows(whole, MAX_SHOWN_ROWS.pdf);
    const { promise, resolve, reject } = Promise.withResolvers<PdfResult>();
    const asked: PdfJob = { document, signal, settle: resolve, fail: reject };
    const giveUp = (): void => this.#giveUp(asked);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.push(asked);
    this.#next();
    try {
      const written = await promise;
      if ('file' in written) return written.file;
      throw new Error(`Couldn't write the PDF: ${written.error}`);
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
    worker.on('message', (written: PdfResult) => this.#done(worker, ({ settle }) => settle(written)));
    worker.on('error', (error) =>
      this.#lost(worker, isOutOfMemory(error) ? tooLarge() : new Error("Couldn't write the PDF", { cause: error })),
    );
    worker.on('exit', () => this.#lost(worker, new Error('The thread that writes PDFs has ended')));
    return worker;
  }

  #done(worker: Worker, tell: (asked: PdfJob) => void): void {
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

  /** Terminates the thread, which cannot stop within a document; the next document starts another one. */
  #giveUp(asked: PdfJob): void {
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
