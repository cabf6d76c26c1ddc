import { byteAt } from '#domain/known.ts';

const FIRST_SIZE = 16_384;

/** Whole numbers from 0 to 2^53 one after the other, seven bits a byte, low ones first: small numbers take one byte. */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;

  number(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    this.#bytes[this.#length++] = rest;
  }

  /** Reads the bytes of the writer; its next number is the first again. */
  append(other: ByteWriter): void {
    if (this.#length + other.#length > this.#bytes.length) this.#grow(other.#length);
    this.#bytes.set(other.#bytes.subarray(0, other.#length), this.#length);
    this.#length += other.#length;
    other.#length = 0;
  }

  /** A copy of the written bytes; the next number is the first again. */
  take(): Uint8Array {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  #grow(room: number): void {
    const larger = new Uint8Array(2 * this.#bytes.length + room);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote, in its order. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let byte = byteAt(this.#bytes, this.#at++);
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let unit = 128; ; unit *= 128) {
      byte = byteAt(this.#bytes, this.#at++);
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
    }
  }
}
