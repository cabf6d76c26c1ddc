import { byteAt, int32At } from './assert.ts';

/** MurmurHash3_x86_128 (Austin Appleby, public domain), seed 0, over the UTF-8 bytes of a text. Fast, well spread, not secret. */

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));
const spread = (k: number, first: number, bits: number, second: number): number =>
  Math.imul(rotate(Math.imul(k, first), bits), second);

const finish = (h: number): number => {
  const a = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return b ^ (b >>> 16);
};

const encoder = new TextEncoder();
/** Scratch space, so that hashing a title allocates nothing; longer texts get their own. */
const scratch = new Uint8Array(16_384);
const words = new Int32Array(4);

/** The 16-byte block at `at`, little-endian, zero after the end of the text, into `words`. */
const readBlock = (bytes: Uint8Array, at: number, end: number): void => {
  words.fill(0);
  for (let i = 0; i < 16 && at + i < end; i++)
    words[i >> 2] = int32At(words, i >> 2) | (byteAt(bytes, at + i) << ((i & 3) * 8));
};

const utf8 = (text: string): { readonly bytes: Uint8Array; readonly length: number } => {
  if (text.length * 3 <= scratch.length) {
    return { bytes: scratch, length: encoder.encodeInto(text, scratch).written };
  }
  const bytes = encoder.encode(text);
  return { bytes, length: bytes.length };
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hexByte = (h: number): string => HEX[h & 255]!;
const hex = (h: number): string => hexByte(h >>> 24) + hexByte(h >>> 16) + hexByte(h >>> 8) + hexByte(h);

/** 128 bits as four unsigned words in hexadecimal, 32 characters. */
export const hash128 = (text: string): string => {
  const { bytes, length } = utf8(text);
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  const tail = length - (length % 16);
  for (let at = 0; at < tail; at += 16) {
    readBlock(bytes, at, length);
    h1 ^= spread(int32At(words, 0), C1, 15, C2);
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 ^= spread(int32At(words, 1), C2, 16, C3);
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 ^= spread(int32At(words, 2), C3, 17, C4);
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 ^= spread(int32At(words, 3), C4, 18, C1);
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
  }
  readBlock(bytes, tail, length);
  h1 ^= spread(int32At(words, 0), C1, 15, C2) ^ length;
  h2 ^= spread(int32At(words, 1), C2, 16, C3) ^ length;
  h3 ^= spread(int32At(words, 2), C3, 17, C4) ^ length;
  h4 ^= spread(int32At(words, 3), C4, 18, C1) ^ length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = finish((h2 + h1) | 0);
  h3 = finish((h3 + h1) | 0);
  h4 = finish((h4 + h1) | 0);
  h1 = (finish(h1) + h2 + h3 + h4) | 0;
  return hex(h1) + hex((h2 + h1) | 0) + hex((h3 + h1) | 0) + hex((h4 + h1) | 0);
};
