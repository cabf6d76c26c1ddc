import { relationshipsOf } from '#application/cmdb/ci-relationships.ts';
import { joinOne } from '#application/cmdb/join-ends.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { groupMemberships } from '#application/events/group-membership.ts';
import { wholeIn, wholesOf } from '#application/groups/cause-wholes.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { quietTimeMs, statusAt } from '#domain/correlation/grouping/groups.ts';
import type { Event } from '#domain/event/event.ts';
import type { PostFailure } from '#domain/ports/outbound.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { signedRequest } from '#features/webhooks/rules/attempt.ts';
import { type BodyData, type StandardBody, standardBody } from '#features/webhooks/rules/body.ts';
import { factsOf } from '#features/webhooks/rules/formats/facts.ts';
import { formatted } from '#features/webhooks/rules/formats/formatted.ts';
import { TRACKERS } from '#features/webhooks/rules/tickets/trackers.ts';
import {
  type Attempt,
  type Delivery,
  type Outgoing,
  REPLIED,
  REPLY_KEPT_MS,
  type RepliedState,
  repliedId,
  type Webhook,
} from '#features/webhooks/rules/webhook.ts';
import { v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipBody } from '#schemas/http/cmdb/relationships.ts';
import { eventDetail, eventView } from '#schemas/http/events/event-view.ts';
import { groupAnalysis } from '#schemas/http/events/group-view.ts';
import { groupState } from '../resources/group-state.ts';
import { isStillWanted } from './judge.ts';
import { DELIVERY_KINDS, expiryOf } from './records.ts';
import { isSuccess, sendTicket } from './send-ticket.ts';

type Loader = (ports: Ports, tenant: string, outgoing: Outgoing) => Promise<BodyData | null>;

const eventData: Loader = async (ports, tenant, { resource: { id } }) => {
  const event = await ports.events.get(tenant, id);
  if (event === null) return null;
  const place = event.correlationId === null ? null : (await groupMemberships(ports, tenant, [event])).get(id);
  return { event: eventDetail(event, place ?? null) };
};

const causeOf = ({ events }: Ports, tenant: string, id: string | undefined): Promise<Event | null> =>
  id === undefined ? Promise.resolve(null) : events.get(tenant, id);

const groupData: Loader = async (ports, tenant, { resource: { id } }) => {
  const group = await ports.correlation.group(tenant, id);
  if (group === null) return null;
  const [settings, first, root, state] = await Promise.all([
    correlationSettings(ports.records, tenant),
    firstArrival(ports, tenant),
    causeOf(ports, tenant, group.candidate?.eventId),
    groupState(ports, tenant, group),
  ]);
  const status = statusAt(group, ports.clock.now() - quietTimeMs(settings));
  const rootCause = root && eventView(root, { correlationId: group.id, inGroup: null });
  const whole = (await wholesOf(ports, tenant, [group])).get(wholeIn(group.candidate) ?? '');
  const causeByParts = whole && { id: whole.id, name: whole.name, type: whole.type };
  return {
    correlation: { ...groupAnalysis(group, first), status, state, rootCause, ...(causeByParts && { causeByParts }) },
  };
};

/** One that is gone by now is shown as it was when it happened. */
const ciData: Loader = async (ports, tenant, { resource: { id }, at }) => {
  const [now] = await ports.topology.getCis(tenant, [id]);
  const [ci] = now === undefined ? await ports.topology.getCis(tenant, [id], at) : [now];
  if (ci === undefined) return null;
  const [seen, lastSeen] = await Promise.all([
    now === undefined ? [] : relationshipsOf(ports, tenant, id),
    ports.topology.lastSeen(tenant, [id]),
  ]);
  return { ci: v1CiDetail(ci, seen, lastSeen.get(id)) };
};

const relationshipData: Loader = async (ports, tenant, { resource: { id }, at }) => {
  const { topology } = ports;
  const found = (await topology.getRelationship(tenant, id)) ?? (await topology.getRelationship(tenant, id, at));
  if (found === null) return null;
  return { relationship: relationshipBody(await joinOne({ tenant, ports }, found)) };
};

const READS: Readonly<Partial<Record<Outgoing['resource']['kind'], Loader>>> = {
  event: eventData,
  correlation: groupData,
  ci: ciData,
  relationship: relationshipData,
};

/**
 * Returns the resource as GET shows it, under its kind; stored data where there is some, and the id alone of a deleted
 * one.
 */
const resourceData: (...given: Parameters<Loader>) => Promise<BodyData> = async (ports, tenant, outgoing) => {
  const { resource, data } = outgoing;
  if (data !== undefined) return data;
  return (await READS[resource.kind]?.(ports, tenant, outgoing)) ?? { [resource.kind]: { id: resource.id } };
};

const TIMEOUT_MS = 15_000;

export interface Sending {
  readonly ports: Ports;
  readonly tenant: string;
  readonly webhook: Webhook;
}
/** A delivery that has its body. */
export interface FrozenDelivery extends Delivery {
  readonly body: string;
}

/**
 * Stores the body before an attempt; null when the format has no equivalent, or its event turned out to be no cause.
 * Throws Fault `precondition` when another process was faster.
 */
export const freeze = async (
  sending: Sending,
  { id, revision, body: delivery }: StoredRecord<Delivery>,
): Promise<StoredRecord<FrozenDelivery> | null> => {
  const { ports, tenant, webhook } = sending;
  // Receivers of other formats cannot compare sequences, so each attempt shows the current state.
  if (delivery.body !== null && webhook.format === 'standard')
    return { id, revision, body: delivery as FrozenDelivery };
  if (!(await isStillWanted(sending, delivery.outgoing))) return null;
  const data = await resourceData(ports, tenant, delivery.outgoing);
  const standard = standardBody({ webhook, delivery, data });
  if (await isEcho(sending, standard)) return null;
  const told = formatted(webhook.format, standard, webhook.replySecret !== undefined);
  if (told === null) return null;
  const body: FrozenDelivery = { ...delivery, ...told };
  const options = { expected: revision, expiresAt: expiryOf(delivery, ports.clock.now()) };
  return { id, body, revision: await ports.records.put(tenant, DELIVERY_KINDS.delivery, id, body, options) };
};

/** True for a state that the receiver itself has set: it knows. */
const isEcho = async ({ ports, tenant, webhook }: Sending, body: StandardBody): Promise<boolean> => {
  const { key, state } = factsOf(body);
  if (key === null || state === null) return false;
  const id = repliedId(webhook, key);
  const replied = await ports.records.get<RepliedState>(tenant, REPLIED, id);
  if (replied === null || replied.body.state === null) return false;
  if (replied.body.state === state) return true;
  // It learns of another state, and of its own one again if that returns.
  const expiresAt = ports.clock.now() + REPLY_KEPT_MS;
  await ports.records.put<RepliedState>(tenant, REPLIED, id, { ...replied.body, state: null }, { expiresAt });
  return false;
};

const attempted = (at: number, status: number, ms: number, answer = ''): Attempt => ({
  at,
  status,
  ms,
  error: isSuccess(status) ? null : `status ${status}${answer === '' ? '' : `: ${answer}`}`,
});

/** Sends one signed POST; null when this process stops before the outcome is known. */
export const send = async (
  sending: Sending,
  delivery: Pick<FrozenDelivery, 'id' | 'body' | 'contentType'>,
  signal: AbortSignal,
): Promise<Attempt | null> => {
  const { ports, webhook } = sending;
  const { clock, crypto, outbound } = ports;
  const [at, since] = [clock.now(), clock.steady()];
  const tracker = TRACKERS[webhook.format];
  try {
    if (tracker !== undefined) {
      const status = await sendTicket(sending, tracker, delivery.body);
      return attempted(at, status, Math.round(clock.steady() - since));
    }
    const request = signedRequest(crypto.hmac, webhook, delivery, at);
    const { status, ms, answer } = await outbound.post(webhook.url, { ...request, timeoutMs: TIMEOUT_MS, signal });
    return attempted(at, status, ms, answer);
  } catch (error) {
    if (signal.aborted) return null;
    const { class: failure = 'failed' } = error as Partial<PostFailure>;
    return { at, status: null, ms: Math.round(clock.steady() - since), error: failure };
  }
};
