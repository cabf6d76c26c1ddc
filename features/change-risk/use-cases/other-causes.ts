import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { paired } from '#domain/paired.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';

/** Groups that are looked at, and how many at once; events of others count as having no other cause. */
const MOST_GROUPS = 50;
const AT_ONCE = 10;

export type CausePorts = Pick<Ports, 'events' | 'correlation' | 'records'>;

async function groupsOf({ correlation }: CausePorts, tenant: string, ids: readonly string[]) {
  const groups = new Map<string, Group>();
  for (const some of slices(ids, AT_ONCE)) {
    const found = await Promise.all(some.map((id) => correlation.group(tenant, id)));
    for (const [id, group] of paired(some, found)) if (group !== null) groups.set(id, group);
  }
  return groups;
}

/**
 * By storage id of an event, the event that its group names as the cause, where that is another one and sure enough: what a broken
 * hypervisor took along was not caused by a deployment an hour before.
 */
export async function namedCauses(
  ports: CausePorts,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, Event>> {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))].slice(0, MOST_GROUPS);
  if (ids.length === 0) return new Map();
  const [groups, { abstainBelow }] = await Promise.all([
    groupsOf(ports, tenant, ids),
    aiSettings(ports.records, tenant),
  ]);
  const chosen = new Map(
    [...groups].flatMap(([id, { candidate }]) =>
      candidate !== null && candidate.confidence >= abstainBelow ? [[id, candidate.eventId] as const] : [],
    ),
  );
  const causes = new Map(
    (await ports.events.getMany(tenant, [...new Set(chosen.values())])).map((event) => [event.id, event] as const),
  );
  return new Map(
    events.flatMap((event) => {
      const cause = causes.get(chosen.get(event.correlationId ?? '') ?? '');
      return cause === undefined || cause.id === event.id ? [] : [[event.id, cause] as const];
    }),
  );
}
