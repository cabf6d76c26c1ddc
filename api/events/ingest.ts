import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { EventAction } from '#application/events/event-action.ts';
import { type Accepted, accepted, receiveOrNote } from '#application/events/receive.ts';
import { analysingSettings } from '#application/records/tenant-settings.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IngestRequest, openingOf, recoveryOf, SuppressedBy } from '#schemas/http/events/events.ts';

const IngestReply = succeeded({
  eventId: z.string().nullable(),
  status: z.string().meta({ description: 'created, duplicate_updated, resolved, ignored or queued' }),
  correlationId: z.string().nullable(),
  isDuplicate: z.boolean(),
  aiAnalysisQueued: z.boolean(),
  occurrenceCount: z.number().int().optional(),
  suppressedBy: SuppressedBy,
  requestId: z.string().optional(),
}).meta({ id: 'IngestReply' });

interface Ingested {
  readonly receipt: Accepted | null;
  /** New events of the tenant are analyzed. */
  readonly isAnalysing: boolean;
}

/** The answer of ingest; null when the event is in the log but was not handled in time. */
const ingestReply = ({ receipt, isAnalysing }: Ingested, requestId: string) => {
  if (receipt === null) {
    const body = { eventId: null, status: 'queued', correlationId: null, isDuplicate: false, aiAnalysisQueued: false };
    return { status: 202, body: { ...body, requestId } };
  }
  const { outcome, id, correlationId, count, suppressedBy } = receipt;
  const isDuplicate = outcome === 'duplicate_updated';
  const body = {
    eventId: id && eventIdOf(id),
    status: outcome,
    correlationId,
    isDuplicate,
    aiAnalysisQueued: isAnalysing && outcome === 'created',
    ...(isDuplicate && { occurrenceCount: count }),
    ...(suppressedBy !== undefined && { suppressedBy }),
  };
  return { status: outcome === 'created' ? 201 : 200, body };
};

export const ingest = endpoint<MonitorAction, Ingested>({
  id: 'events.ingest',
  summary: 'Ingest an event',
  description:
    'Duplicates increment the open event. `status: "resolved"` resolves the event with the same source and sourceId.',
  tag: 'Events',
  permission: 'events.ingest',
  limit: 'ingest',
  mounts: on.events.post('/ingest', {
    status: 201,
    alsoStatus: [200, 202],
    body: IngestRequest,
    reply: IngestReply,
    read: ({ body }) => ('title' in body ? openingOf(body) : recoveryOf(body)),
    present: (ingested, { requestId }) => ingestReply(ingested, requestId),
  }),
  async handle(action, { tenant, ports, receivedAt, idempotencyKey }) {
    const settings = await analysingSettings(ports, tenant);
    const [receipt] = await receiveOrNote(ports, [action as EventAction], { tenant, receivedAt, idempotencyKey });
    return { receipt: receipt ? accepted(receipt) : null, isAnalysing: settings !== null };
  },
});
