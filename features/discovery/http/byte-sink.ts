import { Fault } from '#domain/fault.ts';

const FIRST_BYTES = 1_024;

/** Bytes that are gathered, up to a bound. */
export class ByteSink {
  readonly #max: number;
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws Fault `too-large` beyond the bound. */
  append(chunk: Uint8Array, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#max)
      throw new Fault('too-large', `Expected at most ${this.#max} bytes`, [
        { field: 'body', reason: `expected at most ${this.#max} bytes beside the hosts` },
      ]);
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(chunk.subarray(from, to), this.length);
    this.length = length;
  }

  text(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }

  /** Valid until the next append. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.view());
    this.#bytes = larger;
  }
}
