import { Fault } from '#domain/fault.ts';
import type { Certificates } from '#domain/ports/certificates.ts';
import type { Outbound } from '#domain/ports/outbound.ts';

const GET = { timeoutMs: 5_000, maxBytes: 64 * 1_024 };
/** A cloud has a handful at a time. */
const CACHED = 32;

/** Certificates by address, each fetched once. `fixed` stands for all of them where nothing may be fetched. */
export const openCertificates = (outbound: Outbound, fixed: string | null): Certificates => {
  const known = new Map<string, string>();
  return {
    async pem(url) {
      if (fixed !== null) return fixed;
      const cached = known.get(url);
      if (cached !== undefined) return cached;
      const unavailable = (cause?: unknown) =>
        new Fault('unavailable', 'The signing certificate could not be fetched', [], { retryAfter: 20, cause });
      const { status, body } = await outbound.get(url, GET).catch((cause: unknown) => {
        throw unavailable(cause);
      });
      if (status !== 200) throw unavailable();
      if (known.size >= CACHED) known.delete(known.keys().next().value as string);
      known.set(url, body);
      return body;
    },
  };
};
