import { type ApiServer, createServer } from '#api/http/server.ts';
import { opsEndpoints } from '#api/ops/ops.ts';
import { authenticator } from '#application/access/authenticate.ts';
import { bootstrap } from '#application/access/bootstrap.ts';
import { openTokenWatch } from '#application/access/token-watch.ts';
import { knowingFormerIds } from '#application/cmdb/former-ids.ts';
import { isLoopback, startLink } from '#application/console/start-code.ts';
import { openSilences } from '#application/events/silences/known-silences.ts';
import { silencingTopology } from '#application/events/silences/silencing-topology.ts';
import { openWork } from '#application/job.ts';
import { openMemory } from '#application/open-memory.ts';
import { ClockWatch } from '#application/operations/clock-watch.ts';
import { openSinks } from '#application/operations/open-sinks.ts';
import { heedPauses } from '#application/operations/pause-sinks.ts';
import { openLeases } from '#application/records/leases.ts';
import { openJobRunner } from '#application/run-jobs.ts';
import { TaskRunner } from '#application/tasks/task-runner.ts';
import type { After, Clock } from '#domain/ports/clock.ts';
import type { FeaturePorts, Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { Provided } from '#features/feature.ts';
import { features } from '#features/features.ts';
import { healthOf } from '#infra/backends/health.ts';
import { openPorts } from '#infra/backends/open-ports.ts';
import type { Config } from '#infra/config.ts';
import { readConsole } from '#infra/console/read-console.ts';
import { openLogger } from '#infra/logging/logger.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { idsAt } from '#infra/system/crypto.ts';
import { collectGarbage, limitHeapGrowth } from '#infra/system/memory.ts';
import { after, every, systemClock } from '#infra/system/time.ts';
import { tracedSink } from '#infra/tracing/traced.ts';
import { VERSION } from '#infra/version.ts';
import { pipeline } from '#processors/pipeline.ts';
import { contributed, endpoints, jobsOf, measurements, ownedRecords, sinks as ownSinks, tasks } from '#whole';
import { CallerCache } from './application/access/authenticate.ts';

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
  /** Timers of requests to the model; they go with the clock. */
  readonly after?: After;
  /** A success that does not keep its schema becomes a 500. */
  readonly checkReplies?: boolean;
  readonly pretty?: boolean;
  /** Instead of all. */
  readonly sinks?: readonly Sink[];
  /**
   * Called as soon as user `admin` exists with a generated password, after the port is bound: nothing may fail any more. The link signs
   * in once, from this machine; null without a console on this machine alone.
   */
  readonly tellPassword?: (password: string, link: string | null) => void;
}

const DAY_MS = 24 * 3_600_000;
/** The rules answer everything, and searches find words and concepts alone. */
const NO_MODEL = { model: null, embedder: null };

const tracingOf = async ({ tracing }: Config) => {
  if (tracing === null) return null;
  const { openTracing } = await import('#infra/tracing/open-tracing.ts');
  return openTracing({ ...tracing, version: VERSION });
};

/** The composition root: configuration → ports → pipeline, jobs, endpoints → server. */
export const start = async (config: Config, options: StartOptions = {}): Promise<App> => {
  limitHeapGrowth();
  const { clock = systemClock } = options;
  const isOwn = ({ isForEngines }: Sink): boolean => config.mode === 'distributed' || isForEngines !== true;
  const tracing = await tracingOf(config);
  const chosen = (options.sinks ?? ownSinks).filter(isOwn);
  const sinks = tracing === null ? chosen : chosen.map((sink) => tracedSink(sink, tracing));
  const ids = idsAt(clock);
  const log = openLogger({ level: config.logLevel, pretty: options.pretty ?? false });
  if (config.trustProxy === true)
    log.warn({}, 'FAULTLINE_TRUST_PROXY=true lets clients spoof their address; set the number of proxies instead');
  const isWorker = config.mode === 'distributed' && config.role === 'worker';
  const jobs = jobsOf(config.mode, isWorker);
  const { metrics, tallies, text } = openMetrics(
    { version: VERSION, mode: config.mode, node: process.version },
    // The store refuses what dedup let through, and is counted like a processor.
    { processor: [...[...pipeline, ...sinks].map(({ name }) => name), 'store'], name: jobs.map(({ name }) => name) },
    measurements,
  );
  const silences = openSilences();
  const opening = { pipeline, sinks, clock, ids, metrics, tracing, log, heardOfTopology: silences.topologyChanged };
  const { backend, ports: adapters, close } = await openPorts(config, isWorker, opening);
  let server: ApiServer | null = null;
  const provided: Provided[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(provided.map((one) => one.close?.()));
    await close();
    await tracing?.close();
  };
  try {
    const { databasePath } = backend;
    const outside = { config, ports: adapters, after: options.after ?? after, log, databasePath, contributed };
    for (const { provide } of features) if (provide) provided.push(await provide(outside));
    const callers = new CallerCache();
    const runners = new Map<string, TaskRunner>();
    const memory = openMemory(adapters.records, callers, silences);
    const leases = openLeases({ records: adapters.records, clock }, { isAlone: config.mode === 'embedded' });
    const runner = openJobRunner({ jobs, clock, now: clock.steady, every, metrics, log });
    const hearing = {
      ids,
      clock,
      memory,
      background: {
        ring: (name: string) => (isWorker ? undefined : runners.get(name)?.ring()),
        unbound: (tenant: string) => {
          for (const one of features) one.unbound?.({ memory }, tenant);
        },
      },
    };
    let topology: TopologyPorts = { ...adapters, ...silencingTopology(adapters, silences) };
    for (const one of features) if (one.topology) topology = { ...topology, ...one.topology(topology, hearing) };
    const ports: Ports = {
      ...NO_MODEL,
      ...adapters,
      ...(Object.assign({}, ...provided.map((one) => one.ports)) as FeaturePorts),
      ...topology,
      topology: knowingFormerIds(adapters.topology, adapters.matcher),
      ...hearing,
      ownedRecords,
      shown: async (event) => {
        let shown = event;
        for (const one of features) if (one.shown) shown = await one.shown(ports, shown);
        return shown;
      },
      jobs: runner,
      leases,
      sinks: openSinks(sinks, { ports: () => ports, pause: backend.sinks.pause }),
    };
    const tokens = openTokenWatch(ports, log);
    const clockWatch = new ClockWatch({ clock, records: adapters.records, owner: ids.ulid(), metrics, log });
    await clockWatch.begin();
    const opened = Promise.withResolvers<void>();
    const console = isWorker ? null : await readConsole();
    const made = createServer({
      ports,
      // A worker is looked at, and asked nothing else.
      endpoints: isWorker ? opsEndpoints : endpoints,
      authenticate: authenticator({ ports, keys: ports.keys, callers }),
      metrics,
      tracing,
      log,
      health: healthOf(backend, () => (isWorker ? [clockWatch.check()] : [tokens.check(), clockWatch.check()])),
      metricsText: async () => {
        await backend.measure();
        clockWatch.measure();
        return text();
      },
      now: clock.steady,
      version: VERSION,
      mode: config.mode,
      console,
      limits: { scale: config.limitScale },
      cors: config.corsOrigins,
      trustProxy: config.trustProxy,
      proxySignIn: config.proxySignIn,
      publicUrl: config.publicUrl,
      hstsSeconds: config.hstsSeconds,
      asyncapi: () => features.flatMap((one) => one.asyncapi?.() ?? []),
      opened: opened.promise,
      checkReplies: options.checkReplies ?? false,
    });
    server = made;
    // First of all that can fail: a password that was generated for a start that fails would never be shown.
    const { url } = await made.listen(config.host, config.port);
    const { adminPassword } = isWorker ? { adminPassword: null } : await bootstrap({ ports, ...config });
    if (adminPassword !== null) {
      log.warn({}, 'created user admin with a generated password (not logged)');
      const isNear = console !== null && isLoopback(new URL(url).hostname);
      options.tellPassword?.(adminPassword, isNear ? await startLink(ports, config.tenant, url) : null);
    }
    await heedPauses(ports);
    await backend.sinks.start(ports);
    opened.resolve();
    log.info({ url }, 'ready');
    for (const kind of tasks) {
      const failed = (err: unknown): void => log.error({ err }, kind.failure);
      runners.set(kind.name, new TaskRunner(kind, ports, { every, failed, publicUrl: config.publicUrl ?? '' }));
    }
    const retentionMs = config.retentionDays * DAY_MS;
    runner.start(
      openWork({
        ports,
        housekeeping: backend.housekeeping,
        tasks: runners,
        tokens,
        clockWatch,
        tallies,
        log,
        retentionMs,
      }),
    );
    const idle = async (): Promise<void> => {
      await backend.idle();
      for (const { name, bindsEvents } of tasks) {
        await runners.get(name)?.idle();
        if (bindsEvents) await backend.idle();
      }
    };
    const stop = async (): Promise<void> => {
      log.info({ delaySeconds: config.stopDelaySeconds }, 'stopping');
      await Promise.all([
        runner.stop(),
        ...[...runners.values()].map((one) => one.stop()),
        made.drain(config.stopDelaySeconds * 1_000),
      ]);
      await closeAll();
      log.info({}, 'stopped');
    };
    return { url, ports, adminPassword, idle, tidy: collectGarbage, stop };
  } catch (error) {
    await server?.close();
    await closeAll();
    throw error;
  }
};
