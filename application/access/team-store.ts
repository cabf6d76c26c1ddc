import { everyRecord } from '#application/records/list-records.ts';
import {
  addNamed,
  dropNamed,
  findNamed,
  type NamedKind,
  putNamed,
  type Replacement,
} from '#application/records/named-records.ts';
import { MAX_TEAMS, TEAM_KINDS, type TeamRecord, teamNameKey } from '#domain/access/team.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';

const TEAMS: NamedKind = {
  what: 'team',
  kind: TEAM_KINDS.team,
  nameKind: TEAM_KINDS.name,
  keyOf: teamNameKey,
  atMost: MAX_TEAMS,
};
type TeamPorts = Pick<Ports, 'records' | 'memory'>;

export const everyTeam = (records: RecordStore, tenant: string): Promise<TeamRecord[]> =>
  everyRecord<TeamRecord>(records, tenant, TEAM_KINDS.team);

/** The user, and the teams that they are in. */
export const withTeamsOf = async (records: RecordStore, tenant: string, user: string): Promise<readonly string[]> => {
  const teams = await everyTeam(records, tenant);
  return [user, ...teams.filter(({ members }) => members.includes(user)).map(({ id }) => id)];
};

export const findTeam = (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<TeamRecord>> =>
  findNamed<TeamRecord>(records, tenant, TEAMS, id);

/** The team of that name, or null. */
export const teamNamed = async (records: RecordStore, tenant: string, name: string): Promise<TeamRecord | null> => {
  const index = await records.get<{ id: string }>(tenant, TEAM_KINDS.name, teamNameKey(name));
  if (index === null) return null;
  return (await records.get<TeamRecord>(tenant, TEAM_KINDS.team, index.body.id))?.body ?? null;
};

/** Throws Fault `conflict` when the name is in use or there are too many teams. */
export const addTeam = async (
  { records, memory }: TeamPorts,
  tenant: string,
  team: TeamRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await addNamed(records, tenant, TEAMS, team, sideRecords);
  memory.directories.forget(tenant);
};

/** Throws Fault `conflict` when a new name is in use, `precondition` when the team changed meanwhile. */
export const putTeam = async (
  { records, memory }: TeamPorts,
  tenant: string,
  replacement: Replacement<TeamRecord>,
): Promise<void> => {
  await putNamed(records, tenant, TEAMS, replacement);
  memory.directories.forget(tenant);
};

export const dropTeam = async (
  { records, memory }: TeamPorts,
  tenant: string,
  team: TeamRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await dropNamed(records, tenant, TEAMS, team, sideRecords);
  memory.directories.forget(tenant);
};
