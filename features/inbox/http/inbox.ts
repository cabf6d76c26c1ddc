import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { InboxRules } from '#features/inbox/rules/inbox.ts';
import { ActivityBody, InboxBody, InboxReadRequest, InboxRulesBody } from '#features/inbox/schemas/inbox.ts';
import { type OwnAct, readActivity } from '#features/inbox/use-cases/read-activity.ts';
import { readInbox, type ShownItem } from '#features/inbox/use-cases/read-inbox.ts';
import { markRead, putRules, rulesOf } from '#features/inbox/use-cases/records.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const common = { tag: 'Console', permission: 'events.read' } as const;
const none = (): undefined => undefined;

const itemView = ({ id, kind, at, by, subject, title, severity, isRead }: ShownItem) => ({
  id,
  kind,
  at: iso(at),
  by: by && { id: by.id, name: by.name },
  subject: { ...subject },
  title,
  severity,
  read: isRead,
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

const read = endpoint<readonly string[] | null, void>({
  ...common,
  id: 'inbox.read',
  summary: 'Update read state of inbox items',
  mounts: on.platform.post('/inbox/read', {
    body: InboxReadRequest,
    reply: wrapped(Message),
    read: ({ body }) => body.ids ?? null,
    present: () => ({ body: { message: 'Marked as read' } }),
  }),
  handle: (ids, context) => markRead(context, ids),
});

const present = (rules: InboxRules) => ({
  body: { ...rules, severities: [...rules.severities], services: [...rules.services] },
});

const getRules = endpoint<undefined, InboxRules>({
  ...common,
  id: 'inbox.rules.get',
  summary: 'Get your notification rules',
  mounts: on.platform.get('/inbox/rules', { reply: wrapped(InboxRulesBody), read: none, present }),
  handle: (_, context) => rulesOf(context),
});

const setRules = endpoint<InboxRules, InboxRules>({
  ...common,
  id: 'inbox.rules.update',
  alsoFaults: ['unprocessable'],
  summary: 'Replace your notification rules',
  description: 'Severities and services choose among groups and events that are assigned to you or became worse.',
  mounts: on.platform.put('/inbox/rules', {
    body: InboxRulesBody,
    reply: wrapped(InboxRulesBody),
    read: ({ body }) => body,
    present,
  }),
  handle: (rules, context) => putRules(context, rules),
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
