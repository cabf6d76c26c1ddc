import {
  ACCESS_KINDS,
  INSTANCE_ID,
  type InstanceRecord,
  type SessionRecord,
  type TenantRecord,
  type UserRecord,
} from '#domain/access/records.ts';
import { isTenantId, usernameKey } from '#domain/access/tenant.ts';
import type { Actor } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { forgetOldest } from '#domain/lru.ts';
import type { FailedLogins } from '#domain/ports/memory.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { actorOf } from './actor.ts';
import { auditAs, auditedAs } from './audit.ts';
import type { UseCaseContext } from './context.ts';
import type { LoginInput } from './login.ts';
import type { Issued } from './sessions.ts';
import { userNamed } from './user-store.ts';

/** Failures of one account within this time are one entry with a count. */
const ENTRY_MS = 60_000;
/** Accounts whose entry may grow; the oldest leaves. */
const MAX_ENTRIES = 10_000;
const MAX_ADDRESSES = 5;

/** Names of unknown users are not stored: users sometimes type passwords there. */
const UNKNOWN = { id: 'unknown', username: 'unknown', name: 'unknown' };

const opened = (
  { ports, address, department }: UseCaseContext,
  tenant: string,
  user: UserRecord | null,
): FailedLogins => {
  const actor = actorOf(user ?? UNKNOWN);
  const entry = { action: 'login.failed', target: { kind: 'user', id: actor.id }, before: null, after: null };
  const kept = auditedAs(ports, tenant, { actor, address, department }, entry);
  return {
    entry: kept,
    at: ports.clock.now(),
    addresses: new Set(),
    wrong: 0,
    throttled: 0,
    saving: Promise.resolve(),
  };
};

const save = (records: RecordStore, failed: FailedLogins): void => {
  const { tenant, kind, id, body, expiresAt } = failed.entry;
  const after = { failures: failed.wrong, throttled: failed.throttled, addresses: [...failed.addresses] };
  const put = () =>
    records.put(tenant, kind, id, { ...(body as object), after }, expiresAt === undefined ? {} : { expiresAt });
  // A store that is down refuses logins as well; the entry is written with the next failure.
  failed.saving = failed.saving.then(put).catch(() => undefined);
};

/** The account's entry of this minute, made when there is none. Null: no such tenant. */
const entryOf = async (context: UseCaseContext, tenant: string, username: string): Promise<FailedLogins | null> => {
  const { records, memory, clock } = context.ports;
  const home = isTenantId(tenant) ? await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant) : null;
  if (home === null) return null;
  const user = await userNamed(records, tenant, username);
  const entries = memory.failedLogins;
  const key = `${tenant}|${user?.id ?? ''}`;
  const known = entries.get(key);
  if (known !== undefined && clock.now() - known.at < ENTRY_MS) return known;
  if (entries.size >= MAX_ENTRIES) forgetOldest(entries);
  const failed = opened(context, tenant, user);
  entries.delete(key);
  entries.set(key, failed);
  return failed;
};

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;

const noted = async (context: UseCaseContext, input: LoginInput, isThrottled: boolean): Promise<void> => {
  const { records } = context.ports;
  const instance = await records.get<InstanceRecord>(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID);
  const failed = await entryOf(context, input.tenant ?? instance?.body.tenant ?? '', usernameKey(input.username));
  if (failed === null) return;
  if (failed.addresses.size < MAX_ADDRESSES) failed.addresses.add(context.address);
  if (isThrottled) failed.throttled += 1;
  else failed.wrong += 1;
  // A throttled attempt costs its sender nothing, so it must not cost a write each.
  if (!isThrottled || isPowerOfTwo(failed.throttled)) save(records, failed);
};

/** Notes a failed login by account, without the password, after the answer. */
const noteFailure = (context: UseCaseContext, input: LoginInput, isThrottled: boolean): void => {
  noted(context, input, isThrottled).catch(() => undefined);
};

/** Writes an entry for a caller without a valid credential. */
const note = async ({ ports, address, department }: UseCaseContext, tenant: string, actor: Actor, action: string) => {
  const entry = { action, target: { kind: 'user', id: actor.id }, before: null, after: null };
  await auditAs(ports, tenant, { actor, address, department }, entry);
};

const userOf = async ({ ports }: UseCaseContext, tenant: string, id: string): Promise<Actor> => {
  const stored = await ports.records.get<UserRecord>(tenant, ACCESS_KINDS.user, id);
  return stored === null ? { id, username: id, name: id } : actorOf(stored.body);
};

/** The entry of a login that needed no password. */
export const noteLogin = async (context: UseCaseContext, { tenant, user }: Issued): Promise<void> =>
  note(context, tenant, actorOf(user), 'login');

/** A login with its entry in the audit trail: `login` at once, `login.failed` after the answer. */
export const loginAudited = async (
  context: UseCaseContext,
  input: LoginInput,
  logIn: () => Promise<Issued>,
): Promise<Issued> => {
  try {
    const issued = await logIn();
    await note(context, issued.tenant, actorOf(issued.user), 'login');
    return issued;
  } catch (error) {
    if (!(error instanceof Fault) || (error.kind !== 'unauthenticated' && error.kind !== 'rate-limited')) throw error;
    // Not awaited: the time of the answer must not reveal if the user exists.
    noteFailure(context, input, error.kind === 'rate-limited');
    if (error.kind === 'rate-limited') throw error;
    throw new Fault('unauthenticated', error.message, [], { refused: { reason: 'password' } });
  }
};

export const noteLogout = async (context: UseCaseContext, { tenant, user }: SessionRecord): Promise<void> =>
  note(context, tenant, await userOf(context, tenant, user), 'logout');

/** A refresh; the second use of a refresh token is noted as `session.reused`, as a thief may have the first one. */
export const reuseAudited = async <T>(context: UseCaseContext, refresh: () => Promise<T>): Promise<T> => {
  try {
    return await refresh();
  } catch (error) {
    const refused = error instanceof Fault ? error.refused : undefined;
    if (refused?.reason === 'reused' && refused.tenant !== undefined)
      await note(
        context,
        refused.tenant,
        await userOf(context, refused.tenant, refused.credentialId ?? ''),
        'session.reused',
      );
    throw error;
  }
};
