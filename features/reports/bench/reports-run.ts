/**
 * Makes reports of so many rows in a server of its own process, and prints what they took: `node features/reports/bench/reports-run.ts DIRECTORY ROWS
 * ROUNDS`. Events come in meanwhile.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pause } from '#infra/wait.ts';
import { startOn } from '../../../bench/started.ts';
import { makeTenant } from '../../../bench/tenant.ts';
import { TOKEN } from '../../../bench/token.ts';

const TENANT = 'reports';
const BULK = 500;
const CALM_MS = 4_000;
/** What the filling has left to do is done by then. */
const REST_MS = 10_000;
/** Between two events that come in meanwhile. */
const EVENT_MS = 10;
const SAMPLE_MS = 10;
const NS_PER_MS = 1_000_000;
const US_PER_MS = 1_000;
const MB = 1_024 * 1_024;
/** Timers of the monitor are this far apart, ms; a delay is what is beyond it. */
const RESOLUTION_MS = 1;

export interface Measured {
  readonly template: string;
  readonly seconds: number;
  readonly bytes: number;
  readonly pages: number;
  /** Most of the whole process beyond what it had before the first report, MB. */
  readonly memoryMb: number;
  /** Longest time that the main thread did nothing else, ms. */
  readonly pauseMs: number;
  /** Most that it worked between two turns of its loop, ms of processor time: what others on the machine do plays no part. */
  readonly busyMs: number;
  /** The two while no report is made. */
  readonly calmPauseMs: number;
  readonly calmBusyMs: number;
}

const [directory = '', rows = '2000', rounds = '3'] = process.argv.slice(2);
const app = await startOn(directory);
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'x-tenant-id': TENANT };
const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const reply = await fetch(app.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
};
const severities = ['critical', 'major', 'minor', 'warning', 'info'];
const eventOf = (n: number) => ({
  source: `monitor-${n % 7}`,
  sourceId: `s-${n}`,
  severity: severities[n % 5],
  hostname: `host-${n}.example.com`,
  title: `Check ${n % 40} of a longer name failed: the value is beyond its limit`,
  timestamp: app.ports.clock.now() - (n % 600) * 600_000,
});

async function fill(count: number): Promise<void> {
  await makeTenant(app.url, TENANT);
  const lines = Array.from({ length: count }, (_, n) => `host-${n}.example.com,${n % 3 === 0 ? 'server' : 'database'}`);
  const csv = { ...headers, 'content-type': 'text/csv' };
  await fetch(`${app.url}/v1/cmdb/import/ci`, {
    method: 'POST',
    headers: csv,
    body: `name,type\n${lines.join('\n')}\n`,
  });
  for (let from = 0; from < count; from += BULK) {
    const events = Array.from({ length: Math.min(BULK, count - from) }, (_, n) => eventOf(from + n));
    await send('POST', '/api/events/bulk-ingest', { events });
  }
  await app.idle();
}

/** Of this thread. */
const cpuUs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** Longest pause of the main thread, what it worked between two turns of its loop at the most, and the most memory, until the work is done. */
async function watched<T>(
  work: () => Promise<T>,
): Promise<{ result: T; pauseMs: number; busyMs: number; memoryMb: number }> {
  let most = process.memoryUsage().rss;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, SAMPLE_MS);
  let [busyUs, usedUs] = [0, cpuUs()];
  const turns = setInterval(() => {
    const now = cpuUs();
    busyUs = Math.max(busyUs, now - usedUs);
    usedUs = now;
  }, RESOLUTION_MS);
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const result = await work();
  delays.disable();
  clearInterval(sampling);
  clearInterval(turns);
  const [pauseMs, busyMs] = [delays.max / NS_PER_MS - RESOLUTION_MS, busyUs / US_PER_MS];
  return { result, pauseMs, busyMs, memoryMb: (most - base) / MB };
}

interface Status {
  readonly status: string;
  readonly error: string | null;
  readonly size_bytes: number;
  readonly download_url: string;
}
async function make(template: string): Promise<Status> {
  const { report_id } = await send<{ report_id: string }>('POST', '/v1/reports/generate', {
    template_id: template,
    format: 'pdf',
    parameters: { date_range: 'last_30_days' },
  });
  for (;;) {
    const status = await send<Status>('GET', `/v1/reports/${report_id}/status`);
    if (status.status === 'completed') return status;
    if (status.status === 'failed') throw new Error(`${template}: ${status.error}`);
    await pause(50);
  }
}

const pagesIn = async (url: string): Promise<number> => {
  const file = Buffer.from(await (await fetch(app.url + url)).arrayBuffer()).toString('latin1');
  return file.match(/\/Type \/Page\b/g)?.length ?? 0;
};

await fill(Number(rows));
let isOver = false;
const load = (async () => {
  for (let n = 0; !isOver; n++) {
    await send('POST', '/api/events/ingest', eventOf(n % 200));
    await pause(EVENT_MS);
  }
})();
const measured: Measured[] = [];
const templates = ['event-summary', 'ci-inventory'];
await pause(REST_MS);
app.tidy();
const base = process.memoryUsage().rss;
// Not measured: what is compiled by then stays so.
for (const template of templates) await make(template);
for (const template of templates)
  for (let round = 0; round < Number(rounds); round++) {
    app.tidy();
    const calm = await watched(() => pause(CALM_MS));
    const began = performance.now();
    const { result, pauseMs, busyMs, memoryMb } = await watched(() => make(template));
    const seconds = (performance.now() - began) / 1_000;
    const pages = await pagesIn(result.download_url);
    measured.push({
      template,
      seconds,
      bytes: result.size_bytes,
      pages,
      memoryMb,
      pauseMs,
      busyMs,
      calmPauseMs: calm.pauseMs,
      calmBusyMs: calm.busyMs,
    });
  }
isOver = true;
await load;
await app.stop();
console.log(JSON.stringify(measured));
