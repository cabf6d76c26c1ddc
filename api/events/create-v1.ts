import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { currentGroups } from '#application/events/group-membership.ts';
import { accepted, receive } from '#application/events/receive.ts';
import { readAfter } from '#application/records/read-after.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import { fitsJsonLimit, TOO_MUCH } from '#domain/json-size.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { GroupMembership } from '#schemas/http/events/event-view.ts';
import { severityOfV1, V1_SEVERITIES, V1Event, v1Event } from '#schemas/http/events/v1-event-view.ts';
import { Time } from '#schemas/http/time.ts';

const V1CreateEvent = z
  .strictObject({
    title: z.string().max(1_024).trim().min(1),
    description: z.string().max(32_768).optional(),
    severity: z.enum(V1_SEVERITIES),
    source: z.string().max(4_096).trim().min(1),
    source_id: z.string().max(4_096).trim().min(1),
    affected_cis: z.array(z.string().min(1).max(4_096)).max(100).optional(),
    metrics: z.record(z.string().max(256), z.number()).optional(),
    timestamp: Time.optional(),
  })
  .meta({ id: 'V1CreateEvent' });
type V1EventInput = z.output<typeof V1CreateEvent>;

interface Created {
  readonly event: Event;
  readonly place: GroupMembership | null;
  readonly isNew: boolean;
}

/** The first CI that is known carries the event; all that were named stay in the details. */
const draftOf = async (ports: Ports, tenant: string, input: V1EventInput): Promise<EventDraft> => {
  const affected = input.affected_cis ?? [];
  const known = await ports.topology.getCis(tenant, affected).catch(() => []);
  const ciId = affected.find((id) => known.some((ci) => ci.id === id)) ?? affected[0];
  const details = {
    ...(affected.length > 0 && { affectedCis: affected }),
    ...(input.metrics && { metrics: input.metrics }),
  };
  if (!fitsJsonLimit(details)) throw invalid(fitsJsonLimit(input.metrics ?? {}) ? 'affected_cis' : 'metrics', TOO_MUCH);
  return {
    source: input.source,
    sourceId: input.source_id,
    severity: severityOfV1(input.severity),
    title: input.title,
    ...(input.description !== undefined && { description: input.description }),
    ...(input.timestamp !== undefined && { timestamp: input.timestamp }),
    ...(ciId !== undefined && { ciId }),
    details,
  };
};

/** Appended to the log, and not handled in time. */
const QUEUED = 'Event queued';
const Queued = z.object({ message: z.string(), request_id: z.string() }).meta({ id: 'V1EventQueued' });

const presentCreated = ({ event, place, isNew }: Created) => ({
  status: isNew ? 201 : 200,
  body: { ...v1Event(event, place), message: isNew ? 'Event created' : 'Duplicate of an open event; count increased' },
  headers: { Location: `/v1/events/${eventIdOf(event.id)}` },
});

export const createV1Event = endpoint<V1EventInput, Created | null>({
  id: 'events.create',
  summary: 'Create an event',
  description: 'Duplicates of an open event increment its count and return 200.',
  tag: 'Events',
  permission: 'events.ingest',
  limit: 'ingest',
  mounts: on.v1.post('/events', {
    status: 201,
    replyHeaders: ['Location'],
    alsoStatus: [200, 202],
    body: V1CreateEvent,
    reply: z.union([V1Event.extend({ message: z.string() }), Queued]),
    read: ({ body }) => body,
    present: (created, { requestId }) =>
      created === null ? { status: 202, body: { message: QUEUED, request_id: requestId } } : presentCreated(created),
  }),
  async handle(input, { tenant, ports, receivedAt, idempotencyKey }) {
    const draft = await draftOf(ports, tenant, input);
    const arriving = { tenant, receivedAt, idempotencyKey };
    const [receipt] = await receive(ports, [{ action: 'open', draft, conditionId: null, plain: true }], arriving);
    const taken = receipt ? accepted(receipt) : null;
    if (!taken?.id) return null;
    // Unlike the other ingest endpoints, this one returns the event.
    const { id, outcome } = taken;
    return readAfter(async () => {
      await ports.eventLog.caughtUp();
      const event = await ports.events.get(tenant, id);
      if (event === null) return null;
      const place = (await currentGroups(ports, tenant, [event])).get(event.id) ?? null;
      return { event, place, isNew: outcome === 'created' };
    }, null);
  },
});
