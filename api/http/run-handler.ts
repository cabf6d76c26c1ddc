import type { Context, Presented, ProcessFacts } from '#api/surfaces/endpoint.ts';
import type { Caller } from '#domain/access/caller.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { keepReply } from './replies/keep-reply.ts';
import { type JsonReply, jsonReply, NO_CONTENT, sendJson, sendRaw } from './replies/reply.ts';
import { type Exchange, identity, printable } from './routing/exchange.ts';
import { idempotencyKey, takesIdempotencyKey } from './routing/idempotency.ts';
import { readInput } from './routing/read-input.ts';
import type { Route } from './routing/routes.ts';
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
    if (tenant !== this.tenant) throw new Fault('tenant', 'The credential is of another tenant now');
    return caller;
  }
  get signal(): AbortSignal {
    return hangUp(this.#exchange);
  }
}

/** In tests: headers of a success must be those that the documents name. */
function checkHeaders({ template, mount }: Route, headers: Presented['headers'] = {}): void {
  const named: readonly string[] = [...(mount.replyHeaders ?? []), 'Cache-Control', 'Idempotency-Replayed'];
  const other = Object.keys(headers).find((name) => !named.includes(name));
  if (other !== undefined) throw new Error(`${template} does not name the header ${other} in replyHeaders`);
}

/** In tests: the reply must match its schema. */
function checkReply(route: Route, body: unknown): void {
  const result = route.mount.reply.safeParse(body);
  if (!result.success) throw new Error(`${route.template} does not keep its reply schema: ${result.error.message}`);
}

const statusOf = (route: Route, presented: Presented): number => presented.status ?? route.mount.status ?? 200;

/** Limit classes of endpoints that accept events; most requests are of these. */
const TAKES_EVENTS: ReadonlySet<string> = new Set(['ingest', 'bulk', 'webhook']);
/** Limit classes of endpoints that do not wait for the commit of earlier events: they accept events, or work without the stores. */
const NEEDS_NO_COMMIT: ReadonlySet<string> = new Set([...TAKES_EVENTS, 'none']);

/** For such a request no deadline goes along, which would cost each question to a store: only its handler is timed. With a key one does. */
export const takesEvents = ({ endpoint }: Route): boolean =>
  TAKES_EVENTS.has(endpoint.limit) && endpoint.takesLong !== true;

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

/** Reads the input, runs the handler and sends the reply; returns its status. Throws the error of the reply. */
export async function runHandler(
  serving: Serving,
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<number> {
  const { deadline } = serving.ports;
  const read = () => readInput(exchange, route, params, serving.ports);
  const { input, mark } = await (takesEvents(route) ? read() : deadline.uncounted(read));
  const key = keyOf(route, exchange);
  const run = () => handled(serving, exchange, route, input, key);
  // Some endpoints store the reply themselves.
  const kept = () => {
    if (key === null || route.endpoint.ownKeys === true) return run();
    const once = () => keepReply({ serving, exchange, route, key }, mark, run);
    return takesEvents(route) ? deadline.within(serving.requestMs, once) : once();
  };
  const reply = await (route.endpoint.takesLong === true ? deadline.without(kept) : kept());
  if (typeof reply === 'number') return reply;
  sendJson(exchange, reply);
  return reply.status;
}
