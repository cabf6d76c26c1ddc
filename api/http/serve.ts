import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Presented, ProcessFacts } from '#api/surfaces/endpoint.ts';
import type { Surface } from '#api/surfaces/surface.ts';
import { surfaceOf } from '#api/surfaces/surfaces.ts';
import { storeTooLarge } from '#application/events/sources/rejected-payloads.ts';
import { readAfter } from '#application/records/read-after.ts';
import type { Caller } from '#domain/access/caller.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { LimitClass } from '#domain/limit-class.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { ServedRequest } from '#domain/ports/tracing/tracing.ts';
import { TooLarge } from './input/body.ts';
import { faultOf, refusal } from './replies/refuse.ts';
import { type JsonReply, jsonReply, NO_CONTENT, sendJson, sendRaw } from './replies/reply.ts';
import { storeReply } from './replies/store-reply.ts';
import { type Exchange, identity, linkedCaller, printable, readEarly, readInput } from './routing/exchange.ts';
import { idempotencyKey, takesIdempotencyKey } from './routing/idempotency.ts';
import { type Allowance, budgetsOf, limitHeaders, takeAllowance } from './routing/limits.ts';
import { overLimit } from './routing/over-limit.ts';
import type { Match, Route } from './routing/routes.ts';
import type { Serving } from './routing/serving.ts';

/** Aborts when the connection closes before the reply is complete; created only for handlers that read it. */
function hangUp({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => response.writableFinished || controller.abort());
  return controller.signal;
}

/** A class, as a getter in an object literal costs a microsecond each time. */
class RequestContext implements Context {
  readonly tenant: string;
  readonly caller: Caller;
  readonly ports: Ports;
  readonly requestId: string;
  readonly address: string;
  readonly department: string | null;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly receivedAt: number;
  readonly service: ProcessFacts;
  readonly baseUrl: string;
  readonly #exchange: Exchange;
  readonly #serving: Serving;
  #hungUp: AbortSignal | null = null;

  constructor(serving: Serving, exchange: Exchange, { endpoint }: Route, key: string | null) {
    this.tenant = exchange.tenant;
    // Public endpoints know that they have no caller.
    this.caller = exchange.caller as Caller;
    this.ports = serving.ports;
    this.requestId = exchange.requestId;
    this.address = exchange.address;
    this.department = printable(exchange.request.headers['x-department']);
    // A key counts for one endpoint: sent to another one it is another delivery.
    this.idempotencyKey = key === null ? null : `${endpoint.id} ${key}`;
    this.ifMatch = endpoint.conditional === true ? (exchange.request.headers['if-match'] ?? null) : null;
    this.receivedAt = exchange.receivedAt;
    this.service = serving.service;
    this.baseUrl = serving.baseUrl;
    this.#exchange = exchange;
    this.#serving = serving;
  }
  async recheck(): Promise<Caller> {
    const { caller, tenant } = await identity(this.#serving, this.#exchange);
    if (tenant !== this.tenant) throw new Fault('tenant', 'The credential belongs to another tenant');
    return caller;
  }
  get signal(): AbortSignal {
    this.#hungUp ??= hangUp(this.#exchange);
    return this.#hungUp;
  }
}

/** Headers of a success must be documented; checked in tests only. */
function checkHeaders({ template, mount }: Route, headers: Presented['headers'] = {}): void {
  const named: readonly string[] = [...(mount.replyHeaders ?? []), 'Cache-Control', 'Idempotency-Replayed'];
  const other = Object.keys(headers).find((name) => !named.includes(name));
  if (other !== undefined) throw new Error(`${template} does not name the header ${other} in replyHeaders`);
}

/** The reply must match its schema; checked in tests only. */
function checkReply(route: Route, body: unknown): void {
  const result = route.mount.reply.safeParse(body);
  if (!result.success)
    throw new Error(`${route.template} returned a response that violates its schema: ${result.error.message}`);
}

const statusOf = (route: Route, presented: Presented): number => presented.status ?? route.mount.status ?? 200;

/** Limit classes of endpoints that accept events; most requests are of these. */
const TAKES_EVENTS: ReadonlySet<string> = new Set(['ingest', 'bulk', 'webhook']);
/** Limit classes of endpoints that do not wait for the commit of earlier events: they accept events, or work without the stores. */
const NEEDS_NO_COMMIT: ReadonlySet<string> = new Set([...TAKES_EVENTS, 'none']);

/**
 * True for requests without a propagated deadline, which would cost each query of a store: only their handler is timed.
 * With a key there is one.
 */
const takesEvents = ({ endpoint }: Route): boolean => TAKES_EVENTS.has(endpoint.limit) && endpoint.takesLong !== true;

/** Handles and presents; a raw reply is sent at once, a JSON reply is returned. */
async function handled(
  serving: Serving,
  exchange: Exchange,
  route: Route,
  input: unknown,
  key: string | null,
): Promise<JsonReply | number> {
  const { deadline, eventLog } = serving.ports;
  const context = new RequestContext(serving, exchange, route, key);
  const handle = async () => {
    if (!NEEDS_NO_COMMIT.has(route.endpoint.limit)) await eventLog.caughtUp();
    return route.endpoint.handle(input, context);
  };
  const hasDeadline = !takesEvents(route) || deadline.left() < Number.POSITIVE_INFINITY;
  const output = await (hasDeadline ? deadline.inTime(handle) : deadline.atMost(serving.requestMs, handle));
  const presented = route.mount.present(output, context);
  const status = statusOf(route, presented);
  if (serving.checkReplies) checkHeaders(route, presented.headers);
  if (presented.raw !== undefined) {
    if (presented.raw.isLive === true) exchange.beganAt = serving.now();
    return sendRaw(exchange, presented.raw, status, presented.headers ?? {});
  }
  const reply = jsonReply(exchange, presented, status, serving.baseUrl);
  if (serving.checkReplies && status < 400 && status !== NO_CONTENT) checkReply(route, reply.body);
  return reply;
}

/** Other endpoints ignore the header. */
const keyOf = ({ endpoint }: Route, { request: { method = '', headers } }: Exchange): string | null => {
  const key = headers['idempotency-key'] as string | undefined;
  return key !== undefined && takesIdempotencyKey(endpoint, method) ? idempotencyKey(key) : null;
};

const TOO_LARGE =
  'The events in it were not stored. Send at most a few thousand events per request (max_alerts in Alertmanager, smaller batches for bulk-ingest)';

/**
 * A monitor does not repeat a body that was too large, so it is logged for operators. Returns the Fault of the reply.
 */
async function toldTooLarge(serving: Serving, { tenant }: Exchange, source: string | undefined, error: unknown) {
  if (!(error instanceof TooLarge) || source === undefined) return error;
  const fault = new Fault('too-large', `${error.message}. ${TOO_LARGE}`, error.problems);
  const said = { error: fault.message, head: error.head };
  await readAfter(() => storeTooLarge(serving.ports, tenant, source, said), undefined);
  return fault;
}

/** Reads the input, runs the handler and sends the reply; returns its status. Throws the error of the reply. */
async function runHandler(
  serving: Serving,
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<number> {
  const { deadline } = serving.ports;
  const read = () =>
    readInput(exchange, route, params, serving.ports).catch(async (error: unknown) => {
      throw await toldTooLarge(serving, exchange, route.endpoint.sourceOf?.(params), error);
    });
  const { input, mark } = await (takesEvents(route) ? read() : deadline.uncounted(read));
  const key = keyOf(route, exchange);
  const run = () => handled(serving, exchange, route, input, key);
  // Some endpoints store the reply themselves.
  const kept = () => {
    if (key === null || route.endpoint.ownKeys === true) return run();
    const once = () => storeReply({ serving, exchange, route, key }, mark, run);
    return takesEvents(route) ? deadline.within(serving.requestMs, once) : once();
  };
  const reply = await (route.endpoint.takesLong === true ? deadline.without(kept) : kept());
  if (typeof reply === 'number') return reply;
  sendJson(exchange, reply);
  return reply.status;
}

const surfaceIn = (match: Match, path: string): Surface => {
  if (match.found === 'nothing') return surfaceOf(path);
  return match.found === 'route' ? match.route.surface : match.surface;
};

interface Opened {
  readonly exchange: Exchange;
  readonly match: Match;
}

function opened(serving: Serving, request: IncomingMessage, response: ServerResponse, address: string): Opened {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const requestId = printable(request.headers['x-request-id']) ?? serving.ports.ids.ulid();
  const match = serving.routes.match(request.method ?? 'GET', path);
  const exchange: Exchange = {
    request,
    response,
    requestId,
    address,
    path,
    search: mark === -1 ? '' : url.slice(mark),
    receivedAt: serving.ports.clock.now(),
    startedAt: serving.now(),
    beganAt: null,
    surface: surfaceIn(match, path),
    route: null,
    caller: null,
    tenant: '',
    early: null,
    headers: { 'X-Request-ID': requestId, ...(serving.hsts !== null && { 'Strict-Transport-Security': serving.hsts }) },
  };
  return { exchange, match };
}

const isPublic = (match: Match): boolean =>
  match.found === 'route' ? match.route.isPublic : match.found === 'method' && match.isPublic;

/**
 * Returns the caller and its tenant: by a signed link where the endpoint accepts one and the request has no credential.
 */
async function identify(serving: Serving, exchange: Exchange, params: readonly string[]): Promise<void> {
  const linked = await linkedCaller(serving.ports, exchange, params[0]);
  if (linked !== null) {
    Object.assign(exchange, linked);
    return;
  }
  Object.assign(exchange, await identity(serving, exchange));
}

/** The class of the endpoint, or of a request that leads to none. */
const classOf = ({ route, surface }: Exchange): LimitClass =>
  route?.endpoint.limit ?? (surface.name === 'events' ? 'query' : 'standard');

/** Counts the request; when the counters are unavailable it is accepted. */
async function count(serving: Serving, exchange: Exchange): Promise<Allowance | null> {
  const { caller, tenant, surface } = exchange;
  if (caller === null) return null;
  const budgets = budgetsOf(caller, tenant, classOf(exchange), surface.name);
  try {
    return await takeAllowance(serving.ports.limiter, budgets, serving.limitScale);
  } catch (error) {
    serving.log.warn({ requestId: exchange.requestId, err: error }, 'rate limiter failed; request allowed');
    return null;
  }
}

/** The end of a path that leads to no endpoint. */
function requireRoute(match: Match, exchange: Exchange): asserts match is Extract<Match, { found: 'route' }> {
  const { method } = exchange.request;
  if (match.found === 'nothing') throw new Fault('not-found', `No endpoint at ${exchange.path.slice(0, 200)}`);
  if (match.found === 'route') return;
  exchange.headers.Allow = match.allow;
  throw new Fault('method', `Method ${method} not allowed. Allowed: ${match.allow}`);
}

function requirePermission({ endpoint }: Route, { caller }: Exchange): void {
  if (endpoint.permission !== null && caller?.permissions.has(endpoint.permission) !== true)
    throw new Fault('forbidden', `Requires permission ${endpoint.permission}`, [], {
      refused: {
        reason: 'scope',
        ...(caller !== null && { credentialId: caller.credentialId, tenant: caller.tenant }),
      },
    });
}

function requireAllowance(allowance: Allowance | null, now: number): void {
  if (allowance !== null && !allowance.state.allowed) throw overLimit(allowance, now);
}

/** The demands of HTTP/1.1 on a request; a server may ignore an unknown expectation. */
function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') throw invalid('Host', 'required');
}

async function answer(serving: Serving, exchange: Exchange, match: Match): Promise<number> {
  requireHost(exchange.request);
  if (match.found === 'route') {
    exchange.route = match.route;
    Object.assign(exchange.headers, match.route.headers);
  }
  if (match.found === 'route') await readEarly(exchange, match.route, serving.ports);
  if (!isPublic(match)) await identify(serving, exchange, match.found === 'route' ? Object.values(match.params) : []);
  const allowance = serving.limitScale === 0 ? null : await count(serving, exchange);
  if (allowance !== null) Object.assign(exchange.headers, limitHeaders(allowance));
  requireRoute(match, exchange);
  requirePermission(match.route, exchange);
  requireAllowance(allowance, exchange.receivedAt);
  return runHandler(serving, exchange, match.route, match.params);
}

function refuse(serving: Serving, exchange: Exchange, fault: Fault): number {
  if (fault.kind === 'internal')
    serving.log.error({ requestId: exchange.requestId, err: fault.cause ?? fault }, 'request failed unexpectedly');
  const reply = refusal(exchange, fault, serving.ports.clock.now(), serving.baseUrl);
  if (exchange.response.headersSent) exchange.response.destroy();
  else sendJson(exchange, reply);
  return reply.status;
}

const NAMED_FIELDS = 5;
/** Returns the reason of the refusal, without the caller's field values: one may be a password. */
const whyOf = ({ kind, message, problems }: Fault): string => {
  const fields = problems.slice(0, NAMED_FIELDS).map(({ field }) => field);
  return fields.length === 0 ? message : `${kind}: ${fields.join(', ')}`;
};

/** A request over its limit has its line already, one for many. */
function levelOf(status: number, fault: Fault | null): 'debug' | 'info' | 'error' {
  if (status < 400 || fault?.kind === 'rate-limited') return 'debug';
  return status < 500 || fault?.isWish === true ? 'info' : 'error';
}

function record(serving: Serving, exchange: Exchange, status: number, fault: Fault | null): void {
  const ms = Math.round(((exchange.beganAt ?? serving.now()) - exchange.startedAt) * 10) / 10;
  const method = exchange.request.method ?? '';
  const route = exchange.route?.template ?? 'none';
  serving.metrics.observe(
    'faultline_http_request_duration_seconds',
    { route, method: exchange.route === null ? 'other' : method, status: String(status) },
    ms / 1000,
  );
  const { requestId, path, tenant, caller } = exchange;
  const answered = { requestId, method, path: path.slice(0, 500), route, status, ms, tenant, actor: caller?.id };
  const told = fault === null ? {} : serving.refusals.note(exchange, classOf(exchange), fault);
  serving.log[levelOf(status, fault)](
    fault === null ? answered : { ...answered, ...told, why: whyOf(fault) },
    'request',
  );
}

/**
 * Answers one request. Order: request id, route, authentication, counting, unknown path or method, permission, rate limit,
 * reading, validation, idempotency, handler, presentation. Never rejects.
 */
async function served(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
): Promise<ServedRequest | null> {
  const { exchange, match } = opened(serving, request, response, address);
  let status: number;
  let fault: Fault | null = null;
  try {
    const work = () => answer(serving, exchange, match);
    const hasOwnLimits = match.found === 'route' && takesEvents(match.route);
    status = await (hasOwnLimits ? work() : serving.ports.deadline.within(serving.requestMs, work));
  } catch (error) {
    fault = faultOf(error, request.headers['if-match'] !== undefined);
    status = refuse(serving, exchange, fault);
  }
  record(serving, exchange, status, fault);
  // Probes and scrapes would fill the traces.
  if (exchange.surface.name === 'ops') return null;
  return { method: request.method ?? '', route: exchange.route?.template ?? 'none', status };
}

/** Answers a request, in a span if there are traces. Never rejects. */
export async function serve(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
): Promise<void> {
  const { tracing } = serving;
  const work = () => served(serving, request, response, address);
  if (tracing === null) await work();
  else await tracing.serve(request.headers.traceparent as string | undefined, work);
}
