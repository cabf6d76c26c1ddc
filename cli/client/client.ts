import { withoutTrailing } from '#domain/text.ts';
import { pause } from '#infra/wait.ts';

/** A refusal or failure with a text that names the next step for the user. */
export class CliError extends Error {
  /** HTTP status; null when no server answered. */
  readonly status: number | null;
  /** The words of the server itself. */
  readonly reason: string;
  /** Code in the details of the reply; null: none. */
  readonly code: string | null;

  constructor(message: string, status: number | null = null, reason: string = message, code: string | null = null) {
    super(message);
    this.name = 'CliError';
    this.status = status;
    this.reason = reason;
    this.code = code;
  }
}

interface ClientOptions {
  /** URL with or without a trailing slash. */
  readonly url: string;
  /** Read before each request if it is a function. */
  readonly token?: string | (() => Promise<string | undefined>) | undefined;
  /** Only a platform administrator needs to name one. */
  readonly tenant?: string | undefined;
  /** Timeout of a request, which is then sent once only; absent: no limit. */
  readonly timeoutMs?: number;
}

/** JSON over HTTP with the credentials of one caller. `T` is the type in the server's documents. */
export interface Client {
  readonly url: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  /** Sends a text as it is. */
  upload<T>(path: string, text: string, type: string): Promise<T>;
  /** Hands on a reply piece by piece. */
  download(path: string): AsyncIterable<Uint8Array>;
  delete<T>(path: string): Promise<T>;
  /** Passes one reply on regardless of its status, after a single attempt. */
  exchange(path: string, body: unknown, more: Readonly<Record<string, string>>): Promise<ClientReply>;
  /** The time of the server, epoch ms, exact to a second. */
  now(): Promise<number>;
}

export interface ClientReply {
  readonly status: number;
  /** Null: it has no body, or none that is JSON. */
  readonly body: unknown;
}

const JSON_TYPE = 'application/json';
const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 60_000;

const hintFor: Readonly<Record<number, string>> = {
  401: 'sign in with: faultline login (a local user: faultline login --user NAME), or pass a valid token with --token or FAULTLINE_TOKEN',
  403: 'this token lacks permission: use a token with a higher role, or pass --tenant',
  404: 'check the ID and --url',
};

/** Command that lists valid ids; the first match counts. */
const LISTS = [
  ['/api/events/silences/', 'silence list'],
  ['/api/events/groups/', 'groups'],
  ['/api/events/', 'events'],
  ['/api/admin/tokens/', 'token list'],
] as const;

const hintOf = (status: number, path: string): string | undefined => {
  if (path.startsWith('/api/auth/')) return undefined;
  const list = status === 404 && LISTS.find(([beginning]) => path.startsWith(beginning));
  return list ? `list them with: faultline ${list[1]}` : hintFor[status];
};

/** The message in the body of an error, in any dialect. */
export const saidBy = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return '';
  const { error, message } = body as { readonly error?: unknown; readonly message?: unknown };
  if (typeof message === 'string') return message;
  if (typeof error === 'string') return error;
  return saidBy(error);
};

const codeIn = (body: unknown): string | null => {
  const { error } = (body ?? {}) as { readonly error?: { readonly details?: { readonly error_code?: unknown } } };
  const code = error?.details?.error_code;
  return typeof code === 'string' ? code : null;
};

const refused = (method: string, path: string, status: number, body: unknown): CliError => {
  const hint = hintOf(status, path);
  const said = saidBy(body) || 'no details';
  return new CliError(`${method} ${path}: ${status}, ${said}${hint ? ` — ${hint}` : ''}`, status, said, codeIn(body));
};

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

/** Returns the wait that the server requests before a retry. */
const waitAfter = (headers: Headers): number =>
  Math.min(LONGEST_WAIT_MS, Math.max(100, Number(headers.get('retry-after') ?? 1) * 1_000));

/** A wait after which a user would assume that the program hangs. */
const TOLD_MS = 2_000;
const passingReason = (status: number): string => (status === 429 ? 'rate limit reached' : 'server unavailable');

export const openClient = ({ url, token, tenant, timeoutMs }: ClientOptions): Client => {
  const base = withoutTrailing(url, '/');
  if (!/^https?:\/\/./i.test(base)) throw new CliError(`--url: expected http://HOST:PORT or https://…, got ${url}`);
  const headersNow = async () => {
    const now = typeof token === 'function' ? await token() : token;
    return {
      ...(now !== undefined && { authorization: `Bearer ${now}` }),
      ...(tenant !== undefined && { 'x-tenant-id': tenant }),
    };
  };
  const ask = async (
    method: string,
    path: string,
    body?: string,
    type = JSON_TYPE,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const own = await headersNow();
    try {
      const all = { ...own, 'content-type': type, ...more };
      return await fetch(base + path, {
        method,
        headers: all,
        ...(body !== undefined && { body }),
        ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
      });
    } catch {
      throw new CliError(`no server at ${base}. Start one with: faultline serve, or pass --url http://HOST:PORT`);
    }
  };
  /** Retries temporary refusals; throws any other. */
  const accepted = async (method: string, path: string, body?: string, type?: string): Promise<Response> => {
    for (let attempt = 1; ; attempt++) {
      const response = await ask(method, path, body, type);
      if (response.ok) return response;
      const reply = parsed(await response.text());
      const passing = response.status === 429 || response.status === 503;
      if (!passing || attempt === ATTEMPTS || timeoutMs !== undefined)
        throw refused(method, path, response.status, reply);
      const ms = waitAfter(response.headers);
      // Written to the error output, since tables and JSON must stay intact.
      if (ms >= TOLD_MS) console.error(`${passingReason(response.status)}; retrying in ${Math.ceil(ms / 1_000)}s`);
      await pause(ms);
    }
  };
  const send = async (method: string, path: string, body?: string, type?: string): Promise<unknown> =>
    parsed(await (await accepted(method, path, body, type)).text());
  return {
    url: base,
    get: <T>(path: string) => send('GET', path) as Promise<T>,
    post: <T>(path: string, body?: unknown) => send('POST', path, textOf(body)) as Promise<T>,
    put: <T>(path: string, body: unknown) => send('PUT', path, textOf(body)) as Promise<T>,
    patch: <T>(path: string, body: unknown) => send('PATCH', path, textOf(body)) as Promise<T>,
    delete: <T>(path: string) => send('DELETE', path) as Promise<T>,
    upload: <T>(path: string, text: string, type: string) => send('POST', path, text, type) as Promise<T>,
    async *download(path) {
      const { body } = await accepted('GET', path);
      if (body !== null) yield* body;
    },
    exchange: async (path, body, more) => {
      const response = await ask('POST', path, JSON.stringify(body), JSON_TYPE, more);
      return { status: response.status, body: parsed(await response.text()) };
    },
    now: async () => Date.parse((await ask('GET', '/livez')).headers.get('date') ?? ''),
  };
};
