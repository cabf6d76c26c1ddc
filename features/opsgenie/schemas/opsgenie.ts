import { z } from 'zod';
import { MAX_REACHED } from '#features/opsgenie/rules/alert-fields.ts';
import { parsedQuery } from '#features/opsgenie/rules/alert-query.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';

/* Bodies of Opsgenie's alert and heartbeat API. */

const shown = z.string().regex(/\S/);
const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const;
const priority = z.enum(PRIORITIES);
const description = z.string().max(15_000);
const message = shown.max(1_024).meta({ description: 'Title of the event' });
/** Fields about the sender. */
const from = { user: z.string().max(100).optional(), source: z.string().max(255).optional() };
const note = z.string().max(25_000);

export const NewAlert = z
  .looseObject({
    message,
    alias: shown.max(512).optional().meta({ description: 'Default: from message, entity and source' }),
    description: description.optional(),
    entity: z.string().max(512).optional().meta({ description: 'Host or CI' }),
    priority: priority.optional().meta({ description: 'Default: P3' }),
    tags: z.array(z.string()).max(100).optional(),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Labels' }),
    note: note.optional(),
    ...from,
  })
  .meta({
    id: 'OpsgenieNewAlert',
    example: { message: 'Nightly backup failed', alias: 'backup/nightly', entity: 'backup-1', priority: 'P2' },
  });
export type NewAlertBody = z.output<typeof NewAlert>;

const action = { ...from, note: note.optional() };
export const AlertAction = z.looseObject(action).meta({ id: 'OpsgenieAlertAction', example: { note: 'Fan replaced' } });
export type AlertActionBody = z.output<typeof AlertAction>;
export const AlertNote = z
  .looseObject({ ...action, note: shown.max(25_000) })
  .meta({ id: 'OpsgenieAlertNote', example: { note: 'Fan ordered' } });
export const NewMessage = z
  .looseObject({ message })
  .meta({ id: 'OpsgenieMessage', example: { message: 'Disk is full' } });
export const NewDescription = z.looseObject({ description }).meta({ id: 'OpsgenieDescription' });
export const NewPriority = z.looseObject({ priority }).meta({ id: 'OpsgeniePriority' });

export const SnoozeAction = z
  .looseObject({ ...action, endTime: Time })
  .meta({ id: 'OpsgenieSnooze', example: { endTime: '2026-11-20T12:00:00Z' } });
const named = z.string().min(1).max(255);
export const AssignAction = z
  .looseObject({
    ...action,
    owner: z
      .union([z.looseObject({ id: named }), z.looseObject({ username: named })], {
        error: 'expected the id or username of a user',
      })
      .transform(({ id, username }) => String(id || username)),
  })
  .meta({ id: 'OpsgenieAssign', example: { owner: { username: 'ann' } } });

/** Fields by which lists are sorted, with ours. */
export const ALERT_SORTS = {
  createdAt: 'createdAt',
  lastOccurredAt: 'lastOccurrence',
  count: 'occurrenceCount',
  priority: 'severity',
} as const;
export const AlertsQuery = z
  .strictObject({
    query: z
      .string()
      .max(1_000)
      .transform((text) => ({ text, meant: parsedQuery(text) }))
      .optional()
      .meta({ type: 'string', description: 'As status: open AND (priority: P1 OR tag: night*)' }),
    offset: z.coerce.number().int().min(0).max(MAX_REACHED).default(0),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    sort: z.enum(Object.keys(ALERT_SORTS) as [keyof typeof ALERT_SORTS]).default('createdAt'),
    order: z.enum(['asc', 'desc']).default('desc'),
  })
  .refine(({ offset, limit }) => offset + limit <= MAX_REACHED, {
    path: ['offset'],
    message: `expected at most ${MAX_REACHED} with limit`,
  });

export const AlertPath = z.object({ identifier: shown.max(512) });
export const RequestPath = z.object({ requestId: z.string().min(1).max(100) });
export const HeartbeatPath = z.object({ name: z.string().min(1).max(255) });
export const IdentifierQuery = z.object({
  identifierType: z.enum(['id', 'alias']).default('id').meta({ description: 'Kind of the identifier in the path' }),
});

const answer = { took: z.number(), requestId: z.string() };
export const Accepted = z.object({ result: z.string(), ...answer }).meta({ id: 'OpsgenieAccepted' });
export const RequestStatus = z
  .object({
    data: z.object({
      success: z.boolean(),
      isSuccess: z.boolean(),
      action: z.string(),
      processedAt: IsoTime,
      integrationId: z.string(),
      status: z.string(),
      alertId: z.string(),
      alias: z.string(),
    }),
    ...answer,
  })
  .meta({ id: 'OpsgenieRequestStatus' });
const shownAlert = {
  id: z.string(),
  tinyId: z.string(),
  alias: z.string(),
  message: z.string(),
  description: z.string(),
  status: z.enum(['open', 'closed']),
  acknowledged: z.boolean(),
  isSeen: z.boolean(),
  snoozed: z.boolean(),
  snoozedUntil: IsoTime.optional(),
  tags: z.array(z.string()),
  count: z.int(),
  priority,
  entity: z.string(),
  source: z.string(),
  owner: z.string(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  lastOccurredAt: IsoTime,
};
export const ShownAlert = z.object({ data: z.object(shownAlert), ...answer }).meta({ id: 'OpsgenieAlert' });
const link = z.string().meta({ description: 'URL' });
export const ShownAlerts = z
  .object({
    data: z.array(z.object(shownAlert).meta({ id: 'OpsgenieListedAlert' })),
    paging: z.object({ first: link, next: link.optional() }),
    ...answer,
  })
  .meta({ id: 'OpsgenieAlerts' });
