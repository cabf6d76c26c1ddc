import { ulidTime } from '#domain/access/ulid-time.ts';
import { type GroupStatus, isOn, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { loneUrgencyOf, urgencyOf } from '#domain/correlation/grouping/urgency.ts';
import { type Event, SEVERITIES, type Severity, type Status } from '#domain/event/event.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { EventFilter, EventSort } from '#domain/ports/events/event-store.ts';
import type { GroupRowFilter, GroupRowSort } from '#domain/ports/events/group-rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { mergedPage, type PagedList } from './merge-pages.ts';

/** A group, or an event in none. */
export type ListedRow = ListedGroup | Event;
export const isLone = (row: ListedRow): row is Event => !('group' in row);

type RowPorts = Pick<Ports, 'groupRows' | 'events'>;
type Paging = PageRequest<GroupRowSort>;

const STATUSES: Readonly<Record<GroupStatus, readonly Status[]>> = {
  active: ['open'],
  acknowledged: ['acknowledged'],
  resolved: ['resolved', 'suppressed'],
};

const ALL: readonly GroupStatus[] = ['active', 'acknowledged', 'resolved'];

/** Events in no group that a filter of groups finds, from a severity up; null: such a filter finds none. */
function loneFilter(filter: GroupRowFilter, least: Severity): EventFilter | null {
  const { statuses = ALL, severities = SEVERITIES, hasOpen, assignee, verdict, growing } = filter;
  const { service, source, host, ci, from, to, search } = filter;
  const severe = SEVERITIES.slice(0, SEVERITIES.indexOf(least) + 1).filter((one) => severities.includes(one));
  const standing = statuses
    .flatMap((status) => STATUSES[status])
    .filter((status) => hasOpen === undefined || hasOpen === isOn(status));
  if (severe.length === 0 || standing.length === 0 || growing === true || typeof verdict === 'string') return null;
  return {
    grouped: false,
    usual: false,
    severities: severe,
    statuses: standing,
    ...(assignee !== undefined && { assignee }),
    ...(service !== undefined && { services: [service] }),
    ...(source !== undefined && { sources: [source] }),
    ...(host !== undefined && { hosts: [canonicalHost(host)] }),
    ...(ci !== undefined && { ciId: ci }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(search !== undefined && { search }),
  };
}

interface Order {
  readonly sort: EventSort;
  readonly keyOf: (event: Event) => number;
}
const byTime: Order = { sort: 'timestamp', keyOf: ({ timestamp }) => timestamp };
/** Events of one severity are in the order of their ids, which is that of their creation. */
const bySeverity: Order = {
  sort: 'severity',
  keyOf: (event) => loneUrgencyOf(event, ulidTime(event.id) ?? event.createdAt),
};

const loneOrder = (sort: GroupRowSort): Order => (sort === 'size' ? { ...byTime, keyOf: () => 1 } : byTime);

/** Open events precede acknowledged ones by urgency, and those ended ones: a list of each. */
function loneLists(
  ports: RowPorts,
  tenant: string,
  filter: EventFilter,
  { sort, order }: Paging,
): PagedList<ListedRow>[] {
  const list = (statuses: readonly Status[], { sort: by, keyOf }: Order): PagedList<ListedRow>[] => {
    const some = statuses.filter((status) => filter.statuses?.includes(status));
    if (some.length === 0) return [];
    const asked = { ...filter, statuses: some };
    const find: PagedList<ListedRow>['find'] = (page) => ports.events.find(tenant, asked, { sort: by, order, ...page });
    return [{ find, keyOf: (row) => keyOf(row as Event) }];
  };
  if (sort !== 'urgency') return list(filter.statuses ?? [], loneOrder(sort));
  return [
    ...list(['open'], bySeverity),
    ...list(['acknowledged'], bySeverity),
    ...list(['resolved', 'suppressed'], byTime),
  ];
}

const groupKey =
  (sort: GroupRowSort) =>
  (row: ListedGroup): number =>
    sort === 'urgency' ? urgencyOf(row) : row.group[sort];

/** Groups and events in none, from a severity up, in one order. Further pages are read by cursor. */
export function findRows(
  ports: RowPorts,
  tenant: string,
  filter: GroupRowFilter,
  page: Paging,
  least: Severity,
): Promise<Page<ListedRow>> {
  const { sort, order, limit, cursor } = page;
  const keyOf = groupKey(sort);
  const groups: PagedList<ListedRow> = {
    find: (part) => ports.groupRows.find(tenant, filter, { sort, order, ...part }),
    keyOf: (row) => keyOf(row as ListedGroup),
  };
  const lone = loneFilter(filter, least);
  const lists = [groups, ...(lone === null ? [] : loneLists(ports, tenant, lone, page))];
  return mergedPage(lists, order, { limit, ...(cursor !== undefined && { cursor }) });
}
