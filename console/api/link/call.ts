import { withTurnsMeant, withTurnsShown } from '#domain/texts/unseen.ts';
import { type AddressQuery, addressOf } from './address.ts';
import { CallProblem, problemOf } from './problem.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** As the document of the interface names it: `GET /api/events/{eventId}`. A test finds each in the table of routes. */
type Endpoint = `${Method} /${string}`;

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: AddressQuery;
  /** Sent as JSON; a `Blob` as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Of the version that was read: 412 when it is not the newest any more. */
  readonly etag?: string | null;
  /** Equal keys count once; without one every call of a changing method has its own. */
  readonly idempotencyKey?: string;
  /** Goes on when the page is left. */
  readonly outlives?: boolean;
}

interface Whole<T> {
  readonly body: T;
  readonly etag: string | null;
}

/** The part of the sign-in that a call needs. */
export interface Bearer {
  readonly token: () => string | null;
  /** Whether there is a new token, after the server refused `refused`. */
  readonly renew: (refused: string | null) => Promise<boolean>;
  /** Waits until a person has signed in again. */
  readonly signedIn: (signal?: AbortSignal) => Promise<void>;
}

interface Given {
  readonly root: string;
  readonly bearer: Bearer;
  /** Looked at instead of that of the sign-in. */
  readonly tenant: () => string | null;
  readonly now: () => number;
  readonly randomId: () => string;
  readonly fetch: typeof fetch;
}

/** One call of the HTTP interface. Throws `Problem`. */
export interface Call {
  <T>(endpoint: Endpoint, asked?: Asked): Promise<T>;
  readonly whole: <T>(endpoint: Endpoint, asked?: Asked) => Promise<Whole<T>>;
}

const LONGEST_MS = 60_000;

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (!(response.headers.get('content-type') ?? '').includes('json')) return text;
  try {
    // Titles and names come from anywhere: none of them turns the direction of the page around it.
    return JSON.parse(withTurnsShown(text));
  } catch {
    return text;
  }
};

const headersOf = (
  asked: Asked,
  method: string,
  id: string,
  token: string | null,
  tenant: string | null,
): Record<string, string> => ({
  Accept: 'application/json',
  'X-Request-ID': id,
  ...(token !== null && { Authorization: `Bearer ${token}` }),
  ...(tenant !== null && { 'X-Tenant-ID': tenant }),
  ...(asked.body !== undefined && !(asked.body instanceof Blob) && { 'Content-Type': 'application/json' }),
  ...(asked.etag != null && { 'If-Match': asked.etag }),
  ...(method === 'POST' && { 'Idempotency-Key': asked.idempotencyKey ?? id }),
});

const bodyOf = ({ body }: Asked): { readonly body?: NonNullable<RequestInit['body']> } => {
  if (body === undefined) return {};
  return { body: body instanceof Blob ? body : withTurnsMeant(JSON.stringify(body)) };
};

export function openCall({ root, bearer, tenant, now, randomId, fetch: send }: Given): Call {
  const once = async (method: string, address: string, asked: Asked, id: string): Promise<Response> => {
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
      throw new CallProblem(
        late.aborted ? 'The server did not answer within a minute' : 'The server cannot be reached',
      );
    }
  };

  /** Nothing that was typed is lost: a call that is refused waits for a new sign-in and is sent again. */
  const signedIn = async (method: string, address: string, asked: Asked, id: string): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const used = bearer.token();
      const response = await once(method, address, asked, id);
      if (response.status !== 401 || attempt === 2) return response;
      if (await bearer.renew(used)) continue;
      // The token still stands when the renewal itself found no server.
      if (bearer.token() !== null) return response;
      await bearer.signedIn(asked.signal);
    }
  };

  const whole = async <T>(endpoint: Endpoint, asked: Asked = {}): Promise<Whole<T>> => {
    const [method, path] = endpoint.split(' ') as [string, string];
    const address = addressOf(root, path, asked.params, asked.query);
    const response = await signedIn(method, address, asked, randomId());
    const body = await readBody(response);
    if (!response.ok) {
      const requestId = response.headers.get('x-request-id');
      throw problemOf(response.status, body, { requestId, retryAfter: response.headers.get('retry-after') }, now());
    }
    return { body: body as T, etag: response.headers.get('etag') };
  };

  const call = async <T>(endpoint: Endpoint, asked: Asked = {}): Promise<T> => (await whole<T>(endpoint, asked)).body;
  return Object.assign(call, { whole });
}
