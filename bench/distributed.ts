/** Distributed mode with all engines on this machine: accepted → saved → correlated. */
import { pause } from '#infra/wait.ts';
import { adminOf } from './after.ts';
import { correlatedTimes } from './correlated.ts';
import { type Components, cpuOf, machineCpuSeconds, since } from './distributed-cpu.ts';
import { lookAtLog, producerPerformance } from './distributed-kafka.ts';
import { type Sent, sendSteadily, sendUntil, untilDone } from './distributed-load.ts';
import { type DistributedScene, openScene } from './distributed-scene.ts';
import { percentile } from './load.ts';
import type { Row } from './report.ts';
import { bulkOf, bulks, PER_BULK } from './requests.ts';
import { LIVE, Storm } from './storm.ts';

const CONNECTIONS = 12;
/** In a second: more than can be sent. */
const MAX_BULKS = 20;
const TARGET = 3_000;
const TARGET_MS = 3_000;
const SINKS_TARGET_S = 5;
/** Each looks at one event at a time, so that several are needed for a percentile. */
const PROBERS = 4;
const PROBE = { pollMs: 250, patienceMs: 30_000 };
const WORLD = { tenants: 50, cis: 100_000 };
/** New events that windows, groups and repeats are about before anything is measured. */
const BEFORE = 10_000;
/**
 * Of the storm and of probes, before anything is measured: compilers of Java take half of Elasticsearch's processor time in its first
 * two minutes, and a tenth after four.
 */
const WARM_MS = 240_000;
const FULL_MS = 20_000;
const STEADY_MS = 20_000;

export interface DistributedOptions {
  readonly scale: number;
  /** Folder for processor profiles; null for none. */
  readonly profiles: string | null;
  readonly progress: (line: string) => void;
}

/** What one load has cost until the last record was through. */
interface Measured extends Sent {
  readonly seconds: number;
  readonly cpu: Components;
  /** Processor seconds of everything else on this machine. */
  readonly others: number;
  readonly probes: readonly number[];
  /** From the pipeline's last record until no sink had one before it, seconds; infinite: longer than waited for. */
  readonly sinkSeconds: number;
}

const SINK_PATIENCE_MS = 120_000;

interface Standing {
  readonly kind: string;
  readonly lag: number;
}

const sinksDone = async (url: string): Promise<number> => {
  const began = performance.now();
  while (performance.now() - began < SINK_PATIENCE_MS) {
    const { processors } = (await adminOf(url, '/pipeline')) as { processors: readonly Standing[] };
    const lag = processors.filter(({ kind }) => kind === 'sink').reduce((sum, one) => sum + one.lag, 0);
    if (lag === 0) return (performance.now() - began) / 1000;
    await pause(500);
  }
  return Number.POSITIVE_INFINITY;
};

const probed = async (url: string, storm: Storm, ms: number): Promise<number[]> => {
  const probers = Array.from({ length: PROBERS }, (_, n) => correlatedTimes(url, storm.fork(10 * (n + 1)), ms, PROBE));
  return (await Promise.all(probers)).flat().sort((a, b) => a - b);
};

const measured = async (
  { url, broker, pids }: DistributedScene,
  storm: Storm,
  probeMs: number,
  send: () => Promise<Sent>,
): Promise<Measured> => {
  const before = cpuOf(pids);
  const machine = machineCpuSeconds();
  const began = performance.now();
  const [sent, probes] = await Promise.all([send(), probed(url, storm, probeMs)]);
  const ended = await untilDone(broker);
  const cpu = since(before, cpuOf(pids));
  const ours = Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
  const others = machineCpuSeconds() - machine - ours;
  return { ...sent, seconds: (ended - began) / 1000, cpu, others, probes, sinkSeconds: await sinksDone(url) };
};

const warmUp = async ({ url, broker }: DistributedScene, storm: Storm, events: number, ms: number): Promise<void> => {
  const requests = Array.from({ length: Math.ceil(events / PER_BULK) }, () => freshBulk(storm));
  await sendUntil(url, CONNECTIONS, requests, () => false);
  await untilDone(broker);
  await Promise.all([sendFor(url, bulks(storm.fork(9), (ms / 1_000) * MAX_BULKS), ms), probed(url, storm.fork(8), ms)]);
  await untilDone(broker);
};

/** As fast as replies come. */
const sendFor = (url: string, requests: readonly Buffer[], ms: number): Promise<Sent> => {
  const end = performance.now() + ms;
  return sendUntil(url, CONNECTIONS, requests, () => performance.now() > end);
};

const freshBulk = (storm: Storm): Buffer => bulkOf(storm, storm.tenant(), 1);

const correlatedRows = (load: string, { probes }: Measured, isTarget: boolean): Row[] => [
  { what: `accepted → correlated ${load}, p50`, value: percentile(probes, 0.5), unit: 'ms' },
  {
    what: `accepted → correlated ${load}, p99`,
    value: percentile(probes, 0.99),
    unit: 'ms',
    ...(isTarget && { target: `≤ ${TARGET_MS}`, met: percentile(probes, 0.99) <= TARGET_MS }),
    note: `${probes.length} probes`,
  },
];

const refusedIn = ({ refused }: Sent): string => (refused === 0 ? '' : `, ${refused} REFUSED`);

const fullRows = (full: Measured, kafkas: number | undefined): Row[] => {
  const events = full.replies * PER_BULK;
  const rate = events / full.seconds;
  const cpu = Object.values(full.cpu).reduce((sum, seconds) => sum + seconds, 0);
  return [
    {
      what: 'end to end, bulk of 500',
      value: rate,
      unit: 'events/s',
      target: '≥ 3,000',
      met: rate >= TARGET,
      ...(kafkas !== undefined && { baseline: kafkas, of: "Kafka's own producer benchmark" }),
      note: `${((cpu * 1e6) / events).toFixed(0)} µs CPU per event in all${refusedIn(full)}`,
    },
    ...Object.entries(full.cpu).map(
      ([name, seconds]): Row => ({
        what: `CPU of ${name}`,
        value: (seconds * 1e6) / events,
        unit: 'µs/event',
        note: `${seconds.toFixed(1)} s of ${full.seconds.toFixed(1)} s`,
      }),
    ),
    { what: 'CPU of others on this machine', value: full.others, unit: 's', note: 'they disturb' },
    { what: 'bulk of 500 at full load, p50', value: percentile(full.latencies, 0.5), unit: 'ms' },
    { what: 'bulk of 500 at full load, p99', value: percentile(full.latencies, 0.99), unit: 'ms' },
    ...correlatedRows('at full load', full, false),
    {
      what: 'sinks done after full load',
      value: full.sinkSeconds,
      unit: 's',
      target: `≤ ${SINKS_TARGET_S}`,
      met: full.sinkSeconds <= SINKS_TARGET_S,
    },
  ];
};

const steadyRows = (steady: Measured): Row[] => [
  {
    what: `bulk of 500 at ${TARGET} events/s, p50`,
    value: percentile(steady.latencies, 0.5),
    unit: 'ms',
    note: `${Math.round((steady.replies * PER_BULK) / steady.seconds)} events/s${refusedIn(steady)}`,
  },
  { what: `bulk of 500 at ${TARGET} events/s, p99`, value: percentile(steady.latencies, 0.99), unit: 'ms' },
  ...correlatedRows(`at ${TARGET} events/s`, steady, true),
];

const baselineOf = async (broker: string, records: number, progress: (line: string) => void): Promise<Row> => {
  const log = await lookAtLog(broker);
  const value = await producerPerformance(broker, log, records, progress);
  const note = `${log.recordBytes} bytes, ${log.partitions} partitions, acks=all`;
  return { what: "Kafka's own producer benchmark", value, unit: 'records/s', note };
};

/** Starts everything, loads it at its limit and at the target rate, and stops everything. */
export const distributed = async ({ scale, profiles, progress }: DistributedOptions): Promise<Row[]> => {
  const storm = new Storm({ ...WORLD, cis: WORLD.cis * scale }, LIVE * scale);
  const scene = await openScene(storm.tenants, { profiles, progress });
  try {
    const part = Math.max(scale, 0.5);
    progress('warming up');
    await warmUp(scene, storm, BEFORE * scale, WARM_MS * part);
    progress('full load');
    const fullMs = FULL_MS * part;
    const requests = bulks(storm.fork(1), (fullMs / 1_000) * MAX_BULKS);
    const full = await measured(scene, storm.fork(2), fullMs, () => sendFor(scene.url, requests, fullMs));
    progress(`${TARGET} events/s`);
    const everyMs = (PER_BULK / TARGET) * 1_000;
    const steadyMs = STEADY_MS * part;
    const steadily = bulks(storm.fork(3), Math.ceil(steadyMs / everyMs));
    const steady = await measured(scene, storm.fork(4), steadyMs, () => sendSteadily(scene.url, steadily, everyMs));
    progress("Kafka's own benchmark");
    const kafkas = await baselineOf(scene.broker, 400_000 * scale, progress).catch((error: Error) => {
      progress(`Kafka's own benchmark did not run: ${error.message}`);
      return null;
    });
    return [...fullRows(full, kafkas?.value), ...steadyRows(steady), ...(kafkas === null ? [] : [kafkas])];
  } finally {
    await scene.stop();
  }
};
