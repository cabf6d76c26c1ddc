import { type ListedGroup, membersIn } from '#domain/correlation/grouping/group-state.ts';
import { urgencyOf } from '#domain/correlation/grouping/urgency.ts';
import { severityRank } from '#domain/event/event.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import type { DocumentAddress } from './documents.ts';

/** A row as stored: itself, and its search and sort fields. A merged group has no `standing`, and is in no list. */
export interface GroupRowDocument extends ListedGroup {
  readonly standing?: ListedGroup['state']['status'];
  /** Rank of the severity shown; absent when no member is stored. */
  readonly rank?: number;
  /** Result of `urgencyOf`. */
  readonly urgency: number;
  /** Ids of user and team. */
  readonly assignees: readonly string[];
  /** The verdict on the cause. */
  readonly verdict?: string;
  /** Kind and key of each name of a member. */
  readonly keys: readonly string[];
}

export const keyOf = (kind: string, key: string): string => `${kind} ${key}`;

export const groupRowPlace = (names: Names, tenant: string, id: string): DocumentAddress => ({
  index: names.single('grouprows'),
  id: documentId(tenant, id),
});

/**
 * Version of a row. A record and what it causes have one position, so a row that was read between the two, and is
 * written after a newer one, must have a lower version. Both positions only grow.
 */
export const rowVersion = (members: number, { position }: Pick<ListedGroup['group'], 'position'>): number =>
  members + position;

/** `keys`: as `keyOf` makes them; `members`: the highest position of the counted members. */
export function groupRowWrite(names: Names, row: ListedGroup, keys: readonly string[], members: number): DocumentWrite {
  const { group, state, care } = row;
  const { tenant, id } = group;
  // One without members, as when all of them are in other groups, is in no list.
  const isListed = group.status !== 'merged' && membersIn(state.counts) > 0;
  const rank = state.severity === null ? undefined : severityRank(state.severity);
  const body: GroupRowDocument = {
    group,
    state,
    care,
    keys,
    urgency: urgencyOf(row),
    ...(isListed && { standing: state.status }),
    assignees: [care.assignedTo, care.assignedTeam].flatMap((one) => one?.id ?? []),
    ...(care.verdict !== undefined && { verdict: care.verdict.cause }),
    ...(rank !== undefined && { rank }),
  };
  const place = groupRowPlace(names, tenant, id);
  const version = rowVersion(members, group);
  return { ...place, family: 'grouprows', key: { tenant, id }, fence: 'gte', version, body, creates: true };
}
