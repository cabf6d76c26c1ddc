import type { Ports } from '#domain/ports/ports.ts';

/** A webhook body, or one item of it, that could not be read; shown at /api/admin/rejected. */
export interface RejectedPayload {
  readonly at: number;
  readonly source: string;
  readonly error: string;
  readonly index: number | null;
  readonly payload: string;
}
export const REJECTED_KIND = 'rejected-payload';

const KEPT_MS = 7 * 24 * 3_600_000;
const PAYLOAD_CHARACTERS = 8_192;
/** Kept of one request; the reply names them all. */
const PER_REQUEST = 5;

export const keepRejected = async (
  ports: Pick<Ports, 'records' | 'ids' | 'clock'>,
  tenant: string,
  source: string,
  errors: readonly { readonly index: number | null; readonly error: string }[],
  body: unknown,
): Promise<void> => {
  const at = ports.clock.now();
  const payload = (JSON.stringify(body) ?? String(body)).slice(0, PAYLOAD_CHARACTERS);
  for (const { index, error } of errors.slice(0, PER_REQUEST)) {
    const kept: RejectedPayload = { at, source, error, index, payload };
    await ports.records.put(tenant, REJECTED_KIND, ports.ids.ulid(), kept, { expiresAt: at + KEPT_MS });
  }
};
