import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';

/** The part of kafkajs's Encoder that is patched. */
interface Encoder {
  buf: Buffer;
  offset: number;
  ensureAvailable(length: number): void;
}
interface EncoderClass {
  nextPowerOfTwo(value: number): number;
  readonly prototype: Encoder;
}

/** The initial size of kafkajs. */
const DEFAULT_SIZE = 511;
const FIRST_BYTES = 256;

/**
 * kafkajs makes an encoder per record, header list and request, each with half a kilobyte of zeros outside the heap: an eighth of a
 * worker's processor time. These begin with nothing and write into Node's pool.
 */
export function leanEncoders(): void {
  const encoder = createRequire(import.meta.url)('kafkajs/src/protocol/encoder') as EncoderClass;
  const nextPowerOfTwo = encoder.nextPowerOfTwo.bind(encoder);
  encoder.nextPowerOfTwo = (value) => (value === DEFAULT_SIZE ? 0 : nextPowerOfTwo(value));
  encoder.prototype.ensureAvailable = function (length) {
    const needed = this.offset + length;
    if (needed <= this.buf.length) return;
    const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, nextPowerOfTwo(needed)));
    this.buf.copy(larger, 0, 0, this.offset);
    this.buf = larger;
  };
}
