import { uint32At } from '#domain/assert.ts';

/** API token: prefix, 30 base62 characters, 6 checksum characters by which secret scanners recognize a real one. */
export const API_TOKEN_PREFIX = 'flt_';
/** Discovery tokens are given to scanners and limited to their scopes. */
export const DISCOVERY_TOKEN_PREFIX = 'fld_';
export type TokenPrefix = typeof API_TOKEN_PREFIX | typeof DISCOVERY_TOKEN_PREFIX;

export const TOKEN_SECRET_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const crcOfByte = (byte: number): number => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
};
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => crcOfByte(byte));

/** CRC-32 (IEEE 802.3) of ASCII text. */
export const crc32 = (text: string): number => {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i += 1) crc = uint32At(CRC_TABLE, (crc ^ text.charCodeAt(i)) & 0xff) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
};

/** CRC-32 in base62, padded to 6 characters (62^6 exceeds 2^32). */
export const checksum = (secret: string): string => {
  let rest = crc32(secret);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
};

/** The token as it is shown once; `secret` is 30 random base62 characters. */
export const formatToken = (prefix: TokenPrefix, secret: string): string => `${prefix}${secret}${checksum(secret)}`;
