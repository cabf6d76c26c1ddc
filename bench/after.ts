/** What events cost until all that follows them is done: stages, sinks, jobs, and the threads behind them. */
import { pause } from '#infra/wait.ts';
import { cpuSecondsOf, threadSecondsOf } from './distributed-cpu.ts';
import { sendUntil } from './distributed-load.ts';
import { percentile, run } from './load.ts';
import { sharesOf } from './profiles.ts';
import type { Row } from './report.ts';
import { bulkOf, PER_BULK, singleOf } from './requests.ts';
import { type Running, startWith } from './server.ts';
import type { Storm } from './storm.ts';
import { TOKEN } from './token.ts';

export interface AfterOptions {
  /** A filled directory. */
  readonly directory: string;
  readonly storm: Storm;
  readonly scale: number;
  /** Where profiles are kept, by which stages and sinks are told apart; null: none are made, which would cost a tenth. */
  readonly profiles: string | null;
  readonly progress: (text: string) => void;
}

interface Load {
  readonly what: string;
  readonly connections: number;
  readonly perRequest: number;
  readonly freshShare: number;
  readonly events: number;
}

const LOADS: readonly Load[] = [
  { what: 'new event, bulk', connections: 12, perRequest: PER_BULK, freshShare: 1, events: 40_000 },
  { what: 'repeat, bulk', connections: 12, perRequest: PER_BULK, freshShare: 0, events: 200_000 },
  { what: 'new event, single', connections: 64, perRequest: 1, freshShare: 1, events: 40_000 },
  { what: 'repeat, single', connections: 64, perRequest: 1, freshShare: 0, events: 80_000 },
];
/** A phase of a small run takes long enough for what follows. */
const MIN_SHARE = 0.25;

const LOOK_MS = 2_000;
const PATIENCE_MS = 180_000;
/** Of one core, beyond what a server uses that has nothing to do. */
const QUIET = 0.05;
const QUIET_LOOKS = 2;

const steadyUs = (): number => Number(process.hrtime.bigint() / 1_000n);

/** Records that each processor has before it. */
const lagsOf = async (url: string): Promise<ReadonlyMap<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^faultline_processor_lag\{processor="([^"]+)"\} (\d+)/gm);
  return new Map([...lines].map(([, name, lag]) => [name!, Number(lag)]));
};
const worstOf = (lags: ReadonlyMap<string, number>): number => Math.max(0, ...lags.values());

export const adminOf = async (url: string, path: string, method = 'GET'): Promise<unknown> => {
  const reply = await fetch(`${url}/api/admin${path}`, { method, headers: { authorization: `Bearer ${TOKEN}` } });
  // An older program has no such page.
  if (reply.status === 404) return null;
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status}`);
  return ((await reply.json()) as { data: unknown }).data;
};
interface Processor {
  readonly name: string;
  readonly kind: string;
}
/** Lets all sinks take nothing, or take again; false: this program has none that can be paused. */
const tellSinks = async (url: string, verb: 'pause' | 'resume'): Promise<boolean> => {
  const found = (await adminOf(url, '/pipeline')) as { readonly processors: readonly Processor[] } | null;
  const sinks = found?.processors.filter(({ kind }) => kind === 'sink') ?? [];
  const told = await Promise.all(sinks.map(({ name }) => adminOf(url, `/pipeline/${name}/${verb}`, 'POST')));
  await pause(TOLD_MS);
  return told.some((one) => one !== null);
};
/** By then every loop knows. */
const TOLD_MS = 6_000;

/** Looks until nothing waits and the server rests; what it saw, oldest first. `lagMatters`: false while sinks are paused. */
const untilCaughtUp = async (
  { url, pid }: Running,
  idle = 0,
  lagMatters = true,
): Promise<{ readonly lag: number; readonly at: number }[]> => {
  const seen: { lag: number; at: number }[] = [];
  const began = performance.now();
  let quiet = 0;
  let before = { cpu: cpuSecondsOf(pid), at: began };
  while (quiet < QUIET_LOOKS && performance.now() - began < PATIENCE_MS) {
    await pause(LOOK_MS);
    const lag = worstOf(await lagsOf(url));
    const now = { cpu: cpuSecondsOf(pid), at: performance.now() };
    seen.push({ lag, at: now.at - began });
    const share = ((now.cpu - before.cpu) * 1_000) / (now.at - before.at);
    quiet = (lag === 0 || !lagMatters) && share < idle + QUIET ? quiet + 1 : 0;
    before = now;
  }
  return seen;
};

const IDLE_MS = 3_000;
const ALIKE = 3;

/** By then a server that was started on a filled directory has made what was there fit to be searched. */
const MIN_LOOKS = 10;

/** Cores that a server uses when nothing waits: the least of its looks, once the newest ones are alike. */
export const idleOf = async ({ url, pid }: Pick<Running, 'url' | 'pid'>): Promise<number> => {
  const shares: number[] = [];
  for (const began = performance.now(); performance.now() - began < PATIENCE_MS; ) {
    const before = cpuSecondsOf(pid);
    await pause(IDLE_MS);
    if (worstOf(await lagsOf(url)) > 0) continue;
    shares.push(((cpuSecondsOf(pid) - before) * 1_000) / IDLE_MS);
    const newest = shares.slice(-ALIKE);
    if (shares.length >= MIN_LOOKS && Math.max(...newest) - Math.min(...newest) < QUIET) break;
  }
  return Math.min(...shares);
};

/** Begins to measure; the processor time since then of each of so many events, beyond what an idle server uses, µs. */
const costFrom = ({ pid }: Running, idle: number): ((events: number) => number) => {
  const [cpu, began] = [cpuSecondsOf(pid), performance.now()];
  return (events) => ((cpuSecondsOf(pid) - cpu - (idle * (performance.now() - began)) / 1_000) * 1e6) / events;
};

const requestsOf = (storm: Storm, { perRequest, freshShare }: Load, events: number): Buffer[] =>
  Array.from({ length: Math.ceil(events / perRequest) }, () =>
    perRequest === 1 ? singleOf(storm, freshShare) : bulkOf(storm, storm.tenant(), freshShare),
  );

interface Done {
  readonly load: Load;
  /** Processor time of each thread, µs per event. */
  readonly threads: ReadonlyMap<string, number>;
  readonly events: number;
  readonly rows: readonly Row[];
  readonly from: number;
  readonly to: number;
}

const measured = async (server: Running, load: Load, storm: Storm, idle: number, scale: number): Promise<Done> => {
  const requests = requestsOf(storm, load, Math.round(load.events * Math.max(scale, MIN_SHARE)));
  const events = requests.length * load.perRequest;
  const [from, costOf, began] = [steadyUs(), costFrom(server, idle), performance.now()];
  const before = threadSecondsOf(server.pid);
  const { refused } = await sendUntil(server.url, load.connections, requests, () => false);
  const sentMs = performance.now() - began;
  const lags = await untilCaughtUp(server, idle);
  const to = steadyUs();
  const each = costOf(events);
  const last = lags.findLast(({ lag }) => lag > 0)?.at ?? 0;
  const worst = Math.max(...lags.map(({ lag }) => lag));
  const rows: Row[] = [
    {
      what: `${load.what}: processor time until all is done`,
      value: each,
      unit: 'µs/event',
      note: `${events} events${refused === 0 ? '' : `, ${refused} REFUSED`}`,
    },
    { what: `${load.what}: taken`, value: (events * 1_000) / sentMs, unit: 'events/s' },
    {
      what: `${load.what}: caught up after the last answer`,
      value: last / 1_000,
      unit: 's',
      note: `${worst} records behind at most`,
    },
  ];
  const threads = new Map(
    [...threadSecondsOf(server.pid)].map(([name, s]) => [name, ((s - (before.get(name) ?? 0)) * 1e6) / events]),
  );
  return { load, events, rows, from, to, threads };
};

const line = (what: string, value: number): Row => ({ what, value, unit: 'µs/event' });

/** Processor time of letting sinks go on, until the server rests; divided by a number of events, µs. */
const resumed = async (server: Running, idle: number, events: number): Promise<number> => {
  const costOf = costFrom(server, idle);
  await tellSinks(server.url, 'resume');
  await untilCaughtUp(server, idle);
  return costOf(events);
};

/** What an event itself costs, while all sinks are paused, and what they then have to do for it. */
const parted = async (server: Running, load: Load, storm: Storm, idle: number, scale: number): Promise<Row[]> => {
  const requests = requestsOf(storm, load, Math.round(load.events * Math.max(scale, MIN_SHARE)));
  const events = requests.length * load.perRequest;
  if (!(await tellSinks(server.url, 'pause'))) return [];
  const without = await resumed(server, idle, events);
  await tellSinks(server.url, 'pause');
  const itself = costFrom(server, idle);
  await sendUntil(server.url, load.connections, requests, () => false);
  await untilCaughtUp(server, idle, false);
  const rows = [line(`${load.what}: the event itself`, itself(events))];
  const following = (await resumed(server, idle, events)) - without;
  return [...rows, line(`${load.what}: what sinks do for it`, following)];
};

/** Below it a line of the table says nothing, µs per event. */
const MIN_US = 1;

/** Threads, and with profiles what each of them worked for. */
const partsOf = (folder: string | null, done: readonly Done[]): Row[] => {
  const shares = folder === null ? [] : sharesOf(folder, done);
  return done.flatMap(({ load, threads }, n) =>
    [...threads]
      .flatMap(([thread, us]) => [
        line(`${load.what}: thread ${thread}`, us),
        ...[...(shares[n]?.get(thread) ?? [])].map(([label, share]) =>
          line(`${load.what}: ${thread}: ${label}`, share * us),
        ),
      ])
      .filter(({ value }) => value >= MIN_US)
      .sort((a, b) => b.value - a.value),
  );
};

/** New and repeated events, in bulk and single, each until all that follows is done. */
export const after = async ({ directory, storm, scale, profiles, progress }: AfterOptions): Promise<Row[]> => {
  const options = profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=1000'];
  const server = await startWith({ FAULTLINE_DATA: directory }, options);
  const done: Done[] = [];
  await sendUntil(server.url, 12, requestsOf(storm.fork(20), LOADS[0]!, 5_000), () => false);
  const idle = await idleOf(server);
  for (const [n, load] of LOADS.entries()) {
    progress(load.what);
    done.push(await measured(server, load, storm.fork(21 + n), idle, scale));
  }
  const parts: Row[] = [];
  for (const [n, load] of LOADS.entries()) {
    progress(`${load.what}, sinks apart`);
    parts.push(...(await parted(server, load, storm.fork(31 + n), idle, scale)));
  }
  await server.stop();
  return [...done.flatMap(({ rows }) => rows), ...parts, ...partsOf(profiles, done)];
};

const FRESH_SHARE = 0.1;
const STEPS = 5;
const SUSTAINED_MS = 60_000;
/** Lag that a sink has which waits for 2 s before it looks at an event, and a second of others. */
const USUAL_MS = 4_000;
/** An answer takes longer only when requests wait for each other. */
const LATE_MS = 5_000;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Whether no lag grows at this rate of events, sent in bulk. */
const holds = async (server: Running, storm: Storm, rate: number, ms: number): Promise<boolean> => {
  const requests = Array.from({ length: Math.ceil(((rate / PER_BULK) * (ms + 2_000)) / 1_000) }, () =>
    bulkOf(storm, storm.tenant(), FRESH_SHARE),
  );
  const lags: number[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      lags.push(worstOf(await lagsOf(server.url)));
      await pause(1_000);
    }
  })();
  const { latencies, replies } = await run({
    url: server.url,
    connections: 24,
    warmupMs: 1_000,
    durationMs: ms,
    requests,
    rate: rate / PER_BULK,
  });
  isOver = true;
  await looking;
  await untilCaughtUp(server);
  const quarter = Math.ceil(lags.length / 4);
  const [early, late] = [mean(lags.slice(quarter, 2 * quarter)), mean(lags.slice(-quarter))];
  const usual = (rate * FRESH_SHARE * USUAL_MS) / 1_000;
  const isTaken = replies * PER_BULK >= 0.97 * rate * (ms / 1_000) && percentile(latencies, 0.99) < LATE_MS;
  return isTaken && (late <= usual || late <= 1.1 * early);
};

/** The highest rate at which no lag grows, one event of ten new; found by halving what lies between. */
export const sustained = async ({ directory, storm, scale, progress }: AfterOptions): Promise<Row[]> => {
  const server = await startWith({ FAULTLINE_DATA: directory });
  const ms = scale < 1 ? SUSTAINED_MS / 4 : SUSTAINED_MS;
  let [low, high] = [0, 24_000];
  for (let step = 0; step < STEPS; step++) {
    const rate = (low + high) / 2;
    progress(`sustained: ${rate} events/s for ${ms / 1_000} s`);
    if (await holds(server, storm.fork(40 + step), rate, ms)) low = rate;
    else high = rate;
  }
  await server.stop();
  return [
    {
      what: 'sustained, bulk of 500',
      value: low,
      unit: 'events/s',
      note: `no lag grows over ${ms / 1_000} s; ${high} is too much`,
    },
  ];
};
