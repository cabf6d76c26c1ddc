import { createParser } from 'eventsource-parser';
import { withTurnsMeant, withTurnsShown } from '#domain/texts/unseen.ts';
import { type AddressQuery, addressOf } from './address.ts';
import { CallProblem, problemOf } from './problem.ts';
import * as texts from './texts.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Name as in the document of the interface: `GET /api/events/{eventId}`. A test finds each in the table of routes. */
export type CalledEndpoint = `${Method} /${string}`;

interface Options {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: AddressQuery;
  /** Sent as JSON; a `Blob` as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Tag of the version that was read: 412 when it is not the newest any more. */
  readonly etag?: string | null;
  /** Equal keys count once; without one every call of a changing method has its own. */
  readonly idempotencyKey?: string;
  /** Media type of the reply; absent: JSON. */
  readonly accept?: string;
  /** Continues when the page is left. */
  readonly outlives?: boolean;
}

interface Whole<T> {
  readonly body: T;
  readonly etag: string | null;
}

/** The part of the sign-in that a call needs. */
export interface Bearer {
  readonly token: () => string | null;
  /** Returns true if there is a new token, after the server refused `refused`. */
  readonly renew: (refused: string | null) => Promise<boolean>;
  /** Waits until the user has signed in again. */
  readonly signedIn: (signal?: AbortSignal) => Promise<void>;
}

interface CallParts {
  readonly root: string;
  readonly bearer: Bearer;
  /** Selected instead of that of the sign-in. */
  readonly tenant: () => string | null;
  readonly now: () => number;
  readonly randomId: () => string;
  readonly fetch: typeof fetch;
}

type Tell = (event: string, data: unknown) => void;

/** One call of the HTTP interface. Throws `Problem`. */
export interface Call {
  <T>(endpoint: CalledEndpoint, asked?: Options): Promise<T>;
  readonly whole: <T>(endpoint: CalledEndpoint, asked?: Options) => Promise<Whole<T>>;
  /** Hands on each message of an event stream; resolves at its end. */
  readonly stream: (endpoint: CalledEndpoint, asked: Options, tell: Tell) => Promise<void>;
}

/** The envelope of a reply. */
export interface Reply<T> {
  readonly data: T;
}

const LONGEST_MS = 60_000;

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (!(response.headers.get('content-type') ?? '').includes('json')) return text;
  try {
    // Titles and names have any origin: none of them may change the text direction of the page.
    return JSON.parse(withTurnsShown(text));
  } catch {
    return text;
  }
};

const headersOf = (
  asked: Options,
  method: string,
  id: string,
  token: string | null,
  tenant: string | null,
): Record<string, string> => ({
  Accept: asked.accept ?? 'application/json',
  'X-Request-ID': id,
  ...(token !== null && { Authorization: `Bearer ${token}` }),
  ...(tenant !== null && { 'X-Tenant-ID': tenant }),
  ...(asked.body !== undefined && !(asked.body instanceof Blob) && { 'Content-Type': 'application/json' }),
  ...(asked.etag != null && { 'If-Match': asked.etag }),
  ...(method === 'POST' && { 'Idempotency-Key': asked.idempotencyKey ?? id }),
});

const bodyOf = ({ body }: Options): { readonly body?: NonNullable<RequestInit['body']> } => {
  if (body === undefined) return {};
  return { body: body instanceof Blob ? body : withTurnsMeant(JSON.stringify(body)) };
};

export function openCall({ root, bearer, tenant, now, randomId, fetch: send }: CallParts): Call {
  const once = async (method: string, address: string, asked: Options, id: string): Promise<Response> => {
    const late = AbortSignal.timeout(LONGEST_MS);
    try {
      return await send(address, {
        method,
        headers: headersOf(asked, method, id, bearer.token(), tenant()),
        ...bodyOf(asked),
        signal: asked.signal === undefined ? late : AbortSignal.any([asked.signal, late]),
        credentials: 'same-origin',
        cache: 'no-store',
        ...(asked.outlives && { keepalive: true }),
      });
    } catch (error) {
      if (asked.signal?.aborted) throw error;
      throw new CallProblem(late.aborted ? texts.serverDidNotRespond : texts.cantReachServerCheck);
    }
  };

  /** Nothing that was typed is lost: a call that is refused waits for a new sign-in and is sent again. */
  const signedIn = async (method: string, address: string, asked: Options, id: string): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const used = bearer.token();
      const response = await once(method, address, asked, id);
      if (response.status !== 401 || attempt === 2) return response;
      if (await bearer.renew(used)) continue;
      // The token is still valid when the renewal itself found no server.
      if (bearer.token() !== null) return response;
      await bearer.signedIn(asked.signal);
    }
  };

  /** A success. */
  const answered = async (endpoint: CalledEndpoint, asked: Options): Promise<Response> => {
    const [method, path] = endpoint.split(' ') as [string, string];
    const address = addressOf(root, path, asked.params, asked.query);
    const response = await signedIn(method, address, asked, randomId());
    if (response.ok) return response;
    const requestId = response.headers.get('x-request-id');
    const told = { requestId, retryAfter: response.headers.get('retry-after') };
    throw problemOf(response.status, await readBody(response), told, now());
  };

  const whole = async <T>(endpoint: CalledEndpoint, asked: Options = {}): Promise<Whole<T>> => {
    const response = await answered(endpoint, asked);
    return { body: (await readBody(response)) as T, etag: response.headers.get('etag') };
  };

  const stream = async (endpoint: CalledEndpoint, asked: Options, tell: Tell): Promise<void> => {
    const { body } = await answered(endpoint, { ...asked, accept: 'text/event-stream' });
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => tell(event, JSON.parse(withTurnsShown(data))),
    });
    const decoder = new TextDecoder();
    for (const reader = body?.getReader(); reader !== undefined; ) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
    }
  };

  const call = async <T>(endpoint: CalledEndpoint, asked: Options = {}): Promise<T> =>
    (await whole<T>(endpoint, asked)).body;
  return Object.assign(call, { whole, stream });
}
