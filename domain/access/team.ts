/** Users who share work: events are assigned to them as one. */
export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Ids of users of the tenant, without repeats. */
  readonly members: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Kinds of the record store. */
export const TEAM_KINDS = {
  team: 'team',
  /** Team id by the normalized name; makes names unique. */
  name: 'teamname',
} as const;

export const MAX_TEAMS = 1_000;
export const MAX_MEMBERS = 1_000;

/** Names that differ only in case are one name. */
export const teamNameKey = (name: string): string => name.toLowerCase();
