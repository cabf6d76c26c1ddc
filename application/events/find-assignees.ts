import { teamNamed } from '#application/access/team-store.ts';
import { userNamed } from '#application/access/user-store.ts';
import type { Caller } from '#domain/access/caller.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { TEAM_KINDS, type TeamRecord } from '#domain/access/team.ts';
import type { Assignment } from '#domain/event/incoming.ts';
import { Fault, type Problem } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** Ids or names; null: unassigned. */
export interface WantedAssignee {
  readonly user?: string | null | undefined;
  readonly team?: string | null | undefined;
  /** The caller may be assigned the event, even from another tenant. */
  readonly caller?: Caller | undefined;
  /** Names of the two in the request. */
  readonly fields: readonly [user: string, team: string];
}

const userOf = async (records: RecordStore, tenant: string, text: string): Promise<UserRecord | null> =>
  (await records.get<UserRecord>(tenant, ACCESS_KINDS.user, text))?.body ?? (await userNamed(records, tenant, text));

const teamOf = async (records: RecordStore, tenant: string, text: string): Promise<TeamRecord | null> =>
  (await records.get<TeamRecord>(tenant, TEAM_KINDS.team, text))?.body ?? (await teamNamed(records, tenant, text));

/** The user, else the team. Throws Fault `invalid`, naming the field, when there is neither. */
export const userOrTeam = async (
  records: RecordStore,
  tenant: string,
  text: string,
  field: string,
): Promise<UserRecord | TeamRecord> => {
  const found = (await userOf(records, tenant, text)) ?? (await teamOf(records, tenant, text));
  if (found !== null) return found;
  const reason = `no user or team with ID or name ${text}`;
  throw new Fault('invalid', `${field}: ${reason}`, [{ field, reason }]);
};

const self = (caller: Caller | undefined, user: string) =>
  caller?.kind === 'jwt' && caller.id === user ? caller : null;

/** Throws Fault `invalid`, naming the field, for an unknown user or team of the tenant. */
export const findAssignees = async (
  records: RecordStore,
  tenant: string,
  { user, team, fields, caller }: WantedAssignee,
): Promise<Assignment> => {
  const [foundUser, foundTeam] = await Promise.all([
    user ? (self(caller, user) ?? userOf(records, tenant, user)) : null,
    team ? teamOf(records, tenant, team) : null,
  ]);
  const problems: Problem[] = [];
  if (user && !foundUser) problems.push({ field: fields[0], reason: `no user with ID or name ${user}` });
  if (team && !foundTeam) problems.push({ field: fields[1], reason: `no team with ID or name ${team}` });
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
  const userView = foundUser && { id: foundUser.id, username: foundUser.username, name: foundUser.name };
  const teamView = foundTeam && { id: foundTeam.id, name: foundTeam.name };
  return {
    ...(user !== undefined && { assignedTo: { user: userView } }),
    ...(team !== undefined && { assignedTeam: { team: teamView } }),
  };
};
