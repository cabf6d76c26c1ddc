import { everyRecord } from '#application/records/list-records.ts';
import { reserveName } from '#application/records/unique-name.ts';
import { MAX_TEAMS, TEAM_KINDS, type TeamRecord, teamNameKey } from '#domain/access/team.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';

const taken = (name: string) => () =>
  new Fault('conflict', `A team is called ${name} already`, [{ field: 'name', reason: 'is taken' }]);

const reserve = (records: RecordStore, tenant: string, { id, name, updatedAt }: TeamRecord): Promise<void> =>
  reserveName(records, tenant, {
    nameKind: TEAM_KINDS.name,
    key: teamNameKey(name),
    kind: TEAM_KINDS.team,
    id,
    at: updatedAt,
    taken: taken(name),
  });

export const everyTeam = (records: RecordStore, tenant: string): Promise<TeamRecord[]> =>
  everyRecord<TeamRecord>(records, tenant, TEAM_KINDS.team);

export const findTeam = async (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<TeamRecord>> => {
  const stored = await records.get<TeamRecord>(tenant, TEAM_KINDS.team, id);
  if (stored === null) throw notFound('Team', id);
  return stored;
};

/** The team of that name, or null. */
export const teamNamed = async (records: RecordStore, tenant: string, name: string): Promise<TeamRecord | null> => {
  const index = await records.get<{ id: string }>(tenant, TEAM_KINDS.name, teamNameKey(name));
  if (index === null) return null;
  return (await records.get<TeamRecord>(tenant, TEAM_KINDS.team, index.body.id))?.body ?? null;
};

/** Throws Fault `conflict` when the name is taken or there are too many teams. */
export const addTeam = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  team: TeamRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  if ((await everyTeam(records, tenant)).length >= MAX_TEAMS)
    throw new Fault('conflict', `A tenant has at most ${MAX_TEAMS} teams`);
  await reserve(records, tenant, team);
  await records.put(tenant, TEAM_KINDS.team, team.id, team, { expected: 0, sideRecords });
  memory.directories.forget(tenant);
};

/** Gives up a name that was reserved for a change that was not made. */
const releaseName = async (records: RecordStore, tenant: string, { id, name }: TeamRecord): Promise<void> => {
  const stored = await records.get<TeamRecord>(tenant, TEAM_KINDS.team, id);
  if (stored !== null && teamNameKey(stored.body.name) !== teamNameKey(name))
    await records.remove(tenant, TEAM_KINDS.name, teamNameKey(name));
};

interface TeamPut {
  readonly before: TeamRecord;
  readonly after: TeamRecord;
  readonly expected: number;
  readonly sideRecords: readonly SideRecord[];
}

/** Throws Fault `conflict` when a new name is taken, `precondition` when the team changed meanwhile. */
export const putTeam = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  { before, after, expected, sideRecords }: TeamPut,
): Promise<void> => {
  const [oldName, newName] = [teamNameKey(before.name), teamNameKey(after.name)];
  if (oldName !== newName) await reserve(records, tenant, after);
  await records.put(tenant, TEAM_KINDS.team, after.id, after, { expected, sideRecords }).catch(async (error) => {
    await releaseName(records, tenant, after);
    throw error;
  });
  if (oldName !== newName) await records.remove(tenant, TEAM_KINDS.name, oldName);
  memory.directories.forget(tenant);
};

export const dropTeam = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  team: TeamRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await records.remove(tenant, TEAM_KINDS.team, team.id, sideRecords);
  await records.remove(tenant, TEAM_KINDS.name, teamNameKey(team.name));
  memory.directories.forget(tenant);
};
