import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import type { Authenticate } from '#application/access/authenticate.ts';
import type { ConsoleFiles } from '#domain/ports/console/console-files.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/ports/deadline.ts';
import type { ProcessHealth } from '#domain/ports/health.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { withoutTrailing } from '#domain/text.ts';
import { type FrontOptions, front, type ServeRequest } from './front.ts';
import { openapiDocument } from './openapi/document.ts';
import { answerProtocolErrors } from './replies/reply.ts';
import { openRefusals } from './routing/refusals.ts';
import { routes } from './routing/routes.ts';
import type { Serving } from './routing/serving.ts';
import { serve } from './serve.ts';

/** In-flight requests get this long at a stop. */
export const DRAIN_MS = 10_000;
/** Connections that were kept alive by a reply during a stop are looked for this often. */
const SWEEP_MS = 50;
/** For all that is done for a request. */
const REQUEST_MS = 15_000;
export const KEEP_ALIVE_MS = 65_000;

export interface ServerOptions extends FrontOptions {
  readonly ports: Ports;
  readonly endpoints: readonly AnyEndpoint[];
  readonly authenticate: Authenticate;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly health: () => Promise<ProcessHealth>;
  /** Prometheus text. */
  readonly metricsText: () => Promise<string>;
  /** Monotonic milliseconds with fractions, for durations. */
  readonly now: () => number;
  /** Of the service, for the documents. */
  readonly version: string;
  /** Default: embedded. */
  readonly mode?: 'embedded' | 'distributed';
  /** Null (default): none is served. */
  readonly console?: ConsoleFiles | null;
  readonly limits: { readonly scale: number };
  readonly publicUrl: string | null;
  /** Seconds for which browsers use https alone; 0 (default): not said. */
  readonly hstsSeconds?: number;
  /** Requests that come before it resolves wait for it; default: none does. */
  readonly opened?: Promise<void>;
  /** For all that is done for a request, ms; 15 s. */
  readonly requestMs?: number;
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
  /** At once. */
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

const draining = ({ checks }: ProcessHealth): ProcessHealth => ({
  ready: false,
  checks: [...checks, { name: 'server', ok: false, detail: 'shutting down' }],
});

function servingOf(options: ServerOptions, isDraining: () => boolean, stopping: AbortSignal): Serving {
  const { ports, endpoints, authenticate, metrics, log, now } = options;
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
    version: options.version,
    console: options.console ?? null,
    mode: options.mode ?? 'embedded',
    hasDemo: table.match('POST', '/api/admin/demo').found === 'route',
    limitScale: options.limits.scale,
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
  return {
    listen: (host, port) => listening(server, host, port),
    async drain(delayMs = 0) {
      isDraining = true;
      if (delayMs > 0 && server.listening) await setTimeout(delayMs);
      const done = closed(server);
      stopping.abort();
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
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
