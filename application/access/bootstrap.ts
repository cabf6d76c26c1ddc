import { untilSeen } from '#application/records/pause.ts';
import {
  ACCESS_KINDS,
  BOOTSTRAP_TOKEN_ID,
  INSTANCE_ID,
  type InstanceRecord,
  type TenantRecord,
  type TokenRecord,
  type UserRecord,
} from '#domain/access/records.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { assertDefined } from '#domain/assert.ts';
import { isConflict } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { actorOf } from './actor.ts';
import { revokeToken, saveToken } from './token-store.ts';
import { addUser, userNamed } from './user-store.ts';

const ADMIN = 'admin';
const GENERATED_PASSWORD_CHARACTERS = 24;

export interface BootstrapInput {
  readonly ports: Pick<Ports, 'memory' | 'records' | 'clock' | 'ids' | 'crypto'>;
  /** FAULTLINE_TENANT. */
  readonly tenant: string;
  /** FAULTLINE_ADMIN_PASSWORD: counts when user `admin` is made, never afterwards. */
  readonly adminPassword: string | null;
  /** FAULTLINE_BOOTSTRAP_TOKEN: replaces the one of the start before; null removes it. */
  readonly bootstrapToken: string | null;
}

const ensureTenant = async ({ records, clock }: BootstrapInput['ports'], id: string): Promise<void> => {
  const stored = await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, id);
  if (stored !== null && stateOf(stored.body) !== 'active')
    throw new Error(`FAULTLINE_TENANT=${id} was deleted. Set another tenant, or wait until the name is released`);
  if (stored !== null) return;
  const at = clock.now();
  const tenant: TenantRecord = { id, name: id, disabled: false, createdAt: at, updatedAt: at };
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, id, tenant);
};

/** The first tenant, and a dummy hash made once; returns the first tenant of the start before. */
const ensureInstance = async ({ ports: { records, ids, crypto }, tenant }: BootstrapInput): Promise<string> => {
  const stored = await records.get<InstanceRecord>(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID);
  if (stored?.body.tenant === tenant) return tenant;
  const secret = ids.secret(GENERATED_PASSWORD_CHARACTERS);
  const dummyHash = stored?.body.dummyHash ?? (await crypto.hashPassword(secret));
  const instance: InstanceRecord = { tenant, dummyHash };
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID, instance);
  return stored?.body.tenant ?? tenant;
};

/** Another process may be making the same user. */
const madeByAnother = (records: RecordStore, tenant: string): Promise<UserRecord | null> =>
  untilSeen(
    () => userNamed(records, tenant, ADMIN),
    (user) => user !== null,
    { tries: 40, ms: 250 },
  );

/** User `admin`; returns the password if it was generated here. */
const ensureAdmin = async ({ ports, tenant, adminPassword }: BootstrapInput): Promise<[UserRecord, string | null]> => {
  const { records, clock, ids, crypto } = ports;
  const admin = await userNamed(records, tenant, ADMIN);
  if (admin !== null) return [admin, null];
  const generated = adminPassword === null ? ids.secret(GENERATED_PASSWORD_CHARACTERS) : null;
  const passwordHash = await crypto.hashPassword(adminPassword ?? assertDefined(generated, 'password'));
  const at = clock.now();
  const named = { id: ids.ulid(), username: ADMIN, name: 'Administrator', role: 'platform-admin' as const };
  const user: UserRecord = { ...named, disabled: false, passwordHash, version: 1, createdAt: at, updatedAt: at };
  try {
    await addUser(ports, tenant, user);
    return [user, generated];
  } catch (error) {
    const other = isConflict(error) ? await madeByAnother(records, tenant) : null;
    if (other === null) throw error;
    return [other, null];
  }
};

const dropToken = async (ports: BootstrapInput['ports'], tenant: string, except: string | null) => {
  const stored = await ports.records.get<TokenRecord>(tenant, ACCESS_KINDS.token, BOOTSTRAP_TOKEN_ID);
  if (stored !== null && stored.body.hash !== except) await revokeToken(ports, tenant, stored.body, []);
  return stored !== null && stored.body.hash === except;
};

/** The token has any form that the configuration accepts, acts with the rights of user `admin` and does not expire. */
const ensureToken = async ({ ports, tenant, bootstrapToken }: BootstrapInput, admin: UserRecord): Promise<void> => {
  const hash = bootstrapToken === null ? null : ports.crypto.sha256(bootstrapToken);
  const kept = await dropToken(ports, tenant, hash);
  if (kept || hash === null) return;
  await saveToken(ports, tenant, {
    id: BOOTSTRAP_TOKEN_ID,
    name: BOOTSTRAP_TOKEN_ID,
    description: 'From FAULTLINE_BOOTSTRAP_TOKEN',
    kind: 'api_key',
    role: 'platform-admin',
    scopes: [],
    limits: {},
    hash,
    createdAt: ports.clock.now(),
    createdBy: actorOf(admin),
    expiresAt: null,
    lastUsedAt: null,
  });
};

/**
 * Makes the first tenant, user `admin` and the bootstrap token, before the first request. Changes nothing when they exist.
 * `adminPassword` is the password generated just now, to be printed once; null otherwise.
 */
export const bootstrap = async (input: BootstrapInput): Promise<{ readonly adminPassword: string | null }> => {
  await ensureTenant(input.ports, input.tenant);
  const before = await ensureInstance(input);
  if (before !== input.tenant) await dropToken(input.ports, before, null);
  const [admin, adminPassword] = await ensureAdmin(input);
  await ensureToken(input, admin);
  return { adminPassword };
};
