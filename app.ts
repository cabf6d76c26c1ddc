import { endpoints } from '#api/endpoints.ts';
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
import { jobsOf } from '#application/jobs.ts';
import { openMemory } from '#application/open-memory.ts';
import { ClockWatch } from '#application/operations/clock-watch.ts';
import { openSinks } from '#application/operations/open-sinks.ts';
import { heedPauses } from '#application/operations/pause-sinks.ts';
import { openLeases } from '#application/records/leases.ts';
import { openJobRunner } from '#application/run-jobs.ts';
import type { After, Clock } from '#domain/ports/clock.ts';
import type { Embedder } from '#domain/ports/model/embedder.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { openEmbedder } from '#features/ai/use-cases/open-embedder.ts';
import { type ModelOptions, openModel } from '#features/ai/use-cases/open-model.ts';
import { Analyses } from '#features/analyzer/use-cases/infrastructure/background.ts';
import { startBackground } from '#features/discovery/use-cases/background.ts';
import { Rebinder } from '#features/discovery/use-cases/rebinder.ts';
import { watchedTopology } from '#features/discovery/use-cases/watched-topology.ts';
import { ReportMaker } from '#features/reports/use-cases/generating/report-maker.ts';
import { searchedCis } from '#features/search/use-cases/searched-topology.ts';
import { Trials } from '#features/trials/use-cases/trials.ts';
import { DeliveryBell } from '#features/webhooks/use-cases/delivery/bell.ts';
import { Deliverer } from '#features/webhooks/use-cases/delivery/deliverer.ts';
import { tellOverflows } from '#features/webhooks/use-cases/delivery/own-deliveries.ts';
import { hurryResumed } from '#features/webhooks/use-cases/managing/resume.ts';
import { tellGroups } from '#features/webhooks/use-cases/sources/groups.ts';
import { tellLone } from '#features/webhooks/use-cases/sources/lone-events.ts';
import { drainOutgoing } from '#features/webhooks/use-cases/sources/outgoing-records.ts';
import { toldTopology } from '#features/webhooks/use-cases/sources/told-topology.ts';
import { healthOf } from '#infra/backends/health.ts';
import { openPorts } from '#infra/backends/open-ports.ts';
import type { Config } from '#infra/config.ts';
import { readConsole } from '#infra/console/read-console.ts';
import { openLogger } from '#infra/logging/logger.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { idsAt } from '#infra/system/crypto.ts';
import { collectGarbage } from '#infra/system/memory.ts';
import { after, every, systemClock } from '#infra/system/time.ts';
import { VERSION } from '#infra/version.ts';
import { pipeline } from '#processors/pipeline.ts';
import { sinks as ownSinks } from '#processors/sinks/sinks.ts';
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
  /** Instead of those of `processors/sinks/sinks.ts`. */
  readonly sinks?: readonly Sink[];
  /**
   * Called as soon as user `admin` exists with a generated password, after the port is bound: nothing may fail any more. The link signs
   * in once, from this machine; null without a console on this machine alone.
   */
  readonly tellPassword?: (password: string, link: string | null) => void;
}

const DAY_MS = 24 * 3_600_000;
/** Longest time of one report. */
const REPORT_MS = 120_000;

type ModelPorts = Omit<ModelOptions, 'prices'>;

/** The model that is named; its client is loaded only then. */
const modelOf = async ({ openai }: Config, ports: ModelPorts): Promise<ModelProvider | null> => {
  const { model, prices, apiKey, baseUrl } = openai;
  if (model === null) return null;
  const { openProvider } = await import('#features/ai/stores/open-provider.ts');
  return openModel(openProvider({ apiKey, baseUrl, model, ...ports }), { ...ports, prices });
};

/** Its prices are not known: those of the configuration are of the other model. */
const NO_PRICES = { input: null, output: null };

/** The same for vectors. */
const embedderOf = async ({ openai }: Config, ports: ModelPorts & Pick<Ports, 'crypto'>): Promise<Embedder | null> => {
  const { embeddingModel: model, apiKey, baseUrl } = openai;
  if (model === null) return null;
  const { openEmbeddings } = await import('#features/ai/stores/open-embeddings.ts');
  return openEmbedder(openEmbeddings({ apiKey, baseUrl, model, ...ports }), { ...ports, prices: NO_PRICES });
};

/** The composition root: configuration → ports → pipeline, jobs, endpoints → server. */
export const start = async (config: Config, options: StartOptions = {}): Promise<App> => {
  const { clock = systemClock } = options;
  const isOwn = ({ isForEngines }: Sink): boolean => config.mode === 'distributed' || isForEngines !== true;
  const sinks = (options.sinks ?? ownSinks).filter(isOwn);
  const timing = { clock, after: options.after ?? after };
  const ids = idsAt(clock);
  const log = openLogger({ level: config.logLevel, pretty: options.pretty ?? false });
  if (config.trustProxy === true)
    log.warn(
      {},
      'FAULTLINE_TRUST_PROXY=true lets every caller choose its address: give the number of proxies in front',
    );
  const isWorker = config.mode === 'distributed' && config.role === 'worker';
  const jobs = jobsOf(config.mode, isWorker);
  const { metrics, tallies, text } = openMetrics(
    { version: VERSION, mode: config.mode, node: process.version },
    // The store refuses what dedup let through, and is counted like a processor.
    { processor: [...[...pipeline, ...sinks].map(({ name }) => name), 'store'], name: jobs.map(({ name }) => name) },
  );
  const silences = openSilences();
  const opening = { pipeline, sinks, clock, ids, metrics, log, heardOfTopology: silences.topologyChanged };
  const { backend, ports: adapters, close } = await openPorts(config, isWorker, opening);
  let server: ApiServer | null = null;
  try {
    const rebinder = new Rebinder();
    const callers = new CallerCache();
    const [deliveries, analysesBell, reportsBell, trialsBell] = [
      new DeliveryBell(),
      new DeliveryBell(),
      new DeliveryBell(),
      new DeliveryBell(),
    ];
    const memory = openMemory(adapters.records, callers, silences);
    const leases = openLeases({ records: adapters.records, clock }, { isAlone: config.mode === 'embedded' });
    const runner = openJobRunner({ jobs, clock, now: clock.steady, every, metrics, log });
    const silencing = { ...adapters, ...silencingTopology(adapters, silences) };
    const searched = { ...silencing, cis: searchedCis(silencing.cis, { ids }) };
    const watched = watchedTopology(searched, rebinder, { ids, clock });
    const ports: Ports = {
      ...adapters,
      ...watched,
      ...toldTopology(watched, { ids, clock, memory, deliveries }),
      topology: knowingFormerIds(adapters.topology, adapters.matcher),
      jobs: runner,
      leases,
      sinks: openSinks(sinks, { ports: () => ports, pause: backend.sinks.pause }),
      discovery: rebinder,
      deliveries,
      analyses: analysesBell,
      reports: reportsBell,
      trials: trialsBell,
      memory,
      model: await modelOf(config, { ...adapters, ...timing, log }),
      embedder: await embedderOf(config, { ...adapters, ...timing, log }),
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
      log.warn({}, 'The start created user admin with a generated password, which this log does not show');
      const isNear = console !== null && isLoopback(new URL(url).hostname);
      options.tellPassword?.(adminPassword, isNear ? await startLink(ports, config.tenant, url) : null);
    }
    await heedPauses(ports);
    await backend.sinks.start(ports);
    opened.resolve();
    log.info({ url }, 'ready');
    const discovery = startBackground(ports, rebinder, (err) =>
      log.error({ err }, 'Discovery is stuck and tries again'),
    );
    const deliverer = new Deliverer(ports, {
      every,
      sources: [drainOutgoing, tellGroups, tellLone, tellOverflows, hurryResumed],
      failed: (err) => log.error({ err }, 'Deliveries to webhooks are stuck and are tried again'),
    });
    if (!isWorker) deliveries.onRing(() => deliverer.wake());
    const analyses = new Analyses(ports, {
      failed: (err) => log.error({ err }, 'An infrastructure analysis has failed'),
    });
    if (!isWorker) analysesBell.onRing(() => analyses.wake());
    const reports = new ReportMaker(ports, {
      mostMs: REPORT_MS,
      publicUrl: config.publicUrl ?? '',
      failed: (err) => log.error({ err }, 'A report has failed'),
    });
    if (!isWorker) reportsBell.onRing(() => reports.wake());
    const trials = new Trials(ports, {
      failed: (err) => log.error({ err }, 'A trial of settings has failed'),
    });
    if (!isWorker) trialsBell.onRing(() => trials.wake());
    const retentionMs = config.retentionDays * DAY_MS;
    runner.start(
      openWork({
        ports,
        housekeeping: backend.housekeeping,
        discovery,
        deliverer,
        analyses,
        reports,
        trials,
        tokens,
        clockWatch,
        tallies,
        log,
        retentionMs,
      }),
    );
    const idle = async (): Promise<void> => {
      await backend.idle();
      await discovery.idle();
      // Events may have found their CI.
      await backend.idle();
      await deliverer.idle();
      await analyses.idle();
      await reports.idle();
      await trials.idle();
    };
    const stop = async (): Promise<void> => {
      log.info({ delaySeconds: config.stopDelaySeconds }, 'stopping');
      await Promise.all([
        runner.stop(),
        discovery.stop(),
        deliverer.stop(),
        analyses.stop(),
        reports.stop(),
        trials.stop(),
        made.drain(config.stopDelaySeconds * 1_000),
      ]);
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
