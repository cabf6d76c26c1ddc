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

/** The user with that email address, or null. */
export const userMailed = async (records: RecordStore, tenant: string, mail: string): Promise<UserRecord | null> => {
  const index = await records.get<{ id: string }>(tenant, ACCESS_KINDS.userMail, mailKey(mail));
  if (index === null) return null;
  const user = (await records.get<UserRecord>(tenant, ACCESS_KINDS.user, index.body.id))?.body;
  return user?.mail != null && mailKey(user.mail) === mailKey(mail) ? user : null;
};

/** Upper and lower case are the same address. */
export const mailKey = (mail: string): string => mail.toLowerCase();

const mailTaken = (mail: string) =>
  new Fault('conflict', `Email address ${mail} is already in use`, [{ field: 'mail', reason: 'already in use' }]);

/** Must be called before a user with a new address is stored. */
export const reserveMail = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  { id, mail, updatedAt: at }: UserRecord,
): Promise<void> => {
  if (mail == null) return;
  const taken = () => mailTaken(mail);
  await reserveName(records, tenant, {
    nameKind: ACCESS_KINDS.userMail,
    key: mailKey(mail),
    kind: ACCESS_KINDS.user,
    id,
    at,
    taken,
  });
};

/** Must be called after the user was stored without this address. */
export const releaseMail = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  mail: string | null | undefined,
): Promise<void> => {
  if (mail != null) await records.remove(tenant, ACCESS_KINDS.userMail, mailKey(mail));
};

const nameTaken = (username: string) =>
  new Fault('conflict', `Username ${username} is already in use`, [{ field: 'username', reason: 'already in use' }]);

/** Reserves the name and the address, then stores the user. */
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
  await reserveMail({ records }, tenant, user).catch(async (error) => {
    await records.remove(tenant, ACCESS_KINDS.username, usernameKey(user.username));
    throw error;
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
  await releaseMail({ records }, tenant, user.mail);
  for (const kind of Object.values(CONSOLE_KINDS)) await records.remove(tenant, kind, user.id);
  memory.directories.forget(tenant);
};
