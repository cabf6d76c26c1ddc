import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { Member } from './member.ts';

export const TOKEN = 'token-of-the-chaos-program';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly tenant: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Makes it safe to send again. */
  readonly key?: string;
}
/** `body` is the answer of the API, in JSON; null: the outcome of the request is unknown. */
export interface Answer {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly body: unknown;
}

const PATIENCE_MS = 100_000;
const TRUTH_MS = 1_000;

const headersOf = ({ tenant, contentType, key }: Request): Record<string, string> => ({
  authorization: `Bearer ${TOKEN}`,
  'x-tenant-id': tenant,
  'content-type': contentType ?? 'application/json',
  ...(key !== undefined && { 'idempotency-key': key }),
});

/**
 * Temporary refusals must contain the time of a retry; a conflict is the caller's own, or of a request that still runs.
 */
const isHonest = ({ method, key }: Request, status: number, retryAfter: string | null): boolean =>
  (status >= 200 && status < 300) ||
  ((status === 503 || status === 429) && retryAfter !== null) ||
  (status === 409 && (method === 'PATCH' || (key !== undefined && retryAfter !== null)));

export interface Client {
  /** Null when there was no answer. */
  send(request: Request, phase: string): Promise<Answer | null>;
}

/** Sends to any API process that runs, and notes what no client should see. */
export const openClient = (apis: readonly Member[], ledger: Ledger, pick: (below: number) => number): Client => {
  const anyApi = async (): Promise<Member & { readonly url: string }> => {
    for (;;) {
      const up = apis.filter((api) => api.url !== null);
      const chosen = up[pick(Math.max(1, up.length))];
      if (chosen !== undefined) return chosen as Member & { readonly url: string };
      await sleep(100);
    }
  };
  /** A connection may break when its process was killed, and only then. */
  const brokeWithoutReason = async (api: Member, life: number): Promise<boolean> => {
    await sleep(TRUTH_MS);
    return api.lives === life && api.url !== null;
  };
  return {
    async send(request, phase) {
      const { method, path, body } = request;
      const api = await anyApi();
      const life = api.lives;
      const began = performance.now();
      try {
        const response = await fetch(api.url + path, {
          method,
          headers: headersOf(request),
          signal: AbortSignal.timeout(PATIENCE_MS),
          ...(body !== undefined && { body }),
        });
        const text = await response.text();
        const { status, headers } = response;
        const retryAfter = headers.get('retry-after');
        ledger.answered(status, performance.now() - began);
        if (!isHonest(request, status, retryAfter))
          ledger.lie(phase, `${method} ${path} of ${request.tenant}: ${status} ${text.slice(0, 300)}`);
        return { status, retryAfterMs: Number(retryAfter ?? 0) * 1_000, body: JSON.parse(text) };
      } catch (error) {
        ledger.answered('none', performance.now() - began);
        if (await brokeWithoutReason(api, life))
          ledger.lie(phase, `${method} ${path} of ${request.tenant}: ${String((error as Error).cause ?? error)}`);
        return null;
      }
    },
  };
};
