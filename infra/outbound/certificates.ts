import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { Certificates } from '#domain/ports/certificates.ts';
import type { Outbound } from '#domain/ports/outbound.ts';

const GET = { timeoutMs: 5_000, maxBytes: 64 * 1_024 };
/** A cloud has a handful at a time. */
const CACHED = 32;

const unavailable = (from: string, cause?: unknown): Fault =>
  new Fault('unavailable', `Couldn't fetch the signing certificate from ${from}`, [], { retryAfter: 20, cause });

/** A host that is well and has no such certificate: the address was made up, and trying again will not help. */
const refusalOf = (host: string, status: number): Fault =>
  status >= 400 && status < 500
    ? new Fault('forbidden', `Message rejected: ${host} has no such signing certificate (HTTP ${status})`)
    : unavailable(`${host} (HTTP ${status})`);

/** Certificates by address, each fetched once. `fixed` replaces all of them where nothing may be fetched. */
export const openCertificates = (outbound: Pick<Outbound, 'get'>, fixed: string | null): Certificates => {
  const known = new Lru<string, string>(CACHED);
  return {
    async pem(url) {
      if (fixed !== null) return fixed;
      const cached = known.get(url);
      if (cached !== undefined) return cached;
      const { status, body } = await outbound.get(url, GET).catch((cause: Error) => {
        throw unavailable(cause.message, cause);
      });
      if (status !== 200) throw refusalOf(new URL(url).host, status);
      known.set(url, body);
      return body;
    },
  };
};
