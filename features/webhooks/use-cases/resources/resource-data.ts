import { relationshipsOf } from '#application/cmdb/ci-relationships.ts';
import { joinOne } from '#application/cmdb/join-ends.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { groupMemberships } from '#application/events/group-membership.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { quietTimeMs, statusAt } from '#domain/correlation/grouping/groups.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Data } from '#features/webhooks/rules/body.ts';
import type { Outgoing } from '#features/webhooks/rules/webhook.ts';
import { v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { relationshipBody } from '#schemas/http/cmdb/relationships.ts';
import { eventDetail, eventView } from '#schemas/http/events/event-view.ts';
import { groupAnalysis } from '#schemas/http/events/group-view.ts';
import { groupState } from './group-state.ts';

type Read = (ports: Ports, tenant: string, outgoing: Outgoing) => Promise<Data | null>;

const eventData: Read = async (ports, tenant, { resource: { id } }) => {
  const event = await ports.events.get(tenant, id);
  if (event === null) return null;
  const place = event.correlationId === null ? null : (await groupMemberships(ports, tenant, [event])).get(id);
  return { event: eventDetail(event, place ?? null) };
};

const causeOf = ({ events }: Ports, tenant: string, id: string | undefined): Promise<Event | null> =>
  id === undefined ? Promise.resolve(null) : events.get(tenant, id);

const groupData: Read = async (ports, tenant, { resource: { id } }) => {
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
  return { correlation: { ...groupAnalysis(group, first), status, state, rootCause } };
};

/** One that is gone by now is shown as it was when it happened. */
const ciData: Read = async (ports, tenant, { resource: { id }, at }) => {
  const [now] = await ports.topology.getCis(tenant, [id]);
  const [ci] = now === undefined ? await ports.topology.getCis(tenant, [id], at) : [now];
  if (ci === undefined) return null;
  const [seen, lastSeen] = await Promise.all([
    now === undefined ? [] : relationshipsOf(ports, tenant, id),
    ports.topology.lastSeen(tenant, [id]),
  ]);
  return { ci: v1CiDetail(ci, seen, lastSeen.get(id)) };
};

const relationshipData: Read = async (ports, tenant, { resource: { id }, at }) => {
  const { topology } = ports;
  const found = (await topology.getRelationship(tenant, id)) ?? (await topology.getRelationship(tenant, id, at));
  if (found === null) return null;
  return { relationship: relationshipBody(await joinOne({ tenant, ports }, found)) };
};

const READS: Readonly<Partial<Record<Outgoing['resource']['kind'], Read>>> = {
  event: eventData,
  correlation: groupData,
  ci: ciData,
  relationship: relationshipData,
};

/** The resource as GET shows it, under its kind; what came along where it came along, and the id alone of what is gone. */
export const resourceData: (...given: Parameters<Read>) => Promise<Data> = async (ports, tenant, outgoing) => {
  const { resource, data } = outgoing;
  if (data !== undefined) return data;
  return (await READS[resource.kind]?.(ports, tenant, outgoing)) ?? { [resource.kind]: { id: resource.id } };
};
