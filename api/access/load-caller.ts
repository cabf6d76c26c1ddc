import type { Caller, LimitOverrides } from '#api/endpoint.ts';
import { permissionsOf } from '#domain/access/grant.ts';
import {
  ACCESS_KINDS,
  type CredentialRecord,
  TENANT_LIMITS_ID,
  type TenantRecord,
  type TokenRecord,
  type UserRecord,
} from '#domain/access/records.ts';
import { Fault } from '#domain/fault.ts';
import type { Keys } from '#domain/ports/keys.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { looksLikeJwt } from './presented-credential.ts';
import { noteUse } from './token-store.ts';

export type AccessPorts = Pick<Ports, 'records' | 'clock' | 'crypto'>;

/** A credential found valid; it stays so until `expiresAt` at most. */
export interface Loaded {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/** The limits set for the tenant; throws Fault `tenant` when it is disabled or gone. */
const tenantLimits = async (records: RecordStore, tenant: string): Promise<LimitOverrides> => {
  const [found, limits] = await Promise.all([
    records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant),
    records.get<LimitOverrides>(tenant, ACCESS_KINDS.limits, TENANT_LIMITS_ID),
  ]);
  if (found === null || found.body.disabled) throw new Fault('tenant', 'This tenant is unknown or disabled');
  return limits?.body ?? {};
};

const loadToken = async ({ records, clock }: AccessPorts, hash: string): Promise<Loaded | null> => {
  const credential = await records.get<CredentialRecord>(SYSTEM_TENANT, ACCESS_KINDS.credential, hash);
  if (credential === null) return null;
  const { tenant, token: id } = credential.body;
  const stored = await records.get<TokenRecord>(tenant, ACCESS_KINDS.token, id);
  const now = clock.now();
  const expiresAt = stored?.body.expiresAt ?? Number.POSITIVE_INFINITY;
  if (stored === null || stored.body.hash !== hash || expiresAt <= now) return null;
  const token = stored.body;
  const limits = { tenant: await tenantLimits(records, tenant), token: token.limits };
  const { name, kind, role } = token;
  const who = { id, username: name, name, credentialId: id };
  noteUse(records, tenant, stored, now);
  return { caller: { ...who, tenant, kind, role, permissions: new Set(permissionsOf(token)), limits }, expiresAt };
};

const loadUser = async ({ records }: AccessPorts, keys: Keys, jwt: string): Promise<Loaded | null> => {
  const claims = await keys.verify(jwt);
  if (claims === null) return null;
  const { tenant, sub: id } = claims;
  const user = (await records.get<UserRecord>(tenant, ACCESS_KINDS.user, id))?.body;
  if (user === undefined || user.disabled || user.version !== claims.ver) return null;
  const limits = { tenant: await tenantLimits(records, tenant), token: {} };
  const { username, name, role } = user;
  const permissions = new Set(permissionsOf({ role, scopes: [] }));
  const who = { id, username, name, credentialId: id };
  return { caller: { ...who, tenant, kind: 'jwt', role, permissions, limits }, expiresAt: claims.expiresAt };
};

/** Who a secret belongs to, or null. The role is the one the user has now, whatever the JWT says. */
export const loadCaller = async (
  ports: AccessPorts,
  keys: Keys,
  secret: string,
  hash: string,
): Promise<Loaded | null> =>
  (looksLikeJwt(secret) ? await loadUser(ports, keys, secret) : null) ?? (await loadToken(ports, hash));
