import { z } from 'zod';
import type { EventDraft, MonitorAction } from '#domain/event/draft.ts';
import { RESOLUTION_CATEGORIES, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import { bag } from '#schemas/http/cmdb/attributes.ts';
import { exactlyOneOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import { Time } from '#schemas/http/time.ts';
import { EventFilterBody } from './event-filter.ts';

/** Requests of the event surface. Unknown fields are ignored here. */

const text = (max: number) => z.string().max(max);
const name = text(4_096);
/** Text without surrounding spaces, and not blank. */
const filled = (max: number) => z.string().max(max).trim().min(1);

const User = z.object({ _id: name, username: name, name }).partial({ username: true, name: true });
const Team = z.object({ _id: name, name });

const core = { source: filled(4_096), sourceId: filled(4_096) };
const optional = {
  description: text(32_768).optional(),
  category: name.optional(),
  timestamp: Time.optional(),
  hostname: name.optional(),
  ipAddress: name.optional(),
  service: name.optional(),
  application: name.optional(),
  environment: name.optional(),
  ciId: name.optional(),
  tags: z.array(text(256)).max(100).optional(),
  details: bag.optional(),
  assignedTo: User.optional(),
  assignedTeam: Team.optional(),
  businessImpact: z
    .object({
      level: name,
      affectedServices: z
        .array(z.object({ id: name, name, criticality: name }))
        .max(100)
        .default([]),
      affectedUsers: name.nullable().default(null),
    })
    .optional(),
  status: z.enum(['open', 'acknowledged', 'suppressed']).optional(),
};

/** A single event. */
export const EventInput = z
  .object({ ...core, severity: z.enum(SEVERITIES), title: filled(1_024), ...optional })
  .meta({ id: 'EventInput' });
/** The end of a problem that was reported by ingest: the same source and sourceId. */
export const RecoveryInput = z
  .object({ ...core, status: z.literal('resolved'), timestamp: Time.optional(), description: text(32_768).optional() })
  .meta({ id: 'RecoveryInput' });

export const IngestRequest = z.discriminatedUnion('status', [RecoveryInput, EventInput]).meta({ id: 'IngestRequest' });

const BULK_EVENTS = 5_000;
export const BulkRequest = z
  .object({ source: filled(4_096).optional(), events: z.array(z.unknown()).min(1).max(BULK_EVENTS) })
  .meta({
    id: 'BulkIngestRequest',
    description: 'Each event is an IngestRequest; its source defaults to that of the envelope.',
  });

const compiledEvent = z.compile(EventInput);
const compiledRecovery = z.compile(RecoveryInput);
const isRecovery = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && (item as { status?: unknown }).status === 'resolved';

export type ParsedItem =
  | { readonly ok: true; readonly action: MonitorAction }
  | { readonly ok: false; readonly problems: readonly { readonly field: string; readonly message: string }[] };

/** One event of an ingest or bulk body, checked; the compiled schemas keep bulk fast. */
export const parseEventItem = (item: unknown): ParsedItem => {
  if (isRecovery(item)) {
    const parsed = compiledRecovery.safeParse(item);
    return parsed.success
      ? { ok: true, action: recoveryOf(parsed.data) }
      : { ok: false, problems: itemProblems(parsed.error, item) };
  }
  const parsed = compiledEvent.safeParse(item);
  return parsed.success
    ? { ok: true, action: openingOf(parsed.data) }
    : { ok: false, problems: itemProblems(parsed.error, item) };
};

const itemProblems = (error: z.ZodError, item: unknown): { field: string; message: string }[] =>
  problemsOf(error, item).map(({ field, reason }) => ({ field: field === 'body' ? 'event' : field, message: reason }));

export const openingOf = (input: z.output<typeof EventInput>): MonitorAction => {
  const { assignedTo, assignedTeam, ...rest } = input;
  const draft = {
    ...rest,
    ...(assignedTo && {
      assignedTo: {
        id: assignedTo._id,
        username: assignedTo.username ?? assignedTo._id,
        name: assignedTo.name ?? assignedTo._id,
      },
    }),
    ...(assignedTeam && { assignedTeam: { id: assignedTeam._id, name: assignedTeam.name } }),
  } as EventDraft;
  return { action: 'open', draft, conditionId: null, plain: true };
};

export const recoveryOf = (input: z.output<typeof RecoveryInput>): MonitorAction => ({
  action: 'resolve',
  source: input.source,
  sourceId: input.sourceId,
  conditionId: null,
  ...(input.timestamp !== undefined && { at: input.timestamp }),
  ...(input.description !== undefined && { notes: input.description }),
});

/** Absent: it stays. */
const assignee = (description: string) => z.string().min(1).max(255).nullable().optional().meta({ description });

export const SetStatusRequest = z
  .object({
    status: z.enum(['acknowledged', 'resolved', 'suppressed']),
    notes: text(4_096).optional(),
    resolutionCategory: z.enum(RESOLUTION_CATEGORIES).optional(),
    assignedTo: assignee('User ID or username; null unassigns'),
    assignedTeam: assignee('Team ID or name; null unassigns'),
  })
  .meta({ id: 'SetStatusRequest' });

export const V1SetStatusRequest = z
  .strictObject({
    status: z.enum(['acknowledged', 'resolved', 'suppressed']),
    comment: text(4_096).optional(),
    assigned_to: assignee('User ID or username; null unassigns'),
    assigned_team: assignee('Team ID or name; null unassigns'),
  })
  .meta({ id: 'V1SetStatusRequest' });

const MAX_IDS = 1_000;
/** The field is allowed with this status alone. */
const onlyIf = (field: string, status: (typeof STATUSES)[number]) => ({
  if: { required: [field] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { properties: { status: { const: status } } },
});
/** Status change of one or of many events. */
export const StatusOfManyRequest = z
  .object({
    ids: z.array(name.min(1)).min(1).max(MAX_IDS).optional(),
    correlationId: name.min(1).optional().meta({ description: 'Group ID (current or merged)' }),
    filter: EventFilterBody.optional(),
    expect: z.int().min(0).optional().meta({ description: 'Maximum number of matching events; otherwise 409' }),
    status: z.enum(STATUSES),
    notes: text(4_096).optional(),
    resolutionCategory: z.enum(RESOLUTION_CATEGORIES).optional(),
    until: Time.optional().meta({
      description: 'End of the suppression, in the future: the event is then reopened. Default: open-ended',
    }),
  })
  .check(({ value: { ids, correlationId, filter, expect, status, resolutionCategory, until }, issues }) => {
    const say = (field: string, message: string): void => {
      issues.push({ code: 'custom', input: undefined, path: [field], message });
    };
    if ([ids, correlationId, filter].filter((which) => which !== undefined).length !== 1)
      say('ids', 'expected one of ids, correlationId and filter');
    if (filter !== undefined && expect === undefined)
      say('expect', 'expected the number of events that match the filter');
    if (filter === undefined && expect !== undefined) say('expect', 'requires filter');
    if (resolutionCategory !== undefined && status !== 'resolved')
      say('resolutionCategory', 'requires status resolved');
    if (until !== undefined && status !== 'suppressed') say('until', 'requires status suppressed');
  })
  .meta({
    id: 'StatusOfManyRequest',
    allOf: [
      ...exactlyOneOf('ids', 'correlationId', 'filter').allOf,
      onlyIf('resolutionCategory', 'resolved'),
      onlyIf('until', 'suppressed'),
    ],
    dependentRequired: { filter: ['expect'], expect: ['filter'] },
    example: { filter: { host: 'fra1-*', status: 'open' }, expect: 40, status: 'acknowledged', notes: 'Power is back' },
  });

export const NoteRequest = z.object({ text: filled(4_096) }).meta({ id: 'NoteRequest' });

export const AnalyzeRequest = z
  .object({ hours: z.number().int().min(1).max(168).default(24), autoCorrelate: z.boolean().default(false) })
  .meta({ id: 'AnalyzeCorrelationsRequest' })
  .prefault({});

export const ManualCorrelateRequest = z
  .object({
    primaryEventId: name.min(1),
    relatedEventIds: z.array(name.min(1)).min(1).max(1_000),
    reason: text(4_096).optional(),
    notes: text(4_096).optional(),
  })
  .meta({ id: 'ManualCorrelateRequest' });

/** Field in replies of ingest. */
export const SuppressedBy = z.string().optional().meta({
  description: 'Silence (SIL-…) or CI in maintenance (maintenance:…) that suppresses the event',
});

const WebhookResult = z.object({
  sourceId: z.string().nullable(),
  action: z
    .string()
    .meta({ description: 'Requested action: open, resolve, acknowledge, suppress, unsuppress, confirm, ignore' }),
  status: z.string().meta({
    description:
      'Result: created, duplicate_updated (also if one of several conditions ended), resolved, acknowledged, suppressed, reopened, confirmed, ignored, queued',
  }),
  eventId: z.string().nullable(),
  reason: z.string().optional().meta({ description: 'Reason when ignored' }),
});
/** Outcome of the notification of a monitoring system. */
export const WebhookReply = succeeded({
  source: z.string(),
  received: z.number().int(),
  results: z.array(WebhookResult),
  rejected: z.array(z.object({ index: z.number().int(), error: z.string() })),
  status: z.string().optional(),
  message: z.string().optional(),
  dedup_key: z.string().optional(),
}).meta({ id: 'WebhookReply' });
