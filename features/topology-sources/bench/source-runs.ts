/** Runs of one large source: the first, and those without changes, alone and beside events. */
import type { PartOptions } from '../../../bench/feature-parts.ts';
import { bytesOf, percentile, run } from '../../../bench/load.ts';
import type { Row } from '../../../bench/report.ts';
import { startWith, usageOf } from '../../../bench/server.ts';
import { makeTenant } from '../../../bench/tenant.ts';
import { TOKEN } from '../../../bench/token.ts';
import { openLargePrometheus, sourceOf } from './large-prometheus.ts';

const TENANT = 'topology-source';
const CIS = 50_000;
const FIRST_TARGET_S = 600;
const CPU_TARGET_S = 5;
const P99_TARGET = 1.2;
const RATE = 200;
const LOAD = { connections: 8, warmupMs: 3_000, durationMs: 20_000, rate: RATE };
const PAIRS = 3;

export async function askSource<T>(
  url: string,
  tenant: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-tenant-id': tenant, 'content-type': 'application/json' };
  const reply = await fetch(`${url}/v1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${(await reply.text()).slice(0, 300)}`);
  return (await reply.json()) as T;
}

interface RunReply {
  readonly run: { readonly cis: Readonly<Record<'total' | 'created' | 'updated' | 'failed', number>> };
}

const events = (): Buffer[] =>
  Array.from({ length: 2_000 }, (_, n) => {
    const body = {
      source: 'bench',
      sourceId: `check-${n}`,
      severity: 'minor',
      hostname: `host-${n % 400}`,
      title: `Check ${n % 5} failed`,
    };
    return bytesOf({ method: 'POST', path: '/api/events/ingest', tenant: TENANT, body: JSON.stringify(body) });
  });

export const sourceRuns = async ({ directory, scale, progress }: PartOptions): Promise<readonly Row[]> => {
  const prometheus = await openLargePrometheus(CIS * scale);
  const server = await startWith({ FAULTLINE_DATA: directory, FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  const { url } = server;
  const runNow = () => askSource<RunReply>(url, TENANT, 'POST', '/cmdb/sources/large/run', {});
  const timed = async () => {
    const [began, before] = [performance.now(), (await usageOf(url)).cpuSeconds];
    const { run: found } = await runNow();
    return { found, seconds: (performance.now() - began) / 1_000, cpu: (await usageOf(url)).cpuSeconds - before };
  };
  const p99 = async (): Promise<number> => {
    const { latencies, refused } = await run({ ...LOAD, url, requests: events() });
    if (refused > 0) throw new Error(`${refused} events refused`);
    return percentile(latencies, 0.99);
  };
  try {
    await makeTenant(url, TENANT);
    await askSource(url, TENANT, 'PUT', '/cmdb/sources/large', { ...sourceOf(prometheus, '1d'), paused: true });
    progress('first run');
    const first = await timed();
    const { total, created, failed } = first.found.cis;
    if (created !== total || failed > 0) throw new Error(`${created} of ${total} CIs created, ${failed} failed`);
    progress('runs without changes');
    const again = [await timed(), await timed(), await timed()].toSorted((a, b) => a.cpu - b.cpu)[1]!;
    if (again.found.cis.created + again.found.cis.updated > 0) throw new Error('A run without changes changed CIs');
    const ratios: { readonly calm: number; readonly beside: number }[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      progress(`events beside runs: pair ${pair + 1} of ${PAIRS}`);
      const calm = await p99();
      await askSource(url, TENANT, 'PUT', '/cmdb/sources/large', sourceOf(prometheus, '10s'));
      const beside = await p99();
      await askSource(url, TENANT, 'PUT', '/cmdb/sources/large', { ...sourceOf(prometheus, '1d'), paused: true });
      ratios.push({ calm, beside });
    }
    const { calm, beside } = ratios.toSorted((a, b) => a.beside / a.calm - b.beside / b.calm)[Math.floor(PAIRS / 2)]!;
    const note = `${total.toLocaleString('en')} CIs`;
    return [
      {
        what: 'topology source, first run',
        value: first.seconds,
        unit: 's',
        target: `< ${FIRST_TARGET_S}`,
        met: first.seconds < FIRST_TARGET_S,
        note: `${note}, processor time ${first.cpu.toFixed(1)} s`,
      },
      {
        what: 'topology source, processor time of a run without changes',
        value: again.cpu,
        unit: 's',
        target: `< ${CPU_TARGET_S}`,
        met: again.cpu < CPU_TARGET_S,
        note: `${note}, ${again.seconds.toFixed(1)} s on the clock`,
      },
      {
        what: `ingest p99 beside a run every 10 s, ${RATE} events/s`,
        value: beside,
        unit: 'ms',
        baseline: calm,
        of: 'calm',
        target: `≤ ${P99_TARGET} of calm`,
        met: beside / calm <= P99_TARGET,
        note: `median of ${PAIRS} pairs: ${ratios.map((one) => (one.beside / one.calm).toFixed(2)).join(', ')}`,
      },
    ];
  } finally {
    await server.stop();
    prometheus.stop();
  }
};
