import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import compression from 'compression';
import cors from 'cors';
import express, { type Express } from 'express';
import type { AsyncapiParts } from '#api/surfaces/asyncapi-parts.ts';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import type { Authenticate } from '#application/access/authenticate.ts';
import type { ConsoleFiles } from '#domain/ports/console/console-files.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/ports/deadline.ts';
import type { ProcessHealth } from '#domain/ports/health.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import { withoutTrailing } from '#domain/text.ts';
import { openapiDocument } from './openapi/document.ts';
import { answerProtocolErrors } from './replies/reply.ts';
import { openRefusals } from './routing/refusals.ts';
import { routes } from './routing/routes.ts';
import type { Serving } from './routing/serving.ts';
import { serve } from './serve.ts';

/** Readable by scripts of allowed origins. */
const EXPOSED =
  'X-Request-ID X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset X-Total-Count X-Page X-Per-Page X-Total-Pages Link Location Retry-After ETag Idempotency-Replayed'.split(
    ' ',
  );

/** Ends of the headers in which a proxy names its user. */
const USER_FIELDS = ['user', 'preferred-username', 'name', 'email', 'groups'];

interface FrontOptions {
  readonly ports: { readonly ids: Ids };
  /** Allowed origins; `*` for any. */
  readonly cors: readonly string[];
  /** Value for Express: number of proxies, addresses, or false. */
  readonly trustProxy: boolean | number | string;
  /** Beginning of headers about the user, removed unless a trusted proxy sent them. Null: they are not read. */
  readonly proxySignIn: string | null;
}

/** Serves a request of the client at this address; never rejects. */
type ServeRequest = (request: IncomingMessage, response: ServerResponse, address: string) => Promise<void>;

/** Shorter replies gain less than the work costs. */
const COMPRESSED_FROM_BYTES = 4_096;
/** An event would wait in the compressor for others. */
const EVENTS = /^text\/event-stream\b/;
const compress = compression({
  threshold: COMPRESSED_FROM_BYTES,
  filter: (request, response) =>
    !EVENTS.test(String(response.getHeader('Content-Type'))) && compression.filter(request, response),
});

/** Lets replies leave compressed where the caller can read that. */
const compressing =
  (answer: ServeRequest): ServeRequest =>
  (request, response, address) =>
    request.headers['accept-encoding'] === undefined
      ? answer(request, response, address)
      : new Promise((resolve, reject) => {
          const next = () => answer(request, response, address).then(resolve, reject);
          compress(request as express.Request, response as express.Response, next);
        });

function application(options: FrontOptions, answer: ServeRequest): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustProxy);
  const isTrusted = app.get('trust proxy fn') as (address: string, hops: number) => boolean;
  const allowOrigin = cors({
    origin: options.cors.includes('*') ? '*' : [...options.cors],
    exposedHeaders: EXPOSED,
    maxAge: 600,
  });
  app.use(({ headers, socket }, _, next) => {
    if (options.proxySignIn !== null && !isTrusted(socket.remoteAddress ?? '', 0))
      for (const field of USER_FIELDS) delete headers[`${options.proxySignIn}-${field}`];
    next();
  });
  app.use((request, response, next) => {
    if (request.headers.origin === undefined) return next();
    // A preflight is answered here and never served.
    response.setHeader('X-Request-ID', options.ports.ids.ulid());
    allowOrigin(request, response, next);
  });
  app.use((request, response) => answer(request, response, request.ip ?? ''));
  return app;
}

/**
 * Runs before serving: requests through proxies and from browsers of other origins go through Express. Others go straight on, as
 * Express costs 20 of 90 µs (GET of a small list, measured side by side).
 */
function front(options: FrontOptions, plain: ServeRequest): RequestListener {
  const answer = compressing(plain);
  const app = application(options, answer);
  if (options.trustProxy !== false) return app;
  return (request, response) => {
    if (request.headers.origin === undefined) void answer(request, response, request.socket.remoteAddress ?? '');
    else app(request, response);
  };
}

/** Time for in-flight requests at a stop. */
export const DRAIN_MS = 10_000;
/** Interval of checks for idle keep-alive connections during a stop. */
const SWEEP_MS = 50;
/** Time limit for all work of a request. */
const REQUEST_MS = 15_000;
export const KEEP_ALIVE_MS = 65_000;

export interface ServerOptions extends FrontOptions {
  readonly ports: Ports;
  readonly endpoints: readonly AnyEndpoint[];
  readonly authenticate: Authenticate;
  readonly metrics: Metrics;
  /** Null (default): no traces. */
  readonly tracing?: Tracing | null;
  readonly log: Log;
  readonly health: () => Promise<ProcessHealth>;
  /** Prometheus text. */
  readonly metricsText: () => Promise<string>;
  /** Monotonic milliseconds with fractions, for durations. */
  readonly now: () => number;
  /** Version of the service, for the documents. */
  readonly version: string;
  /** Default: embedded. */
  readonly mode?: 'embedded' | 'distributed';
  /** Null (default): none is served. */
  readonly console?: ConsoleFiles | null;
  readonly limits: { readonly scale: number };
  readonly publicUrl: string | null;
  /** Seconds for which browsers must use https alone; 0 (default): no header. */
  readonly hstsSeconds?: number;
  /** Requests that arrive before it resolves wait for it; default: none does. */
  readonly opened?: Promise<void>;
  /** Time limit for all work of a request, ms; 15 s. */
  readonly requestMs?: number;
  /** Parts of the AsyncAPI document beside the topics. */
  readonly asyncapi?: () => readonly AsyncapiParts[];
  /** Tests: a success that does not keep its schema is a 500. */
  readonly checkReplies?: boolean;
}

export interface ApiServer {
  /** Port 0 picks a free one. Rejects when the address cannot be had. */
  listen(host: string, port: number): Promise<{ readonly url: string }>;
  /**
   * Not ready any more; after `delayMs`, in which requests are answered as before, no new connections. In-flight requests get 10 s, then
   * every connection is closed.
   */
  drain(delayMs?: number): Promise<void>;
  /** Closes at once. */
  close(): Promise<void>;
}

function listening(server: HttpServer, host: string, port: number): Promise<{ url: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string }>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const { address, family, port: bound } = server.address() as AddressInfo;
    resolve({ url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}` });
  });
  return promise;
}

/** Resolves when the last connection is closed; also when the server never listened. */
const closed = (server: HttpServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Sends away connections on which nothing was asked yet, as browsers keep some ready: Node counts them as busy. */
function watchUnused(server: HttpServer): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

const draining = ({ checks }: ProcessHealth): ProcessHealth => ({
  ready: false,
  checks: [...checks, { name: 'server', ok: false, detail: 'shutting down' }],
});

function servingOf(options: ServerOptions, isDraining: () => boolean, stopping: AbortSignal): Serving {
  const { ports, endpoints, authenticate, metrics, tracing = null, log, now } = options;
  const table = routes(endpoints);
  const baseUrl = withoutTrailing(options.publicUrl ?? '', '/');
  const texts = new Map<string, string>();
  const once = (name: string, make: () => string): string => {
    const text = texts.get(name) ?? make();
    texts.set(name, text);
    return text;
  };
  const service = {
    health: async () => (isDraining() ? draining(await options.health()) : options.health()),
    metrics: options.metricsText,
    asyncapi: options.asyncapi ?? (() => []),
    version: options.version,
    console: options.console ?? null,
    mode: options.mode ?? 'embedded',
    hasDemo: table.match('POST', '/api/admin/demo').found === 'route',
    limitScale: options.limits.scale,
    origins: options.cors,
    stopping,
    once,
    openapi: () =>
      once('openapi', () => JSON.stringify(openapiDocument(table.all, { version: options.version, baseUrl }))),
  };
  const checkReplies = options.checkReplies === true;
  const { requestMs = REQUEST_MS } = options;
  const limitScale = options.limits.scale;
  const hsts = options.hstsSeconds ? `max-age=${options.hstsSeconds}` : null;
  const refusals = openRefusals(metrics, log);
  return {
    ports,
    routes: table,
    authenticate,
    service,
    metrics,
    tracing,
    log,
    refusals,
    now,
    requestMs,
    limitScale,
    baseUrl,
    hsts,
    checkReplies,
  };
}

/** The HTTP server of these endpoints; throws when two of them share a method and path. */
export function createServer(options: ServerOptions): ApiServer {
  let isDraining = false;
  const stopping = new AbortController();
  const serving = servingOf(options, () => isDraining, stopping.signal);
  let opened = options.opened;
  void opened?.then(() => {
    opened = undefined;
  });
  const answer: ServeRequest = (request, response, address) => {
    if (opened !== undefined) return opened.then(() => answer(request, response, address));
    if (isDraining) response.shouldKeepAlive = false;
    return serve(serving, request, response, address);
  };
  const listener = front(options, answer);
  const server = createHttpServer(
    // Node's own refusals have neither body nor request id.
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false },
    listener,
  );
  server.on('checkExpectation', listener);
  answerProtocolErrors(server, options.ports.ids);
  const closeUnused = watchUnused(server);
  return {
    listen: (host, port) => listening(server, host, port),
    async drain(delayMs = 0) {
      isDraining = true;
      if (delayMs > 0 && server.listening) await setTimeout(delayMs);
      const done = closed(server);
      stopping.abort();
      const closeIdle = (): void => {
        server.closeIdleConnections();
        closeUnused();
      };
      const sweep = setInterval(closeIdle, SWEEP_MS);
      const timer = globalThis.setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await done;
      clearInterval(sweep);
      clearTimeout(timer);
    },
    async close() {
      isDraining = true;
      const done = closed(server);
      stopping.abort();
      server.closeAllConnections();
      await done;
    },
  };
}
