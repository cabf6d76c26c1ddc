import { createServer, type ServerOptions } from '#api/http/server.ts';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { CallerCache, type RequestCredentials } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import type { Caller, LimitOverrides } from '#domain/access/caller.ts';
import { PERMISSIONS, type Permission } from '#domain/access/permissions.ts';
import { Fault } from '#domain/fault.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openRecordTable } from '#infra/embedded/records/table.ts';
import { openMemoryLimiter } from '#infra/limits/limiter.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { systemCrypto } from '#infra/system/crypto.ts';
import { openDeadline } from '#infra/system/time.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { seededIds, setClock } from '#test/setup/set-clock.ts';

const START = Date.parse('2026-11-20T10:00:00Z');

/** Tokens that the test server knows: every permission, none, and a feed with a limit of its own. */
export const TOKEN = 'all';
const grants: Readonly<Record<string, { permissions: readonly Permission[]; token?: LimitOverrides }>> = {
  all: { permissions: PERMISSIONS },
  none: { permissions: [] },
  feed: { permissions: PERMISSIONS, token: { query: 3 } },
};

const callerOf = (name: string): Caller => ({
  id: name,
  username: name,
  name,
  tenant: 'default',
  kind: 'api_key',
  role: null,
  permissions: new Set(grants[name]?.permissions),
  credentialId: name,
  limits: { tenant: {}, token: grants[name]?.token ?? {} },
});

/** Replaces sign-in, which has tests of its own. */
async function authenticate({ authorization, queryToken, tenantHeader }: RequestCredentials) {
  const token = queryToken ?? /^Bearer (\w+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined || !(token in grants))
    throw new Fault('unauthenticated', 'Authentication required. Send a valid bearer token.');
  if (tenantHeader !== undefined && tenantHeader !== 'default') throw new Fault('tenant', 'No access to this tenant');
  return { caller: callerOf(token), tenant: 'default' };
}

interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function recordingLog(lines: LogLine[]): Log {
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push({ level, fields, message });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A running server of these endpoints, with a clock to move. Events, topology and outbound HTTP are not there. */
export async function openTestServer(endpoints: readonly AnyEndpoint[], changes: Partial<ServerOptions> = {}) {
  const clock = setClock(START);
  const database = memoryDatabase();
  const records = openRecordStore(database, openRecordTable(database), clock);
  const lines: LogLine[] = [];
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: 'test' });
  // Nothing is ingested here.
  const eventLog = { room: async () => {}, caughtUp: async () => {} };
  const deadline = openDeadline();
  const ports = {
    clock,
    deadline,
    records,
    memory: openMemory(records, new CallerCache()),
    ids: seededIds(clock),
    crypto: systemCrypto,
    limiter: openMemoryLimiter(clock),
    eventLog,
  };
  const server = createServer({
    ports: ports as unknown as Ports,
    endpoints,
    authenticate,
    metrics,
    metricsText: text,
    log: recordingLog(lines),
    health: async () => ({ ready: true, checks: [{ name: 'store', ok: true, detail: 'fine' }] }),
    now: () => performance.now(),
    version: '0.0.0',
    limits: { scale: 1 },
    cors: [],
    trustProxy: false,
    proxySignIn: null,
    publicUrl: null,
    checkReplies: true,
    ...changes,
  });
  const { url } = await server.listen('127.0.0.1', 0);
  const close = async (): Promise<void> => {
    await server.close();
    database.close();
  };
  return { url, clock, lines, server, ports, close };
}
export type TestServer = Awaited<ReturnType<typeof openTestServer>>;
