import type { TimedContext } from '#application/access/context.ts';
import { recentActions } from '#application/access/recent-actions.ts';
import { actOf } from '#application/access/user-acts.ts';
import { findListed, rowsOfPeriod } from '#application/groups/listing/rows-of-period.ts';
import { type ToldRow, toldRows } from '#application/groups/told-rows.ts';
import { actionsByUser, LONGEST, longestOf, type UserActions } from '#features/home/rules/period.ts';

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
  readonly longest: readonly ToldRow[];
  readonly users: readonly UserActions[];
}

/** Returns what happened since a time, ms, from the rows of groups and the audit log. */
export async function readPeriod(context: TimedContext, from: number): Promise<HomePeriod> {
  const { receivedAt: now } = context;
  const [{ began, hasMore, ended, resolved }, oldest, actions] = await Promise.all([
    rowsOfPeriod(context, { from }),
    findListed(context, { statuses: ['active', 'acknowledged'] }, { sort: 'first', order: 'asc', limit: LONGEST }),
    recentActions(context, now),
  ]);
  const told = await toldRows(context, began);
  const lasting = await toldRows(context, [...oldest.items, ...ended]);
  return {
    from,
    began: began.length,
    unresolved: told.filter(({ to }) => to === null).length,
    hasMore,
    resolved,
    longest: longestOf(lasting, now),
    users: actionsByUser(actions.filter(({ at }) => at >= from).map(actOf)).slice(0, MAX_USERS),
  };
}
