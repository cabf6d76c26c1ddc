import { everyRecord } from '#application/records/list-records.ts';
import { namedStore } from '#application/records/named-records.ts';
import { MAX_TEAMS, TEAM_KINDS, type TeamRecord, teamNameKey } from '#domain/access/team.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

export const {
  find: findTeam,
  add: addTeam,
  put: putTeam,
  drop: dropTeam,
} = namedStore<TeamRecord>(
  { what: 'team', kind: TEAM_KINDS.team, nameKind: TEAM_KINDS.name, keyOf: teamNameKey, atMost: MAX_TEAMS },
  (memory, tenant) => memory.directories.forget(tenant),
);

export const everyTeam = (records: RecordStore, tenant: string): Promise<TeamRecord[]> =>
  everyRecord<TeamRecord>(records, tenant, TEAM_KINDS.team);

/** The user, and the teams that they are in. */
export const withTeamsOf = async (records: RecordStore, tenant: string, user: string): Promise<readonly string[]> => {
  const teams = await everyTeam(records, tenant);
  return [user, ...teams.filter(({ members }) => members.includes(user)).map(({ id }) => id)];
};

/** The team of that name, or null. */
export const teamNamed = async (records: RecordStore, tenant: string, name: string): Promise<TeamRecord | null> => {
  const index = await records.get<{ id: string }>(tenant, TEAM_KINDS.name, teamNameKey(name));
  if (index === null) return null;
  return (await records.get<TeamRecord>(tenant, TEAM_KINDS.team, index.body.id))?.body ?? null;
};
