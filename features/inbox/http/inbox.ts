import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { InboxRules } from '#features/inbox/rules/inbox.ts';
import {
  ActivityBody,
  InboxBody,
  InboxReadRequest,
  InboxRulesBody,
  InboxRulesReply,
} from '#features/inbox/schemas/inbox.ts';
import { type OwnAct, readActivity } from '#features/inbox/use-cases/read-activity.ts';
import { readInbox, type ShownItem } from '#features/inbox/use-cases/read-inbox.ts';
import { markRead, markShown, putRules, rulesOf } from '#features/inbox/use-cases/records.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const common = { tag: 'Console', permission: 'events.read' } as const;
const none = (): undefined => undefined;

const itemView = ({ id, kind, at, by, subject, title, severity, isRead, deliveries }: ShownItem) => ({
  id,
  kind,
  at: iso(at),
  by: by && { id: by.id, name: by.name },
  subject: { ...subject },
  title,
  severity,
  read: isRead,
  deliveries: deliveries.map((one) => ({
    channel: one.channel,
    at: iso(one.at),
    result: one.result,
    reason: one.reason,
  })),
});

const get = endpoint<undefined, readonly ShownItem[]>({
  ...common,
  id: 'inbox.get',
  summary: 'Get your inbox',
  limit: 'query',
  mounts: on.platform.get('/inbox', {
    reply: wrapped(InboxBody),
    read: none,
    present: (items): { body: z.output<typeof InboxBody> } => ({
      body: { items: items.map(itemView), unread: items.filter(({ isRead }) => !isRead).length },
    }),
  }),
  handle: (_, context) => readInbox(context),
});

type InboxMark = z.output<typeof InboxReadRequest>;
const read = endpoint<InboxMark, void>({
  ...common,
  id: 'inbox.read',
  summary: 'Update read state of inbox items',
  mounts: on.platform.post('/inbox/read', {
    body: InboxReadRequest,
    reply: wrapped(Message),
    read: ({ body }) => body,
    present: () => ({ body: { message: 'Updated' } }),
  }),
  handle: ({ ids = null, state }, context) =>
    state === 'shown' ? markShown(context, ids ?? []) : markRead(context, ids),
});

interface StoredRules {
  readonly rules: InboxRules;
  readonly sendsEmail: boolean;
}
const present = ({ rules, sendsEmail }: StoredRules) => ({
  body: {
    ...rules,
    created: [...rules.created],
    severities: [...rules.severities],
    services: [...rules.services],
    sends_email: sendsEmail,
  },
});

/** Visitors of a tenant have no user in it to send to. */
const sendsEmail = ({ ports, caller, tenant }: UseCaseContext): boolean =>
  ports.mailer.isOn && caller.tenant === tenant;

const getRules = endpoint<undefined, StoredRules>({
  ...common,
  id: 'inbox.rules.get',
  summary: 'Get your notification rules',
  mounts: on.platform.get('/inbox/rules', { reply: wrapped(InboxRulesReply), read: none, present }),
  handle: async (_, context) => ({ rules: await rulesOf(context), sendsEmail: sendsEmail(context) }),
});

const setRules = endpoint<InboxRules, StoredRules>({
  ...common,
  id: 'inbox.rules.update',
  summary: 'Replace your notification rules',
  description:
    'Services choose among groups and events that are new, assigned to you or became worse. `sends_email`: see FAULTLINE_SMTP_URL.',
  mounts: on.platform.put('/inbox/rules', {
    body: InboxRulesBody,
    reply: wrapped(InboxRulesReply),
    read: ({ body }) => body,
    present,
  }),
  handle: async (rules, context) => ({ rules: await putRules(context, rules), sendsEmail: sendsEmail(context) }),
});

const activity = endpoint<undefined, readonly OwnAct[]>({
  ...common,
  id: 'activity.get',
  summary: 'Get your recent actions',
  description: 'Actions on groups, events and silences, from the audit log.',
  limit: 'query',
  mounts: on.platform.get('/activity', {
    reply: wrapped(ActivityBody),
    read: none,
    present: (acts) => ({
      body: acts.map(({ at, subject, undo, ...act }) => ({
        ...act,
        at: iso(at),
        subject: { ...subject },
        undo: undo && { ...undo },
      })),
    }),
  }),
  handle: (_, context) => readActivity(context),
});

export const inboxEndpoints = [get, read, getRules, setRules, activity];
