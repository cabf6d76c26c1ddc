import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request, fetch as undiciFetch } from 'undici';
import type { FailureClass, Outbound, PostFailure, Posting, Reading } from '#domain/ports/outbound.ts';
import { bounded } from './get.ts';
import { type Allowed, isCallable, literalOf } from './public-address.ts';
import { openStreams } from './stream.ts';

/** Returns all addresses of a name, like `dns.lookup`. */
export type ResolveHost = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The name leads to an address that is not called. */
class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS';
}

/**
 * The look-up of a connection, which uses exactly its result, so a name cannot change its answer in between. One
 * address that is not public refuses them all.
 */
const guardedLookup =
  (resolve: ResolveHost, allowed: Allowed): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isCallable(address, allowed)))
        return done(new RefusedAddress(`${host} resolves to a non-public address`), []);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

const CLASSES: Readonly<Record<string, FailureClass>> = {
  REFUSED_ADDRESS: 'refused address',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'connection refused',
  ENETUNREACH: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};
const OF_TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/;

const classOf = (error: NodeJS.ErrnoException): FailureClass => {
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'stopped';
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return classOf(error.errors[0]);
  const { code = '' } = error;
  return CLASSES[code] ?? (OF_TLS.test(code) ? 'tls' : 'failed');
};

/** The class alone: a message of the system could name addresses within our network. */
const postFailure = (cause: unknown): PostFailure => {
  const failure = classOf(cause as Error);
  return Object.assign(new Error(failure, { cause }), { class: failure });
};

async function* failingAs(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw postFailure(cause);
  }
}

/** Connections to one receiver, and idle time of an unused one. */
const CONNECTIONS = 4;
const KEPT_MS = 10_000;
/** Bytes read of a reply, so that its connection can be used again; a longer one is cut. */
const READ_BYTES = 16 * 1_024;
const HEADER_BYTES = 16 * 1_024;
/** Largest body of a protocol's reply. */
const FETCH_BYTES = 1_024 * 1_024;

const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const NOT_PUBLIC = 'expected a public address or one in FAULTLINE_OUTBOUND_ALLOW';

/** Returns the reason why an address is never called, judged by its text. */
const refusalFor =
  (allowed: Allowed) =>
  (text: string): string | null => {
    const url = parsed(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return 'expected an HTTP or HTTPS URL';
    if (url.username !== '' || url.password !== '') return 'expected a URL without a username or password';
    const literal = literalOf(url);
    return literal === null || isCallable(literal, allowed) ? null : NOT_PUBLIC;
  };

/** undici checks a signal only when it is connected, so a slow name server would exceed the timeout. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const ANSWER_BYTES = 1_024;
const ANSWER_LETTERS = 200;
const ANSWER_MS = 1_000;

/** The beginning of a body as one line, as far as it has arrived in time. */
const beginningOf = async (body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> => {
  let text = Buffer.alloc(0);
  const read = async (): Promise<void> => {
    for await (const chunk of body) {
      text = Buffer.concat([text, chunk]);
      if (text.length >= ANSWER_BYTES) return;
    }
  };
  const late = new Promise<void>((resolve) => setTimeout(resolve, ANSWER_MS).unref());
  await Promise.race([read().catch(() => undefined), late]);
  body.destroy();
  return text
    .toString()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_LETTERS);
};

export interface PostOptions {
  readonly allowed: Allowed;
  readonly resolve?: ResolveHost;
  readonly now?: () => number;
}
export interface OpenedPost extends Omit<Outbound, 'get'> {
  close(): Promise<void>;
}

const fetchOver =
  (dispatcher: Agent, refusal: Outbound['refusal']): Outbound['fetch'] =>
  async (url, { body, signal, ...options }) => {
    try {
      if (refusal(url) !== null) throw new RefusedAddress('The address is not public');
      const given = { ...(body && { body: String(body) }), ...(signal && { signal }) };
      const reply = await undiciFetch(url, { ...options, ...given, redirect: 'manual', dispatcher });
      const text = reply.body === null ? '' : await bounded(reply.body, FETCH_BYTES);
      return new Response(text, { status: reply.status, headers: [...reply.headers] });
    } catch (cause) {
      throw postFailure((cause as Error).cause ?? cause);
    }
  };

/** POST to public addresses. The host is checked, and every address that its name has at the moment of the connection. */
export const openPost = ({ allowed, resolve = lookup, now = () => performance.now() }: PostOptions): OpenedPost => {
  const refusal = refusalFor(allowed);
  const connect = { lookup: guardedLookup(resolve, allowed) };
  const streams = openStreams(connect);
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
    maxHeaderSize: HEADER_BYTES,
    connect,
  });
  const send = async (url: string, { headers, body, timeoutMs, signal }: Posting) => {
    const late = AbortSignal.timeout(timeoutMs);
    const until = signal === undefined ? late : AbortSignal.any([late, signal]);
    const options = {
      method: 'POST',
      headers,
      body,
      signal: until,
      dispatcher: agent,
      headersTimeout: timeoutMs,
    } as const;
    const { statusCode: status, body: answered } = await Promise.race([request(url, options), aborted(until)]);
    if (status >= 400) return { status, answer: await beginningOf(answered) };
    // The status is sufficient; the rest of the reply ends with the timeout.
    answered.dump({ limit: READ_BYTES, signal: until }).catch(() => undefined);
    return { status };
  };
  const fetched = async (url: string, { method = 'GET', body: sent, headers, timeoutMs, maxBytes }: Reading) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const timeouts = { signal, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const options = {
      method,
      headers,
      dispatcher: agent,
      ...timeouts,
      ...(sent !== undefined && { body: sent }),
    } as const;
    const { statusCode, body } = await Promise.race([request(url, options), aborted(signal)]);
    return { status: statusCode, body: await bounded(body, maxBytes) };
  };
  return {
    refusal,
    async read(url, reading) {
      try {
        if (refusal(url) !== null) throw new RefusedAddress('The address is not public');
        return await fetched(url, reading);
      } catch (cause) {
        throw postFailure(cause);
      }
    },
    fetch: fetchOver(agent, refusal),
    async stream(url, streaming) {
      try {
        if (refusal(url) !== null) throw new RefusedAddress('The address is not public');
        const { status, body } = await streams.open(url, streaming);
        return { status, body: failingAs(body) };
      } catch (cause) {
        throw postFailure(cause);
      }
    },
    async post(url, posting) {
      const begun = now();
      try {
        if (refusal(url) !== null) throw new RefusedAddress('The address is not public');
        return { ...(await send(url, posting)), ms: Math.round(now() - begun) };
      } catch (cause) {
        throw postFailure(cause);
      }
    },
    // A current look-up is not awaited: its duration depends on the name server.
    async close() {
      streams.close();
      agent.destroy().catch(() => undefined);
    },
  };
};
