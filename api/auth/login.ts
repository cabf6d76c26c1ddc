import { type Issued, openSession } from '#api/access/sessions.ts';
import { userNamed } from '#api/access/user-store.ts';
import {
  ACCESS_KINDS,
  INSTANCE_ID,
  type InstanceRecord,
  type TenantRecord,
  type UserRecord,
} from '#domain/access/records.ts';
import { isTenantId, usernameKey } from '#domain/access/tenant.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** Rulings: 5 failures per account and address in 15 min. */
export const MAX_FAILURES = 5;
export const FAILURE_WINDOW_MS = 15 * 60_000;

export interface LoginInput {
  readonly username: string;
  readonly password: string;
  /** Null: the first tenant. */
  readonly tenant: string | null;
}

/** The user of that name in an enabled tenant, himself enabled. */
const findUser = async ({ records }: Ports, tenant: string, username: string): Promise<UserRecord | null> => {
  if (!isTenantId(tenant)) return null;
  const home = await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant);
  if (home === null || home.body.disabled) return null;
  const user = await userNamed(records, tenant, username);
  return user === null || user.disabled ? null : user;
};

const readInstance = async ({ records }: Ports): Promise<InstanceRecord> => {
  const instance = await records.get<InstanceRecord>(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID);
  if (instance === null) throw new Fault('unavailable', 'The service is starting', [], { retryAfter: 1 });
  return instance.body;
};

/** Counts the attempt before the password is looked at, so that attempts at the same moment are counted too. */
const countAttempt = async ({ limiter, clock }: Ports, key: string): Promise<void> => {
  const state = await limiter.take(key, MAX_FAILURES, FAILURE_WINDOW_MS);
  if (state.allowed) return;
  const retryAfter = Math.max(1, Math.ceil((state.resetAt - clock.now()) / 1_000));
  throw new Fault('rate-limited', 'Too many failed logins; try again later', [], { retryAfter });
};

/** Tokens for a user name and password. Takes the same time and gives the same answer whether or not the user exists. */
export const logIn = async (ports: Ports, input: LoginInput, address: string): Promise<Issued> => {
  const instance = await readInstance(ports);
  const tenant = input.tenant ?? instance.tenant;
  const key = `login:${tenant}:${usernameKey(input.username)}:${address}`;
  await countAttempt(ports, key);
  const user = await findUser(ports, tenant, input.username);
  const matches = await ports.crypto.verifyPassword(input.password, user?.passwordHash ?? instance.dummyHash);
  if (user === null || !matches) throw new Fault('unauthenticated', 'The user name or the password is wrong');
  // A success is no failure: its count is given back.
  await ports.limiter.take(key, MAX_FAILURES, FAILURE_WINDOW_MS, -1);
  return openSession(ports, tenant, user);
};
