/** The redo log written by libuv's threads instead of a thread of its own, to compare them. A failed write ends the server. */
import { constants, openSync, rmSync, writev } from 'node:fs';
import { dirname, join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { headOf } from '#infra/embedded/journal/journal-entries.ts';
import type { FromApplier, ToApplier } from '#infra/embedded/journal/messages.ts';
import type { RowChanges } from '#infra/embedded/journal/statements.ts';
import type { Writer, WriterEvents } from '#infra/embedded/journal/writer.ts';
import { packChanges } from '#infra/embedded/journal/writer.ts';
import { startThread } from '#infra/start-thread.ts';

const ROTATE_BYTES = 16 * 1024 * 1024;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC;

interface Write {
  readonly batch: number;
  readonly content: Uint8Array<ArrayBuffer>;
}

export class LibuvWriter implements Writer {
  readonly #path: string;
  #port: MessagePort | null = null;
  #files: { readonly descriptor: number; bytes: number; last: number }[] = [];
  #last = 0;
  #released = 0;
  #identity = 0;
  #isWriting = true;
  #waiting: Write[] = [];
  readonly #events: WriterEvents;
  /** Batches that are durable but not applied, oldest first. */
  #unapplied: number[] = [];
  #idle: (() => void)[] = [];

  constructor(path: string, events: WriterEvents) {
    this.#path = path;
    this.#events = events;
  }

  write(batch: number, changes: RowChanges): void {
    this.resume();
    this.#port?.ref();
    this.#waiting.push({ batch, content: packChanges(changes) });
    this.#next();
  }

  wroteBeside(): void {}

  applyNow(): void {
    this.#post({ kind: 'commit' });
  }

  waitApplied(): void {
    if (this.#waiting.length > 0 || this.#unapplied.length > 0) throw new Error('libuv cannot be waited for');
  }

  resume(): void {
    if (this.#port !== null) return;
    const { port1, port2 } = new MessageChannel();
    const url = new URL('../infra/embedded/journal/apply-thread.ts', import.meta.url);
    startThread(url, { workerData: { path: this.#path, port: port2 }, transferList: [port2] }).unref();
    port1.on('message', (message: FromApplier) => this.#receive(message));
    this.#port = port1;
  }

  async close(): Promise<void> {
    this.applyNow();
    if (this.#unapplied.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    const ended = new Promise((resolve) => this.#port?.once('close', resolve));
    this.#post({ kind: 'end' });
    this.#port?.ref();
    await ended;
    for (const file of this.#paths()) rmSync(file, { force: true });
  }

  #paths(): string[] {
    return ['libuv.redo', 'libuv.redo2'].map((name) => join(dirname(this.#path), name));
  }

  #post(message: ToApplier, transferred: readonly ArrayBuffer[] = []): void {
    this.#port?.postMessage(message, transferred);
  }

  #receive(message: FromApplier): void {
    if (message.kind === 'ready') {
      this.#files = this.#paths().map((file) => ({ descriptor: openSync(file, FLAGS, 0o600), bytes: 0, last: 0 }));
      [this.#identity, this.#last, this.#released] = [message.identity, message.last, message.last];
      this.#isWriting = false;
      this.#next();
    } else if (message.kind === 'applied') {
      this.#released = message.last;
      while ((this.#unapplied[0] ?? Number.POSITIVE_INFINITY) <= message.through)
        this.#events.batchApplied(this.#unapplied.shift()!);
      if (this.#unapplied.length > 0 || this.#waiting.length > 0) return;
      this.#port?.unref();
      for (const resolve of this.#idle.splice(0)) resolve();
    } else if (message.kind !== 'ended') throw new Error(`The applying thread says ${message.kind}`);
  }

  #next(): void {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    const writes = this.#waiting;
    this.#waiting = [];
    const first = this.#last + 1;
    this.#last += writes.length;
    const head = (content: Uint8Array, n: number) => headOf(first + n, 1, this.#identity, content);
    const buffers = writes.flatMap(({ content }, n) => [head(content, n), content]);
    const file = this.#fileForMore();
    writev(file.descriptor, buffers, file.bytes, (error, bytes) => {
      if (error !== null) throw error;
      file.bytes += bytes;
      file.last = first + writes.length - 1;
      this.#written(writes, first);
    });
  }

  #written(writes: readonly Write[], first: number): void {
    this.#isWriting = false;
    this.#next();
    const entries = writes.map(({ batch, content }, n) => ({ number: first + n, batch, content }));
    this.#post(
      { kind: 'apply', entries },
      writes.map(({ content }) => content.buffer),
    );
    for (const { batch } of writes) {
      this.#unapplied.push(batch);
      this.#events.batchDurable(batch);
    }
  }

  #fileForMore() {
    const [current, other] = this.#files;
    if (current === undefined || other === undefined) throw new Error('The files are not open');
    if (current.last > this.#released) {
      if (current.bytes < ROTATE_BYTES || other.last > this.#released) return current;
      this.#files = [other, current];
      other.bytes = 0;
      return other;
    }
    current.bytes = 0;
    return current;
  }
}
