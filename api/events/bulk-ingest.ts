import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { EventAction } from '#application/events/event-action.ts';
import { type Accepted, receiveOrNote } from '#application/events/receive.ts';
import { BULK_SOURCE } from '#application/events/sources/rejected-payloads.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import { isRecord } from '#domain/record-of.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { BulkRequest, type ParsedItem, parseEventItem, SuppressedBy } from '#schemas/http/events/events.ts';

const Failed = z.object({
  index: z.number().int(),
  sourceId: z.string().nullable(),
  error: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })),
});
const count = z.number().int();
const Named = { sourceId: z.string(), eventId: z.string().nullable() };
const BulkReply = succeeded({
  summary: z.object({ total: count, successful: count, failed: count, duplicates: count, queued: count }),
  results: z.object({
    success: z.array(z.object({ ...Named, status: z.string(), suppressedBy: SuppressedBy })),
    failed: z.array(Failed),
    duplicates: z.array(z.object({ ...Named, occurrenceCount: count, suppressedBy: SuppressedBy })),
  }),
  requestId: z.string().optional(),
}).meta({ id: 'BulkIngestReply' });

interface BulkItem {
  readonly sourceId: string | null;
  readonly parsed: ParsedItem;
}
interface BulkOutcome {
  readonly items: readonly BulkItem[];
  /** One per valid item, in order. */
  readonly receipts: readonly (Receipt | null)[];
}

/** 10 MiB, as for webhooks. */
export const BULK_BYTES = 10 * 1_024 * 1_024;

/** An event's own source beats the envelope's. */
const readItem = (item: unknown, source: string | undefined): BulkItem => {
  const isObject = isRecord(item);
  const whole = source !== undefined && isObject ? { source, ...item } : item;
  const sourceId = (item as { sourceId?: unknown } | null)?.sourceId;
  return { sourceId: typeof sourceId === 'string' ? sourceId : null, parsed: parseEventItem(whole) };
};

interface ItemResult {
  readonly sourceId: string;
  readonly eventId: string | null;
  readonly suppressedBy?: string;
}
const toldOf = (sourceId: string, { id, suppressedBy }: Accepted): ItemResult => ({
  sourceId,
  eventId: id && eventIdOf(id),
  ...(suppressedBy !== undefined && { suppressedBy }),
});

const present = ({ items, receipts }: BulkOutcome, requestId: string) => {
  const success: (ItemResult & { status: string })[] = [];
  const failed: z.output<typeof Failed>[] = [];
  const duplicates: (ItemResult & { occurrenceCount: number })[] = [];
  let queued = 0;
  let next = 0;
  for (const [index, { sourceId, parsed }] of items.entries()) {
    if (!parsed.ok) {
      const details = [...parsed.problems];
      failed.push({
        index,
        sourceId,
        error: details[0] ? `${details[0].field}: ${details[0].message}` : 'invalid',
        details,
      });
      continue;
    }
    const receipt = receipts[next++] ?? null;
    const own = sourceId ?? '';
    if (receipt === null) queued++;
    else if (!receipt.ok) failed.push({ index, sourceId, error: receipt.message, details: [] });
    else {
      const told = toldOf(own, receipt);
      if (receipt.outcome === 'duplicate_updated') duplicates.push({ ...told, occurrenceCount: receipt.count });
      else success.push({ ...told, status: receipt.outcome });
    }
  }
  const numbers = { successful: success.length, failed: failed.length, duplicates: duplicates.length, queued };
  const summary = { total: items.length, ...numbers };
  return { body: { summary, results: { success, failed, duplicates }, ...(queued > 0 && { requestId }) } };
};

export const bulkIngest = endpoint<z.output<typeof BulkRequest>, BulkOutcome>({
  id: 'events.bulk-ingest',
  summary: 'Ingest events in bulk',
  description: 'Up to 5,000 events, validated individually. Invalid events are listed under `failed`.',
  tag: 'Events',
  permission: 'events.ingest',
  limit: 'bulk',
  bringsEvents: true,
  sourceOf: () => BULK_SOURCE,
  mounts: on.events.post('/bulk-ingest', {
    maxBytes: BULK_BYTES,
    body: BulkRequest,
    reply: BulkReply,
    read: ({ body }) => body,
    present: (outcome, { requestId }) => present(outcome, requestId),
  }),
  async handle({ source, events }, { tenant, ports, receivedAt, idempotencyKey }) {
    const items = events.map((item) => readItem(item, source));
    const actions = items.flatMap(({ parsed }) => (parsed.ok ? [parsed.action as EventAction] : []));
    return { items, receipts: await receiveOrNote(ports, actions, { tenant, receivedAt, idempotencyKey }) };
  },
});
