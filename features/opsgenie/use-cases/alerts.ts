import type { UseCaseContext } from '#application/access/context.ts';
import { amended } from '#application/events/amended.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { findAssignees } from '#application/events/find-assignees.ts';
import { noteAsked } from '#application/events/note-asked.ts';
import { takeWebhook } from '#application/events/sources/take-webhook.ts';
import { operate } from '#application/groups/operations/operate.ts';
import { type Event, eventIdOf, parseEventId } from '#domain/event/event.ts';
import type { Ask } from '#domain/event/incoming.ts';
import { notFound } from '#domain/fault.ts';
import { ulidOfUuid } from '#domain/texts/ulid-uuid.ts';
import { type AlertRequest, requestOf } from '#features/opsgenie/rules/request-id.ts';
import { opsgenie } from '#sources/opsgenie/opsgenie.ts';

/** Event of an alias, by its hash: clients name alerts by nothing else. */
const KIND = 'opsgenie-alias';
const KEPT_MS = 90 * 86_400_000;

interface AliasRecord {
  readonly eventId: string;
}

/** An alert as a path names it. */
export interface AlertName {
  readonly identifier: string;
  readonly type: 'id' | 'alias';
}

const noteAlias = async ({ ports, tenant, receivedAt }: UseCaseContext, alias: string, eventId: string) => {
  const id = ports.crypto.sha256(alias);
  const known = await ports.records.get<AliasRecord>(tenant, KIND, id);
  if (known?.body.eventId !== eventId)
    await ports.records.put<AliasRecord>(tenant, KIND, id, { eventId }, { expiresAt: receivedAt + KEPT_MS });
};

/** The event of an alert; null for an unknown one, and for an event of another source. */
export const alertNamed = async ({ ports, tenant }: UseCaseContext, { identifier, type }: AlertName) => {
  const eventId =
    type === 'id'
      ? ulidOfUuid(identifier)
      : (await ports.records.get<AliasRecord>(tenant, KIND, ports.crypto.sha256(identifier)))?.body.eventId;
  const event = eventId ? await ports.events.get(tenant, eventId) : null;
  return event?.source === opsgenie.name ? event : null;
};

/** Throws Fault `not-found`. */
export const requireAlert = async (context: UseCaseContext, name: AlertName): Promise<Event> => {
  const event = await alertNamed(context, name);
  if (event === null) throw notFound('Alert', name.identifier);
  return event;
};

type AlertBody = Readonly<Record<string, unknown>>;
const asJson = { 'content-type': 'application/json' };

/** Stores an action as the source reads it. */
const send = async (context: UseCaseContext, action: string, alert: AlertBody): Promise<AlertRequest> => {
  const delivered = { body: { action, alert }, headers: asJson };
  const { results } = await takeWebhook({ segment: opsgenie.name, delivered }, context);
  const [{ eventId, sourceId, status } = { eventId: null, sourceId: null, status: '' }] = results;
  const known = eventId === null ? null : parseEventId(eventId);
  if (action === 'Create' && known !== null && sourceId !== null) await noteAlias(context, sourceId, known);
  return { action: status === 'queued' ? status : action.toLowerCase(), eventId: known, at: context.receivedAt };
};

export const createAlert = (context: UseCaseContext, alert: AlertBody): Promise<AlertRequest> =>
  send(context, 'Create', alert);

export type AlertVerb = 'Close' | 'Acknowledge' | 'UnAcknowledge';

/** An unknown alert is no error, but the outcome of the request. */
export const changeAlert = async (
  context: UseCaseContext,
  name: AlertName,
  action: AlertVerb,
  said: AlertBody,
): Promise<AlertRequest> => {
  const alias = name.type === 'alias' ? name.identifier : (await alertNamed(context, name))?.sourceId;
  if (alias === undefined) return { action: action.toLowerCase(), eventId: null, at: context.receivedAt };
  return send(context, action, { ...said, alias });
};

const ask = async (
  context: UseCaseContext,
  name: AlertName,
  action: string,
  askOf: (event: Event) => Ask,
): Promise<AlertRequest> => {
  const event = await alertNamed(context, name);
  if (event !== null) await appendAndWait(context.ports, context.tenant, askOf(event), context.receivedAt);
  return { action, eventId: event?.id ?? null, at: context.receivedAt };
};

export const noteAlert = (context: UseCaseContext, name: AlertName, note: string, user: string | undefined) =>
  ask(context, name, 'addnote', ({ id }) => noteAsked(context, id, user === undefined ? note : `${note} (${user})`));

/** Changes fields of the alert, which is no occurrence of it. */
export const amendAlert = (context: UseCaseContext, name: AlertName, change: Parameters<typeof amended>[2]) =>
  ask(context, name, 'update', (event) => ({
    kind: 'occurred',
    occurrence: amended(event, context.ports.ids.ulid(), change),
  }));

/** The owner by ID or name, who must be a user. Throws Fault `invalid` for an unknown one. */
export const assignAlert = async (
  context: UseCaseContext,
  name: AlertName,
  { owner, note }: { readonly owner: string; readonly note?: string | undefined },
): Promise<AlertRequest> => {
  const wanted = { user: owner, fields: ['owner', 'owner'] } as const;
  const assignment = await findAssignees(context.ports.records, context.tenant, wanted);
  const event = await alertNamed(context, name);
  if (event !== null)
    await operate(context, { verb: 'assign', ids: [eventIdOf(event.id)], assignment, ...(note && { notes: note }) });
  return { action: 'assign', eventId: event?.id ?? null, at: context.receivedAt };
};

export interface ProcessedRequest {
  readonly request: AlertRequest;
  readonly event: Event | null;
}

/** Throws Fault `not-found`, also for a request that waits to be processed. */
export const findRequest = async (context: UseCaseContext, id: string): Promise<ProcessedRequest> => {
  const request = requestOf(id);
  if (request === null || request.action === 'queued') throw notFound('Request', id);
  const { eventId } = request;
  const event = eventId === null ? null : await context.ports.events.get(context.tenant, eventId);
  if (eventId !== null && event === null) throw notFound('Request', id);
  return { request, event };
};
