import type { UseCaseContext } from '#application/access/context.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { findEvent } from '#application/events/find-event.ts';
import { noteAsked } from '#application/events/note-asked.ts';
import { noteOnGroup } from '#application/groups/assignment.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { judgeGroup } from '#application/groups/judge-group.ts';
import { operate } from '#application/groups/operations/operate.ts';
import { amendNote } from '#application/records/amend-note.ts';
import type { Caller } from '#domain/access/caller.ts';
import { isTenantId } from '#domain/access/tenant.ts';
import { leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Event, HistoryEntry } from '#domain/event/event.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { Fault, notFound } from '#domain/fault.ts';
import { type ReplyAction, type ReplyRead, readReply } from '#features/replies/rules/read-reply.ts';
import { isSigned, type SignedReply } from '#features/replies/rules/signature.ts';
import { createSilence } from '#features/silences/use-cases/silences.ts';
import { matches, subscribes } from '#features/webhooks/rules/filter.ts';
import { idInKey } from '#features/webhooks/rules/formats/facts.ts';
import {
  REPLIED,
  REPLY_KEPT_MS,
  type RepliedState,
  repliedId,
  type Webhook,
} from '#features/webhooks/rules/webhook.ts';
import { subjectsOf } from '#features/webhooks/use-cases/resources/subjects.ts';
import { GROUP_KINDS } from '#features/webhooks/use-cases/sources/groups.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';

/** Key of an incident of the service, by webhook and incident. */
const INCIDENT = 'webhook-incident';
const SEEN = 50;
const HOUR_MS = 3_600_000;

/** States that the service knows after its reply. */
const STATES: Readonly<Partial<Record<ReplyAction, RepliedState['state']>>> = {
  acknowledge: 'acknowledged',
  unacknowledge: 'open',
  resolve: 'resolved',
  reopen: 'open',
};
const EVENT_KINDS = ['event.created', 'event.status_changed', 'event.ungrouped', 'event.ungrouped_resolved'] as const;

export interface ReplyInput {
  readonly webhookId: string;
  readonly tenant: string;
  readonly reply: SignedReply;
}

/** The user of the other tool. */
const replier = (tenant: string, { id }: Webhook, by: string): Caller => ({
  id: by,
  username: by,
  name: by,
  tenant,
  kind: 'integration',
  role: null,
  permissions: new Set(['events.read', 'events.write']),
  credentialId: id,
  limits: { tenant: {}, token: {} },
});

const refused = (): Fault => new Fault('unauthenticated', 'Unknown webhook or invalid signature');

/** Throws Fault `unauthenticated`, the same for all reasons. */
const requireSigned = async (context: UseCaseContext, { webhookId, tenant, reply }: ReplyInput): Promise<Webhook> => {
  const { ports, receivedAt } = context;
  const all = isTenantId(tenant) ? await webhooksOf(ports, tenant) : [];
  const webhook = all.find(({ id, active }) => active && id === webhookId);
  if (webhook === undefined || !isSigned(ports.crypto.hmac, webhook, reply, receivedAt)) throw refused();
  return webhook;
};

/** The subject, by its key or by the incident that an earlier reply named with it. */
const keyOf = async ({ ports, tenant, receivedAt }: UseCaseContext, webhook: Webhook, { key, incident }: ReplyRead) => {
  const id = incident === undefined ? null : repliedId(webhook, incident);
  if (key !== null && id !== null)
    await ports.records.put(tenant, INCIDENT, id, { key }, { expiresAt: receivedAt + REPLY_KEPT_MS });
  if (key !== null || id === null) return key;
  return (await ports.records.get<{ readonly key: string }>(tenant, INCIDENT, id))?.body.key ?? null;
};

/** False for a subject that was never sent to the webhook. */
const isKnown = async ({ ports, tenant, receivedAt: at }: UseCaseContext, webhook: Webhook, key: string) => {
  const isGroup = key.startsWith('group ');
  const kinds = isGroup ? GROUP_KINDS : EVENT_KINDS;
  if (!kinds.some((kind) => subscribes(webhook, kind))) return false;
  const id = idInKey(key);
  const resource = isGroup
    ? ({ kind: 'correlation', id } as const)
    : ({ kind: 'event', id: (await findEvent(ports, tenant, id)).id } as const);
  const subjects = await subjectsOf(ports, tenant, [{ kind: kinds[0], resource, sequence: 0, at }]);
  const subject = subjects.get(`${resource.kind} ${resource.id}`);
  return subject !== undefined && matches(webhook.filter, subject);
};

/** Null for a group without a root cause. */
const leadingEvent = async ({ ports, tenant }: UseCaseContext, key: string): Promise<Event | null> => {
  const id = idInKey(key);
  const eventId = key.startsWith('event ') ? id : leadingEventOf(await findGroup(ports, tenant, id));
  return eventId === null ? null : findEvent(ports, tenant, eventId);
};

/** Clocks of other tools may be behind, ms. */
const SKEW_MS = 5_000;

/** True if the subject has changed since the reply: the last one who decides is right. A resolution yields to a reopening only. */
const isOvertaken = async (context: UseCaseContext, key: string, { action, at }: ReplyRead): Promise<boolean> => {
  if (STATES[action] === undefined) return false;
  const event = await leadingEvent(context, key);
  const isNews = ({ from, to }: HistoryEntry): boolean =>
    from !== null && from !== to && (action !== 'resolve' || to === 'open' || from === 'resolved');
  return event?.history.some((one) => isNews(one) && one.at > at + SKEW_MS) ?? false;
};

/** The cause, and everything that suffers by it. */
const matcherOf = ({ ci, hostname, title }: Event): SilenceMatcher =>
  ci !== null ? { below: ci.id } : hostname !== undefined ? { host: hostname } : { title };

const addNote = async (context: UseCaseContext, key: string, id: string, text: string): Promise<void> => {
  if (key.startsWith('group ')) {
    await noteOnGroup(context, id, text);
    return;
  }
  const { ports, tenant, receivedAt } = context;
  const event = await findEvent(ports, tenant, id);
  await appendAndWait(ports, tenant, noteAsked(context, event.id, text), receivedAt);
};

const carryOut = async (context: UseCaseContext, key: string, { action, note, by }: ReplyRead): Promise<void> => {
  const id = idInKey(key);
  if (action === 'note') return addNote(context, key, id, note ?? '');
  if (action === 'wrong-cause') {
    const verdict = { correlationId: id, cause: 'wrong', members: 'right' } as const;
    await judgeGroup(context, { ...verdict, ...(note !== undefined && { note }) });
    return;
  }
  if (action === 'silence') {
    const event = await leadingEvent(context, key);
    if (event === null) throw notFound('Root cause of group', id);
    await createSilence(context, {
      matcher: matcherOf(event),
      endsAt: context.receivedAt + HOUR_MS,
      reason: `1h by ${by}`,
    });
    return;
  }
  const { results } = await operate(context, { verb: action, ids: [id], ...(note !== undefined && { notes: note }) });
  const error = results[0]?.error ?? null;
  if (error !== null) throw new Fault('unprocessable', error);
};

const amendReplied = (
  { ports, tenant, receivedAt }: UseCaseContext,
  webhook: Webhook,
  key: string,
  change: (before: RepliedState | null) => RepliedState,
): Promise<void> => {
  const id = repliedId(webhook, key);
  return amendNote(ports.records, { tenant, kind: REPLIED, id, expiresAt: receivedAt + REPLY_KEPT_MS }, change);
};

/** True for a reply that is known, or that a newer one or a resolution has overtaken. */
const isOver = ({ action, at, id }: ReplyRead, before: RepliedState | null): boolean => {
  if (before === null) return false;
  if (before.seen.includes(id)) return true;
  if (STATES[action] === undefined) return false;
  return at < before.at || (before.state === 'resolved' && action === 'acknowledge');
};

/** Carries out the action of a user of another tool; true: something was done. */
export const takeReply = async (context: UseCaseContext, input: ReplyInput): Promise<boolean> => {
  const webhook = await requireSigned(context, input);
  const { ports, receivedAt } = context;
  const { tenant, reply: signed } = input;
  const reply = readReply(webhook.format, signed.text, receivedAt, signed.headers['webhook-id'] ?? '');
  if (reply === null) return false;
  const acting: UseCaseContext = {
    ports,
    tenant,
    receivedAt,
    address: context.address,
    signal: context.signal,
    department: null,
    ifMatch: null,
    idempotencyKey: `reply ${webhook.id} ${reply.id}`,
    caller: replier(tenant, webhook, reply.by),
  };
  const key = await keyOf(acting, webhook, reply);
  if (key === null || !(await isKnown(acting, webhook, key))) return false;
  const before = await ports.records.get<RepliedState>(tenant, REPLIED, repliedId(webhook, key));
  if (isOver(reply, before?.body ?? null) || (await isOvertaken(acting, key, reply))) return false;
  // First, so that the change is not sent back before it is known as a reply. The service may have changed since a late one.
  const state = STATES[reply.action];
  if (state !== undefined && receivedAt - reply.at <= SKEW_MS)
    await amendReplied(acting, webhook, key, (now) => ({ state, at: now?.at ?? reply.at, seen: now?.seen ?? [] }));
  await carryOut(acting, key, reply);
  await amendReplied(acting, webhook, key, (now) => ({
    state: now?.state ?? null,
    at: Math.max(reply.at, now?.at ?? 0),
    seen: [...(now?.seen ?? []), reply.id].slice(-SEEN),
  }));
  return true;
};
