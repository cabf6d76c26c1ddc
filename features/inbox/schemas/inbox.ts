import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { CHANNELS, DELIVERY_RESULTS, INBOX_KINDS, NO_RULES } from '#features/inbox/rules/inbox.ts';
import { IsoTime, TIME_OF_DAY } from '#schemas/http/time.ts';

const Item = z.object({
  id: z.string(),
  kind: z.enum(INBOX_KINDS).meta({
    description:
      'created: a new group, or an event in none; assigned: to you or your teams; mentioned: in a note; worse: more severe since the acknowledgment; silence: yours ends within 30 minutes; source: it stopped sending',
  }),
  at: IsoTime,
  by: z.object({ id: z.string(), name: z.string() }).nullable(),
  subject: z.object({ kind: z.enum(['group', 'event', 'silence']), id: z.string() }),
  title: z.string().meta({ description: 'With its CI or host' }),
  severity: z.enum(SEVERITIES).nullable(),
  read: z.boolean(),
  deliveries: z
    .array(
      z.object({
        channel: z.enum(CHANNELS),
        at: IsoTime,
        result: z.enum(DELIVERY_RESULTS),
        reason: z.string().nullable(),
      }),
    )
    .meta({ description: 'Notifications outside the inbox, newest first' }),
});
export const InboxBody = z
  .object({ items: z.array(Item), unread: z.int().min(0) })
  .meta({ id: 'Inbox', description: 'Newest first, of the last 7 days, at most 50' });

const Undo = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('operation'), id: z.string() }),
    z.object({ kind: z.literal('status'), id: z.string(), status: z.string() }),
    z.object({ kind: z.literal('silence'), id: z.string() }),
  ])
  .nullable()
  .meta({ description: 'Operation to undo, status to restore, or silence to end; null: it cannot be undone any more' });
export const ActivityBody = z
  .array(
    z.object({
      id: z.string(),
      at: IsoTime,
      action: z.string().meta({ example: 'event.acknowledged' }),
      subject: z.object({ kind: z.enum(['group', 'event', 'silence']), id: z.string() }),
      title: z.string().meta({ description: 'Title of the first subject, with its CI or host' }),
      more: z.int().min(0).meta({ description: 'Further subjects' }),
      text: z.string().nullable().meta({ description: 'Note or reason' }),
      undo: Undo,
    }),
  )
  .meta({ id: 'Activity', description: 'Newest first, of the last 7 days, at most 50' });

export const InboxReadRequest = z
  .strictObject({
    ids: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(50)
      .optional()
      .meta({ description: 'Absent: all, with shown: none' }),
    state: z
      .enum(['read', 'shown'])
      .default('read')
      .meta({ description: 'shown: a browser notification was shown; such items stay unread' }),
  })
  .meta({ id: 'InboxReadRequest' });

const clock = z.string().regex(TIME_OF_DAY, 'expected a time of day such as 08:00').meta({ example: '08:00' });
export const InboxRulesBody = z
  .strictObject({
    created: z
      .array(z.enum(SEVERITIES))
      .max(SEVERITIES.length)
      .default([...NO_RULES.created])
      .meta({ description: 'Severities of new groups, and of new events in none; empty: no such items' }),
    severities: z
      .array(z.enum(SEVERITIES))
      .max(SEVERITIES.length)
      .default([...NO_RULES.severities])
      .meta({ description: 'Severities of assigned and worse ones; empty: all' }),
    services: z
      .array(z.string().trim().min(1).max(255))
      .max(50)
      .default([...NO_RULES.services])
      .meta({ description: 'Names of services; empty: all' }),
    notify: z.boolean().default(NO_RULES.notify).meta({ description: 'Browser notifications' }),
    mail: z.email('expected an email address').max(254).nullable().default(NO_RULES.mail).meta({
      description: 'Email address for new items, sent only with FAULTLINE_SMTP_URL; null: no email',
      example: 'ann@example.com',
    }),
    hours: z
      .strictObject({ from: clock, to: clock })
      .nullable()
      .default(NO_RULES.hours)
      .meta({ description: 'Hours of browser notifications and email in your time zone; null: at any time' }),
  })
  .meta({ id: 'InboxRules' });
export const InboxRulesReply = InboxRulesBody.extend({
  sends_email: z.boolean().meta({ description: 'This server has a mail server, and you are a user of this tenant' }),
}).meta({ id: 'StoredInboxRules' });
