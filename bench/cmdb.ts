/** Lists, hop queries and impact on one tenant with 100,000 CIs and 300,000 relationships, over HTTP, one request at a time. */

import { importRates } from './cmdb-import.ts';
import { ciIdOf, placesOf, TENANT } from './cmdb-infrastructure.ts';
import { bytesOf, Connection, percentile } from './load.ts';
import type { Row } from './report.ts';
import { runScript, startServer, usageOf } from './server.ts';
import { seeded } from './storm.ts';

const CIS = 100_000;
const REQUESTS = 400;
const WARM_UP = 100;

interface Question {
  readonly what: string;
  readonly targetMs?: number;
  /** The path of request n. */
  readonly path: (n: number) => string;
}

const questionsOn = (cis: number): Question[] => {
  const places = placesOf(cis);
  const random = seeded(3);
  const any = (): string => ciIdOf(Math.floor(random() * cis));
  const one = (kind: 'storage' | 'core' | 'access' | 'host'): string => {
    const { from, count } = places.get(kind)!;
    return ciIdOf(from + Math.floor(random() * count));
  };
  const lists = [
    'limit=20',
    'type=server&limit=100',
    'status=maintenance',
    'sort=updated_at&order=desc',
    'page=50&limit=100',
    'type=application,storage&sort=created_at',
    'limit=100&sort=type',
  ];
  return [
    { what: 'list of CIs', targetMs: 50, path: (n) => `/cmdb/ci?${lists[n % lists.length]}` },
    {
      what: 'search of CIs',
      targetMs: 50,
      path: (n) => `/cmdb/ci?search=${n % 2 === 0 ? `team%20${n % 40}` : `host-${n}`}`,
    },
    { what: 'relationships of a CI', targetMs: 50, path: () => `/cmdb/relationships?ci=${any()}` },
    { what: 'a CI with its relationships', path: () => `/cmdb/ci/${any()}` },
    { what: 'neighbourhood, 2 hops', targetMs: 5, path: () => `/cmdb/ci/${any()}/neighbourhood?hops=2` },
    { what: 'neighbourhood of a host, 3 hops', path: () => `/cmdb/ci/${one('host')}/neighbourhood?hops=3` },
    { what: 'impact of any CI', targetMs: 20, path: () => `/cmdb/ci/${any()}/impact` },
    { what: 'impact of a storage', targetMs: 20, path: () => `/cmdb/ci/${one('storage')}/impact` },
    {
      what: 'impact of a switch',
      targetMs: 20,
      path: (n) => `/cmdb/ci/${one(n % 2 === 0 ? 'core' : 'access')}/impact`,
    },
    { what: 'way between two CIs', path: () => `/cmdb/path?from=${any()}&to=${any()}` },
    {
      what: 'neighbourhood, 2 hops, as of yesterday',
      path: () => `/cmdb/ci/${any()}/neighbourhood?hops=2&as_of=${yesterday()}`,
    },
  ];
};

const yesterday = (): number => Math.floor(performance.timeOrigin + performance.now()) - 3_600_000;

interface Timed {
  /** Sorted, ms. */
  readonly times: readonly number[];
  /** Processor time of the server for one reply, ms. */
  readonly cpuMs: number;
}

const timesOf = async (url: string, { what, path }: Question): Promise<Timed> => {
  const connection = new Connection(url);
  const times: number[] = [];
  const before = await usageOf(url);
  for (let n = 0; n < WARM_UP + REQUESTS; n++) {
    const request = bytesOf({ method: 'GET', path: `/v1${path(n)}`, tenant: TENANT });
    const began = performance.now();
    const { status } = await connection.ask(request);
    if (status !== 200) throw new Error(`${what}: ${path(n)} answered ${status}`);
    if (n >= WARM_UP) times.push(performance.now() - began);
  }
  connection.close();
  const cpuSeconds = (await usageOf(url)).cpuSeconds - before.cpuSeconds;
  return { times: times.sort((a, b) => a - b), cpuMs: (cpuSeconds * 1_000) / (WARM_UP + REQUESTS) };
};

const rowsOf = ({ what, targetMs }: Question, { times, cpuMs }: Timed): Row[] => {
  const p99 = percentile(times, 0.99);
  const target = targetMs === undefined ? {} : { target: `≤ ${targetMs}`, met: p99 <= targetMs };
  return [
    { what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms', note: `${cpuMs.toFixed(2)} ms CPU each` },
    { what: `${what}, p99`, value: p99, unit: 'ms', ...target },
  ];
};

export interface CmdbOptions {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}

export const cmdb = async ({ directory, scale, progress }: CmdbOptions): Promise<Row[]> => {
  const cis = CIS * scale;
  progress(`cmdb: ${cis} CIs`);
  const relationships = Number(await runScript('bench/cmdb-fill.ts', directory, cis));
  const server = await startServer(directory);
  const rows: Row[] = [{ what: `relationships of ${cis.toLocaleString('en')} CIs`, value: relationships, unit: '' }];
  for (const question of questionsOn(cis)) {
    progress(`cmdb: ${question.what}`);
    rows.push(...rowsOf(question, await timesOf(server.url, question)));
  }
  progress('cmdb: import');
  rows.push(...(await importRates(server.url, scale)));
  await server.stop();
  return rows;
};
