import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { addUser, dropUser, mailKey, releaseMail, reserveMail } from '#application/access/user-store.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { administers, mayGrant } from '#domain/access/grant.ts';
import type { Role } from '#domain/access/permissions.ts';
import { ACCESS_KINDS, ADMINS_ID, type UserRecord } from '#domain/access/records.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { leaveTeams } from './teams.ts';

export interface UserDraft {
  readonly username: string;
  readonly name?: string | undefined;
  readonly mail?: string | null | undefined;
  readonly password: string;
  readonly role: Role;
}
export interface UserChange {
  readonly id: string;
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly mail?: string | null | undefined;
  readonly disabled?: boolean | undefined;
  readonly password?: string | undefined;
}

/** A user as it may be shown and audited. */
export const publicUser = ({ id, username, name, role, mail = null, disabled }: UserRecord) => ({
  id,
  username,
  name,
  role,
  mail,
  disabled,
});

export const requireRank = ({ caller }: UseCaseContext, role: Role): void => {
  if (!mayGrant(caller.permissions, { role, scopes: [] }))
    throw new Fault('forbidden', `You can't grant role ${role}: it is higher than yours`);
};

export const findUser = async ({ tenant, ports }: UseCaseContext, id: string): Promise<StoredRecord<UserRecord>> => {
  const stored = await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id);
  if (stored === null) throw notFound('User', id);
  return stored;
};

/** An invited user may never sign in. */
const isActiveAdmin = ({ role, disabled, invitedUntil }: UserRecord): boolean =>
  administers(role) && !disabled && invitedUntil === undefined;

/** Throws Fault `conflict` when no other active user administers the tenant; two such changes at once cannot both pass. */
const requireOtherAdmin = async ({ tenant, ports: { records } }: UseCaseContext, id: string): Promise<void> => {
  const guard = await records.get(tenant, ACCESS_KINDS.admins, ADMINS_ID);
  const users = await everyRecord<UserRecord>(records, tenant, ACCESS_KINDS.user);
  if (!users.some((user) => user.id !== id && isActiveAdmin(user)))
    throw new Fault('conflict', "The last administrator of a tenant can't be removed, disabled or downgraded");
  await records.put(tenant, ACCESS_KINDS.admins, ADMINS_ID, {}, { expected: guard?.revision ?? 0 });
};

export const createUser = async (context: UseCaseContext, draft: UserDraft): Promise<UserRecord> => {
  requireRank(context, draft.role);
  const { password, ...rest } = draft;
  const passwordHash = await context.ports.crypto.hashPassword(password);
  return storeNew(context, 'user.created', { ...rest, passwordHash });
};

type NewUser = Omit<UserDraft, 'password'> & Pick<UserRecord, 'passwordHash' | 'invitedUntil'>;

export const storeNew = async (
  context: UseCaseContext,
  action: string,
  { username, name = username, mail = null, role, ...state }: NewUser,
): Promise<UserRecord> => {
  const { tenant, ports } = context;
  const at = ports.clock.now();
  const times = { version: 1, createdAt: at, updatedAt: at };
  const user: UserRecord = { id: ports.ids.ulid(), username, name, role, mail, disabled: false, ...state, ...times };
  const target = { kind: 'user', id: user.id };
  const entry = audited(context, { action, target, before: null, after: publicUser(user) });
  await addUser(ports, tenant, user, [entry]);
  return user;
};

const applied = async ({ ports }: UseCaseContext, before: UserRecord, change: UserChange): Promise<UserRecord> => {
  const { name = before.name, role = before.role, disabled = before.disabled, password } = change;
  const { mail = before.mail ?? null } = change;
  const passwordHash = password === undefined ? before.passwordHash : await ports.crypto.hashPassword(password);
  const endsLogins = password !== undefined || (disabled && !before.disabled);
  const version = before.version + (endsLogins ? 1 : 0);
  const after = { ...before, name, role, mail, disabled, passwordHash, version, updatedAt: ports.clock.now() };
  if (password === undefined) return after;
  const { invitedUntil: _, ...accepted } = after;
  return accepted;
};

/** Stores a changed user; the former address is free for others afterwards. */
export const storeUser = async (
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  { body: before, revision }: StoredRecord<UserRecord>,
  after: UserRecord,
  entry: SideRecord,
): Promise<void> => {
  const isMoved = mailKey(after.mail ?? '') !== mailKey(before.mail ?? '');
  if (isMoved) await reserveMail(ports, tenant, after);
  await ports.records.put(tenant, ACCESS_KINDS.user, after.id, after, { expected: revision, sideRecords: [entry] });
  if (isMoved) await releaseMail(ports, tenant, before.mail);
  ports.memory.callers.clear();
  ports.memory.directories.forget(tenant);
};

const changed = async (context: UseCaseContext, change: UserChange): Promise<UserRecord> => {
  const stored = await findUser(context, change.id);
  const { body: before } = stored;
  requireRank(context, before.role);
  if (change.role !== undefined) requireRank(context, change.role);
  const after = await applied(context, before, change);
  if (isActiveAdmin(before) && !isActiveAdmin(after)) await requireOtherAdmin(context, before.id);
  const shown = { ...publicUser(after), ...(change.password === undefined ? {} : { passwordChanged: true }) };
  const target = { kind: 'user', id: before.id };
  const entry = audited(context, { action: 'user.updated', target, before: publicUser(before), after: shown });
  await storeUser(context, stored, after, entry);
  return after;
};

/** Changes a user; a new password or disabling ends every login. */
export const changeUser = (context: UseCaseContext, change: UserChange): Promise<UserRecord> => {
  const { tenant, ports } = context;
  // The check for a remaining administrator is serialized for all users of the tenant.
  return inTurn(ports, { of: ['user', tenant, ADMINS_ID], ifMatch: null }, () => changed(context, change));
};

const removed = async (context: UseCaseContext, id: string): Promise<void> => {
  const { tenant, ports } = context;
  const { body: user } = await findUser(context, id);
  requireRank(context, user.role);
  if (isActiveAdmin(user)) await requireOtherAdmin(context, id);
  // First, so that a removal that was interrupted is finished by the next.
  await leaveTeams(context, id);
  const target = { kind: 'user', id };
  const entry = audited(context, { action: 'user.deleted', target, before: publicUser(user), after: null });
  await dropUser(ports, tenant, user, [entry]);
  ports.memory.callers.clear();
};

export const removeUser = (context: UseCaseContext, id: string): Promise<void> => {
  const { tenant, ports } = context;
  return inTurn(ports, { of: ['user', tenant, ADMINS_ID], ifMatch: null }, () => removed(context, id));
};
