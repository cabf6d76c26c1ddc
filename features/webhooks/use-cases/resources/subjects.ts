import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Service } from '#domain/services/service.ts';
import type { FilterSubject, Outgoing } from '#features/webhooks/rules/webhook.ts';

const servicesOf = (event: Event): string[] => [
  ...[event.service, event.application].filter((name) => name !== undefined),
  ...(event.businessImpact?.affectedServices ?? []).map(({ name }) => name),
];

export const eventSubject = (event: Event, isCause: boolean): FilterSubject => ({
  severity: event.severity,
  services: servicesOf(event),
  source: event.source,
  tags: event.tags,
  isCause,
  ...(event.ci !== null && { ciType: event.ci.type }),
});

const idsOf = (all: readonly Outgoing[], kind: Outgoing['resource']['kind']): string[] => [
  ...new Set(all.filter(({ resource }) => resource.kind === kind).map(({ resource }) => resource.id)),
];

const groupsOf = async ({ correlation }: Ports, tenant: string, ids: Iterable<string>): Promise<Map<string, Group>> => {
  const unique = [...new Set(ids)];
  const groups = await Promise.all(unique.map((id) => correlation.group(tenant, id)));
  return new Map(unique.flatMap((id, i) => (groups[i] ? [[id, groups[i]]] : [])));
};

const ofEvents = async (ports: Ports, tenant: string, ids: readonly string[]): Promise<[string, FilterSubject][]> => {
  const events = await ports.events.getMany(tenant, ids);
  const groups = await groupsOf(
    ports,
    tenant,
    events.flatMap(({ correlationId }) => correlationId ?? []),
  );
  return events.map((event) => {
    const group = event.correlationId === null ? undefined : groups.get(event.correlationId);
    const isCause = group === undefined || group.candidate?.eventId === event.id;
    return [`event ${event.id}`, eventSubject(event, isCause)];
  });
};

/** A group is like its cause. */
const ofGroups = async (ports: Ports, tenant: string, ids: readonly string[]): Promise<[string, FilterSubject][]> => {
  const groups = await groupsOf(ports, tenant, ids);
  const causes = await ports.events.getMany(
    tenant,
    [...groups.values()].flatMap(({ candidate }) => candidate?.eventId ?? []),
  );
  const byId = new Map(causes.map((event) => [event.id, event]));
  return [...groups].map(([id, { candidate }]) => {
    const cause = candidate === null ? undefined : byId.get(candidate.eventId);
    return [`correlation ${id}`, cause ? eventSubject(cause, true) : {}];
  });
};

const named = (services: readonly Service[]): string[] => services.map(({ name }) => name);

/** A deleted CI is matched by its last state. */
const ofCis = async (ports: Ports, tenant: string, told: readonly Outgoing[]): Promise<[string, FilterSubject][]> => {
  const ids = idsOf(told, 'ci');
  if (ids.length === 0) return [];
  const now = await ports.topology.getCis(tenant, ids);
  const there = new Set(now.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id));
  const at = Math.min(...told.map((one) => one.at)) - 1;
  const then = gone.length === 0 ? [] : await ports.topology.getCis(tenant, gone, at);
  const services = await ports.memory.services.of(tenant, ports.clock.now());
  return [...now, ...then].map((ci) => [
    `ci ${ci.id}`,
    { ciType: ci.type, services: named(services.get(ci.id) ?? []) },
  ]);
};

/** Fields that filters match, by kind and id of the resource; of existing ones. */
export const subjectsOf = async (
  ports: Ports,
  tenant: string,
  told: readonly Outgoing[],
): Promise<ReadonlyMap<string, FilterSubject>> => {
  const [events, groups, cis] = await Promise.all([
    ofEvents(ports, tenant, idsOf(told, 'event')),
    ofGroups(ports, tenant, idsOf(told, 'correlation')),
    ofCis(
      ports,
      tenant,
      told.filter(({ resource }) => resource.kind === 'ci'),
    ),
  ]);
  return new Map([...events, ...groups, ...cis]);
};
