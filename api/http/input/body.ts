import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault, invalid } from '#domain/fault.ts';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes.ts';

export const MAX_DEPTH = 32;
/** Keys of one item: of the body, or of each element of an array in its outer levels. */
export const MAX_KEYS = 10_000;
/** A list, or an object with a list. */
export const ITEM_DEPTH = 2;

/** Index of the quote that ends the string whose content starts at `at`. */
function endOfString(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

/**
 * Refuses JSON nested deeper than 32 or with more than 10,000 keys per item, in one pass before it is parsed. Items are
 * elements of arrays no deeper than `itemDepth`. Throws Fault `invalid`; the parser detects invalid JSON.
 */
export function checkJsonShape(bytes: Uint8Array, itemDepth = ITEM_DEPTH): void {
  let depth = 0;
  let keys = 0;
  // True for outer levels that are arrays: a comma there ends an item.
  const array: boolean[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) i = endOfString(bytes, i + 1);
    else if (byte === COLON) {
      if (++keys > MAX_KEYS) throw invalid('body', `expected at most ${MAX_KEYS} keys per item`);
    } else if (byte === COMMA) {
      if (depth <= itemDepth && array[depth] === true) keys = 0;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) throw invalid('body', `expected at most ${MAX_DEPTH} levels of nesting`);
      if (depth <= itemDepth) array[depth] = byte === OPEN_BRACKET;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
}

/** A letter of `__proto__` written as an escape; rare enough that being careful costs nothing. */
const ESCAPED_PROTO_LETTER = /\\u00(5f|70|72|6f|74)/i;
const withoutProto = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);

const ESCAPED_SURROGATE = /\\ud[89a-f]/i;
const ESCAPES = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u(d[89a-f][0-9a-f]{2})|.)/gis;
/** A lone surrogate becomes U+FFFD: no store and no UTF-8 text can hold it. */
const wellFormed = (text: string): string =>
  ESCAPED_SURROGATE.test(text)
    ? text.replace(ESCAPES, (sequence, alone) => (alone === undefined ? sequence : '\\ufffd'))
    : text;

/** Parses; a key `__proto__` is left out, so that no later copy can change a prototype. Throws Fault `invalid`. */
export function parseJson(body: string): unknown {
  // A body without a backslash has no escapes.
  const escapes = body.includes('\\');
  const text = escapes ? wellFormed(body) : body;
  const suspicious = text.includes('__proto__') || (escapes && ESCAPED_PROTO_LETTER.test(text));
  try {
    return suspicious ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch (error) {
    throw invalid('body', `expected JSON; ${positionOf(error)}`);
  }
}

/** The parser's message without the excerpt of the body that it quotes. */
function positionOf(error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'incomplete or invalid JSON' : `malformed at character ${position}`;
}

export const DEFAULT_MAX_BYTES = 1024 * 1024;
/** Time between the first read of the body and its last byte. */
const BODY_TIMEOUT_MS = 60_000;

/** Maximum stored bytes of a body that is too large. */
const HEAD_BYTES = 32 * 1024;
/** Time for its arrival: no sender waits longer for a refusal. */
const HEAD_TIMEOUT_MS = 2_000;

export class TooLarge extends Fault {
  /** The beginning of the body, when requested. */
  readonly head: string;

  constructor(maxBytes: number, head = '') {
    super('too-large', `Request body exceeds ${maxBytes} bytes`, [
      { field: 'body', reason: `expected at most ${maxBytes} bytes` },
    ]);
    this.head = head;
  }
}
const tooSlow = (): Fault => invalid('body', `not received within ${BODY_TIMEOUT_MS / 1000}s`);
const brokenOff = (): Fault => invalid('body', 'connection closed before the body was complete');
const badZip = (): Fault => invalid('body', 'expected a valid gzip stream (Content-Encoding: gzip)');

/** The body as it was before Content-Encoding. Throws Fault `invalid` on an encoding other than identity and gzip. */
function decoded(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return request;
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw invalid('Content-Encoding', `expected one of identity, gzip; got "${encoding.slice(0, 40)}"`);
  const gunzip = createGunzip();
  request.on('error', (error) => gunzip.destroy(error));
  request.on('close', () => request.complete || gunzip.destroy());
  return request.pipe(gunzip);
}

const isDeclaredTooLarge = ({ headers }: IncomingMessage, maxBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > maxBytes;

const headOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).subarray(0, HEAD_BYTES).toString('utf8');
const joined = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);

/** The whole body when it has arrived already, as a short one has: its packet brought it together with the head. */
function arrived(request: IncomingMessage): Buffer | null {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined || request.readableLength !== Number(length ?? -1)) return null;
  const bytes = request.read() as Buffer | null;
  request.resume();
  return bytes;
}

/**
 * Reads the whole body, at most `maxBytes` after unzipping, and discards the rest. Throws
 * `TooLarge`, with the beginning if `keepsHead`, and Fault `invalid` for one that is late, broken off or badly zipped.
 */
export async function readBody(request: IncomingMessage, maxBytes: number, keepsHead = false): Promise<Buffer> {
  const isRefused = isDeclaredTooLarge(request, maxBytes);
  if (isRefused && !keepsHead) throw new TooLarge(maxBytes);
  const whole = arrived(request);
  if (whole !== null) return whole;
  const source = decoded(request);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const tooLarge = () => new TooLarge(maxBytes, keepsHead ? headOf(chunks) : '');
  const broken = (fault: () => Fault) => reject(isRefused ? tooLarge() : fault());
  const timer = setTimeout(() => broken(tooSlow), isRefused ? HEAD_TIMEOUT_MS : BODY_TIMEOUT_MS);
  const most = isRefused ? HEAD_BYTES : maxBytes;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= most || chunks.length === 0) chunks.push(chunk);
    if (size > most) reject(tooLarge());
  };
  source.on('data', onData);
  source.once('end', () => (isRefused ? reject(tooLarge()) : resolve(joined(chunks))));
  source.once('error', () => broken(source === request ? brokenOff : badZip));
  // Emitted after every body too: making a fault costs a stack trace.
  source.once('close', () => source.readableEnded || broken(brokenOff));
  try {
    return await promise;
  } catch (fault) {
    source.off('data', onData);
    discard(request, source);
    throw fault;
  } finally {
    clearTimeout(timer);
  }
}

function discard(request: IncomingMessage, source: Readable): void {
  if (source !== request) {
    request.unpipe();
    source.destroy();
  }
  request.resume();
}

/**
 * Yields the body piece by piece, within the same bounds except for the time: a slow reader is not the sender's fault.
 */
export async function* streamBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (isDeclaredTooLarge(request, maxBytes)) throw new TooLarge(maxBytes);
  const source = decoded(request);
  let size = 0;
  try {
    // A reader that stops early must not cost the caller the reply.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw new TooLarge(maxBytes);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof Fault ? error : source === request ? brokenOff() : badZip();
  } finally {
    if (!source.readableEnded) discard(request, source);
  }
}

const notUtf8 = (): Fault => invalid('body', 'expected UTF-8');

/** Throws Fault `invalid` for bytes of another encoding, which would be stored as U+FFFD. */
export function requireUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw notUtf8();
}

/** The body as it is. Throws Fault `invalid` at the first piece that is not UTF-8. */
export async function* utf8Body(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (piece?: Uint8Array): void => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw notUtf8();
    }
  };
  for await (const piece of body) {
    check(piece);
    yield piece;
  }
  check();
}
