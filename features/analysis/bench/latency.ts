import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../../bench/report.ts';
import { startServer } from '../../../bench/server.ts';
import { TOKEN } from '../../../bench/token.ts';

const PER_SECOND = 20;
const SECONDS = 30;
/** Analyses come two seconds late, and a p99 of more than the target may come later. */
const REST_MS = 10_000;
const TARGET_S = 5;
const BUCKET = /^faultline_analysis_seconds_bucket\{le="([^"]+)"[^}]*\} (\d+)$/gm;

const send = (url: string, n: number): Promise<Response> =>
  fetch(`${url}/api/events/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      source: 'bench',
      sourceId: `s-${n}`,
      severity: 'major',
      title: `Odd thing of kind${n % 50}x`,
      hostname: `host${n}`,
    }),
  });

/** The smallest bound that 99 % keep, from the server's own measurement; and how many were analysed. */
async function p99Of(url: string): Promise<{ readonly p99: number; readonly count: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const buckets = [...text.matchAll(BUCKET)].map(
    ([, bound, n]) => [Number(bound?.replace('+Inf', 'Infinity')), Number(n)] as const,
  );
  const count = buckets.at(-1)?.[1] ?? 0;
  return { p99: buckets.find(([, n]) => n >= 0.99 * count)?.[0] ?? Number.POSITIVE_INFINITY, count };
}

/** How long a calm server takes from the creation of an event to its analysis. */
export async function latency(directory: string, progress: (text: string) => void): Promise<Row> {
  progress(`analyses of ${PER_SECOND} events/s`);
  const { url, stop } = await startServer(directory);
  try {
    for (let n = 0; n < PER_SECOND * SECONDS; n++) {
      await send(url, n);
      await pause(1_000 / PER_SECOND);
    }
    await pause(REST_MS);
    const { p99, count } = await p99Of(url);
    const met = p99 <= TARGET_S && count >= PER_SECOND * SECONDS;
    return {
      what: 'created → analysed, calm, p99',
      value: p99,
      unit: 's, at most',
      target: `≤ ${TARGET_S}`,
      met,
      note: `${count} events`,
    };
  } finally {
    await stop();
  }
}
