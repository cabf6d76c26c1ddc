import { setTimeout as sleep } from 'node:timers/promises';
import { openClient as openKafkaClient } from '#infra/kafka/client/client.ts';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { openRegistry } from '#infra/kafka/codec/registry.ts';
import { pipeline } from '#processors/pipeline.ts';
import { topics } from '#schemas/topics/topics.ts';
import { type Random, seeded } from '#test/setup/seeded.ts';
import type { Engines } from '#tools/engines/start-engines.ts';
import { sinks } from '#whole';
import {
  checkArrivals,
  checkCounts,
  checkEvents,
  checkHits,
  checkPatches,
  checkReplay,
  type Problem,
} from './check.ts';
import { checkPoison } from './check-poison.ts';
import { openClient } from './client.ts';
import { brokersOf, type Cluster, emptyLog, openCluster, PARTITIONS, tenantsOf } from './cluster.ts';
import { FAULTS, type Flood, UPGRADE } from './faults.ts';
import { type Lags, openLags } from './lag.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { poison } from './poison.ts';
import { prepare } from './prepare.ts';
import { CURRENT } from './program.ts';
import { readTopics } from './read-topics.ts';
import { type Log, replay, sentToMerge } from './replay.ts';
import { readEpoch, readStored } from './stored.ts';

export interface RunOptions {
  readonly seed: number;
  /** Different in every run of the same seed on the same engines. */
  readonly run: string;
  readonly faults: readonly string[];
  readonly seconds: number;
  /** New events that wait before the strategy of the first `stop-strategy` is back; null: it is away for a minute. */
  readonly strategyEvents: number | null;
  /** Folder of the program that all processes begin with. */
  readonly beginsWith: string;
  readonly logs: string;
  readonly progress: (line: string) => void;
}

/** One fault of one run, ms. */
interface Struck {
  readonly phase: string;
  readonly fault: string;
  readonly outageMs: number;
  /** Time from the end of the outage until no lag was left; null: it never ended. */
  readonly recoveryMs: number | null;
  /** The last one with a lag. */
  readonly last: string;
}

export interface Result {
  readonly seed: number;
  readonly struck: readonly Struck[];
  readonly ledger: Ledger;
  readonly poison: { readonly appended: number; readonly found: number };
  readonly stored: { readonly events: number; readonly groups: number; readonly decisions: number };
  readonly problems: readonly Problem[];
}

const FLOODED = 'stop-strategy';
const TENANTS = 12;
const WARM_MS = 6_000;
const CALM_MS = 2_000;
/** Records in flight without a fault: one bulk request alone is up to 20 records. */
const SMALL_LAG = 100;
/** Others notice a dead process after 10 s, and share its partitions out within seconds: no outage counts as shorter. */
const SHORTEST_OUTAGE_MS = 15_000;
/** Waited for, though it is a problem by then. */
const LONGEST_RECOVERY_MS = 150_000;
/** Limit for a flood that waited for a strategy. */
const FLOOD_RECOVERY_MS = 20 * 60_000;
const DUST_MS = 120_000;

/** Every seed begins with another fault, so that a few short runs meet them all. */
const orderOf = (faults: readonly string[], seed: number, random: Random): string[] => {
  const first = faults[seed % faults.length]!;
  const rest = faults.filter((name) => name !== first).map((name) => ({ name, rank: random.next() }));
  return [first, ...rest.sort((a, b) => a.rank - b.rank).map(({ name }) => name)];
};

interface Strike {
  readonly fault: string;
  readonly phase: string;
  readonly random: Random;
  readonly flood: Flood | null;
}

const strike = async ({ fault, phase, random, flood }: Strike, cluster: Cluster, lags: Lags): Promise<Struck> => {
  const usual = Math.max(SMALL_LAG, ...(await lags.read()).values());
  const began = performance.now();
  await FAULTS[fault]!(cluster, random, flood);
  const outageMs = performance.now() - began;
  const { ms, last } = await lags.gone(usual, flood === null ? LONGEST_RECOVERY_MS : FLOOD_RECOVERY_MS);
  return { phase, fault, outageMs, recoveryMs: ms, last };
};

const lagProblem = ({ phase, fault, outageMs, recoveryMs, last }: Struck): Problem[] => {
  const limitMs = 2 * Math.max(outageMs, SHORTEST_OUTAGE_MS);
  if (recoveryMs !== null && recoveryMs <= limitMs) return [];
  const took = recoveryMs === null ? 'never' : `after ${Math.round(recoveryMs / 1_000)} s`;
  const what = `${fault}: the lag was gone ${took}, outage ${Math.round(outageMs / 1_000)} s; last: ${last}`;
  return [{ kind: 'lag', phase, what }];
};

/** Adds a flood to the first fault that it makes worse. */
const floodOf = ({ seed, strategyEvents, progress }: RunOptions, load: Load, random: Random): Flood | null =>
  strategyEvents === null
    ? null
    : () =>
        load.flood(strategyEvents, random, (sent) =>
          progress(`seed ${seed}: ${sent} of ${strategyEvents} new events wait`),
        );

const strikeAll = async (options: RunOptions, cluster: Cluster, lags: Lags, load: Load): Promise<Struck[]> => {
  const { faults, seed, seconds, progress } = options;
  const random = seeded(`faults ${seed}`);
  let flood = floodOf(options, load, random.fork('flood'));
  const order = orderOf(faults, seed, random);
  const until = performance.now() + seconds * 1_000;
  const struck: Struck[] = [];
  await sleep(WARM_MS);
  // A requested upgrade is made before the end.
  const isOld = () => cluster.program.folder !== CURRENT;
  for (let n = 0; n === 0 || performance.now() < until || isOld(); n++) {
    const fault = n > 0 && performance.now() >= until ? UPGRADE : order[n % order.length]!;
    const phase = `${fault}-${n}`;
    load.phase = phase;
    const isFlooded = fault === FLOODED;
    const one = await strike(
      { fault, phase, random: random.fork(phase), flood: isFlooded ? flood : null },
      cluster,
      lags,
    );
    if (isFlooded) flood = null;
    struck.push(one);
    const recovery = one.recoveryMs === null ? 'never' : `${(one.recoveryMs / 1_000).toFixed(1)} s`;
    progress(
      `seed ${seed}: ${fault}, outage ${(one.outageMs / 1_000).toFixed(1)} s, recovered after ${recovery} (last: ${one.last})`,
    );
    await sleep(CALM_MS);
  }
  return struck;
};

const occurrencesOf = ({ tallies }: Ledger): number => {
  let sum = 0;
  for (const { acknowledged, unknown } of tallies.values()) sum += acknowledged + unknown;
  return sum;
};

const judge = async (engines: Engines, tenants: readonly string[], log: Log, ledger: Ledger) => {
  const stored = await readStored(engines.addresses.ELASTICSEARCH_URL!, tenants);
  const replayed = await replay(
    log,
    Map.groupBy(stored.enriched, ({ arrival }) => arrival.eventId),
  );
  const sent = await sentToMerge(log);
  const poisoned = await checkPoison(log, stored.letters);
  const problems = [
    ...ledger.lies.map(({ phase, what }): Problem => ({ kind: 'lie', phase, what })),
    ...checkCounts(ledger, stored.events),
    ...checkEvents(ledger, stored.events),
    ...checkPatches(ledger, stored.events, replayed.refused),
    ...checkReplay(stored, replayed),
    ...checkArrivals(stored, replayed.events, sent.facts),
    ...checkHits(sent.hits, replayed.hits),
    ...poisoned.problems,
  ];
  const { events, groups, decisions } = stored;
  return {
    problems,
    poison: { appended: poisoned.appended, found: poisoned.found },
    stored: { events: events.length, groups: groups.length, decisions: decisions.length },
  };
};

/** One seed: starts the processes on an empty log, breaks things under load, waits for the dust to settle, and compares. */
export const runSeed = async (engines: Engines, options: RunOptions): Promise<Result> => {
  const { seed, run, logs, progress, beginsWith } = options;
  const random = seeded(seed);
  const ours = openKafkaClient({ brokers: brokersOf(engines), clientId: 'chaos' });
  const { kafka } = ours;
  const admin = kafka.admin();
  const producer = kafka.producer({
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition as number,
  });
  await emptyLog(engines);
  const cluster = await openCluster(engines, logs, beginsWith);
  const tenants = tenantsOf(run, TENANTS);
  const ledger = new Ledger();
  const poisoning = new AbortController();
  try {
    await Promise.all([admin.connect(), producer.connect()]);
    await prepare({ url: cluster.apis[0]!.url!, tenants });
    const epoch = await readEpoch(engines.addresses.ELASTICSEARCH_URL!);
    const lags = openLags(admin, epoch, pipeline);
    const codecs = await openCodecs(openRegistry({ url: engines.addresses.SCHEMA_REGISTRY_URL! }));
    const pick = random.fork('api');
    const client = openClient(cluster.apis, ledger, (below) => pick.whole(0, below - 1));
    const load = new Load({ client, ledger, random: random.fork('load'), tenants });
    const loading = load.run();
    const sent = () => occurrencesOf(ledger);
    const poisoned = poison(
      { producer, codecs, random: random.fork('poison'), tenants, partitions: PARTITIONS, sent },
      poisoning.signal,
    );
    const struck = await strikeAll(options, cluster, lags, load);
    poisoning.abort();
    load.stop();
    await Promise.all([loading, poisoned]);
    // Sinks may be slow, but nothing may block them.
    const settled = await openLags(admin, epoch, [...pipeline, ...sinks]).gone(0, DUST_MS);
    progress(`seed ${seed}: the dust has settled, ${occurrencesOf(ledger)} occurrences sent`);
    await cluster.stop();
    const log: Log = {
      topics: await readTopics(
        kafka,
        topics.map(({ name }) => name),
      ),
      codecs,
      epoch,
      tenants: new Set(tenants),
    };
    const judged = await judge(engines, tenants, log, ledger);
    const unsettled: Problem[] =
      settled.ms === null
        ? [{ kind: 'lag', phase: 'throughout', what: `there is still lag after ${DUST_MS / 1_000} s: ${settled.last}` }]
        : [];
    const problems = [...judged.problems, ...struck.flatMap(lagProblem), ...unsettled];
    return { seed, struck, ledger, ...judged, problems };
  } finally {
    poisoning.abort();
    await cluster.stop();
    ours.end();
  }
};
