import type { QueryContext } from '#application/access/context.ts';
import type { Event } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import type { EventSort } from '#domain/ports/events/event-store.ts';
import { alertFields, MAX_REACHED } from '#features/opsgenie/rules/alert-fields.ts';
import { type AlertQuery, filterOf, matchesQuery } from '#features/opsgenie/rules/alert-query.ts';
import { opsgenie } from '#sources/opsgenie/opsgenie.ts';

const PAGE = 1_000;

export interface AlertPage {
  readonly query: AlertQuery | null;
  readonly sort: EventSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}
export interface FoundAlerts {
  readonly alerts: readonly Event[];
  readonly hasMore: boolean;
}

/** Reads no further than the page needs. Throws Fault `unprocessable` where the query leaves too much to look at. */
export const listAlerts = async (
  { ports, tenant }: Pick<QueryContext, 'ports' | 'tenant'>,
  { query, sort, order, offset, limit }: AlertPage,
): Promise<FoundAlerts> => {
  const filter = { sources: [opsgenie.name], ...filterOf(query) };
  const found: Event[] = [];
  let [matched, seen] = [0, 0];
  for (let cursor: string | null | undefined; cursor !== null && found.length <= limit; ) {
    if (seen >= MAX_REACHED)
      throw new Fault('unprocessable', `query: more than ${MAX_REACHED} alerts to search; add a status or createdAt`);
    const page = { sort, order, limit: PAGE, ...(cursor !== undefined && { cursor }) } as const;
    const part = await ports.events.part(tenant, filter, page);
    for (const event of part.items) {
      if (query !== null && !matchesQuery(query, alertFields(event))) continue;
      if (matched >= offset && found.length <= limit) found.push(event);
      matched += 1;
    }
    seen += part.items.length;
    cursor = part.nextCursor;
  }
  return { alerts: found.slice(0, limit), hasMore: found.length > limit };
};
