import { Buffer } from 'node:buffer';
import * as nodeCrypto from 'node:crypto';
import {
  createHash,
  createHmac,
  createVerify,
  hash,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
  X509Certificate,
} from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { byteAt } from '#domain/assert.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Crypto, Hasher } from '#domain/ports/ports.ts';

/** OWASP's smallest setting for argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

type Derive = (password: string, nonce: Buffer, tagLength: number, cost: Cost) => Promise<Uint8Array>;

export const deriveNatively: Derive = (password, nonce, tagLength, cost) =>
  new Promise((resolve, reject) => {
    nodeCrypto.argon2('argon2id', { message: password, nonce, tagLength, ...cost }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

export const deriveAnywhere: Derive = async (password, salt, hashLength, { memory, passes, parallelism }) => {
  const { argon2id } = await import('hash-wasm');
  const cost = { memorySize: memory, iterations: passes, parallelism };
  return argon2id({ password, salt, hashLength, ...cost, outputType: 'binary' });
};

/** Node has argon2 from 24.7 on. */
const derive = 'argon2' in nodeCrypto ? deriveNatively : deriveAnywhere;

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES };
  const hash = await derive(password, salt, HASH_BYTES, cost);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(hash)}`;
}

async function verifyPassword(password: string, encoded: string): Promise<boolean> {
  const match = PHC.exec(encoded);
  if (match === null) return false;
  const [, memory, passes, parallelism, salt = '', hash = ''] = match;
  const expected = Buffer.from(hash, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  try {
    const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, cost);
    return timingSafeEqual(actual, expected);
  } catch {
    return false;
  }
}

function verifyRsa(algorithm: 'sha1' | 'sha256', text: string, signature: string, certificatePem: string): boolean {
  try {
    const key = new X509Certificate(certificatePem).publicKey;
    if (key.asymmetricKeyType !== 'rsa') return false;
    return createVerify(`RSA-${algorithm.toUpperCase()}`).update(text, 'utf8').verify(key, signature, 'base64');
  } catch {
    return false;
  }
}

function hasher(): Hasher {
  const sha256 = createHash('sha256');
  return { update: (piece) => void sha256.update(piece), digest: () => sha256.digest('hex') };
}

/** Passwords as argon2id in PHC form; a hash or certificate that cannot be read verifies nothing. */
export const systemCrypto: Crypto = {
  sha256: (text) => hash('sha256', text, 'hex'),
  hmac: (keyBase64, text) =>
    createHmac('sha256', Buffer.from(keyBase64, 'base64')).update(text, 'utf8').digest('base64'),
  hasher,
  hashPassword,
  verifyPassword,
  verifyRsa,
};

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

/** Returns ids that cannot be guessed, at the time of the clock. */
export const idsAt = (clock: Clock): Ids => idsFrom(() => clock.now(), randomBytesOneByOne());
