import { pause } from '#infra/wait.ts';

/** A refusal or failure said so that a person knows what to do next. */
export class CliError extends Error {
  /** HTTP status; null when no server answered. */
  readonly status: number | null;
  /** The words of the server itself. */
  readonly reason: string;

  constructor(message: string, status: number | null = null, reason: string = message) {
    super(message);
    this.name = 'CliError';
    this.status = status;
    this.reason = reason;
  }
}

interface ClientOptions {
  /** With or without a trailing slash. */
  readonly url: string;
  readonly token?: string | undefined;
  /** Only a platform administrator needs to name one. */
  readonly tenant?: string | undefined;
  /** Of a request, which is then tried once only; absent: as long as the server takes. */
  readonly timeoutMs?: number;
}

/** JSON over HTTP with the credentials of one caller. `T` is what the server's documents promise. */
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
  /** The time of the server, epoch ms, exact to a second. */
  now(): Promise<number>;
}

const JSON_TYPE = 'application/json';
const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 60_000;

const hintFor: Readonly<Record<number, string>> = {
  401: 'pass a valid token with --token or FAULTLINE_TOKEN (make one with: faultline token create)',
  403: 'the token may not do this; use one with a higher role, or name its tenant with --tenant',
  404: 'check the id and the --url',
};

/** Which command lists what has no such id; the first that fits counts. */
const LISTS = [
  ['/api/events/silences/', 'silence list'],
  ['/api/events/groups/', 'groups'],
  ['/api/events/', 'events'],
  ['/api/admin/tokens/', 'token list'],
] as const;

const hintOf = (status: number, path: string): string | undefined => {
  const list = status === 404 && LISTS.find(([beginning]) => path.startsWith(beginning));
  return list ? `list them with: faultline ${list[1]}` : hintFor[status];
};

const saidBy = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return '';
  const { error, message } = body as { readonly error?: unknown; readonly message?: unknown };
  if (typeof message === 'string') return message;
  if (typeof error === 'string') return error;
  return saidBy(error);
};

const refused = (method: string, path: string, status: number, body: unknown): CliError => {
  const hint = hintOf(status, path);
  const said = saidBy(body) || 'no reason given';
  return new CliError(`${method} ${path}: ${status}, ${said}${hint ? ` — ${hint}` : ''}`, status, said);
};

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

/** Waits as long as the server asks before it tries again what was refused for now. */
const waitAfter = (headers: Headers): number =>
  Math.min(LONGEST_WAIT_MS, Math.max(100, Number(headers.get('retry-after') ?? 1) * 1_000));

/** A wait that a person would take for a program that hangs. */
const TOLD_MS = 2_000;
const passingReason = (status: number): string =>
  status === 429 ? 'the server limits how often it may be asked' : 'the server cannot answer right now';

export const openClient = ({ url, token, tenant, timeoutMs }: ClientOptions): Client => {
  const base = url.replace(/\/+$/, '');
  if (!/^https?:\/\/./i.test(base)) throw new CliError(`--url: expected http://HOST:PORT or https://…, got ${url}`);
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(tenant !== undefined && { 'x-tenant-id': tenant }),
  };
  const ask = async (method: string, path: string, body?: string, type = JSON_TYPE): Promise<Response> => {
    try {
      const all = { ...headers, 'content-type': type };
      return await fetch(base + path, {
        method,
        headers: all,
        ...(body !== undefined && { body }),
        ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
      });
    } catch {
      throw new CliError(
        `no server at ${base} — start one with: npm start, or name another with --url http://HOST:PORT`,
      );
    }
  };
  /** Tries again what is refused for now; any other refusal is thrown. */
  const accepted = async (method: string, path: string, body?: string, type?: string): Promise<Response> => {
    for (let attempt = 1; ; attempt++) {
      const response = await ask(method, path, body, type);
      if (response.ok) return response;
      const reply = parsed(await response.text());
      const passing = response.status === 429 || response.status === 503;
      if (!passing || attempt === ATTEMPTS || timeoutMs !== undefined)
        throw refused(method, path, response.status, reply);
      const ms = waitAfter(response.headers);
      // Goes to the error output, as nobody's table or JSON may be disturbed.
      if (ms >= TOLD_MS) console.error(`${passingReason(response.status)}; trying again in ${Math.ceil(ms / 1_000)} s`);
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
    now: async () => Date.parse((await ask('GET', '/livez')).headers.get('date') ?? ''),
  };
};
