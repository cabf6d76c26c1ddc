import { IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import helmet from 'helmet';
import type { Exchange } from '#api/http/routing/exchange.ts';
import type { PageInfo, Presented, Raw, Stalled } from '#api/surfaces/endpoint.ts';
import type { PageLink } from '#api/surfaces/surface.ts';
import { v1Error } from '#api/surfaces/v1-error.ts';
import type { Ids } from '#domain/ports/ids.ts';

/** Time limit for sending the last bytes, ms. */
const LAST_MS = 1_000;

/**
 * Passes the content on, and closes the connection when a piece waits for too long: the next piece is requested only
 * when the one before it was read.
 */
async function* cutWhenStalled(
  content: AsyncIterable<string | Uint8Array>,
  response: ServerResponse,
  { mostMs, last, stopping }: Stalled,
): AsyncGenerator<string | Uint8Array> {
  let cutting: NodeJS.Timeout | undefined;
  const cut = (): void => {
    cutting ??= setTimeout(() => response.destroy(), LAST_MS).unref();
  };
  const stalled = (): void => {
    response.end(last());
    cut();
  };
  // A body that is read in time ends by itself.
  stopping.addEventListener('abort', cut, { once: true });
  response.once('close', () => clearTimeout(cutting));
  try {
    for await (const piece of content) {
      const timer = setTimeout(stalled, mostMs).unref();
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    stopping.removeEventListener('abort', cut);
  }
}

/** Scripts and styles from this server only; Swagger UI sets style attributes. Plain HTTP works: no upgrade is forced. */
const protect = helmet({
  // Only a server that is reached by https may ask for it: `hsts` of the server's options.
  strictTransportSecurity: false,
  contentSecurityPolicy: {
    directives: {
      'style-src': ["'self'", "'unsafe-inline'"],
      'font-src': ["'self'"],
      'upgrade-insecure-requests': null,
    },
  },
});

/** Notes headers as they are spelled. */
class RecordingResponse extends ServerResponse {
  readonly headers: Record<string, string> = {};
  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers[name] = String(value);
    return this;
  }
}

/** Helmet sets the same headers on every response, so it is asked once. */
function collect(): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new RecordingResponse(request);
  protect(request, response, () => {});
  return response.headers;
}

const securityHeaders: Readonly<Record<string, string>> = Object.freeze({ ...collect(), 'Cache-Control': 'no-store' });

const JSON_TYPE = 'application/json; charset=utf-8';

export interface JsonReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const pageLink =
  (exchange: Exchange, baseUrl: string): PageLink =>
  (at) => {
    const query = new URLSearchParams(exchange.search);
    query.delete('token');
    query.delete('cursor');
    query.delete('page');
    for (const [name, value] of Object.entries(at)) query.set(name, String(value));
    return `${baseUrl}${exchange.path}?${query}`;
  };

const pageHeaders = (exchange: Exchange, page: PageInfo | undefined, baseUrl: string) =>
  page === undefined ? undefined : exchange.surface.pageHeaders?.(page, pageLink(exchange, baseUrl));

/** Relative addresses become absolute when a public URL is set. */
const located = (headers: Readonly<Record<string, string>> | undefined, baseUrl: string) =>
  headers?.Location?.startsWith('/') ? { ...headers, Location: baseUrl + headers.Location } : headers;

/** The result of a presenter, in the dialect of its surface. */
export function jsonReply(exchange: Exchange, presented: Presented, status: number, baseUrl: string): JsonReply {
  const headers = { ...located(presented.headers, baseUrl), ...pageHeaders(exchange, presented.page, baseUrl) };
  return { status, headers, body: exchange.surface.success(presented.body, presented.page) };
}

/** The status of a reply without a body. */
export const NO_CONTENT = 204;

/** Writes a JSON body; nothing happens when the caller has hung up. */
export function sendJson(exchange: Exchange, { status, headers, body }: JsonReply): void {
  const { response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const all: Record<string, string | number> = { ...securityHeaders, ...exchange.headers, ...headers };
  if (status === NO_CONTENT) {
    response.writeHead(status, all).end();
    return;
  }
  const text = JSON.stringify(body);
  all['Content-Type'] = JSON_TYPE;
  all['Content-Length'] = Buffer.byteLength(text);
  response.writeHead(status, all).end(text);
}

/** The caller has disconnected before the end of the reply: no status of HTTP, but common in logs of proxies. */
const CLIENT_CLOSED = 499;

type Streamed = Raw & { readonly content: AsyncIterable<string | Uint8Array> };

/** Hands the content on. Resolves with whether all of it has left; rejects when the content fails. */
async function piped({ content, stalled }: Streamed, response: ServerResponse): Promise<boolean> {
  let hasFailed = false;
  async function* watched() {
    try {
      yield* stalled === undefined ? content : cutWhenStalled(content, response, stalled);
    } catch (error) {
      // The pipeline throws into the content, too, when the response has closed.
      hasFailed = !response.destroyed;
      throw error;
    }
  }
  try {
    await pipeline(Readable.from(watched()), response);
    return true;
  } catch (error) {
    if (hasFailed) throw error;
    return false;
  }
}

async function written(
  exchange: Exchange,
  raw: Raw,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const { response } = exchange;
  if (response.destroyed) return CLIENT_CLOSED;
  const all: Record<string, string | number> = { ...securityHeaders, ...exchange.headers, ...headers };
  all['Content-Type'] = raw.type;
  const { content } = raw;
  if (typeof content === 'string' || content instanceof Uint8Array) {
    all['Content-Length'] = Buffer.byteLength(content);
    response.writeHead(status, all).end(content);
    return status;
  }
  response.writeHead(status, all).flushHeaders();
  if (exchange.request.method === 'HEAD') {
    response.end();
    return status;
  }
  return (await piped({ ...raw, content }, response)) || raw.isLive === true ? status : CLIENT_CLOSED;
}

/**
 * Writes a page, a download or a stream as it is; a stream that fails midway breaks the connection, so that it shows.
 * Resolves with the status to be counted.
 */
export async function sendRaw(
  exchange: Exchange,
  raw: Raw,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  try {
    return await written(exchange, raw, status, headers);
  } finally {
    raw.close?.();
  }
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Possible for any request; other statuses are from malformed requests. */
export const PROTOCOL_STATUSES = [408, 431] as const;

function replyTo(code: string | undefined, requestId: string): string {
  const status = STATUS_OF[code ?? ''] ?? 400;
  const phrase = STATUS_CODES[status] ?? '';
  const what = { status, code: 'VALIDATION_ERROR', message: phrase, problems: [], data: {}, requestId, retryAt: null };
  const body = JSON.stringify(v1Error({ ...what, documentationUrl: '/docs' }));
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Connection: close',
    `X-Request-ID: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Answers malformed or oversized HTTP, as the parser detects it: such bytes never become a request. */
export function answerProtocolErrors(server: Server, ids: Ids): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => answering.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const last = answering.get(socket);
    const isMidway = last?.headersSent === true && !last.writableFinished;
    if (socket.writable && !isMidway) socket.end(replyTo(error.code, ids.ulid()));
    else socket.destroy(error);
  });
}
