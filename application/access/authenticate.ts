import type { Caller } from '#domain/access/caller.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { isTenantId } from '#domain/access/tenant.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { Fault } from '#domain/fault.ts';
import { isKept, Lru } from '#domain/lru.ts';
import type { Keys } from '#domain/ports/keys.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { RefusedCredential } from '#domain/refused-credential.ts';
import { type AccessPorts, loadCaller } from './load-caller.ts';

/** Credentials of a request. */
export interface RequestCredentials {
  readonly authorization: string | undefined;
  /** `?token=`, on endpoints with lenient credentials only. */
  readonly queryToken: string | undefined;
  /** Field of the body, on endpoints with `keyFields` only. */
  readonly bodyToken: string | undefined;
  /** X-Tenant-ID. */
  readonly tenantHeader: string | undefined;
  readonly lenient: boolean;
  readonly address: string;
}

/** Longer ones are none of ours. */
const MAX_CHARACTERS = 4_096;
/** Scheme of Opsgenie's clients. */
const GENIE_KEY = /^geniekey +(\S+)$/i;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** The credential of the caller: `query` only for tokens made for that, `basic` and `key` only for API tokens. */
interface PresentedCredential {
  readonly secret: string;
  readonly via: 'bearer' | 'basic' | 'key' | 'query';
}

const passwordOf = (encoded: string): string | null => {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : text.slice(colon + 1);
};

const isBearer = (header: string): boolean => header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ';

/** The credential of a request, or null. A header outweighs `?token=`. */
const presentedCredential = (credentials: RequestCredentials): PresentedCredential | null => {
  const { authorization, queryToken, bodyToken, lenient } = credentials;
  if (authorization !== undefined) {
    if (authorization.length > MAX_CHARACTERS) return null;
    if (isBearer(authorization)) return { secret: authorization.slice(7).trim(), via: 'bearer' };
    const key = lenient ? GENIE_KEY.exec(authorization)?.[1] : undefined;
    if (key !== undefined) return { secret: key, via: 'key' };
    const basic = lenient ? BASIC.exec(authorization) : null;
    const password = basic?.[1] === undefined ? null : passwordOf(basic[1]);
    return password === null ? null : { secret: password, via: 'basic' };
  }
  if (lenient && queryToken !== undefined && queryToken.length <= MAX_CHARACTERS)
    return { secret: queryToken, via: 'query' };
  return bodyToken !== undefined && bodyToken.length <= MAX_CHARACTERS ? { secret: bodyToken, via: 'key' } : null;
};

/** Time for which another process may accept a credential that this one revoked; ms. */
export const CACHE_TTL_MS = 5_000;
const CACHE_MAX_ENTRIES = 10_000;

/** A cached credential. `own`: the result for a request in the credential's own tenant. */
export interface CachedCredential {
  readonly own: { readonly caller: Caller; readonly tenant: string };
  readonly validUntil: number;
}

/** Credentials by SHA-256, and existing tenants; bounded, the least recently used are evicted. */
export class CallerCache {
  readonly #callers = new Lru<string, CachedCredential>(CACHE_MAX_ENTRIES);
  readonly #tenants = new Map<string, number>();
  /** Changes with every clearing, so that a look-up begun before it is not cached after it. */
  generation = 0;

  get(hash: string, now: number): CachedCredential | undefined {
    const known = this.#callers.get(hash);
    return known !== undefined && isKept(known.validUntil, now, CACHE_TTL_MS) ? known : undefined;
  }

  keep(hash: string, known: CachedCredential, generation: number): void {
    if (generation !== this.generation) return;
    this.#callers.set(hash, known);
  }

  hasTenant(id: string, now: number): boolean {
    return isKept(this.#tenants.get(id) ?? 0, now, CACHE_TTL_MS);
  }

  keepTenant(id: string, until: number, generation: number): void {
    if (generation !== this.generation) return;
    if (this.#tenants.size >= CACHE_MAX_ENTRIES) this.#tenants.clear();
    this.#tenants.set(id, until);
  }

  /** Must be called after every change of tenants, users, tokens and limits: it counts from the next request on. */
  clear(): void {
    this.generation += 1;
    this.#callers.clear();
    this.#tenants.clear();
  }
}

/** The same for every reason, so that it reveals nothing; the log and the counter have the reason. */
const unauthenticated = (refused: RefusedCredential) =>
  new Fault('unauthenticated', 'Authentication required. Send a valid bearer token.', [], { refused });
const foreignTenant = ({ credentialId, tenant }: Caller) =>
  new Fault('tenant', 'Unknown tenant in X-Tenant-ID, or no access to it', [], {
    refused: { reason: 'tenant', credentialId, tenant },
  });

const isWebhookOnly = ({ permissions, role }: Caller): boolean =>
  role === null && permissions.size === 1 && permissions.has('events.webhook');

/** `?token=` appears in logs of others, so only a token that can only post to webhooks is accepted. */
const QUERY_REFUSED = 'Only tokens whose single scope is events.webhook may be sent as a query parameter';

/**
 * JWTs are accepted as bearer only. The holder of a valid token receives the reason of the refusal, which reveals
 * nothing new.
 */
const requireWay = (caller: Caller, via: PresentedCredential['via']): void => {
  const { credentialId, tenant } = caller;
  if ((via === 'basic' || via === 'key') && caller.kind === 'jwt')
    throw unauthenticated({ reason: 'basic', credentialId, tenant });
  if (via !== 'query' || isWebhookOnly(caller)) return;
  throw new Fault('unauthenticated', QUERY_REFUSED, [], { refused: { reason: 'query', credentialId, tenant } });
};

interface Authenticating {
  readonly ports: AccessPorts;
  readonly keys: Keys;
  /** The same cache as in `ports.memory`, so that revoked credentials are forgotten. */
  readonly callers: CallerCache;
}

/**
 * The caller and its tenant. A valid credential is cached for 5 s at most; a credential that this process revokes is dropped at
 * once. Source: docs/specification.md §15.
 */
export const authenticator = ({ ports, keys, callers }: Authenticating): Authenticate => {
  const { records, clock, crypto } = ports;

  const lookUp = async (secret: string, hash: string): Promise<CachedCredential> => {
    const { generation } = callers;
    const loaded = await loadCaller(ports, keys, secret, hash);
    if ('reason' in loaded) throw unauthenticated(loaded);
    const { caller, expiresAt } = loaded;
    const validUntil = Math.min(clock.now() + CACHE_TTL_MS, expiresAt);
    const known = { own: { caller, tenant: caller.tenant }, validUntil };
    callers.keep(hash, known, generation);
    return known;
  };

  const requireTenant = async (id: string, caller: Caller): Promise<void> => {
    const { generation } = callers;
    const now = clock.now();
    if (callers.hasTenant(id, now)) return;
    const found = isTenantId(id) ? await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, id) : null;
    if (found === null || stateOf(found.body) !== 'active') throw foreignTenant(caller);
    callers.keepTenant(id, now + CACHE_TTL_MS, generation);
  };

  return async (credentials) => {
    const presented = presentedCredential(credentials);
    if (presented === null) throw unauthenticated({ reason: 'missing' });
    const hash = crypto.sha256(presented.secret);
    const { own } = callers.get(hash, clock.now()) ?? (await lookUp(presented.secret, hash));
    requireWay(own.caller, presented.via);
    const named = credentials.tenantHeader;
    if (named === undefined || named === '' || named === own.tenant) return own;
    if (!own.caller.permissions.has('tenants.manage')) throw foreignTenant(own.caller);
    await requireTenant(named, own.caller);
    return { caller: own.caller, tenant: named };
  };
};

/** Throws Fault `unauthenticated` or `tenant`. */
export type Authenticate = (
  credentials: RequestCredentials,
) => Promise<{ readonly caller: Caller; readonly tenant: string }>;
