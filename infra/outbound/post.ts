import { lookup } from 'node:dns';
import { Agent, request } from 'undici';
import type { Outbound, Posting } from '#domain/ports/outbound.ts';
import { postFailure } from './failure-class.ts';
import { guardedLookup, RefusedAddress, type ResolveHost } from './guarded-lookup.ts';
import { type Allowed, isCallable, literalOf } from './public-address.ts';

/** Connections to one receiver, and how long an unused one is kept. */
const CONNECTIONS = 4;
const KEPT_MS = 10_000;
/** Of a reply, so that its connection can be used again; a longer one is cut. */
const READ_BYTES = 16 * 1_024;
const HEADER_BYTES = 16 * 1_024;

const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

/** Why an address is never called, as far as its text tells. */
const refusalFor =
  (allowed: Allowed) =>
  (text: string): string | null => {
    const url = parsed(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return 'expected an http or https address';
    if (url.username !== '' || url.password !== '') return 'expected no user name or password in the address';
    const literal = literalOf(url);
    return literal === null || isCallable(literal, allowed) ? null : 'expected a public address';
  };

/** undici looks at a signal only when it is connected, so a slow name server would have its own time. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

export interface PostOptions {
  readonly allowed: Allowed;
  readonly resolve?: ResolveHost;
  readonly now?: () => number;
}
export interface OpenedPost extends Pick<Outbound, 'post' | 'refusal'> {
  close(): Promise<void>;
}

/** POST to public addresses. The host is checked, and every address that its name has at the moment of the connection. */
export const openPost = ({ allowed, resolve = lookup, now = () => performance.now() }: PostOptions): OpenedPost => {
  const refusal = refusalFor(allowed);
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
    maxHeaderSize: HEADER_BYTES,
    connect: { lookup: guardedLookup(resolve, allowed) },
  });
  const send = async (url: string, { headers, body, timeoutMs, signal }: Posting): Promise<number> => {
    const late = AbortSignal.timeout(timeoutMs);
    const until = signal === undefined ? late : AbortSignal.any([late, signal]);
    const options = {
      method: 'POST',
      headers,
      body,
      signal: until,
      dispatcher: agent,
      headersTimeout: timeoutMs,
    } as const;
    const reply = await Promise.race([request(url, options), aborted(until)]);
    // The status says all; what is left of the reply ends with the time-out.
    reply.body.dump({ limit: READ_BYTES, signal: until }).catch(() => undefined);
    return reply.statusCode;
  };
  return {
    refusal,
    async post(url, posting) {
      const begun = now();
      try {
        if (refusal(url) !== null) throw new RefusedAddress('The address is not public');
        return { status: await send(url, posting), ms: Math.round(now() - begun) };
      } catch (cause) {
        throw postFailure(cause);
      }
    },
    // A look-up under way is not waited for: it may take as long as the name server likes.
    close: async () => void agent.destroy().catch(() => undefined),
  };
};
