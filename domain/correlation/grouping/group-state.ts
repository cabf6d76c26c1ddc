import type { Group } from '#domain/correlation/records.ts';
import { type Actor, type Event, type Severity, type Status, severityOfRank, type Team } from '#domain/event/event.ts';

/**
 * Status of a group for users: `resolved` without active members; `acknowledged` while the group has an acknowledgment,
 * or all its active members have; else `active`.
 */
export const GROUP_STATUSES = ['active', 'acknowledged', 'resolved'] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];

/** Statuses of an active event. Acknowledged events are active; suppressed and resolved ones are not. */
export const ON = ['open', 'acknowledged'] as const satisfies readonly Status[];
export const isOn = (status: Status): boolean => ON.some((one) => one === status);

/** Members by status; superseded events do not count. */
type MemberCounts = Readonly<Record<Status, number>>;
export const countOn = ({ open, acknowledged }: MemberCounts): number => open + acknowledged;
export const membersIn = ({ open, acknowledged, suppressed, resolved }: MemberCounts): number =>
  open + acknowledged + suppressed + resolved;

/**
 * Returns the group with its current members: some may have returned in another one, or be superseded by one of
 * another.
 */
export const withMembers = (group: Group, counts: MemberCounts): Group => {
  const size = membersIn(counts);
  // Members of a new group do not refer to it yet.
  return size === 0 ? group : { ...group, size };
};

/** The most frequent names, at most `NAMES`, and how many there are in all. */
export interface NamesOf {
  readonly names: readonly string[];
  readonly count: number;
}
export const NAMES = 5;

export const NAME_KINDS = ['source', 'service', 'host', 'ci'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** Ids of the CIs of active members and of all members; at most `MAX_CIS`. */
export interface GroupCis {
  readonly on: readonly string[];
  readonly all: readonly string[];
}
export const MAX_CIS = 1_000;

/** Totals of the members of a group. */
export interface GroupState {
  readonly status: GroupStatus;
  /** Severity of the worst active member, else of the worst ever. Null when no member is stored. */
  readonly severity: Severity | null;
  readonly counts: MemberCounts;
  /** Services affected at the last check; orders lists. */
  readonly hits: number;
  readonly names: Readonly<Record<NameKind, NamesOf>>;
  readonly cis: GroupCis;
  /** Latest arrival, or latest change of a member's status, ms. */
  readonly lastActivity: number;
}

export const CAUSE_VERDICTS = ['right', 'wrong', 'unknown'] as const;
export const MEMBER_VERDICTS = ['right', 'too_many', 'too_few'] as const;

/** The verdict of a user on a group. */
export interface Verdict {
  readonly cause: (typeof CAUSE_VERDICTS)[number];
  /** Storage id of the member that was the cause. */
  readonly rootEventId?: string;
  readonly members: (typeof MEMBER_VERDICTS)[number];
  readonly note?: string;
  readonly by: Actor;
  readonly at: number;
}

/** It holds for events that join the group later, unless one is worse or hits a further service. */
export interface Acknowledgement {
  /** Null: the monitors of all its members. */
  readonly by: Actor | null;
  readonly at: number;
  /** Severity of the worst member that was active at that time. */
  readonly severity: Severity | null;
  /** Ids of the services that were hit then. */
  readonly services: readonly string[];
  /** The first member that was worse, or hit a further service: since then the group is active again. */
  readonly worse?: { readonly since: number; readonly eventId: string };
}

/** Kind of the records with the number of services that a group hits, by the id of the group. */
export const GROUP_HITS = 'group-hits';
export interface GroupHits {
  readonly count: number;
}

/** Kind of the records with user input on groups, by the id of the group. */
export const GROUP_CARE = 'group-care';

/** Assignment and findings of a group; stored beside it, since no arrival changes them. */
export interface GroupAssignment {
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
  readonly verdict?: Verdict;
  readonly acknowledged?: Acknowledgement;
}

/** The reasoning of a root cause that a user has set. */
export const SET_BY_USER = 'set_by_user';

/** The event that leads the group: the cause that a person set, else the candidate; null: there is none. */
export const leadingEventOf = ({ group, care }: Pick<ListedGroup, 'group' | 'care'>): string | null => {
  const { verdict } = care;
  const isSet = verdict !== undefined && verdict.cause !== 'unknown';
  return (isSet ? verdict.rootEventId : undefined) ?? group.candidate?.eventId ?? null;
};

/** A group as lists show it. */
export interface ListedGroup {
  readonly group: Group;
  readonly state: GroupState;
  readonly care: GroupAssignment;
}

const statusOf = (counts: MemberCounts, acknowledged: Acknowledgement | undefined): GroupStatus => {
  if (countOn(counts) === 0) return 'resolved';
  if (acknowledged !== undefined && acknowledged.worse === undefined) return 'acknowledged';
  return counts.open > 0 ? 'active' : 'acknowledged';
};

/** Members by severity rank: open, acknowledged and all; and the suppressed ones. */
interface Tally {
  readonly open: readonly number[];
  readonly acknowledged: readonly number[];
  readonly all: readonly number[];
  readonly suppressed: number;
}

export type GroupStanding = Pick<GroupState, 'status' | 'severity' | 'counts'>;

const worstOf = (byRank: readonly number[]): Severity | null => {
  const rank = byRank.findLastIndex((count) => count > 0);
  return rank === -1 ? null : severityOfRank(rank);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const standingOf = (
  { open, acknowledged, all, suppressed }: Tally,
  care: GroupAssignment = {},
): GroupStanding => {
  const [opened, known] = [sum(open), sum(acknowledged)];
  const resolved = sum(all) - opened - known - suppressed;
  const counts = { open: opened, acknowledged: known, suppressed, resolved };
  const on = open.map((count, rank) => count + (acknowledged[rank] ?? 0));
  return { status: statusOf(counts, care.acknowledged), severity: worstOf(on) ?? worstOf(all), counts };
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
