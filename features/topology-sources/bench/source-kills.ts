/** Kills the server in the middle of the first run of a source, many times: the CMDB must equal the set of the source. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seededBytes } from '#test/setup/set-clock.ts';
import type { PartOptions } from '../../../bench/feature-parts.ts';
import type { Row } from '../../../bench/report.ts';
import { type Running, startWith } from '../../../bench/server.ts';
import { makeTenant } from '../../../bench/tenant.ts';
import { TOKEN } from '../../../bench/token.ts';
import { openLargePrometheus, sourceOf } from './large-prometheus.ts';
import { askSource } from './source-runs.ts';

const TENANT = 'topology-kills';
const CIS = 50_000;
const KILLS = 20;
const MAX_WAIT_MS = 1_500;
const LONGEST_MS = 600_000;

/** Rows of an export. */
async function exported(
  url: string,
  kind: 'ci' | 'relationships',
): Promise<readonly { readonly external_key?: string }[]> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-tenant-id': TENANT };
  const reply = await fetch(`${url}/v1/cmdb/export/${kind}?format=jsonl`, { headers });
  if (!reply.ok) throw new Error(`The export of ${kind} answered ${reply.status}`);
  const lines = (await reply.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { readonly external_key?: string });
}

interface SourceState {
  readonly last_run: string | null;
  readonly counts: Readonly<Record<'cis' | 'relationships', Readonly<Record<'total' | 'failed', number>>>> | null;
}

async function finished(url: string): Promise<SourceState> {
  for (const began = performance.now(); performance.now() - began < LONGEST_MS; await sleep(500)) {
    const state = await askSource<SourceState>(url, TENANT, 'GET', '/cmdb/sources/large');
    if (state.last_run !== null) return state;
  }
  throw new Error('The last run did not end in time');
}

async function killed(server: Running, afterMs: number): Promise<boolean> {
  await sleep(afterMs);
  const { last_run } = await askSource<SourceState>(server.url, TENANT, 'GET', '/cmdb/sources/large');
  process.kill(server.pid, 'SIGKILL');
  await server.stop();
  return last_run === null;
}

export const sourceKills = async ({ directory, scale, seeds, progress }: PartOptions): Promise<readonly Row[]> => {
  const prometheus = await openLargePrometheus(CIS * scale);
  const nextByte = seededBytes(seeds[0] ?? 1);
  const start = () => startWith({ FAULTLINE_DATA: directory, FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  let server = await start();
  try {
    await makeTenant(server.url, TENANT);
    await askSource(server.url, TENANT, 'PUT', '/cmdb/sources/large', sourceOf(prometheus, '1d'));
    let amid = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      progress(`kill ${kill + 1} of ${KILLS}`);
      if (await killed(server, 500 + (nextByte() / 256) * MAX_WAIT_MS)) amid += 1;
      server = await start();
    }
    const { counts } = await finished(server.url);
    const keys = (await exported(server.url, 'ci')).map(({ external_key: key }) => key);
    const edgesThere = (await exported(server.url, 'relationships')).length;
    const { cis, edges } = prometheus.set;
    const unique = new Set(keys);
    const wrong =
      cis.filter(({ key }) => !unique.has(key)).length +
      (keys.length - cis.length) +
      Math.abs(edges.length - edgesThere) +
      (counts?.relationships.failed ?? 1);
    return [
      {
        what: `topology source killed ${KILLS} times, ${amid} in its first run: CIs and relationships that differ`,
        value: wrong,
        unit: '',
        target: '0',
        met: wrong === 0,
        note: `${cis.length.toLocaleString('en')} CIs, ${edges.length.toLocaleString('en')} relationships`,
      },
    ];
  } finally {
    await server.stop();
    prometheus.stop();
  }
};
