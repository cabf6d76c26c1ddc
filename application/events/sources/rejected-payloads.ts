import type { Ports } from '#domain/ports/ports.ts';
import type { Source } from '#sources/kit/source.ts';
import { sourceFor } from './mappings.ts';

/** A webhook body, or one item of it, that could not be read; shown at /api/admin/rejected. */
export interface RejectedPayload {
  readonly at: number;
  readonly source: string;
  readonly error: string;
  readonly index: number | null;
  readonly payload: string;
  /** Absent: it could not be read; of one that was too large the beginning is stored. */
  readonly kind?: 'too_large';
}
export const REJECTED_KIND = 'rejected-payload';

const KEPT_MS = 7 * 24 * 3_600_000;
const PAYLOAD_CHARACTERS = 8_192;
/** Maximum stored of one request; the reply names them all. */
const PER_REQUEST = 5;

const HIDDEN = '[hidden]';

/** Source of events without a source of their own. */
export const BULK_SOURCE = 'bulk-ingest';

/** Text of the body without the credentials in it, whether it is JSON or was to be. */
export const payloadOf = (body: unknown, credentials: readonly string[]): string => {
  const hidden = (name: string, value: unknown) => (credentials.includes(name.toLowerCase()) ? HIDDEN : value);
  if (typeof body !== 'string') return JSON.stringify(body, hidden) ?? String(body);
  const text = body.slice(0, PAYLOAD_CHARACTERS);
  if (credentials.length === 0) return JSON.stringify(text);
  const field = new RegExp(`\\b(${credentials.join('|')})(["']?\\s*[:=]\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s,&}]+)`, 'gi');
  return JSON.stringify(text.replace(field, `$1$2${HIDDEN}`));
};

export const storeRejected = async (
  ports: Pick<Ports, 'records' | 'ids' | 'clock' | 'metrics' | 'memory'>,
  tenant: string,
  { name: source, credentials = [] }: Source,
  errors: readonly { readonly index: number | null; readonly error: string }[],
  body: unknown,
): Promise<void> => {
  const at = ports.clock.now();
  ports.metrics.count('faultline_webhook_rejected_total', { source }, errors.length);
  ports.memory.sources.note(tenant, source, at, { rejected: errors.length });
  const payload = payloadOf(body, credentials).slice(0, PAYLOAD_CHARACTERS);
  for (const { index, error } of errors.slice(0, PER_REQUEST)) {
    const kept: RejectedPayload = { at, source, error, index, payload };
    await ports.records.put(tenant, REJECTED_KIND, ports.ids.ulid(), kept, { expiresAt: at + KEPT_MS });
  }
};

/**
 * Notes a body that was refused for its size: its sender does not repeat it, and its events are lost. `segment` is of the path, or
 * `BULK_SOURCE`; nothing is noted of one that names no source.
 */
export const storeTooLarge = async (
  ports: Pick<Ports, 'records' | 'ids' | 'clock' | 'metrics' | 'memory'>,
  tenant: string,
  segment: string,
  { error, head }: { readonly error: string; readonly head: string },
): Promise<void> => {
  const found = segment === BULK_SOURCE ? { name: BULK_SOURCE } : await sourceFor(ports.records, tenant, segment);
  if (found === undefined) return;
  const { name: source, credentials = [] }: Pick<Source, 'name' | 'credentials'> = found;
  const at = ports.clock.now();
  ports.metrics.count('faultline_webhook_rejected_total', { source }, 1);
  ports.memory.sources.note(tenant, source, at, { rejected: 1 });
  const payload = head === '' ? '' : payloadOf(head, credentials).slice(0, PAYLOAD_CHARACTERS);
  const kept: RejectedPayload = { at, source, error, index: null, payload, kind: 'too_large' };
  await ports.records.put(tenant, REJECTED_KIND, ports.ids.ulid(), kept, { expiresAt: at + KEPT_MS });
};
