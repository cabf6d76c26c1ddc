import { everyRecord } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { TEAM_KINDS, type TeamRecord, teamNameKey } from '#domain/access/team.ts';
import { usernameKey } from '#domain/access/tenant.ts';
import type { Actor, Team } from '#domain/event/event.ts';
import type { AssigneeDirectory } from '#domain/event/life/assignee.ts';
import type { KnownByTenant } from '#domain/lru.ts';
import { knownByTenant } from '#domain/lru.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** How long ingest may go on with users and teams that another process changed; ms. */
const DIRECTORY_TTL_MS = 30_000;

/** By id, and by name where no id is equal. */
const finder = <T extends { readonly id: string }>(
  all: readonly T[],
  nameOf: (one: T) => string,
  key = usernameKey,
) => {
  const byId = new Map(all.map((one) => [one.id, one]));
  const byName = new Map(all.map((one) => [key(nameOf(one)), one]));
  return (text: string): T | undefined => byId.get(text) ?? byName.get(key(text));
};

const load = async (records: RecordStore, tenant: string): Promise<AssigneeDirectory> => {
  const [users, teams] = await Promise.all([
    everyRecord<UserRecord>(records, tenant, ACCESS_KINDS.user),
    everyRecord<TeamRecord>(records, tenant, TEAM_KINDS.team),
  ]);
  const actors = users.map(({ id, username, name }): Actor => ({ id, username, name }));
  return {
    user: finder(actors, ({ username }) => username),
    team: finder(
      teams.map(({ id, name }): Team => ({ id, name })),
      ({ name }) => name,
      teamNameKey,
    ),
  };
};

/** The users and teams of a tenant, at most 10,000 of each. */
export const openDirectories = (records: RecordStore): KnownByTenant<AssigneeDirectory> =>
  knownByTenant(DIRECTORY_TTL_MS, (tenant) => load(records, tenant));
