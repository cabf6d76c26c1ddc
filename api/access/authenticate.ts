import type { Authenticate, Caller } from '#api/endpoint.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { isTenantId } from '#domain/access/tenant.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { Fault } from '#domain/fault.ts';
import type { Keys } from '#domain/ports/keys.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { CACHE_TTL_MS, callerCache, type Known } from './caller-cache.ts';
import { type AccessPorts, loadCaller } from './load-caller.ts';
import { type PresentedCredential, presentedCredential } from './presented-credential.ts';

/** The same for every reason, so that nothing is learnt from it. */
const unauthenticated = () => new Fault('unauthenticated', 'A valid credential is required');
const foreignTenant = () => new Fault('tenant', 'X-Tenant-ID names a tenant that is unknown or not yours');

const isWebhookOnly = ({ permissions, role }: Caller): boolean =>
  role === null && permissions.size === 1 && permissions.has('events.webhook');

/** JWTs are shown as bearer only; `?token=` stands in logs of others, so only a token that can do no more is taken. */
const mayPresent = (caller: Caller, via: PresentedCredential['via']): boolean =>
  via === 'bearer' || (via === 'basic' ? caller.kind !== 'jwt' : isWebhookOnly(caller));

/**
 * Who is asking, and for which tenant. A credential found valid is remembered for 5 s at most; what this process
 * revokes it forgets at once. Source: specification, "Authentication".
 */
export const authenticator = ({ ports, keys }: { readonly ports: AccessPorts; readonly keys: Keys }): Authenticate => {
  const { records, clock, crypto } = ports;
  const cache = callerCache(records);

  const lookUp = async (secret: string, hash: string): Promise<Known> => {
    const { generation } = cache;
    const loaded = await loadCaller(ports, keys, secret, hash);
    if (loaded === null) throw unauthenticated();
    const { caller, expiresAt } = loaded;
    const validUntil = Math.min(clock.now() + CACHE_TTL_MS, expiresAt);
    const known = { own: { caller, tenant: caller.tenant }, validUntil };
    cache.keep(hash, known, generation);
    return known;
  };

  const requireTenant = async (id: string): Promise<void> => {
    const { generation } = cache;
    const now = clock.now();
    if (cache.hasTenant(id, now)) return;
    const found = isTenantId(id) ? await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, id) : null;
    if (found === null || stateOf(found.body) !== 'active') throw foreignTenant();
    cache.keepTenant(id, now + CACHE_TTL_MS, generation);
  };

  return async (credentials) => {
    const presented = presentedCredential(credentials);
    if (presented === null) throw unauthenticated();
    const hash = crypto.sha256(presented.secret);
    const { own } = cache.get(hash, clock.now()) ?? (await lookUp(presented.secret, hash));
    if (!mayPresent(own.caller, presented.via)) throw unauthenticated();
    const named = credentials.tenantHeader;
    if (named === undefined || named === '' || named === own.tenant) return own;
    if (!own.caller.permissions.has('tenants.manage')) throw foreignTenant();
    await requireTenant(named);
    return { caller: own.caller, tenant: named };
  };
};
