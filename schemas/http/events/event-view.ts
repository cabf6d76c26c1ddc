import { z } from 'zod';
import type { GroupPlace } from '#domain/correlation/grouping/group-view.ts';
import { BINDING_METHODS, bindingConfidence } from '#domain/event/binding.ts';
import {
  type Actor,
  type Condition,
  type HistoryEntry as Entry,
  type Event,
  eventIdOf,
  RESOLUTION_CATEGORIES,
  SEVERITIES,
  STATUSES,
  type Team,
} from '#domain/event/event.ts';
import { OPTIONALLY_SAID } from '#domain/event/fields.ts';
import { alsoReportedBy, openConditions } from '#domain/event/lifecycle/conditions.ts';
import { silencedBy } from '#domain/event/lifecycle/suppression.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';
import { AiAnalysisBody, analysisView } from './analysis-view.ts';

/** An event in replies of the event surface (docs/specification.md §9). */

export const User = z.object({ _id: z.string(), username: z.string(), name: z.string() }).meta({ id: 'User' });
const Severity = z.enum(SEVERITIES);
const Status = z.enum(STATUSES);

const CorrelationMetadata = z
  .object({
    correlationType: z.string().nullable(),
    rootCauseEvent: z.string(),
    rootCauseCI: z.string().nullable(),
    confidence: z.number().int().min(0).max(100).meta({ description: 'Percent' }),
  })
  .meta({ id: 'CorrelationMetadata' });

export const EventBody = z
  .object({
    _id: z.string(),
    eventId: z.string(),
    source: z.string(),
    sourceId: z.string(),
    severity: Severity,
    status: Status,
    category: z.string().optional(),
    title: z.string(),
    description: z.string().optional(),
    timestamp: IsoTime,
    hostname: z.string().optional(),
    ipAddress: z.string().optional(),
    service: z.string().optional(),
    application: z.string().optional(),
    environment: z.string().optional(),
    correlationId: z.string().nullable(),
    correlationSignature: z.string(),
    ciId: z.object({ _id: z.string(), name: z.string(), type: z.string() }).optional(),
    binding: z
      .object({ method: z.enum(BINDING_METHODS), confidence: z.number().min(0).max(1) })
      .optional()
      .meta({ description: 'Binding method' }),
    occurrenceCount: z.number().int(),
    firstOccurrence: IsoTime,
    lastOccurrence: IsoTime,
    assignedTo: User.optional(),
    assignedTeam: z.object({ _id: z.string(), name: z.string() }).optional(),
    acknowledgedBy: User.optional(),
    acknowledgedAt: IsoTime.optional(),
    resolvedBy: User.optional(),
    resolvedAt: IsoTime.optional(),
    resolutionNotes: z.string().optional(),
    resolutionCategory: z.enum(RESOLUTION_CATEGORIES).optional(),
    aiAnalysis: AiAnalysisBody.optional(),
    businessImpact: z
      .object({
        level: z.string(),
        affectedServices: z.array(z.object({ id: z.string(), name: z.string(), criticality: z.string() })),
        affectedUsers: z.string().nullable(),
      })
      .optional(),
    details: z.record(z.string(), z.unknown()),
    tags: z.array(z.string()),
    supersedes: z
      .string()
      .optional()
      .meta({ description: 'Event superseded by this one (same problem, different severity)' }),
    supersededBy: z.string().optional().meta({ description: 'Event that superseded this one' }),
    problemSince: IsoTime.optional().meta({ description: 'Start of the problem, for an event that superseded others' }),
    returns: z.number().int().optional().meta({
      description:
        'Consecutive recurrences, each within an hour of the previous end; at 2 or more, the event is tagged flapping',
    }),
    suppressedBy: z.string().optional().meta({
      description:
        'Silence (SIL-…), CI in maintenance (maintenance:…) or end set by a user (manual:…) that suppresses it',
    }),
    suppressedUntil: IsoTime.optional().meta({ description: 'End of the suppression; omitted if open-ended' }),
    usual: z
      .boolean()
      .meta({ description: 'The same problem was active for most of the last four hours (recurring).' }),
    parentEventId: z.string().optional(),
    childEventIds: z.array(z.string()).optional(),
    correlationMetadata: CorrelationMetadata.optional(),
    createdAt: IsoTime,
    updatedAt: IsoTime,
  })
  .meta({ id: 'Event' });

/** An event of a list: a row has no details and no tags. */
export const ListedEvent = EventBody.partial({ details: true, tags: true }).meta({ id: 'ListedEvent' });

const TeamBody = z.object({ _id: z.string(), name: z.string() });
const HistoryEntry = z.object({
  at: IsoTime,
  by: User.nullable(),
  from: Status.nullable(),
  to: Status,
  severity: z.object({ from: Severity, to: Severity }).optional(),
  assignedTo: z.object({ from: User.nullable(), to: User.nullable() }).optional(),
  assignedTeam: z.object({ from: TeamBody.nullable(), to: TeamBody.nullable() }).optional(),
  notes: z.string().optional(),
});
const OpenCondition = z.object({
  id: z.string(),
  source: z.string().optional(),
  sourceId: z.string().optional(),
  title: z.string().optional(),
  severity: Severity.optional(),
  since: IsoTime.optional(),
  last: IsoTime.optional().meta({ description: 'Latest start' }),
});
/** A single event also shows its history and its conditions. */
export const EventDetail = EventBody.extend({
  history: z.array(HistoryEntry),
  conditions: z.array(OpenCondition).meta({ description: 'Open conditions; the event resolves when all recover' }),
  alsoReportedBy: z
    .array(z.string())
    .optional()
    .meta({ description: 'Other sources that report the same problem on the same system' }),
}).meta({ id: 'EventDetail' });

/** Added by the event's group: the current id of the group, and the event's position in it. */
export interface GroupMembership {
  readonly correlationId: string;
  readonly inGroup: GroupPlace | null;
}

const userView = (user: Actor): z.output<typeof User> => ({ _id: user.id, username: user.username, name: user.name });
const teamView = ({ id, name }: Team) => ({ _id: id, name });
const placeView = ({ correlationId, inGroup }: GroupMembership) => ({
  correlationId,
  ...(inGroup?.parentEventId && { parentEventId: inGroup.parentEventId }),
  ...(inGroup && inGroup.childEventIds.length > 0 && { childEventIds: inGroup.childEventIds }),
  ...(inGroup && { correlationMetadata: inGroup.correlationMetadata }),
});

const silencingView = (event: Event) => {
  const held = silencedBy(event);
  if (held === null) return null;
  return { suppressedBy: held.by, ...(held.until !== undefined && { suppressedUntil: iso(held.until) }) };
};

const copied = [...OPTIONALLY_SAID, 'description'] as const;

export const eventView = (event: Event, place: GroupMembership | null) => ({
  _id: event.id,
  eventId: eventIdOf(event.id),
  source: event.source,
  sourceId: event.sourceId,
  severity: event.severity,
  status: event.status,
  title: event.title,
  ...Object.fromEntries(copied.filter((key) => event[key] !== undefined).map((key) => [key, event[key]])),
  timestamp: iso(event.reportedTimestamp ?? event.timestamp),
  correlationId: event.correlationId,
  correlationSignature: event.signature,
  ...(event.ci && { ciId: { _id: event.ci.id, name: event.ci.name, type: event.ci.type } }),
  ...(event.ci?.method && { binding: { method: event.ci.method, confidence: bindingConfidence(event.ci.method) } }),
  occurrenceCount: event.count,
  firstOccurrence: iso(event.firstOccurrence),
  lastOccurrence: iso(event.lastOccurrence),
  ...(event.assignedTo && { assignedTo: userView(event.assignedTo) }),
  ...(event.assignedTeam && { assignedTeam: teamView(event.assignedTeam) }),
  ...(event.acknowledgedBy && { acknowledgedBy: userView(event.acknowledgedBy) }),
  ...(event.acknowledgedAt !== undefined && { acknowledgedAt: iso(event.acknowledgedAt) }),
  ...(event.resolvedBy && { resolvedBy: userView(event.resolvedBy) }),
  ...(event.resolvedAt !== undefined && { resolvedAt: iso(event.resolvedAt) }),
  ...(event.resolutionNotes !== undefined && { resolutionNotes: event.resolutionNotes }),
  ...(event.resolutionCategory !== undefined && { resolutionCategory: event.resolutionCategory }),
  ...(event.aiAnalysis && { aiAnalysis: analysisView(event.id, event.aiAnalysis) }),
  ...(event.businessImpact && { businessImpact: event.businessImpact }),
  details: event.details,
  tags: event.tags,
  ...(event.supersedes !== undefined && { supersedes: eventIdOf(event.supersedes) }),
  ...(event.supersededBy !== undefined && { supersededBy: eventIdOf(event.supersededBy) }),
  ...(event.problemSince !== undefined && { problemSince: iso(event.problemSince) }),
  ...(event.returns !== undefined && { returns: event.returns }),
  ...silencingView(event),
  usual: event.usual,
  createdAt: iso(event.createdAt),
  updatedAt: iso(event.updatedAt),
  ...(place && placeView(place)),
});

/** A row of a table: large fields that are not shown in it are left out. */
export const eventRow = (event: Event, place: GroupMembership | null) => {
  const {
    details: _details,
    tags: _tags,
    description: _description,
    aiAnalysis: _analysis,
    ...row
  } = eventView(event, place) as ReturnType<typeof eventView> & { description?: string };
  return row;
};

const moved = <T, V>({ from, to }: { readonly from: T | null; readonly to: T | null }, view: (one: T) => V) => ({
  from: from && view(from),
  to: to && view(to),
});
const entryView = ({ at, by, from, to, severity, assignedTo, assignedTeam, notes }: Entry) => ({
  at: iso(at),
  by: by && userView(by),
  from,
  to,
  ...(severity && { severity }),
  ...(assignedTo && { assignedTo: moved(assignedTo, userView) }),
  ...(assignedTeam && { assignedTeam: moved(assignedTeam, teamView) }),
  ...(notes !== undefined && { notes }),
});

const conditionView = (event: Event, { id, source, sourceId, title, severity, since, last }: Condition) => ({
  id,
  source: source ?? event.source,
  ...(sourceId !== undefined && { sourceId }),
  ...(title !== undefined && { title }),
  ...(severity && { severity }),
  ...(since !== undefined && { since: iso(since) }),
  ...(last !== undefined && { last: iso(last) }),
});

const othersView = (event: Event): { readonly alsoReportedBy?: string[] } => {
  const others = alsoReportedBy(event);
  return others.length === 0 ? {} : { alsoReportedBy: [...others] };
};

export const eventDetail = (event: Event, place: GroupMembership | null) => ({
  ...eventView(event, place),
  conditions: openConditions(event).map((condition) => conditionView(event, condition)),
  ...othersView(event),
  history: event.history.map(entryView),
});
