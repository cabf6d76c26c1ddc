import type { z } from 'zod';
import type { UseCaseContext } from '#application/access/context.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Permission } from '#domain/access/permissions.ts';
import type { FaultKind } from '#domain/fault.ts';
import type { LimitClass } from '#domain/limit-class.ts';
import type { ConsoleFiles } from '#domain/ports/console/console-files.ts';
import type { ProcessHealth } from '#domain/ports/health.ts';
import type { AsyncapiParts } from './asyncapi-parts.ts';

/** A dialect of the API; `ops` is the root (health, metrics, documents) and speaks like /v1. */
export type SurfaceName = 'ai' | 'platform' | 'v1' | 'events' | 'alertmanager' | 'pagerduty' | 'opsgenie' | 'ops';
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The self-description of the process; read by the operation pages. */
export interface ProcessFacts {
  readonly health: () => Promise<ProcessHealth>;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** OpenAPI document as JSON text. */
  readonly openapi: () => string;
  /** Parts beside the topics. */
  readonly asyncapi: () => readonly AsyncapiParts[];
  /** Null: it was not built, or this process is asked nothing else than how it is. */
  readonly console: ConsoleFiles | null;
  /** Returns the text of that name, made at its first use: for constants of a running server. */
  readonly once: (name: string, make: () => string) => string;
  readonly version: string;
  readonly mode: 'embedded' | 'distributed';
  /** Origins that browsers may call from, as they are configured; `*` for any. */
  readonly origins: readonly string[];
  /** True if it has a demo to load. */
  readonly hasDemo: boolean;
  /** Multiplies every rate limit; 0: no limits. */
  readonly limitScale: number;
  /** Aborted when the server stops: replies that last end then. */
  readonly stopping: AbortSignal;
}

/** The context of a handler beside its input. `tenant` is the tenant acted on. */
export interface Context extends UseCaseContext {
  readonly requestId: string;
  readonly service: ProcessFacts;
  /** The owner of the credential of the request now; throws Fault `unauthenticated` or `tenant`. For replies that last. */
  recheck(): Promise<Caller>;
  /** Prefix of the path of every link: the public URL, or empty for relative links. */
  readonly baseUrl: string;
}

export interface RawRequest<P, Q, B> {
  /** Path as sent, without the query. */
  readonly path: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface PageInfo {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly nextCursor?: string | null;
  /** Requested with a cursor: `page` does not contain its position. */
  readonly isBehindCursor?: boolean;
}

/** A reply before the surface wraps it. `page` makes the surface add its paging body and headers. */
export interface Presented {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly page?: PageInfo;
  /** Leaves as it is, without envelope, instead of `body`: pages, downloads, event streams. */
  readonly raw?: Raw;
}
export interface Raw {
  readonly type: string;
  readonly content: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Lasts as long as there may be something to send: its time counts until it begins, and a disconnect ends it. */
  readonly isLive?: true;
  /** Called for a reader that does not read; absent: it is waited for. */
  readonly stalled?: Stalled;
  /** Called once when nothing more is sent, also when nothing was. */
  readonly close?: () => void;
}
export interface Stalled {
  /** Maximum time for a piece to be read, ms. */
  readonly mostMs: number;
  /** The last words of a connection that is cut off then. */
  readonly last: () => string;
  /** Aborted when the server stops: who does not read then is cut off at once. */
  readonly stopping: AbortSignal;
}

/**
 * `none`: no body is read. `json`: JSON, any other content type is refused. `any`: JSON regardless of the content type,
 * except for protobuf; other content is passed as a string. `stream`: an `AsyncIterable<Uint8Array>`, unzipped and
 * bounded by `maxBytes`.
 */
export type BodyKind = 'none' | 'json' | 'any' | 'stream';

type ReplyHeader =
  | 'Location'
  | 'ETag'
  | 'Content-Disposition'
  | 'X-Accel-Buffering'
  | 'Content-Security-Policy'
  | 'Content-Encoding'
  | 'Set-Cookie'
  | 'Vary';

/** One path of an endpoint on one surface. `reply` is the schema of the body as it leaves, envelope included. */
export interface Mount<In, Out> {
  readonly on: SurfaceName;
  readonly method: Method;
  /** Path below the surface's prefix, with `{name}` for parameters. */
  readonly path: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Media types of the body with their schemas, for the documents; JSON with `body`. */
  readonly bodyTypes?: Readonly<Record<string, z.ZodType>>;
  /** `json` when there is a `body` schema, else `none`. */
  readonly bodyKind?: BodyKind;
  /** Maximum size of the body after unzipping; 1 MiB. */
  readonly maxBytes?: number;
  /** Level of the innermost arrays whose elements are items with keys of their own; 2. */
  readonly itemDepth?: number;
  readonly status?: number;
  /** Further success statuses with the same shape, for the documents. */
  readonly alsoStatus?: readonly number[];
  readonly reply: z.ZodType;
  /** Media types of a raw reply, for the documents; JSON. */
  readonly replyType?: string | readonly string[];
  /** Headers of a success beyond those of every reply; tests refuse a reply with another one. */
  readonly replyHeaders?: readonly ReplyHeader[];
  readonly read: (request: RawRequest<never, never, never>) => In;
  readonly present: (out: Out, context: Context) => Presented;
  /** A mount that is being retired announces it in every response. */
  readonly deprecated?: { readonly date: string; readonly info: string };
}

export interface Endpoint<In = never, Out = unknown> {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Null: no credential needed, unless `anyCredential` requires one. */
  readonly permission: Permission | null;
  /** Every valid credential may; `permission` is null then. */
  readonly anyCredential?: true;
  readonly limit: LimitClass;
  /** Its body becomes events: a large one is parsed when the pipeline has room for them. */
  readonly bringsEvents?: true;
  /** The name of the source whose events are lost with a body that is too large, by the parameters of the path. */
  readonly sourceOf?: (params: Readonly<Record<string, string>>) => string;
  /** A file or a batch: it has no time limit, while each of its steps has a timeout of its own. */
  readonly takesLong?: true;
  /** Faults that it answers with beyond those implied by its permission, limit, method and path, for the documents. */
  readonly alsoFaults?: readonly FaultKind[];
  /** Kind of the signed link that opens it without any other credential, as `?link=`; it names the first parameter of the path. */
  readonly linkPage?: string;
  /** Fields of the JSON body that may hold the token, for clients that send no header. */
  readonly keyFields?: readonly string[];
  /** Also accept Basic (password = API token), GenieKey and `?token=`. */
  readonly lenientCredentials?: boolean;
  /** Fields of the reply's record that are shown once: a replay under an Idempotency-Key has them null. */
  readonly secretFields?: readonly string[];
  /** Honors If-Match with the ETag of an earlier reply. */
  readonly conditional?: boolean;
  /** Further request headers, for the documents. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  /** Handles a repeated Idempotency-Key itself; else its first reply is stored and sent again. */
  readonly ownKeys?: boolean;
  readonly mounts: readonly Mount<In, Out>[];
  readonly handle: (input: In, context: Context) => Promise<Out>;
}

/** Needs no credential. */
export const isOpen = ({ permission, anyCredential }: Pick<Endpoint, 'permission' | 'anyCredential'>): boolean =>
  permission === null && anyCredential !== true;

interface EndpointInput<In, Out> extends Omit<Endpoint<In, Out>, 'limit' | 'mounts'> {
  /** Absent: `standard`. */
  readonly limit?: LimitClass;
  readonly mounts: Mount<In, Out> | readonly Mount<In, Out>[];
}

export const endpoint = <In, Out>({
  limit = 'standard',
  mounts,
  ...value
}: EndpointInput<In, Out>): Endpoint<In, Out> => ({ ...value, limit, mounts: [mounts].flat() });

type Infer<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A mount of any surface, with `read` typed by its schemas. */
export interface SharedMount<In, Out, P, Q, B>
  extends Omit<Mount<In, Out>, 'on' | 'reply' | 'params' | 'query' | 'body' | 'read'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly read: (request: RawRequest<Infer<P>, Infer<Q>, Infer<B>>) => In;
}
interface MountInput<In, Out, P, Q, B> extends SharedMount<In, Out, P, Q, B>, Pick<Mount<In, Out>, 'on' | 'reply'> {}

/** Declares a mount with `read` typed by its schemas. */
export const mount = <
  In,
  Out,
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
>(
  value: MountInput<In, Out, P, Q, B>,
): Mount<In, Out> => value as unknown as Mount<In, Out>;

type PlacedMount<In, Out, P, Q, B> = Omit<MountInput<In, Out, P, Q, B>, 'on' | 'method' | 'path'>;

const by =
  (surface: SurfaceName, method: Method) =>
  <In, Out, P extends z.ZodType | undefined, Q extends z.ZodType | undefined, B extends z.ZodType | undefined>(
    path: string,
    value: PlacedMount<In, Out, P, Q, B>,
  ): Mount<In, Out> =>
    mount<In, Out, P, Q, B>({ ...value, on: surface, method, path });

const methodsOf = (surface: SurfaceName) => ({
  get: by(surface, 'get'),
  post: by(surface, 'post'),
  put: by(surface, 'put'),
  patch: by(surface, 'patch'),
  delete: by(surface, 'delete'),
});

/** Declares a mount: `on.platform.get(path, { … })`. */
export const on = {
  ai: methodsOf('ai'),
  platform: methodsOf('platform'),
  v1: methodsOf('v1'),
  events: methodsOf('events'),
  alertmanager: methodsOf('alertmanager'),
  pagerduty: methodsOf('pagerduty'),
  opsgenie: methodsOf('opsgenie'),
  ops: methodsOf('ops'),
} as const;

// biome-ignore lint/suspicious/noExplicitAny: a list holds endpoints of differing input and output; each is sound by itself.
export type AnyEndpoint = Endpoint<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type AnyMount = Mount<any, any>;
