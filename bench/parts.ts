/** What is measured, one function per part; each gives rows of the report. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idleOf } from './after.ts';
import { correlatedTimes } from './correlated.ts';
import { type Load, type Outcome, percentile, run } from './load.ts';
import type { Row } from './report.ts';
import { bulks, lists, PER_BULK, singles } from './requests.ts';
import { runScript, startEcho, startServer, type Usage, usageOf } from './server.ts';
import type { Storm } from './storm.ts';

/** A filled directory with its running server. */
export interface Scene {
  readonly url: string;
  readonly pid: number;
  readonly readyMs: number;
  readonly storm: Storm;
  readonly stored: number;
  readonly open: number;
}
interface Cost extends Outcome {
  readonly cpuUs: number;
}

const BULK_CONNECTIONS = 12;
const SINGLE_CONNECTIONS = 64;
const SINGLE_TARGET = 6_000;
const MEASURED_MS = 8_000;
const LONG_WARMUP_MS = 5_000;

/** The load, and the processor time of the server for one reply. */
const measured = async (load: Omit<Load, 'onStart'>): Promise<Cost> => {
  let before: Usage | undefined;
  const outcome = await run({
    ...load,
    onStart: async () => {
      before = await usageOf(load.url);
    },
  });
  const after = await usageOf(load.url);
  return { ...outcome, cpuUs: ((after.cpuSeconds - before!.cpuSeconds) * 1e6) / outcome.replies };
};

const refusedIn = ({ refused }: Outcome): string => (refused === 0 ? '' : `, ${refused} REFUSED`);
const p = ({ latencies }: Outcome, share: number): number => percentile(latencies, share);

/** The load on a bare server; with a file, on one that brings each body to the disk before it answers. */
const onEcho = async (load: Omit<Load, 'url'>, file?: string): Promise<Outcome> => {
  const echo = await startEcho(file);
  const outcome = await run({ ...load, url: echo.url });
  await echo.stop();
  return outcome;
};

const echoed = async (requests: readonly Buffer[], connections: number): Promise<number> => {
  const { replies, seconds } = await onEcho({ connections, warmupMs: 1_000, durationMs: 3_000, requests });
  return replies / seconds;
};

const lookedUp = async (): Promise<number> => Number(await runScript('bench/lookups.ts'));

/** What no server can do better at this rate that keeps bodies before it answers. */
const keptAt = async (requests: readonly Buffer[], rate: number): Promise<Outcome> => {
  const directory = mkdtempSync(join(tmpdir(), 'faultline-bench-'));
  const load = { connections: SINGLE_CONNECTIONS, warmupMs: 2_000, durationMs: MEASURED_MS, requests, rate };
  const outcome = await onEcho(load, join(directory, 'bodies'));
  rmSync(directory, { recursive: true });
  return outcome;
};

const newEventsOf = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    /^faultline_processor_records_total\{processor="correlate.temporal",direction="in"\} (\d+)/m.exec(text)?.[1] ?? 0,
  );
};

export const bulk = async ({ url, storm }: Scene): Promise<Row[]> => {
  const requests = bulks(storm.fork(1), 900);
  const inserts = Number(await runScript('bench/baseline.ts'));
  const lookups = await lookedUp();
  const echo = (await echoed(requests, BULK_CONNECTIONS)) * PER_BULK;
  const before = await newEventsOf(url);
  const began = performance.now();
  const load = { url, connections: BULK_CONNECTIONS, warmupMs: 4_000, durationMs: MEASURED_MS, requests };
  const [outcome, correlated] = await Promise.all([measured(load), correlatedTimes(url, storm.fork(2), MEASURED_MS)]);
  const fresh = ((await newEventsOf(url)) - before) / ((performance.now() - began) / 1000);
  const events = (outcome.replies * PER_BULK) / outcome.seconds;
  return [
    {
      what: 'bulk of 500',
      value: events,
      unit: 'events/s',
      target: '≥ 20,000',
      met: events >= 20_000,
      baseline: inserts,
      of: 'plain inserts',
      note: `${Math.round(fresh)} new/s, ${(outcome.cpuUs / PER_BULK).toFixed(0)} µs CPU per event${refusedIn(outcome)}`,
    },
    { what: 'bulk of 500', value: events, unit: 'events/s', baseline: echo, of: 'HTTP echo' },
    { what: 'bulk of 500', value: events, unit: 'events/s', baseline: lookups / 1_000, of: 'thousand Map look-ups' },
    { what: 'bulk of 500, p50', value: p(outcome, 0.5), unit: 'ms' },
    { what: 'bulk of 500, p99', value: p(outcome, 0.99), unit: 'ms' },
    {
      what: 'accepted → correlated, p50',
      value: percentile(correlated, 0.5),
      unit: 'ms',
      note: `under full bulk load, ${correlated.length} probes`,
    },
    {
      what: 'accepted → correlated, p99',
      value: percentile(correlated, 0.99),
      unit: 'ms',
      target: '≤ 1,000',
      met: percentile(correlated, 0.99) <= 1_000,
    },
  ];
};

export const single = async ({ url, pid, storm }: Scene): Promise<Row[]> => {
  const requests = singles(storm.fork(3), 90_000);
  const echo = await echoed(requests, SINGLE_CONNECTIONS);
  const lookups = await lookedUp();
  const both = { url, connections: SINGLE_CONNECTIONS, warmupMs: LONG_WARMUP_MS, durationMs: MEASURED_MS };
  const full = await measured({ ...both, requests });
  const perSecond = full.replies / full.seconds;
  const rate = Math.round(0.7 * perSecond);
  await idleOf({ url, pid });
  const steady = await measured({ ...both, warmupMs: 2_000, requests: singles(storm.fork(4), 50_000), rate });
  const kept = await keptAt(requests, rate);
  return [
    {
      what: 'single POST',
      value: perSecond,
      unit: '/s',
      target: '≥ 6,000',
      met: perSecond >= SINGLE_TARGET,
      baseline: echo,
      of: 'HTTP echo',
      note: `${full.cpuUs.toFixed(0)} µs CPU each${refusedIn(full)}`,
    },
    { what: 'single POST', value: perSecond, unit: '/s', baseline: lookups / 1_000, of: 'thousand Map look-ups' },
    {
      what: 'single POST at 70 % of it, p50',
      value: p(steady, 0.5),
      unit: 'ms',
      note: `of ${rate}/s, ${Math.round(steady.replies / steady.seconds)}/s answered${refusedIn(steady)}`,
    },
    {
      what: 'single POST at 70 % of it, p99',
      value: p(steady, 0.99),
      unit: 'ms',
      target: '≤ 3 × echo',
      met: p(steady, 0.99) <= 3 * p(kept, 0.99),
      baseline: p(kept, 0.99),
      of: 'an echo that writes to disk first',
    },
  ];
};

export const memory = async ({ url, open }: Scene): Promise<Row[]> => {
  const { residentMb } = await usageOf(url);
  return [
    {
      what: `resident with ${open.toLocaleString('en')} open events`,
      value: residentMb,
      unit: 'MB',
      target: '≤ 800',
      met: residentMb <= 800,
    },
  ];
};

export const start = async ({ url, storm, readyMs, stored }: Scene): Promise<Row[]> => {
  const listed = await run({ url, connections: 1, warmupMs: 1_000, durationMs: 3_000, requests: lists(storm, 200) });
  return [
    {
      what: `start on ${stored.toLocaleString('en')} stored events`,
      value: readyMs / 1000,
      unit: 's',
      target: '≤ 5',
      met: readyMs <= 5_000,
    },
    { what: 'list page, p50', value: p(listed, 0.5), unit: 'ms', note: `${listed.replies} pages${refusedIn(listed)}` },
    { what: 'list page, p99', value: p(listed, 0.99), unit: 'ms', target: '≤ 50', met: p(listed, 0.99) <= 50 },
  ];
};

/** Processor time per event of a server on a filled directory. */
export const costPerEvent = async (directory: string, storm: Storm): Promise<number> => {
  const server = await startServer(directory);
  const load = { url: server.url, connections: 2, warmupMs: 4_000, durationMs: 5_000, requests: bulks(storm, 600) };
  const { cpuUs } = await measured(load);
  await server.stop();
  return cpuUs / PER_BULK;
};
