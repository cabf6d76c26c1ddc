import { z } from 'zod';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { type NamedFacets, namedFacets } from '#application/events/finding/named-facets.ts';
import { resolveFilter } from '#application/events/finding/resolve-filter.ts';
import {
  type AskedAssignees,
  type Assignees,
  MAX_ASSIGNEES,
  searchAssignees,
} from '#application/events/finding/search-assignees.ts';
import {
  type EventsMeant,
  MAX_CHANGED,
  type StatusChangeInput,
  type StatusOfMany,
  setStatusOfMany,
} from '#application/events/finding/set-status-of-many.ts';
import { noteAsked } from '#application/events/note-asked.ts';
import { type SeenEvent, seen } from '#application/events/see-event.ts';
import { setStatusOfGroup } from '#application/groups/operations/status-of-group.ts';
import { readAfter } from '#application/records/read-after.ts';
import { assertDefined } from '#domain/assert.ts';
import {
  type Histogram,
  MAX_FACET_VALUES,
  MAX_HISTOGRAM_BUCKETS,
  MAX_LOOKED_AT,
} from '#domain/ports/events/event-summaries.ts';
import { commaWords } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { AssigneesReply } from '#schemas/http/events/assignees.ts';
import { type AskedFilter, askedFilter, eventFilterFields, withinTime } from '#schemas/http/events/event-filter.ts';
import { EventDetail, eventDetail } from '#schemas/http/events/event-view.ts';
import { NoteRequest, StatusOfManyRequest } from '#schemas/http/events/events.ts';
import { FacetsReply, HistogramReply, StatusOfManyReply } from '#schemas/http/events/found.ts';
import { iso, TIME_RANGES } from '#schemas/http/time.ts';
import { analyzeCorrelations } from './analyze-correlations.ts';
import { bulkIngest } from './bulk-ingest.ts';
import { correlateEvent } from './correlate.ts';
import { correlateManually } from './correlate-manually.ts';
import { getCorrelations } from './correlations.ts';
import { createV1Event } from './create-v1.ts';
import { explainEvents } from './explain.ts';
import { getEvent } from './get.ts';
import { histogramStep } from './histogram-step.ts';
import { ingest } from './ingest.ts';
import { listEvents } from './list.ts';
import { setStatus } from './set-status.ts';
import { eventStats } from './stats.ts';
import { webhook } from './webhook.ts';

interface StatusOfManyInput {
  readonly which: EventsMeant;
  readonly wish: StatusChangeInput;
}

const whichOf = ({ ids, correlationId, filter, expect }: z.output<typeof StatusOfManyRequest>): EventsMeant => {
  if (ids !== undefined) return { ids };
  if (correlationId !== undefined) return { correlationId };
  return { filter: assertDefined(filter, 'filter'), expect: assertDefined(expect, 'expected number') };
};

const statusOfMany = endpoint<StatusOfManyInput, StatusOfMany>({
  id: 'events.set-status-of-many',
  summary: 'Update event status in bulk',
  description: `IDs always apply. For groups and filters, \`acknowledged\` updates open events, \`suppressed\` open and acknowledged ones, \`resolved\` unresolved ones, and \`open\` all except events of a group that their source resolved. Updates up to ${MAX_CHANGED.toLocaleString('en')} events; if \`more\` is true, repeat the request with another Idempotency-Key. A resolved event can't be reopened while another event with the same problem is open; it is listed in \`failed\`. Returns 202 if some changes are \`queued\`.`,
  tag: 'Events',
  permission: 'events.write',
  limit: 'query',
  takesLong: true,
  alsoFaults: ['not-found', 'conflict'],
  mounts: on.events.post('/status', {
    alsoStatus: [202],
    body: StatusOfManyRequest,
    reply: StatusOfManyReply,
    read: ({ body }): StatusOfManyInput => ({
      which: whichOf(body),
      wish: { status: body.status, notes: body.notes, category: body.resolutionCategory, until: body.until },
    }),
    present: ({ failed, queued, ...counts }) => ({
      status: queued > 0 ? 202 : 200,
      body: { ...counts, queued, failed: failed.map(({ id, why }) => ({ eventId: id, error: why })) },
    }),
  }),
  handle: ({ which, wish }, context) =>
    'correlationId' in which
      ? setStatusOfGroup(context, which.correlationId, wish)
      : setStatusOfMany(context, which, wish),
});

interface NoteInput {
  readonly eventId: string;
  readonly text: string;
}
interface Noted extends SeenEvent {
  /** The note is in the log and not yet with the event. */
  readonly queued: boolean;
}

const addNote = endpoint<NoteInput, Noted>({
  id: 'events.add-note',
  summary: 'Add a note to an event',
  description: 'Adds the note to the history of the event. Returns 202 if the note is queued.',
  tag: 'Events',
  permission: 'events.write',
  limit: 'query',
  mounts: on.events.post('/{eventId}/notes', {
    params: z.object({ eventId: z.string() }),
    alsoStatus: [202],
    body: NoteRequest,
    reply: succeeded({ event: EventDetail }),
    read: ({ params, body }) => ({ eventId: params.eventId, text: body.text }),
    present: ({ event, place, queued }) => ({ status: queued ? 202 : 200, body: { event: eventDetail(event, place) } }),
  }),
  async handle({ eventId, text }, context) {
    const { tenant, ports, receivedAt } = context;
    const before = await seen(context, eventId);
    const { id } = before.event;
    const receipt = await appendAndWait(ports, tenant, noteAsked(context, id, text), receivedAt);
    const now = await readAfter(() => seen(context, id), null);
    return { ...(now ?? before), queued: receipt === null || now === null };
  },
});

interface HistogramResult {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly counted: Histogram;
}

const eventHistogram = endpoint<AskedFilter, HistogramResult>({
  id: 'events.histogram',
  summary: 'Get an event histogram',
  description: `Accepts the filters of the event list; default range: last 24 hours. Counts by event time in up to ${MAX_HISTOGRAM_BUCKETS} buckets aligned to the step, omitting empty ones. Filters other than status, severity and time evaluate up to ${MAX_LOOKED_AT.toLocaleString('en')} events; see \`truncated\`.`,
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/histogram', {
    query: z.strictObject(eventFilterFields).check(withinTime),
    reply: HistogramReply,
    read: ({ query }) => askedFilter(query),
    present: ({ from, to, stepMs, counted: { buckets, truncated } }) => ({
      body: {
        from: iso(from),
        to: iso(to),
        stepMs,
        buckets: buckets.map(({ at, bySeverity }) => ({ at: iso(at), bySeverity })),
        truncated,
      },
    }),
  }),
  async handle(asked, context) {
    const { tenant, ports, receivedAt } = context;
    const { from: asOf, to = Math.max(receivedAt, asOf ?? 0), ...filter } = await resolveFilter(context, asked);
    const from = asOf ?? Math.max(0, to - TIME_RANGES['24h']);
    const stepMs = histogramStep(from, to, MAX_HISTOGRAM_BUCKETS);
    return { from, to, stepMs, counted: await ports.eventSummaries.histogram(tenant, filter, { from, to, stepMs }) };
  },
});

const AssigneesQuery = z.strictObject({
  search: z.string().max(256).default('').meta({ description: 'Part of a name or username; all words must match' }),
  ids: commaWords('IDs, comma-separated; returns only these, including disabled users').optional(),
  administers: z.enum(['true']).optional().meta({ description: 'Only users who can grant roles; no teams' }),
});

const eventAssignees = endpoint<Omit<AskedAssignees, 'caller'>, Assignees>({
  id: 'events.assignees',
  summary: 'Find assignees',
  description: `Enabled users and teams by name, your teams first; up to ${MAX_ASSIGNEES} of each.`,
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/assignees', {
    query: AssigneesQuery,
    reply: AssigneesReply,
    read: ({ query: { search, administers, ids } }) => ({
      search,
      administers: administers === 'true',
      ids: ids ?? null,
    }),
    present: ({ users, teams }) => ({
      body: {
        users: users.map(({ id, username, name }) => ({ _id: id, username, name })),
        teams: teams.map(({ id, name, mine }) => ({ _id: id, name, mine })),
      },
    }),
  }),
  handle: (asked, { tenant, ports, caller }) => searchAssignees(ports.records, tenant, { ...asked, caller: caller.id }),
});

const eventFacets = endpoint<AskedFilter, NamedFacets>({
  id: 'events.facets',
  summary: 'Get event facets',
  description: `Accepts the filters of the event list. Returns the ${MAX_FACET_VALUES} most frequent values of each field. Above ${MAX_LOOKED_AT.toLocaleString('en')} events only the newest may be counted (see \`truncated\`). \`total\` is exact.`,
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/facets', {
    query: z.strictObject(eventFilterFields).check(withinTime),
    reply: FacetsReply,
    read: ({ query }) => askedFilter(query),
    present: ({ total, facets, truncated }) => ({ body: { total, facets, truncated } }),
  }),
  async handle(asked, context) {
    const { tenant, ports } = context;
    const filter = await resolveFilter(context, asked);
    return namedFacets(ports, tenant, await ports.eventSummaries.facets(tenant, filter));
  },
});

export const eventEndpoints: readonly AnyEndpoint[] = [
  ingest,
  bulkIngest,
  webhook,
  createV1Event,
  listEvents,
  eventStats,
  eventFacets,
  eventHistogram,
  eventAssignees,
  getEvent,
  setStatus,
  statusOfMany,
  addNote,
  getCorrelations,
  correlateEvent,
  correlateManually,
  analyzeCorrelations,
  explainEvents,
];
