import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#test/setup/seeded.ts';
import { ENGINE_NAMES, type EngineName } from '#tools/engines/engine.ts';
import type { Engines } from '#tools/engines/start-engines.ts';
import { type Cluster, processorsOf, WORKERS } from './cluster.ts';
import type { Member } from './member.ts';
import { CURRENT } from './program.ts';

/** Restarts and resumes all engines, regardless of an unfinished fault. */
export const mendEngines = async ({ engine, start }: Engines): Promise<void> => {
  for (const name of ENGINE_NAMES) {
    engine[name].signal('SIGCONT');
    await start(name);
  }
};

/** Breaks something, holds it broken, and mends it; everything runs again when it resolves. */
export type Fault = (cluster: Cluster, random: Random, flood: Flood | null) => Promise<void>;
/** Sends the requested number of new events. */
export type Flood = () => Promise<void>;

const SECOND = 1_000;
/** Longer than the session of a consumer (10 s). */
const FROZEN_MS = 15 * SECOND;
const OUTAGE_MS = 30 * SECOND;
const STRATEGY_MS = 60 * SECOND;
const CHURN_MS = 25 * SECOND;

const pause = (random: Random, min: number, max: number) => sleep(random.between(min, max));
const anyOf = (members: readonly Member[], random: Random): Member => {
  const up = members.filter(({ isUp }) => isUp);
  return random.pick(up.length > 0 ? up : members);
};

const START_TRIES = 3;
/** A busy machine may need longer than the timeout of an engine. */
const startEngine = async ({ engines }: Cluster, name: EngineName): Promise<void> => {
  for (let left = START_TRIES; ; left--) {
    try {
      return await engines.start(name);
    } catch (error) {
      if (left === 1) throw error;
    }
  }
};

const killEngine = async (cluster: Cluster, name: EngineName, random: Random): Promise<void> => {
  await cluster.engines.kill(name);
  await pause(random, 0, 5 * SECOND);
  await startEngine(cluster, name);
};

/**
 * A process is killed at the very moment that its request is in flight to Elasticsearch, or has been carried out there.
 */
const killAt = async (worker: Member, request: RegExp, when: 'asked' | 'answered'): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const strike = (): void => void worker.kill().then(resolve);
  worker.elasticsearch.strikeAt({ request, when, strike });
  // A worker without partitions saves nothing.
  const timer = setTimeout(strike, 20 * SECOND);
  await promise;
  clearTimeout(timer);
  worker.elasticsearch.strikeAt(null);
  await worker.start();
};

const JOURNAL = /^PUT \/faultline-journal\//;
const SAVE = /^POST \/_bulk/;
/** Journal not written; written but not known; nothing saved; saved, but neither sent nor committed. */
const MOMENTS = [
  [JOURNAL, 'asked'],
  [JOURNAL, 'answered'],
  [SAVE, 'asked'],
  [SAVE, 'answered'],
] as const;

const churnOnce = async (cluster: Cluster, random: Random): Promise<void> => {
  const { workers } = cluster;
  if (workers.length <= 1 || (workers.length < WORKERS + 1 && random.chance(0.6))) await cluster.addWorker();
  else {
    const [gone] = workers.splice(random.whole(0, workers.length - 1), 1);
    await (random.chance(0.5) ? gone!.stop() : gone!.kill());
  }
};

const restoreWorkers = async (cluster: Cluster): Promise<void> => {
  while (cluster.workers.length > WORKERS) await cluster.workers.pop()!.stop();
  while (cluster.workers.length < WORKERS) await cluster.addWorker();
};

export const UPGRADE = 'rolling-upgrade';

export const FAULTS: Readonly<Record<string, Fault>> = {
  async 'kill-worker'({ workers }, random) {
    const worker = anyOf(workers, random);
    await worker.kill();
    await pause(random, 0, 3 * SECOND);
    await worker.start();
  },
  async 'kill-api'({ apis }, random) {
    const api = anyOf(apis, random);
    await api.kill();
    await pause(random, 0, 3 * SECOND);
    await api.start();
  },
  'kill-broker': (cluster, random) => killEngine(cluster, 'kafka', random),
  'kill-elasticsearch': (cluster, random) => killEngine(cluster, 'elasticsearch', random),
  async 'freeze-worker'({ workers }, random) {
    const worker = anyOf(workers, random);
    worker.freeze();
    await sleep(FROZEN_MS + random.between(0, 5 * SECOND));
    worker.thaw();
  },
  /** Connections break and new ones are refused, or all stall: the seed decides. */
  async 'no-elasticsearch'(cluster, random) {
    const { engines } = cluster;
    const refused = random.chance(0.5);
    if (refused) cluster.refuseElasticsearch(true);
    else engines.engine.elasticsearch.signal('SIGSTOP');
    await sleep(OUTAGE_MS);
    if (refused) cluster.refuseElasticsearch(false);
    else engines.engine.elasticsearch.signal('SIGCONT');
  },
  async 'no-neo4j'({ engines, neo4j }, random) {
    const refused = random.chance(0.5);
    if (refused) neo4j.refuse();
    else engines.engine.neo4j.signal('SIGSTOP');
    await sleep(OUTAGE_MS);
    if (refused) neo4j.open();
    else engines.engine.neo4j.signal('SIGCONT');
  },
  async 'churn-workers'(cluster, random) {
    const until = performance.now() + CHURN_MS;
    while (performance.now() < until) {
      await churnOnce(cluster, random);
      await pause(random, SECOND, 4 * SECOND);
    }
    await restoreWorkers(cluster);
  },
  /**
   * An upgrade: one process after the other is stopped and started again with the current program, readers before
   * writers. It may run that already; then it is a rolling restart.
   */
  async [UPGRADE](cluster, random) {
    cluster.program.folder = CURRENT;
    for (const member of [...cluster.workers, ...cluster.apis]) {
      await member.stop();
      member.folder = CURRENT;
      await member.start();
      await pause(random, 0, 3 * SECOND);
    }
  },
  async 'kill-between'({ workers }, random) {
    for (const [request, when] of random.some(MOMENTS, 3)) await killAt(random.pick(workers), request, when);
  },
  /** The others continue meanwhile, and nothing is decided. */
  async 'stop-strategy'(cluster, random, flood) {
    const processors = await processorsOf(cluster.program.folder);
    const stopped = random.pick(processors.filter((name) => name.startsWith('correlate.')));
    const others = processors.filter((name) => name !== stopped);
    for (const worker of cluster.workers.splice(0)) await worker.stop();
    while (cluster.workers.length < WORKERS) await cluster.addWorker(others);
    await (flood === null ? sleep(STRATEGY_MS) : flood());
    const old = cluster.workers.splice(0);
    while (cluster.workers.length < WORKERS) await cluster.addWorker();
    for (const worker of old) await worker.stop();
  },
};
