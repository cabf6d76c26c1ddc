import type { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import type { Event } from '#domain/event/event.ts';
import { uuidOf } from '#domain/texts/ulid-uuid.ts';
import { alertFields, SEVERITY_OF } from '#features/opsgenie/rules/alert-fields.ts';
import { type AlertRequest, requestIdOf } from '#features/opsgenie/rules/request-id.ts';
import {
  Accepted,
  ALERT_SORTS,
  AlertAction,
  type AlertActionBody,
  AlertNote,
  AlertPath,
  AlertsQuery,
  AssignAction,
  IdentifierQuery,
  NewAlert,
  type NewAlertBody,
  NewDescription,
  NewMessage,
  NewPriority,
  RequestPath,
  RequestStatus,
  ShownAlert,
  ShownAlerts,
  SnoozeAction,
} from '#features/opsgenie/schemas/opsgenie.ts';
import {
  type AlertName,
  type AlertVerb,
  amendAlert,
  assignAlert,
  changeAlert,
  createAlert,
  findRequest,
  noteAlert,
  type ProcessedRequest,
  requireAlert,
} from '#features/opsgenie/use-cases/alerts.ts';
import { type FoundAlerts, listAlerts } from '#features/opsgenie/use-cases/list-alerts.ts';
import { snoozeAlert } from '#features/opsgenie/use-cases/snooze.ts';
import { iso } from '#schemas/http/time.ts';
import { opsgenie } from '#sources/opsgenie/opsgenie.ts';

export const taking = {
  tag: 'Opsgenie',
  permission: 'events.webhook',
  limit: 'webhook',
  lenientCredentials: true,
} as const;

export const tookSince = ({ receivedAt, ports }: Context): number =>
  Math.max(0, ports.clock.now() - receivedAt) / 1_000;

const accepting = {
  status: 202,
  reply: Accepted,
  present: (request: AlertRequest, context: Context) => ({
    body: { result: 'Request will be processed', took: tookSince(context), requestId: requestIdOf(request) },
  }),
} as const;

const create = endpoint<NewAlertBody, AlertRequest>({
  ...taking,
  id: 'opsgenie.alerts.create',
  summary: 'Create an alert (Opsgenie)',
  bringsEvents: true,
  sourceOf: () => opsgenie.name,
  mounts: on.opsgenie.post('/alerts', { ...accepting, body: NewAlert, read: ({ body }) => body }),
  handle: (alert, context) => createAlert(context, alert),
});

interface AlertRequestRead {
  readonly params: z.output<typeof AlertPath>;
  readonly query: z.output<typeof IdentifierQuery>;
}
const naming = { params: AlertPath, query: IdentifierQuery } as const;
const nameOf = ({ params, query }: AlertRequestRead): AlertName => ({
  identifier: params.identifier,
  type: query.identifierType,
});

interface NamedChange<Body> {
  readonly name: AlertName;
  readonly body: Body;
}

const changing = (verb: AlertVerb, summary: string) => {
  const path = verb.toLowerCase();
  return endpoint<NamedChange<AlertActionBody>, AlertRequest>({
    ...taking,
    id: `opsgenie.alerts.${path}`,
    summary,
    mounts: on.opsgenie.post(`/alerts/{identifier}/${path}`, {
      ...accepting,
      ...naming,
      body: AlertAction.default({}),
      read: ({ body, ...request }) => ({ name: nameOf(request), body }),
    }),
    handle: ({ name, body }, context) => changeAlert(context, name, verb, body),
  });
};

const note = endpoint<NamedChange<z.output<typeof AlertNote>>, AlertRequest>({
  ...taking,
  id: 'opsgenie.alerts.note',
  summary: 'Add a note (Opsgenie)',
  mounts: on.opsgenie.post('/alerts/{identifier}/notes', {
    ...accepting,
    ...naming,
    body: AlertNote,
    read: ({ body, ...request }) => ({ name: nameOf(request), body }),
  }),
  handle: ({ name, body }, context) => noteAlert(context, name, body.note, body.user),
});

type Amendment = Parameters<typeof amendAlert>[2];

const amending = <Body extends z.ZodType>(field: string, body: Body, changeOf: (said: z.output<Body>) => Amendment) =>
  endpoint<NamedChange<Amendment>, AlertRequest>({
    ...taking,
    id: `opsgenie.alerts.${field}`,
    summary: `Update the ${field} of an alert (Opsgenie)`,
    mounts: on.opsgenie.put(`/alerts/{identifier}/${field}`, {
      ...accepting,
      ...naming,
      body,
      read: (request) => ({ name: nameOf(request), body: changeOf(request.body as z.output<Body>) }),
    }),
    handle: ({ name, body: change }, context) => amendAlert(context, name, change),
  });

const deciding = { ...taking, permission: 'events.write', limit: 'standard' } as const;

const snooze = endpoint<NamedChange<z.output<typeof SnoozeAction>>, AlertRequest>({
  ...deciding,
  id: 'opsgenie.alerts.snooze',
  summary: 'Pause an alert (Opsgenie)',
  description: 'A silence for this alert. It opens again at endTime if it still fires.',
  alsoFaults: ['unprocessable'],
  mounts: on.opsgenie.post('/alerts/{identifier}/snooze', {
    ...accepting,
    ...naming,
    body: SnoozeAction,
    read: ({ body, ...request }) => ({ name: nameOf(request), body }),
  }),
  handle: ({ name, body: { endTime, note: said, user } }, context) =>
    snoozeAlert(context, name, { endsAt: endTime, note: said, user }),
});

const assign = endpoint<NamedChange<z.output<typeof AssignAction>>, AlertRequest>({
  ...deciding,
  id: 'opsgenie.alerts.assign',
  summary: 'Assign an alert (Opsgenie)',
  mounts: on.opsgenie.post('/alerts/{identifier}/assign', {
    ...accepting,
    ...naming,
    body: AssignAction,
    read: ({ body, ...request }) => ({ name: nameOf(request), body }),
  }),
  handle: ({ name, body: { owner, note: said } }, context) => assignAlert(context, name, { owner, note: said }),
});

const alertView = (event: Event) => {
  const { createdAt, updatedAt, lastOccurredAt, ...fields } = alertFields(event);
  const until = fields.snoozed ? event.silencing?.until : undefined;
  return {
    ...fields,
    ...(until !== undefined && { snoozedUntil: iso(until) }),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    lastOccurredAt: iso(lastOccurredAt),
  };
};

type AlertListing = z.output<typeof AlertsQuery>;
interface ListedAlerts extends FoundAlerts {
  readonly asked: AlertListing;
}

const linkTo = ({ baseUrl }: Context, { query, ...page }: AlertListing, offset: number): string => {
  const fields = { ...(query !== undefined && { query: query.text }), ...page, offset };
  const texts = Object.entries(fields).map(([name, one]): [string, string] => [name, String(one)]);
  return `${baseUrl}/v2/alerts?${new URLSearchParams(texts)}`;
};

const list = endpoint<AlertListing, ListedAlerts>({
  ...taking,
  id: 'opsgenie.alerts.list',
  summary: 'List alerts (Opsgenie)',
  description:
    'Fields of queries are those of the alerts, with the operators : = != and, for times and count, > >= < <=; AND, OR, NOT and parentheses. An asterisk matches any characters.',
  permission: 'events.read',
  limit: 'query',
  alsoFaults: ['unprocessable'],
  mounts: on.opsgenie.get('/alerts', {
    query: AlertsQuery,
    reply: ShownAlerts,
    read: ({ query }) => query,
    present: ({ alerts, hasMore, asked }, context) => ({
      body: {
        data: alerts.map(alertView),
        paging: {
          first: linkTo(context, asked, 0),
          ...(hasMore && { next: linkTo(context, asked, asked.offset + asked.limit) }),
        },
        took: tookSince(context),
        requestId: context.requestId,
      },
    }),
  }),
  handle: async (asked, context) => {
    const { query, sort, ...page } = asked;
    return { ...(await listAlerts(context, { ...page, query: query?.meant ?? null, sort: ALERT_SORTS[sort] })), asked };
  },
});

const get = endpoint<AlertName, Event>({
  ...taking,
  id: 'opsgenie.alerts.get',
  summary: 'Get an alert (Opsgenie)',
  permission: 'events.read',
  limit: 'query',
  mounts: on.opsgenie.get('/alerts/{identifier}', {
    ...naming,
    reply: ShownAlert,
    read: nameOf,
    present: (event, context) => ({
      body: { data: alertView(event), took: tookSince(context), requestId: context.requestId },
    }),
  }),
  handle: (name, context) => requireAlert(context, name),
});

const requestStatus = endpoint<string, ProcessedRequest>({
  ...taking,
  id: 'opsgenie.alerts.request',
  summary: 'Get the outcome of a request (Opsgenie)',
  description: 'Requests that are still queued are not found.',
  mounts: on.opsgenie.get('/alerts/requests/{requestId}', {
    params: RequestPath,
    reply: RequestStatus,
    read: ({ params }) => params.requestId,
    present: ({ request: { action, at }, event }, context) => ({
      body: {
        data: {
          success: event !== null,
          isSuccess: event !== null,
          action,
          processedAt: iso(at),
          integrationId: context.caller.credentialId,
          status: event === null ? 'Alert does not exist' : 'Processed',
          alertId: event === null ? '' : uuidOf(event.id),
          alias: event?.sourceId ?? '',
        },
        took: tookSince(context),
        requestId: context.requestId,
      },
    }),
  }),
  handle: (id, context) => findRequest(context, id),
});

export const alertEndpoints = [
  create,
  changing('Close', 'Resolve an alert (Opsgenie)'),
  changing('Acknowledge', 'Acknowledge an alert (Opsgenie)'),
  changing('UnAcknowledge', 'Unacknowledge an alert (Opsgenie)'),
  note,
  snooze,
  assign,
  amending('message', NewMessage, ({ message }) => ({ title: message })),
  amending('description', NewDescription, ({ description }) => ({ description })),
  amending('priority', NewPriority, ({ priority }) => ({ severity: SEVERITY_OF[priority] })),
  list,
  get,
  requestStatus,
];
