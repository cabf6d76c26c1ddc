import { readFileSync } from 'node:fs';
import { endpoints } from '#api/endpoints.ts';
import { createServer, type Server } from '#api/http/server.ts';
import { opsEndpoints } from '#api/ops/ops.ts';
import { authenticator } from '#application/access/authenticate.ts';
import { bootstrap } from '#application/access/bootstrap.ts';
import { openTokenWatch, type TokenWatch } from '#application/access/token-watch.ts';
import { knowingFormerIds } from '#application/cmdb/former-ids.ts';
import { startBackground } from '#application/discovery/background.ts';
import { Rebinder } from '#application/discovery/rebinder.ts';
import { watchedTopology } from '#application/discovery/watched-topology.ts';
import { checkHeartbeats } from '#application/events/check-heartbeats.ts';
import { resolveSilent } from '#application/events/resolve-silent.ts';
import { emptyTenants } from '#application/tenants/empty-tenants.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Health } from '#domain/ports/health.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Backend } from '#infra/backends/backend.ts';
import { openEmbeddedBackend } from '#infra/backends/embedded.ts';
import type { Config } from '#infra/config.ts';
import { openKeys } from '#infra/keys/keys.ts';
import { openLimiter } from '#infra/limits/open-limiter.ts';
import { openLogger } from '#infra/logging/logger.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { openCertificates } from '#infra/outbound/certificates.ts';
import { outbound } from '#infra/outbound/outbound.ts';

import { logInTime, refusedWhenLate, topologyInTime } from '#infra/refused-when-late.ts';

import { boundedCrypto } from '#infra/system/bounded-crypto.ts';

import { systemClock } from '#infra/system/clock.ts';

import { systemCrypto } from '#infra/system/crypto.ts';
import { openDeadline } from '#infra/system/deadline.ts';
import { every } from '#infra/system/every.ts';
import { idsAt } from '#infra/system/ids.ts';
import { collectGarbage } from '#infra/system/memory.ts';
import { pipeline } from '#processors/pipeline.ts';
import { logKeptMs } from '#schemas/topics/topics.ts';

/** A running Faultline. */
export interface App {
  readonly url: string;
  readonly ports: Ports;
  /** Set when the password of user `admin` was generated at this start. */
  readonly adminPassword: string | null;
  /** Resolves when nothing waits in the pipeline. */
  idle(): Promise<void>;
  /** Collects what the start has left over, a multiple of what it keeps; without that the heap grows by as much again. */
  tidy(): void;
  /** Readiness off, requests in flight finished, pipeline drained, file closed. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly clock?: Clock;
  /** A success that does not keep its schema becomes a 500. */
  readonly checkReplies?: boolean;
  readonly pretty?: boolean;
  /** Called as soon as user `admin` exists with a generated password, which is after the port is bound: nothing is left that may fail. */
  readonly tellPassword?: (password: string) => void;
}

export const VERSION: string = (
  JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const healthOf = (backend: Backend, tokens: TokenWatch | null) => async (): Promise<Health> => {
  const checks = await backend.checks();
  return {
    ready: checks.every(({ ok, advisory }) => ok || advisory === true),
    degraded: checks.some(({ ok }) => !ok),
    checks: [
      ...checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
      ...(tokens === null ? [] : [tokens.check()]),
    ],
  };
};

/** The clients of the engines are half of all code, so they are loaded only where there are engines. */
const openerOf = async ({ mode }: Config): Promise<typeof openEmbeddedBackend> =>
  mode === 'distributed'
    ? (await import('#infra/backends/distributed.ts')).openDistributedBackend
    : openEmbeddedBackend;

const HEARTBEAT_CHECK_MS = 60_000;
const EMPTYING_MS = 60_000;
const SILENCE_MS = 60_000;
const DISCOVERY_MS = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Rounds {
  idle(): Promise<void>;
  stop(): Promise<void>;
}
const NO_ROUNDS: Rounds = { idle: async () => {}, stop: async () => {} };

const forgetHistory = async ({ history, clock, historyMs }: Ports): Promise<void> => {
  await history.forget(clock.now() - historyMs);
};

/** What comes round beside the requests. */
const startRounds = (
  ports: Ports,
  { rebinder, tokens }: { readonly rebinder: Rebinder; readonly tokens: TokenWatch },
  config: Config,
  log: ReturnType<typeof openLogger>,
): Rounds => {
  const listeningSince = ports.clock.now();
  const heartbeats = every(
    HEARTBEAT_CHECK_MS,
    () => checkHeartbeats(ports, ports.clock.now(), listeningSince),
    (err) => log.error({ err }, 'Heartbeats could not be checked'),
  );
  const stuck = (err: unknown) => log.error({ err }, 'Discovery is stuck and tries again');
  const discovery = startBackground(ports, rebinder, stuck);
  const ticking = every(DISCOVERY_MS, discovery.tick, stuck);
  const forgetting = every(
    HOUR_MS,
    () => forgetHistory(ports),
    (err) => log.error({ err }, 'Old versions of the topology could not be deleted'),
  );
  const unwatched = (err: unknown) => log.error({ err }, 'Tokens that expire could not be looked for');
  const looking = tokens.look().catch(unwatched);
  const watching = every(HOUR_MS, tokens.look, unwatched);
  // As long in both modes, though the log of one is gone with every batch.
  const takenMs = logKeptMs(config.retentionDays * DAY_MS);
  let stopping = false;
  const emptying = every(
    EMPTYING_MS,
    () => emptyTenants({ ports, takenMs, isStopping: () => stopping }),
    (err) => log.error({ err }, 'Tenants are being deleted, and it will be tried again'),
  );
  const sweep = { owner: ports.ids.ulid(), cursors: new Map<string, string>(), isStopping: () => stopping };
  const silence = every(
    SILENCE_MS,
    () => resolveSilent(ports, sweep),
    (err) => log.error({ err }, 'Silent events could not be ended, and it will be tried again'),
  );
  return {
    idle: discovery.idle,
    stop: async () => {
      stopping = true;
      const ended = [heartbeats(), ticking(), forgetting(), emptying(), silence(), watching()];
      await Promise.all([...ended, looking, discovery.stop()]);
    },
  };
};

/** The composition root: configuration → ports → pipeline → server. */
export const start = async (config: Config, options: StartOptions = {}): Promise<App> => {
  const clock = options.clock ?? systemClock;
  const ids = idsAt(clock);
  const log = openLogger({ level: config.logLevel, pretty: options.pretty ?? false });
  const { metrics, text } = openMetrics(
    { version: VERSION, mode: config.mode, node: process.version },
    // The store refuses what dedup let through, and is counted like a processor.
    [...pipeline.map(({ name }) => name), 'store'],
  );
  const open = await openerOf(config);
  const deadline = openDeadline();
  const backend = await open(config, { pipeline, clock, deadline, ids, metrics, log });
  if (config.trustProxy === true)
    log.warn(
      {},
      'FAULTLINE_TRUST_PROXY=true lets every caller choose its address: give the number of proxies in front',
    );
  const isWorker = config.mode === 'distributed' && config.role === 'worker';
  const limits = await openLimiter(isWorker ? null : config.redisUrl, { clock, log });
  const close = async (): Promise<void> => {
    await Promise.all([limits.close(), backend.close()]);
  };
  let server: Server | null = null;
  try {
    const keys = await openKeys({ records: backend.ports.records, clock, ids });
    const rebinder = new Rebinder();
    const topology = topologyInTime(backend.ports, deadline);
    const ports: Ports = {
      ...backend.ports,
      ...watchedTopology(topology, rebinder, { ids, clock }),
      topology: knowingFormerIds(topology.topology, topology.matcher),
      log: logInTime(backend.ports.log, deadline),
      records: refusedWhenLate(backend.ports.records, deadline),
      deadline,
      limiter: limits.limiter,
      outbound,
      certificates: openCertificates(outbound, config.snsCertificate),
      clock,
      ids,
      crypto: boundedCrypto(systemCrypto),
      keys,
      metrics,
      historyMs: config.historyDays * DAY_MS,
    };
    const tokens = openTokenWatch(ports, log);
    const opened = Promise.withResolvers<void>();
    const made = createServer({
      ports,
      // A worker is looked at, and asked nothing else.
      endpoints: isWorker ? opsEndpoints : endpoints,
      authenticate: authenticator({ ports, keys }),
      metrics,
      log,
      health: healthOf(backend, isWorker ? null : tokens),
      metricsText: async () => {
        await backend.measure();
        return text();
      },
      now: () => performance.now(),
      version: VERSION,
      limits: { scale: config.limitScale },
      cors: config.corsOrigins,
      trustProxy: config.trustProxy,
      publicUrl: config.publicUrl,
      hstsSeconds: config.hstsSeconds,
      opened: opened.promise,
      checkReplies: options.checkReplies ?? false,
    });
    server = made;
    // First of all that can fail: a password that was generated for a start that fails would never be shown.
    const { url } = await made.listen(config.host, config.port);
    const { adminPassword } = isWorker ? { adminPassword: null } : await bootstrap({ ports, ...config });
    if (adminPassword !== null) {
      log.warn({}, 'User admin was created with a generated password, which is not written here');
      options.tellPassword?.(adminPassword);
    }
    opened.resolve();
    log.info({ url }, 'ready');
    const rounds = isWorker ? NO_ROUNDS : startRounds(ports, { rebinder, tokens }, config, log);
    const idle = async (): Promise<void> => {
      await backend.idle();
      await rounds.idle();
      // Events may have found their CI.
      await backend.idle();
    };
    const stop = async (): Promise<void> => {
      log.info({ delaySeconds: config.stopDelaySeconds }, 'stopping');
      await Promise.all([rounds.stop(), made.drain(config.stopDelaySeconds * 1_000)]);
      await close();
      log.info({}, 'stopped');
    };
    return { url, ports, adminPassword, idle, tidy: collectGarbage, stop };
  } catch (error) {
    await server?.close();
    await close();
    throw error;
  }
};
