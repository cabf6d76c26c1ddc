/** Kills the server in the middle of the first run of a source, many times: the CMDB must equal the set of the source. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seededBytes } from '#test/setup/set-clock.ts';
import type { PartOptions } from '../../../bench/feature-parts.ts';
import type { Row } from '../../../bench/report.ts';
import { type Running, startWith } from '../../../bench/server.ts';
import { makeTenant } from '../../../bench/tenant.ts';
import { openLargePrometheus, sourceOf } from './large-prometheus.ts';
import { askSource } from './source-runs.ts';

const TENANT = 'topology-kills';
const CIS = 50_000;
const KILLS = 20;
const MAX_WAIT_MS = 1_500;
const PAGE = 1_000;
const LONGEST_MS = 600_000;

interface CiPage {
  readonly data: readonly { readonly external_key: string }[];
  readonly pagination: { readonly next_cursor?: string | null; readonly total: number };
}

/** Number of CIs, over all pages. */
async function keysOf(url: string): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | null | undefined = ''; cursor != null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: CiPage = await askSource(url, TENANT, 'GET', `/cmdb/ci?limit=${PAGE}${more}`);
    keys.push(...page.data.map((ci) => ci.external_key));
    cursor = page.pagination.next_cursor;
  }
  return keys;
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
    const keys = await keysOf(server.url);
    const { cis, edges } = prometheus.set;
    const missing = cis.length - new Set(keys).size;
    const wrong =
      Math.abs(missing) +
      (keys.length - new Set(keys).size) +
      Math.abs(edges.length - (counts?.relationships.total ?? 0)) +
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
