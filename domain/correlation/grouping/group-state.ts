import type { Group } from '#domain/correlation/records.ts';
import { type Actor, type Event, type Severity, type Status, severityOfRank, type Team } from '#domain/event/event.ts';

/** The state of a group for people: a member is open; none is, but one acknowledged; all are resolved or suppressed. */
export const GROUP_STATUSES = ['active', 'acknowledged', 'resolved'] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];

/** Members by status; those whose place another event took do not count. */
type MemberCounts = Readonly<Record<Status, number>>;

/** The most frequent names, at most `NAMES`, and how many there are in all. */
export interface NamesOf {
  readonly names: readonly string[];
  readonly count: number;
}
export const NAMES = 5;

export const NAME_KINDS = ['source', 'service', 'host', 'ci'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** Totals of the members of a group. */
export interface GroupState {
  readonly status: GroupStatus;
  /** Of the worst open member, else of the worst; null when no member is stored. */
  readonly severity: Severity | null;
  readonly counts: MemberCounts;
  readonly names: Readonly<Record<NameKind, NamesOf>>;
  /** Latest arrival, or latest change of a member's status, ms. */
  readonly lastActivity: number;
}

export const CAUSE_VERDICTS = ['right', 'wrong', 'unknown'] as const;
export const MEMBER_VERDICTS = ['right', 'too_many', 'too_few'] as const;

/** The verdict of a person on a group. */
export interface Verdict {
  readonly cause: (typeof CAUSE_VERDICTS)[number];
  /** Storage id of the member that was the cause. */
  readonly rootEventId?: string;
  readonly members: (typeof MEMBER_VERDICTS)[number];
  readonly note?: string;
  readonly by: Actor;
  readonly at: number;
}

/** Kind of the records with what people say of groups, by the id of the group. */
export const GROUP_CARE = 'group-care';

/** Assignment and findings of a group; stored beside it, since no arrival changes them. */
export interface GroupCare {
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
  readonly verdict?: Verdict;
}

/** A group as lists show it. */
export interface ListedGroup {
  readonly group: Group;
  readonly state: GroupState;
  readonly care: GroupCare;
}

const statusOfCounts = ({ open, acknowledged }: MemberCounts): GroupStatus => {
  if (open > 0) return 'active';
  return acknowledged > 0 ? 'acknowledged' : 'resolved';
};

/** Members by severity rank: the open ones and all; and those of two statuses. */
interface Tally {
  readonly open: readonly number[];
  readonly all: readonly number[];
  readonly acknowledged: number;
  readonly suppressed: number;
}

export type Standing = Pick<GroupState, 'status' | 'severity' | 'counts'>;

const worstOf = (byRank: readonly number[]): Severity | null => {
  const rank = byRank.findLastIndex((count) => count > 0);
  return rank === -1 ? null : severityOfRank(rank);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const standingOf = ({ open, all, acknowledged, suppressed }: Tally): Standing => {
  const opened = sum(open);
  const resolved = sum(all) - opened - acknowledged - suppressed;
  const counts = { open: opened, acknowledged, suppressed, resolved };
  return { status: statusOfCounts(counts), severity: worstOf(open) ?? worstOf(all), counts };
};

/** Key and label of an event in its group; of a CI its id. */
export const namesOf = ({ source, service, hostname, ci }: Event): readonly (readonly [NameKind, string, string])[] => {
  const named = (kind: NameKind, name: string | undefined) =>
    name === undefined ? [] : ([[kind, name.toLowerCase(), name]] as const);
  return [
    ...named('source', source),
    ...named('service', service),
    ...named('host', hostname),
    ...(ci === null ? [] : ([['ci', ci.id, ci.name]] as const)),
  ];
};
