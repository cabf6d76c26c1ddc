import type { Hasher } from '#domain/ports/ports.ts';

/** A body that is worked on while it arrives, and known by its hash when all of it was read. */
export class HashedBody implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterable<Uint8Array>;
  readonly #hasher: Hasher;
  #hash: string | null = null;
  /** Runs between two pieces. */
  between: () => Promise<void> = async () => {};

  constructor(pieces: AsyncIterable<Uint8Array>, hasher: Hasher) {
    this.#pieces = pieces;
    this.#hasher = hasher;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#pieces) {
      this.#hasher.update(piece);
      yield piece;
      await this.between();
    }
    this.#hash = this.#hasher.digest();
  }

  /** Null until the end was reached. */
  get hash(): string | null {
    return this.#hash;
  }

  /** Reads an unread body. Throws read errors. */
  async readAll(): Promise<string> {
    for await (const _piece of this);
    return this.#hash as string;
  }
}
