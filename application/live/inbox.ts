import type { LiveChange, LiveKind } from '#domain/live/live-change.ts';
import { PendingChanges, type PendingOfKind } from '#domain/live/pending.ts';
import type { LiveListener } from '#domain/ports/live/live-changes.ts';

/** Why a stream ends; `gone`: its reader has hung up. */
export type StreamEnding = 'expired' | 'stopping' | 'gone';

/** Pending changes of one stream. It waits without a queue: however much changes, it is one message. */
export class Inbox implements LiveListener {
  readonly #kinds: ReadonlySet<LiveKind>;
  readonly #pending = new PendingChanges();
  #hasMissed = false;
  #ending: StreamEnding | null = null;
  #wake = (): void => undefined;

  constructor(kinds: ReadonlySet<LiveKind>) {
    this.#kinds = kinds;
  }

  get ending(): StreamEnding | null {
    return this.#ending;
  }

  changed(change: LiveChange): void {
    if (!this.#kinds.has(change.of)) return;
    const isFirst = this.#pending.isEmpty;
    this.#pending.add(change);
    if (isFirst) this.#wake();
  }

  missed(): void {
    this.#hasMissed = true;
    this.#wake();
  }

  ended(): void {
    this.end('stopping');
  }

  /** The first reason counts. */
  end(why: StreamEnding): void {
    this.#ending ??= why;
    this.#wake();
  }

  /** Resolves when there is something to tell, or at the end. */
  async something(): Promise<void> {
    while (this.#ending === null && this.#pending.isEmpty && !this.#hasMissed) await this.#woken();
  }

  /** Resolves after so many ms, or at the end. */
  async rest(ms: number): Promise<void> {
    let isOver = ms <= 0;
    const over = (): void => {
      isOver = true;
      this.#wake();
    };
    const timer = setTimeout(over, ms);
    while (!isOver && this.#ending === null) await this.#woken();
    clearTimeout(timer);
  }

  /** Null: changes are not known, so that all has to be read anew. */
  take(): ReadonlyMap<LiveKind, PendingOfKind> | null {
    const taken = this.#pending.take();
    if (!this.#hasMissed) return taken;
    this.#hasMissed = false;
    return null;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
