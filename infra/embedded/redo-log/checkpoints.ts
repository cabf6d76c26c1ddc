import type { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { startThread } from '#infra/start-thread.ts';
import { MAX_LOG_PAGES } from './connections.ts';

/**
 * Pages in the write-ahead log that are not in the file yet and make a checkpoint worth its while. The same pages are written again and
 * again, so more between two checkpoints is less work in all.
 */
const WORTHWHILE_PAGES = 30_000;

interface Pages {
  readonly log: number;
  readonly checkpointed: number;
}

/** Checkpoints in a thread of their own, so that no write waits for one; started at the first. To be used by the thread that writes. */
export class Checkpoints {
  readonly #db: DatabaseSync;
  readonly #path: string;
  #port: MessagePort | null = null;
  #asked = 0;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
  }

  /** Must be called after each commit of any connection. */
  committed(): void {
    const { log, checkpointed } = this.#pages('NOOP');
    if (log >= MAX_LOG_PAGES) this.#pages('PASSIVE');
    // It has restarted since the last one, or that one is done.
    else if (log - checkpointed >= WORTHWHILE_PAGES && (checkpointed >= this.#asked || log < this.#asked)) {
      this.#asked = log;
      this.#port ??= this.#start();
      this.#port.postMessage(null);
    }
  }

  close(): void {
    this.#port?.close();
  }

  #start(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const worker = startThread(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { path: this.#path, port: port2 },
      transferList: [port2],
    });
    worker.unref();
    // The writer makes them itself without the thread, later.
    worker.on('error', () => {});
    return port1;
  }

  #pages(mode: 'NOOP' | 'PASSIVE'): Pages {
    const pages: unknown = this.#db.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
    return pages as Pages;
  }
}
