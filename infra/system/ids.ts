import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { byteAt } from '#domain/columns.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';

const POOL_BYTES = 4_096;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 that a byte can reach; bytes from there on are thrown away, else some characters were likelier. */
const FAIR = 248;

/** Random bytes one at a time, fetched in bulk. */
function randomBytesOneByOne(fill: (pool: Uint8Array) => void = randomFillSync): () => number {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      fill(pool);
      used = 0;
    }
    return byteAt(pool, used++);
  };
}

export function idsFrom(now: () => number, nextByte: () => number): Ids {
  const ulid = monotonicFactory(() => nextByte() / 256);
  return {
    ulid: () => ulid(now()),
    secret(characters) {
      let text = '';
      while (text.length < characters) {
        const byte = nextByte();
        if (byte < FAIR) text += BASE62[byte % 62];
      }
      return text;
    },
  };
}

/** Ids that nobody can guess, at the time of the clock. */
export const idsAt = (clock: Clock): Ids => idsFrom(() => clock.now(), randomBytesOneByOne());
