import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { checkJsonShape, parseJson, readBody, requireUtf8, streamBody } from '#api/http/input/body.ts';
import { HashedBody } from '#api/http/input/hashed-body.ts';
import type { Endpoint, RawRequest } from '#api/surfaces/endpoint.ts';
import type { Surface } from '#api/surfaces/surface.ts';
import type { Authenticate } from '#application/access/authenticate.ts';
import { type Caller, LINK_HOLDER } from '#domain/access/caller.ts';
import { Fault, invalid, type Problem } from '#domain/fault.ts';
import type { Keys } from '#domain/ports/keys.ts';
import type { Crypto, Ports } from '#domain/ports/ports.ts';
import { isRecord } from '#domain/record-of.ts';
import { composed } from '#domain/text.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import type { Route } from './routes.ts';

/** One request and its state so far; the functions that reply read the format from here. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Peer, or the client that a trusted proxy names. */
  readonly address: string;
  /** Path without query, as sent. */
  readonly path: string;
  /** Query with its question mark, or empty. */
  readonly search: string;
  /** Epoch ms. */
  readonly receivedAt: number;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** Start of a long reply, monotonic ms; else null. */
  beganAt: number | null;
  surface: Surface;
  route: Route | null;
  caller: Caller | null;
  tenant: string;
  /** Read before its sender is known, as it may hold the credential. */
  early: RequestBody | null;
  /** Headers sent with any reply. */
  readonly headers: Record<string, string>;
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** A header's value when it is 1–128 printable characters. */
export const printable = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && PRINTABLE.test(value) ? value : null;

const none: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/** The query by name; a repeated parameter is the same as one with commas. */
function queryOf(search: string): Record<string, string> {
  if (search === '') return none as Record<string, string>;
  const query: Record<string, string> = Object.create(null);
  for (const [name, said] of new URLSearchParams(search)) {
    const value = composed(said);
    const earlier = query[name];
    query[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return query;
}

/** Returns the token in the body, or in the header that has the place of the field. */
const tokenInBody = ({ early, route, request }: Exchange): string | undefined => {
  const keyFields = route?.endpoint.keyFields ?? [];
  const said = isRecord(early?.value) ? early.value : {};
  const key =
    keyFields.length === 0
      ? undefined
      : (request.headers['x-routing-key'] ?? said[keyFields.find((name) => name in said) ?? '']);
  return typeof key === 'string' ? key : undefined;
};

/** The caller that the credential of the request names, and its tenant. Throws Fault `unauthenticated` or `tenant`. */
export const identity = (
  { authenticate }: { readonly authenticate: Authenticate },
  exchange: Exchange,
): Promise<{ readonly caller: Caller; readonly tenant: string }> => {
  const { route, search, address } = exchange;
  const { headers } = exchange.request;
  const lenient = route?.endpoint.lenientCredentials === true;
  return authenticate({
    bodyToken: tokenInBody(exchange),
    authorization: headers.authorization,
    tenantHeader: headers['x-tenant-id'] as string | undefined,
    queryToken: lenient ? queryOf(search).token : undefined,
    lenient,
    address,
  });
};

/** The bearer of a link: may call its endpoint alone, and is counted by the link's subject. */
const holder = (
  { permission, linkPage }: Pick<Endpoint, 'permission' | 'linkPage'>,
  tenant: string,
  subject: string,
): Caller => ({
  id: LINK_HOLDER,
  username: LINK_HOLDER,
  name: 'Holder of a signed link',
  tenant,
  kind: 'api_key',
  role: null,
  permissions: new Set(permission === null ? [] : [permission]),
  credentialId: `link ${linkPage} ${subject}`,
  limits: { tenant: {}, token: {} },
});

/**
 * Returns the caller of a request with a signed link and no other credential; null when it has none, or the endpoint
 * accepts none. Throws Fault `unauthenticated` for a link that has expired or names something else.
 */
export async function linkedCaller(
  { keys }: { readonly keys: Keys },
  { request, search, route }: Exchange,
  subject: string | undefined,
): Promise<{ readonly caller: Caller; readonly tenant: string } | null> {
  const endpoint = route?.endpoint;
  if (endpoint?.linkPage === undefined || subject === undefined) return null;
  const { link } = queryOf(search);
  if (link === undefined || request.headers.authorization !== undefined) return null;
  const tenant = await keys.verifyLink(link, { page: endpoint.linkPage, sub: subject });
  if (tenant === null) throw new Fault('unauthenticated', 'The link has expired or is invalid. Request a new one');
  return { caller: holder(endpoint, tenant, subject), tenant };
}

const describe = (problems: readonly Problem[]): string => {
  const [first] = problems as readonly [Problem];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return `${first.field}: ${first.reason}${more}`;
};

/** A request with these problems. */
const invalidRequest = (problems: readonly Problem[]): Fault => new Fault('invalid', describe(problems), problems);

/**
 * Returns the parsed value; throws Fault `invalid` with every problem. Without a schema the value is returned
 * unchanged.
 */
export function parsed(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(problemsOf(result.error, value));
}

/** A malformed id answers like an unknown one. Throws Fault `not-found`. */
function parsedParams(route: Route, params: Readonly<Record<string, string>>): unknown {
  if (route.params === undefined) return params;
  const result = route.params.safeParse(params);
  if (result.success) return result.data;
  const wrong = result.error.issues[0]?.path[0];
  throw new Fault('not-found', `${String(wrong)} ${params[String(wrong)] ?? ''} not found`);
}

function assertKnownParameters(route: Route, query: Readonly<Record<string, string>>): void {
  const known = route.queryNames;
  if (known === null) return;
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const reason = `unknown query parameter; known: ${known.length === 0 ? 'none' : known.join(', ')}`;
  throw invalidRequest(unknown.map((field) => ({ field, reason })));
}

/** Throws Fault `invalid`; an unknown parameter is answered with the known ones. */
function parsedQuery(route: Route, query: Readonly<Record<string, string>>): unknown {
  assertKnownParameters(route, query);
  return parsed(route.query, query);
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** Its bytes may look like JSON that is nested too deeply. */
const PROTOBUF_TYPE = /^application\/(?:x-)?protobuf\s*(?:;|$)/i;
const BOM = 0xfeff;
/** About 100 events. */
const LARGE_BYTES = 64 * 1024;

const hasBody = ({ request: { headers } }: Exchange): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function requireJson({ request }: Exchange): void {
  const type = request.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type))
    throw invalid(
      'Content-Type',
      `expected application/json; got ${type === undefined ? 'none' : `"${type.slice(0, 80)}"`}`,
    );
}

const isProtobuf = ({ request }: Exchange): boolean => PROTOBUF_TYPE.test(request.headers['content-type'] ?? '');

/** JSON when it is JSON, else the text itself. */
function parseAny(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

interface RequestBody {
  /** Distinguishes this request from others with the same path and query; for a stream the stream itself. */
  readonly mark: string | HashedBody;
  readonly value: unknown;
}
const NO_BODY: RequestBody = { mark: '', value: undefined };

function streamOf({ request }: Exchange, { endpoint, maxBytes }: Route, crypto: Crypto): RequestBody {
  const value = streamBody(request, maxBytes);
  if (endpoint.ownKeys === true || request.headers['idempotency-key'] === undefined) return { mark: '', value };
  const hashed = new HashedBody(value, crypto.hasher());
  return { mark: hashed, value: hashed };
}

type BodyPorts = Pick<Ports, 'crypto' | 'eventLog'>;

async function bodyOf(exchange: Exchange, route: Route, { crypto, eventLog }: BodyPorts): Promise<RequestBody> {
  const { bodyKind, maxBytes, itemDepth, endpoint } = route;
  if (bodyKind === 'stream') return streamOf(exchange, route, crypto);
  if (bodyKind === 'none' || !hasBody(exchange)) return NO_BODY;
  if (bodyKind === 'json') requireJson(exchange);
  const bytes = await readBody(exchange.request, maxBytes, endpoint.sourceOf !== undefined);
  if (bytes.length === 0) return NO_BODY;
  if (endpoint.bringsEvents === true && bytes.length >= LARGE_BYTES) await eventLog.room();
  // Webhooks have many senders: invalid encoding affects only a few letters of a message.
  if (bodyKind === 'json') requireUtf8(bytes);
  const whole = bytes.toString('utf8');
  if (bodyKind === 'any' && isProtobuf(exchange)) return { mark: whole, value: whole };
  checkJsonShape(bytes, itemDepth);
  const text = whole.charCodeAt(0) === BOM ? whole.slice(1) : whole;
  return { mark: text, value: bodyKind === 'json' ? parseJson(text) : parseAny(text) };
}

/** `?token=` identifies the caller and is no input. */
function withoutToken(route: Route, query: Record<string, string>): Record<string, string> {
  if (route.endpoint.lenientCredentials !== true || query.token === undefined) return query;
  const { token: _, ...rest } = query;
  return rest;
}

/** Reads the body of a request without an authorization when that may be in it. Throws Fault `too-large`. */
export async function readEarly(exchange: Exchange, route: Route, ports: BodyPorts): Promise<void> {
  if (route.endpoint.keyFields === undefined || exchange.request.headers.authorization !== undefined) return;
  try {
    exchange.early = await bodyOf(exchange, route, ports);
  } catch (error) {
    // A body that is no JSON holds no credential, which is the first thing that is wrong.
    if (!(error instanceof Fault) || error.kind !== 'invalid') throw error;
    exchange.early = NO_BODY;
  }
}

/** Reads and checks all of a request. Throws Fault `not-found`, `invalid`, `too-large`. */
export async function readInput(
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
  ports: BodyPorts,
) {
  const checkedParams = parsedParams(route, params);
  const query = parsedQuery(route, withoutToken(route, queryOf(exchange.search)));
  const { mark, value } = exchange.early ?? (await bodyOf(exchange, route, ports));
  const body = route.bodyKind === 'stream' ? value : parsed(route.body, value);
  const raw = { path: exchange.path, params: checkedParams, query, body, headers: exchange.request.headers } as unknown;
  return { input: route.mount.read(raw as RawRequest<never, never, never>), mark };
}
