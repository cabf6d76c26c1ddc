import { everyRecord } from '#application/records/list-records.ts';
import { administers } from '#domain/access/grant.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { TEAM_KINDS, type TeamRecord } from '#domain/access/team.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

export interface AskedAssignees {
  readonly search: string;
  /** Only users who may assign roles; they are no team. */
  readonly administers: boolean;
  /** Only these, whether or not they are disabled. Null: any. */
  readonly ids: readonly string[] | null;
  /** Teams of this user are listed first. */
  readonly caller: string;
}

export interface Assignees {
  readonly users: readonly UserRecord[];
  readonly teams: readonly (TeamRecord & { readonly mine: boolean })[];
}

/** Maximum of users and of teams. */
export const MAX_ASSIGNEES = 20;

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name);

const mineFirst = (a: { readonly mine: boolean }, b: { readonly mine: boolean }): number =>
  Number(b.mine) - Number(a.mine);

/** Users and teams that can be assigned, by name; each word of `search` is in the name or user name. */
export async function searchAssignees(
  records: RecordStore,
  tenant: string,
  { search, administers: isAdministering, ids, caller }: AskedAssignees,
): Promise<Assignees> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const [users, teams] = await Promise.all([
    everyRecord<UserRecord>(records, tenant, ACCESS_KINDS.user),
    everyRecord<TeamRecord>(records, tenant, TEAM_KINDS.team),
  ]);
  const able = users.filter(
    ({ id, disabled, name, username, role }) =>
      (ids === null ? !disabled : ids.includes(id)) &&
      has(`${name} ${username}`) &&
      (!isAdministering || administers(role)),
  );
  return {
    users: able.toSorted(byName).slice(0, MAX_ASSIGNEES),
    teams: teams
      .filter(({ id, name }) => !isAdministering && has(name) && (ids === null || ids.includes(id)))
      .map((team) => ({ ...team, mine: team.members.includes(caller) }))
      .toSorted((a, b) => mineFirst(a, b) || byName(a, b))
      .slice(0, MAX_ASSIGNEES),
  };
}
