/** How long an infrastructure analysis of a large CMDB takes, and what requests that bring events notice of it. */
import { bytesOf, median, percentile, run } from '../../../bench/load.ts';
import type { Row } from '../../../bench/report.ts';
import { runScript, startServer } from '../../../bench/server.ts';
import { TOKEN } from '../../../bench/token.ts';

const TENANT = 'infra';
/** Some 60,000 CIs. */
const SERVICES = 6_600;
const ROUNDS = 3;
const WARM_MS = 20_000;
/** A disk that others write to holds up a whole window now and then; the median of windows does not show it. */
const WINDOW_MS = 2_000;
const CALM_WINDOWS = 12;
const RATE = 300;
const CONNECTIONS = 32;
const REQUESTS = 4_000;
const PATH = '/api/business-service-analyzer/infrastructure-analysis';

interface Filled {
  readonly cis: number;
  readonly relationships: number;
  readonly names: readonly string[];
}
interface Options {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'x-tenant-id': TENANT };

const eventsOn = (names: readonly string[]): Buffer[] =>
  Array.from({ length: REQUESTS }, (_, n) => {
    const event = { source: 'bench', sourceId: `${n % 1_500}`, severity: 'major', hostname: names[n % names.length] };
    const body = JSON.stringify({ ...event, title: `Check ${n % 7} failed on ${event.hostname}: value ${n}` });
    return bytesOf({ method: 'POST', path: '/api/events/ingest', tenant: TENANT, body });
  });

/** Latencies of the load, for so long, ms. */
const loaded = async (url: string, requests: readonly Buffer[], durationMs: number): Promise<readonly number[]> =>
  (await run({ url, connections: CONNECTIONS, warmupMs: 500, durationMs, requests, rate: RATE })).latencies;

/** Starts an analysis. Resolves with the stream that tells how far it is: each look at its result would have events committed that wait, which a listener does not. */
async function started(url: string, session: string): Promise<Response> {
  const reply = await fetch(url + PATH, { method: 'POST', headers, body: JSON.stringify({ sessionId: session }) });
  const { streamUrl } = (await reply.json()) as { streamUrl: string };
  return fetch(new URL(streamUrl, url));
}

/** Latencies by windows while the analysis is at work; the window in which it ends does not count. */
async function analysed(url: string, requests: readonly Buffer[], session: string) {
  const began = performance.now();
  const stream = await started(url, session);
  let [seconds, told]: [number | null, string] = [null, ''];
  void stream.text().then((text) => {
    [seconds, told] = [(performance.now() - began) / 1_000, text];
  });
  const windows: (readonly number[])[] = [];
  while (seconds === null) {
    const window = await loaded(url, requests, WINDOW_MS);
    if (seconds === null || windows.length === 0) windows.push(window);
  }
  if (!told.includes('"type":"complete"')) throw new Error(`The analysis ${session} failed: ${told.slice(-500)}`);
  return { windows, seconds: seconds as number };
}

const p99 = (latencies: readonly number[]): number =>
  percentile(
    latencies.toSorted((a, b) => a - b),
    0.99,
  );

const windowsOf = (windows: readonly (readonly number[])[]): string =>
  windows.map((one) => p99(one).toFixed(1)).join(' ');

/** What the 99th percentile of a window usually is: the median. */
const usual = (windows: readonly (readonly number[])[]): number => median(windows.map(p99));

export const infrastructure = async ({ directory, scale, progress }: Options): Promise<Row[]> => {
  progress('infrastructure: filling');
  const told = await runScript(
    'features/analyzer/bench/infrastructure-fill.ts',
    directory,
    Math.round(SERVICES * scale),
  );
  // What the log says stands before it.
  const filled = JSON.parse(told.trim().split('\n').at(-1)!) as Filled;
  const { url, stop } = await startServer(directory);
  const requests = eventsOn(filled.names);
  await loaded(url, requests, WARM_MS);
  const [calm, busy]: [(readonly number[])[], (readonly number[])[]] = [[], []];
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    progress(`infrastructure: round ${round + 1} of ${ROUNDS}`);
    for (let window = 0; window < CALM_WINDOWS; window++) calm.push(await loaded(url, requests, WINDOW_MS));
    progress(`infrastructure: p99 of calm windows ${windowsOf(calm.slice(-CALM_WINDOWS))} ms`);
    const analysis = await analysed(url, requests, `round-${round}-of-the-bench`);
    progress(`infrastructure: p99 of its windows ${windowsOf(analysis.windows)} ms`);
    busy.push(...analysis.windows);
    seconds.push(analysis.seconds);
  }
  await stop();
  const longest = Math.max(...seconds);
  const [before, meanwhile] = [usual(calm), usual(busy)];
  return [
    {
      what: `infrastructure analysis of ${filled.cis.toLocaleString('en')} CIs, slowest of ${ROUNDS}`,
      value: longest,
      unit: 's',
      target: '≤ 60',
      met: longest <= 60,
      note: `${filled.relationships.toLocaleString('en')} relationships, ${RATE} events a second meanwhile`,
    },
    {
      what: 'ingest meanwhile, p99 of a window of 2 s, median',
      value: meanwhile,
      unit: 'ms',
      target: '≤ 1.2 × calm',
      met: meanwhile <= 1.2 * before,
      baseline: before,
      of: 'calm',
      note: `p99 of all: ${Math.round(p99(busy.flat()))} against ${Math.round(p99(calm.flat()))} ms, ${busy.length} windows`,
    },
  ];
};
