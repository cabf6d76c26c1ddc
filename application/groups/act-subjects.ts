import type { TenantContext } from '#application/access/context.ts';
import { eventIdOf, parseEventId } from '#domain/event/event.ts';
import type { ListedRow } from './listing/list-rows.ts';
import { type ToldRow, toldRows } from './listing/told-rows.ts';

/** Returns groups and events by the id that an action has named; deleted ones are left out. */
export async function actSubjects(
  context: TenantContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ToldRow>> {
  const { ports, tenant } = context;
  const events = await ports.events.getMany(
    tenant,
    ids.flatMap((id) => parseEventId(id) ?? []),
  );
  const groups = ids.filter((id) => parseEventId(id) === null);
  const found = await Promise.all(groups.map((id) => ports.groupRows.get(tenant, id)));
  const named: (readonly [string, ListedRow])[] = [
    ...events.map((event) => [eventIdOf(event.id), event] as const),
    ...groups.flatMap((id, at) => (found[at] == null ? [] : [[id, found[at]] as const])),
  ];
  const told = await toldRows(
    context,
    named.map(([, row]) => row),
  );
  return new Map(named.flatMap(([id], at) => (told[at] === undefined ? [] : [[id, told[at]] as const])));
}
