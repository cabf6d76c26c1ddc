import { adminEndpoints } from '#api/admin/endpoints.ts';
import type { AnyEndpoint, Context } from '#api/surfaces/endpoint.ts';
import {
  type Authenticate,
  authenticator,
  CallerCache,
  type RequestCredentials,
} from '#application/access/authenticate.ts';
import { bootstrap } from '#application/access/bootstrap.ts';
import { openSession } from '#application/access/sessions.ts';
import type { IssuedToken } from '#application/access/tokens.ts';
import { addUser } from '#application/access/user-store.ts';
import { openMemory } from '#application/open-memory.ts';
import type { Permission, Role } from '#domain/access/permissions.ts';
import type { UserRecord } from '#domain/access/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openRecordTable } from '#infra/embedded/records/table.ts';
import { openKeys } from '#infra/keys/keys.ts';
import { openMemoryLimiter } from '#infra/limits/limiter.ts';
import { systemCrypto } from '#infra/system/crypto.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { memoryDatabase } from './empty-database.ts';
import { type SetClock, seededIds, setClock } from './set-clock.ts';

export const BOOTSTRAP_TOKEN = 'a bootstrap token of any form';
export const ADMIN_PASSWORD = 'correct horse battery';
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 21, 9);

/** Everything about access on a real store, without HTTP. */
export interface AccessWorld extends Disposable {
  readonly ports: Ports;
  readonly clock: SetClock;
  readonly authenticate: Authenticate;
  /** Authenticates a bearer token. */
  as(token: string, credentials?: Partial<RequestCredentials>): ReturnType<Authenticate>;
  /** Carries out an endpoint for the bearer of a token: its permission, then its handler. */
  call<Out>(token: string | null, endpoint: AnyEndpoint, input?: unknown, tenantHeader?: string): Promise<Out>;
}

export const credentials = (given: Partial<RequestCredentials>): RequestCredentials => ({
  authorization: undefined,
  queryToken: undefined,
  bodyToken: undefined,
  tenantHeader: undefined,
  lenient: false,
  address: '192.0.2.1',
  ...given,
});

export const openAccessWorld = async (): Promise<AccessWorld> => {
  const clock = setClock(START);
  const database = memoryDatabase();
  const records = openRecordStore(database, openRecordTable(database), clock);
  const ids = { ...seededIds(clock), secret: randomIds.secret };
  const keys = await openKeys({ records, clock, ids });
  const limiter = openMemoryLimiter(clock);
  // The other ports play no part in access.
  const callers = new CallerCache();
  const memory = openMemory(records, callers);
  const crypto = systemCrypto;
  const ports = { records, memory, clock, ids, keys, limiter, crypto, historyMs: 400 * DAY } as unknown as Ports;
  await bootstrap({ ports, tenant: 'default', adminPassword: ADMIN_PASSWORD, bootstrapToken: BOOTSTRAP_TOKEN });
  const authenticate = authenticator({ ports, keys, callers });
  const as: AccessWorld['as'] = (token, given = {}) =>
    authenticate(credentials({ authorization: `Bearer ${token}`, ...given }));
  return {
    ports,
    clock,
    authenticate,
    as,
    async call(token, endpoint, input, tenantHeader) {
      const who = token === null ? null : await as(token, { tenantHeader });
      if (endpoint.permission !== null && !who?.caller.permissions.has(endpoint.permission))
        throw new Error(`lacks ${endpoint.permission}`);
      const asked = { requestId: 'r', address: '192.0.2.1', department: null, idempotencyKey: null, ifMatch: null };
      const context = { ...asked, ...who, ports, receivedAt: clock.now() } as unknown as Context;
      return endpoint.handle(input, context);
    },
    [Symbol.dispose]: () => database.close(),
  };
};

/** An endpoint of the administration, by id. */
export const adminEndpoint = (id: string): AnyEndpoint => {
  const found = adminEndpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) throw new Error(`no endpoint ${id}`);
  return found;
};

export interface Wanted {
  readonly role?: Role;
  readonly scopes?: readonly Permission[];
  /** Default: the first tenant. */
  readonly tenant?: string;
  readonly expiresIn?: string;
  readonly limits?: Readonly<Record<string, number>>;
}
const DRAFT = { name: 'feed', description: '', kind: 'api_key', role: null, scopes: [], expiresIn: '90d', limits: {} };

/** A new API token, made as an administrator makes it. */
export const tokenWith = (world: AccessWorld, { tenant, ...wanted }: Wanted): Promise<IssuedToken> =>
  world.call(BOOTSTRAP_TOKEN, adminEndpoint('admin.tokens.create'), { ...DRAFT, ...wanted }, tenant);

/** A user without a password. */
export const userOf = async (
  { ports, clock }: AccessWorld,
  tenant: string,
  username: string,
  role: Role,
): Promise<UserRecord> => {
  const at = clock.now();
  const state = { disabled: false, passwordHash: '-', version: 1, createdAt: at, updatedAt: at };
  const user = { id: ports.ids.ulid(), username, name: username, role, ...state };
  await addUser(ports, tenant, user);
  return user;
};
export const jwtOf = async ({ ports }: AccessWorld, tenant: string, user: UserRecord): Promise<string> =>
  (await openSession(ports, tenant, user)).token;
