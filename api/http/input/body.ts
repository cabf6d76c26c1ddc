import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault, invalid } from '#domain/fault.ts';

export const DEFAULT_MAX_BYTES = 1024 * 1024;
/** From the first look at the body to its last byte. */
const BODY_TIMEOUT_MS = 60_000;

const tooLarge = (maxBytes: number): Fault =>
  new Fault('too-large', `The body may have at most ${maxBytes} bytes`, [
    { field: 'body', reason: `expected at most ${maxBytes} bytes` },
  ]);
const tooSlow = (): Fault => invalid('body', `expected within ${BODY_TIMEOUT_MS / 1000} s`);
const brokenOff = (): Fault => invalid('body', 'the connection ended before the body did');
const badZip = (): Fault => invalid('body', 'expected a valid gzip stream, as Content-Encoding says');

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

function refuseDeclaredSize(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

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
 * Reads the whole body, at most `maxBytes` after unzipping. Throws Fault `too-large`, and `invalid` for one that is late, broken off or
 * badly zipped. What is over the limit is discarded, so that the caller can read the reply.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  refuseDeclaredSize(request, maxBytes);
  const whole = arrived(request);
  if (whole !== null) return whole;
  const source = decoded(request);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => reject(tooSlow()), BODY_TIMEOUT_MS);
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxBytes) reject(tooLarge(maxBytes));
    else chunks.push(chunk);
  };
  source.on('data', onData);
  source.once('end', () => resolve(joined(chunks)));
  source.once('error', () => reject(source === request ? brokenOff() : badZip()));
  // Comes after every body too: making a fault costs a stack trace.
  source.once('close', () => source.readableEnded || reject(brokenOff()));
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

/** The body piece by piece, within the same bounds but for the time: a reader that is slow is not the sender's fault. */
export async function* streamBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  refuseDeclaredSize(request, maxBytes);
  const source = decoded(request);
  let size = 0;
  try {
    // A reader that stops early must not cost the caller the reply.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw tooLarge(maxBytes);
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
