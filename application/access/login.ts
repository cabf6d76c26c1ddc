import {
  ACCESS_KINDS,
  type ConsoleSession,
  INSTANCE_ID,
  type InstanceRecord,
  type TenantRecord,
  type UserRecord,
} from '#domain/access/records.ts';
import { isTenantId, usernameKey } from '#domain/access/tenant.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { addressBlock } from '#domain/topology/address.ts';
import { countAttempt } from './attempts.ts';
import { type Issued, openSession } from './sessions.ts';
import { userNamed } from './user-store.ts';

/** Failures in a window per account and address, and per address over all accounts, so that trying one password on many is bounded. */
export const MAX_FAILURES = 5;
export const MAX_FAILURES_OF_ADDRESS = 30;
export const FAILURE_WINDOW_MS = 15 * 60_000;

export interface LoginInput {
  readonly username: string;
  readonly password: string;
  /** Null: the first tenant. */
  readonly tenant: string | null;
}

/** The user that `find` returns in an enabled tenant, themselves enabled. */
export const activeUser = async (
  { records }: Ports,
  tenant: string,
  find: () => Promise<UserRecord | null>,
): Promise<UserRecord | null> => {
  if (!isTenantId(tenant)) return null;
  const home = await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant);
  if (home === null || home.body.disabled) return null;
  const user = await find();
  return user === null || user.disabled ? null : user;
};

export const readInstance = async ({ records }: Ports): Promise<InstanceRecord> => {
  const instance = await records.get<InstanceRecord>(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID);
  if (instance === null) throw new Fault('unavailable', 'The service is starting', [], { retryAfter: 1 });
  return instance.body;
};

interface AttemptBucket {
  readonly key: string;
  readonly limit: number;
}

const bucketsOf = (tenant: string, username: string, address: string): readonly AttemptBucket[] => {
  const block = addressBlock(address);
  return [
    { key: `login:${tenant}:${usernameKey(username)}:${block}`, limit: MAX_FAILURES },
    { key: `login-address:${block}`, limit: MAX_FAILURES_OF_ADDRESS },
  ];
};

const giveBack = async ({ limiter }: Ports, buckets: readonly AttemptBucket[]): Promise<void> => {
  for (const { key, limit } of buckets) await limiter.take(key, limit, FAILURE_WINDOW_MS, -1);
};

/**
 * Counts the attempt before the password is verified, so that concurrent attempts are counted too. A refused one is not
 * counted.
 */
const countLogin = async (ports: Ports, buckets: readonly AttemptBucket[]): Promise<void> => {
  for (const [index, { key, limit }] of buckets.entries()) {
    await countAttempt(
      ports,
      { key, limit, windowMs: FAILURE_WINDOW_MS },
      'Too many failed logins. Try again later',
    ).catch(async (error) => {
      await giveBack(ports, buckets.slice(0, index));
      throw error;
    });
  }
};

/** Returns true if the password is right; a failed look-up is no login failure. */
const matchesOf = async (
  ports: Ports,
  buckets: readonly AttemptBucket[],
  password: string,
  hash: string,
): Promise<boolean> => {
  try {
    return await ports.crypto.verifyPassword(password, hash);
  } catch (error) {
    await giveBack(ports, buckets);
    throw error;
  }
};

/** Issues tokens for a user name and password. Time and answer do not depend on the existence of the user. */
export const logIn = async (
  ports: Ports,
  input: LoginInput,
  address: string,
  console?: ConsoleSession,
): Promise<Issued> => {
  const instance = await readInstance(ports);
  const tenant = input.tenant ?? instance.tenant;
  const buckets = bucketsOf(tenant, input.username, address);
  await countLogin(ports, buckets);
  const user = await activeUser(ports, tenant, () => userNamed(ports.records, tenant, input.username));
  const matches = await matchesOf(ports, buckets, input.password, user?.passwordHash ?? instance.dummyHash);
  if (user === null || !matches) throw new Fault('unauthenticated', 'Incorrect username or password');
  // A success is no failure: its count is returned.
  await giveBack(ports, buckets);
  return openSession(ports, tenant, user, console);
};
