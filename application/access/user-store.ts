import { reserveName } from '#application/records/unique-name.ts';
import { CONSOLE_KINDS } from '#domain/access/console.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { usernameKey } from '#domain/access/tenant.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** The user of that name, or null. */
export const userNamed = async (records: RecordStore, tenant: string, username: string): Promise<UserRecord | null> => {
  const index = await records.get<{ id: string }>(tenant, ACCESS_KINDS.username, usernameKey(username));
  if (index === null) return null;
  return (await records.get<UserRecord>(tenant, ACCESS_KINDS.user, index.body.id))?.body ?? null;
};

const nameTaken = (username: string) =>
  new Fault('conflict', `Username ${username} is already in use`, [{ field: 'username', reason: 'already in use' }]);

/** Reserves the name, then stores the user. */
export const addUser = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  user: UserRecord,
  sideRecords: readonly SideRecord[] = [],
): Promise<void> => {
  await reserveName(records, tenant, {
    nameKind: ACCESS_KINDS.username,
    key: usernameKey(user.username),
    kind: ACCESS_KINDS.user,
    id: user.id,
    at: user.updatedAt,
    taken: () => nameTaken(user.username),
  });
  await records.put(tenant, ACCESS_KINDS.user, user.id, user, { expected: 0, sideRecords });
  memory.directories.forget(tenant);
};

export const dropUser = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  user: UserRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await records.remove(tenant, ACCESS_KINDS.user, user.id, sideRecords);
  await records.remove(tenant, ACCESS_KINDS.username, usernameKey(user.username));
  for (const kind of Object.values(CONSOLE_KINDS)) await records.remove(tenant, kind, user.id);
  memory.directories.forget(tenant);
};
