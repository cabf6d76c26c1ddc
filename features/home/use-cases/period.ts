import type { TimedContext } from '#application/access/context.ts';
import { recentActions } from '#application/access/recent-actions.ts';
import { findRows, isLone, type ListedRow } from '#application/groups/listing/list-rows.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import { isOn, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { titleWithPlace } from '#domain/event/event-words.ts';
import type { GroupRowFilter, GroupRowSort } from '#domain/ports/events/group-rows.ts';
import { actionsByUser, LONGEST, longestOf, type PeriodRow, type UserActions } from '#features/home/rules/period.ts';

/** Rows read of a period. */
const MAX_ROWS = 300;
const MAX_USERS = 10;

/** Groups, and events in none. */
export interface HomePeriod {
  /** ms. */
  readonly from: number;
  /** Their number that began in it, and of these the unresolved. */
  readonly began: number;
  readonly unresolved: number;
  /** More than 300 began. */
  readonly hasMore: boolean;
  /** Resolved ones with events in it. */
  readonly resolved: number;
  readonly longest: readonly PeriodRow[];
  readonly users: readonly UserActions[];
}

interface Untitled extends Omit<PeriodRow, 'title'> {
  /** Storage id of the event whose title it has. */
  readonly event: string | null;
}

const rowOf = (row: ListedRow): Untitled => {
  if (isLone(row)) {
    const { id, severity, status, timestamp, lastOccurrence, resolvedAt } = row;
    const to = isOn(status) ? null : (resolvedAt ?? lastOccurrence);
    return { id: eventIdOf(id), kind: 'event', severity, from: timestamp, to, event: id };
  }
  const { group, state } = row;
  const to = state.status === 'resolved' ? state.lastActivity : null;
  return { id: group.id, kind: 'group', severity: state.severity, from: group.first, to, event: leadingEventOf(row) };
};

interface RowOrder {
  readonly sort: GroupRowSort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Returns what happened since a time, ms, from the rows of groups and the audit log. */
export async function readPeriod(context: TimedContext, from: number): Promise<HomePeriod> {
  const { ports, tenant, receivedAt: now } = context;
  const { loneFrom } = await lifecycleSettings(ports.records, tenant);
  const find = (filter: GroupRowFilter, page: RowOrder) => findRows(ports, tenant, filter, page, loneFrom);
  const [newest, oldest, ended, actions] = await Promise.all([
    find({}, { sort: 'first', order: 'desc', limit: MAX_ROWS }),
    find({ statuses: ['active', 'acknowledged'] }, { sort: 'first', order: 'asc', limit: LONGEST }),
    find({ statuses: ['resolved'], from }, { sort: 'last', order: 'desc', limit: MAX_ROWS }),
    recentActions(context, now),
  ]);
  const began = newest.items.map(rowOf).filter((row) => row.from >= from);
  const longest = longestOf([...oldest.items, ...ended.items].map(rowOf), now);
  const events = await ports.events.getMany(
    tenant,
    longest.flatMap(({ event }) => event ?? []),
  );
  const titles = new Map(events.map((event) => [event.id, titleWithPlace(event)]));
  return {
    from,
    began: began.length,
    unresolved: began.filter(({ to }) => to === null).length,
    hasMore: began.length === MAX_ROWS,
    resolved: ended.total,
    longest: longest.map(({ event, ...row }) => ({ ...row, title: titles.get(event ?? '') ?? null })),
    users: actionsByUser(actions.filter(({ at }) => at >= from)).slice(0, MAX_USERS),
  };
}
