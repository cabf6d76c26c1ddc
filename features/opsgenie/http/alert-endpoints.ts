import type { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import type { Event } from '#domain/event/event.ts';
import { uuidOf } from '#domain/texts/ulid-uuid.ts';
import { type AlertRequest, requestIdOf } from '#features/opsgenie/rules/request-id.ts';
import {
  Accepted,
  AlertAction,
  type AlertActionBody,
  AlertNote,
  AlertPath,
  IdentifierQuery,
  NewAlert,
  type NewAlertBody,
  NewDescription,
  NewMessage,
  NewPriority,
  PRIORITY_OF,
  RequestPath,
  RequestStatus,
  SEVERITY_OF,
  ShownAlert,
} from '#features/opsgenie/schemas/opsgenie.ts';
import {
  type AlertName,
  type AlertVerb,
  amendAlert,
  changeAlert,
  createAlert,
  findRequest,
  noteAlert,
  type ProcessedRequest,
  requireAlert,
} from '#features/opsgenie/use-cases/alerts.ts';
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

const alertView = (event: Event) => ({
  id: uuidOf(event.id),
  tinyId: event.id.slice(-6),
  alias: event.sourceId,
  message: event.title,
  description: event.description ?? '',
  status: event.status === 'resolved' ? ('closed' as const) : ('open' as const),
  acknowledged: event.status === 'acknowledged',
  isSeen: event.status === 'acknowledged',
  snoozed: event.status === 'suppressed',
  tags: event.tags,
  count: event.count,
  priority: PRIORITY_OF[event.severity],
  entity: event.hostname ?? event.ipAddress ?? '',
  source: typeof event.details.sender === 'string' ? event.details.sender : '',
  owner: event.assignedTo?.name ?? event.acknowledgedBy?.name ?? '',
  createdAt: iso(event.createdAt),
  updatedAt: iso(event.updatedAt),
  lastOccurredAt: iso(event.lastOccurrence),
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
  amending('message', NewMessage, ({ message }) => ({ title: message })),
  amending('description', NewDescription, ({ description }) => ({ description })),
  amending('priority', NewPriority, ({ priority }) => ({ severity: SEVERITY_OF[priority] })),
  get,
  requestStatus,
];
