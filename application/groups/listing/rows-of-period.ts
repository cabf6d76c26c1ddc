import type { TenantContext } from '#application/access/context.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import type { GroupRowFilter, GroupRowSort } from '#domain/ports/events/group-rows.ts';
import { findRows, isLone, type ListedRow } from './list-rows.ts';

/** Rows that are read of a period. */
const MAX_ROWS = 300;

interface RowOrder {
  readonly sort: GroupRowSort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Groups and events in none, from the severity up that lists have. */
export const findListed = async (
  { ports, tenant }: TenantContext,
  filter: GroupRowFilter,
  page: RowOrder,
): ReturnType<typeof findRows> =>
  findRows(ports, tenant, filter, page, (await lifecycleSettings(ports.records, tenant)).loneFrom);

const startOf = (row: ListedRow): number => (isLone(row) ? row.timestamp : row.group.first);

export interface PeriodRows {
  /** Rows that began in the period, newest first. */
  readonly began: readonly ListedRow[];
  /** More than 300 began. */
  readonly hasMore: boolean;
  /** Resolved ones with events in the period, newest first, and their number. */
  readonly ended: readonly ListedRow[];
  readonly resolved: number;
}

/** Times in ms; `to` is left out of the period. */
export async function rowsOfPeriod(
  context: TenantContext,
  { from, to }: { readonly from: number; readonly to?: number },
): Promise<PeriodRows> {
  const until = to === undefined ? {} : { to: to - 1 };
  const [newest, ended] = await Promise.all([
    findListed(context, until, { sort: 'first', order: 'desc', limit: MAX_ROWS }),
    findListed(context, { ...until, statuses: ['resolved'], from }, { sort: 'last', order: 'desc', limit: MAX_ROWS }),
  ]);
  const began = newest.items.filter((row) => startOf(row) >= from);
  return { began, hasMore: began.length === MAX_ROWS, ended: ended.items, resolved: ended.total };
}
