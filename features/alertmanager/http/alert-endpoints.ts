import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import {
  AlertGroups,
  AlertsQuery,
  GettableAlerts,
  PostableAlerts,
  WrittenAlerts,
} from '#features/alertmanager/schemas/alertmanager.ts';
import {
  type AlertFilter,
  groupAlerts,
  type ListedAlert,
  listAlerts,
  RECEIVER,
} from '#features/alertmanager/use-cases/list-alerts.ts';
import { postAlerts } from '#features/alertmanager/use-cases/post-alerts.ts';
import { iso } from '#schemas/http/time.ts';

/** All endpoints of the dialect accept the token as a password. */
export const reading = {
  tag: 'Alertmanager',
  permission: 'alertmanager.read',
  limit: 'query',
  lenientCredentials: true,
} as const;
export const EMPTY = { type: 'text/plain; charset=utf-8', content: '' };
const MAX_BYTES = 10 * 1_024 * 1_024;

const post = endpoint<readonly unknown[], void>({
  ...reading,
  id: 'alertmanager.alerts.create',
  summary: 'Ingest alerts',
  description:
    'As Prometheus does it. Valid alerts are stored even if others are not. An alert with endsAt in the past is resolved. Alerts that are not repeated before endsAt end if their sender still sends others.',
  permission: 'alertmanager.write',
  limit: 'webhook',
  bringsEvents: true,
  sourceOf: () => 'prometheus',
  mounts: on.alertmanager.post('/alerts', {
    body: PostableAlerts,
    bodyTypes: { 'application/json': WrittenAlerts },
    maxBytes: MAX_BYTES,
    itemDepth: 3,
    reply: z.string(),
    replyType: EMPTY.type,
    read: ({ body }) => body,
    present: () => ({ body: null, raw: EMPTY }),
  }),
  handle: postAlerts,
});

const filterOf = (query: z.output<typeof AlertsQuery>): AlertFilter => ({
  active: query.active ?? true,
  silenced: query.silenced ?? true,
  inhibited: query.inhibited ?? true,
  muted: query.muted ?? true,
  matchers: query.filter,
  receiver: query.receiver ?? null,
});

const alertView = ({ condition: _, group: _group, startsAt, endsAt, updatedAt, ...alert }: ListedAlert) => ({
  ...alert,
  startsAt: iso(startsAt),
  endsAt: iso(endsAt),
  updatedAt: iso(updatedAt),
  receivers: [{ name: RECEIVER }],
});

const list = endpoint<AlertFilter, readonly ListedAlert[]>({
  ...reading,
  id: 'alertmanager.alerts.list',
  summary: 'List alerts',
  description:
    'Events that are not resolved, at most 10,000. Suppressed events are silenced; effects of a probable root cause are inhibited by it, unless the correlation setting showEffectsAs is active.',
  mounts: on.alertmanager.get('/alerts', {
    query: AlertsQuery,
    reply: GettableAlerts,
    read: ({ query }) => filterOf(query),
    present: (alerts) => ({ body: alerts.map(alertView) }),
  }),
  handle: (filter, context) => listAlerts(context, filter),
});

const groups = endpoint<AlertFilter, readonly ListedAlert[]>({
  ...reading,
  id: 'alertmanager.groups.list',
  summary: 'List alerts by group',
  description: 'One group for each correlation group, and for each name of ungrouped alerts.',
  mounts: on.alertmanager.get('/alerts/groups', {
    query: AlertsQuery,
    reply: AlertGroups,
    read: ({ query }) => filterOf(query),
    present: (found) => ({
      body: groupAlerts(found).map(({ labels, alerts }) => ({
        labels,
        routeLabels: {},
        receiver: { name: RECEIVER },
        alerts: alerts.map(alertView),
      })),
    }),
  }),
  handle: (filter, context) => listAlerts(context, filter),
});

export const alertEndpoints = [post, list, groups];
