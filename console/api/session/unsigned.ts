import { CallProblem, problemOf } from '#console/api/link/problem.ts';
import * as text from './texts.ts';

export interface UnsignedParts {
  readonly root: string;
  readonly now: () => number;
  readonly fetch: typeof fetch;
}
interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
}

const LONGEST_MS = 20_000;

/** Sends a request outside of a session; the reply may be a refusal. */
export const askUnsigned = (
  { root, fetch: send }: UnsignedParts,
  { method, path, body, token }: Request,
): Promise<Response> => {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const request = { method, headers, signal: AbortSignal.timeout(LONGEST_MS), cache: 'no-store' } as const;
  return send(new URL(path, root), {
    ...request,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CallProblem(text.cantReachTheServer);
  });
};

/** Throws the problem of a refusal. */
export const successful = async ({ now }: UnsignedParts, response: Response): Promise<Response> => {
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const headers = { requestId: response.headers.get('x-request-id'), retryAfter: response.headers.get('retry-after') };
  throw problemOf(response.status, body, headers, now());
};
