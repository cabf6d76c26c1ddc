import type { Caller, LimitOverrides } from '#domain/access/caller.ts';
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
import type { RefusedCredential } from '#domain/refused-credential.ts';
import { noteUse } from './token-store.ts';

export type AccessPorts = Pick<Ports, 'records' | 'clock' | 'crypto'>;

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** True if a bearer credential has the form of a JWT; an API token may have it too and is looked up then. */
const looksLikeJwt = (secret: string): boolean => JWT.test(secret);

/** A credential found valid; it stays so until `expiresAt` at most. */
interface LoadedCaller {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/** The limits set for the tenant; throws Fault `tenant` when it is disabled or gone. */
const tenantLimits = async (records: RecordStore, tenant: string, id?: string): Promise<LimitOverrides> => {
  const [found, limits] = await Promise.all([
    records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant),
    records.get<LimitOverrides>(tenant, ACCESS_KINDS.limits, TENANT_LIMITS_ID),
  ]);
  if (found === null || found.body.disabled) {
    const refused = { reason: 'tenant', tenant, ...(id !== undefined && { credentialId: id }) } as const;
    throw new Fault('tenant', 'Tenant not found or disabled', [], { refused });
  }
  return limits?.body ?? {};
};

/** Returns the end of validity of this value of the token; null when it is no value of it. */
const validUntil = ({ hash, previous, expiresAt }: TokenRecord, presented: string): number | null => {
  const end = expiresAt ?? Number.POSITIVE_INFINITY;
  if (hash === presented) return end;
  const earlier = previous?.find((one) => one.hash === presented);
  return earlier === undefined ? null : Math.min(end, earlier.until);
};

const loadToken = async ({ records, clock }: AccessPorts, hash: string): Promise<LoadedCaller | RefusedCredential> => {
  const credential = await records.get<CredentialRecord>(SYSTEM_TENANT, ACCESS_KINDS.credential, hash);
  if (credential === null) return { reason: 'unknown' };
  const { tenant, token: id, ended } = credential.body;
  const named = { credentialId: id, tenant };
  const stored = ended === undefined ? await records.get<TokenRecord>(tenant, ACCESS_KINDS.token, id) : null;
  if (stored === null) return { reason: ended ?? 'revoked', ...named };
  const token = stored.body;
  const [now, expiresAt] = [clock.now(), validUntil(token, hash)];
  if (token.expiresAt !== null && token.expiresAt <= now) return { reason: 'expired', ...named };
  if (expiresAt === null || expiresAt <= now) return { reason: 'rotated', ...named };
  const limits = { tenant: await tenantLimits(records, tenant, id), token: token.limits };
  const { name, kind, role } = token;
  const who = { id, username: name, name, credentialId: id };
  noteUse(records, tenant, stored, now);
  const end = Number.isFinite(expiresAt) ? expiresAt : null;
  const caller = { ...who, tenant, kind, role, permissions: new Set(permissionsOf(token)), limits, expiresAt: end };
  return { caller, expiresAt };
};

const loadUser = async ({ records }: AccessPorts, keys: Keys, jwt: string): Promise<LoadedCaller | null> => {
  const claims = await keys.verify(jwt);
  if (claims === null) return null;
  const { tenant, sub: id, sid } = claims;
  const [stored, session] = await Promise.all([
    records.get<UserRecord>(tenant, ACCESS_KINDS.user, id),
    records.get(SYSTEM_TENANT, ACCESS_KINDS.session, sid),
  ]);
  const user = stored?.body;
  if (user === undefined || user.disabled || user.version !== claims.ver || session === null) return null;
  const limits = { tenant: await tenantLimits(records, tenant), token: {} };
  const { username, name, role } = user;
  const permissions = new Set(permissionsOf({ role, scopes: [] }));
  const who = { id, username, name, credentialId: id };
  const { expiresAt } = claims;
  return { caller: { ...who, tenant, kind: 'jwt', role, permissions, limits, expiresAt }, expiresAt };
};

/**
 * Returns the caller of a secret, or the reason of the refusal. The role is the user's current one, regardless of the
 * JWT.
 */
export const loadCaller = async (
  ports: AccessPorts,
  keys: Keys,
  secret: string,
  hash: string,
): Promise<LoadedCaller | RefusedCredential> => {
  if (!looksLikeJwt(secret)) return loadToken(ports, hash);
  const user = await loadUser(ports, keys, secret);
  if (user !== null) return user;
  const token = await loadToken(ports, hash);
  return 'reason' in token && token.reason === 'unknown' ? { reason: 'session' } : token;
};
