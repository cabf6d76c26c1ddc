/** How fast lists and details of groups, facets and histograms of events are answered on a full store. */
import { readEnginesConfig } from '#infra/config.ts';
import { systemClock } from '#infra/system/time.ts';
import { startEngines } from '#tools/engines/start-engines.ts';
import { settled } from './distributed-cpu.ts';
import { startFaultline } from './distributed-scene.ts';
import { fillElasticsearch } from './groups-fill-elasticsearch.ts';
import { GROUPED_SHARE, type GroupsWorld, groupId, LARGEST, TENANT } from './groups-world.ts';
import { bytesOf, percentile, run } from './load.ts';
import type { Row } from './report.ts';
import { runScript, startServer } from './server.ts';
import { makeTenant } from './tenant.ts';

const EVENTS = 1_000_000;
const OPEN = 300_000;
const GROUPS = 30_000;
const TARGET_MS = 150;
const DISTRIBUTED_MS = 500;
const WARMUP_MS = 2_000;
/** The slowest queries are answered some five times a second in turns. */
const MEASURED_MS = 25_000;

interface Options {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}

const DAYS_AGO = (days: number): string => String(systemClock.now() - days * 24 * 3_600_000);

const groupsWith = (filter: string): string => `/api/events/groups?limit=50&${filter}`;

/** What people ask for, by what it is. */
const asksOf = (groups: number): Readonly<Record<string, readonly string[]>> => ({
  'list of groups': [
    '/api/events/groups?limit=50',
    '/api/events/groups?limit=50&status=active',
    '/api/events/groups?limit=50&status=active&severity=critical',
    '/api/events/groups?limit=50&page=20',
    '/api/events/groups?limit=50&status=resolved&sortBy=last',
  ],
  'list of groups, each other filter': [
    ...['hasOpen=true', 'growing=true', 'growing=false', 'severity=critical,major'].map(groupsWith),
    ...['service=service-7', 'source=zabbix', 'host=host-12.example.net', 'ci=CI-1'].map(groupsWith),
    ...['assignee=none', 'assignee=ann', 'verdict=none', 'verdict=wrong'].map(groupsWith),
    ...['search=replication+lag', 'search=host-12', 'timeRange=24h', `from=${DAYS_AGO(5)}&to=${DAYS_AGO(4)}`].map(
      groupsWith,
    ),
    ...['sortBy=first', 'sortBy=size', 'sortBy=last&sortOrder=asc'].map(groupsWith),
  ],
  facets: [
    '/api/events/facets',
    '/api/events/facets?status=open',
    '/api/events/facets?status=open&severity=critical,major',
    '/api/events/facets?timeRange=24h',
    '/api/events/facets?host=host-12*',
  ],
  histogram: [
    '/api/events/histogram?status=open',
    `/api/events/histogram?from=${DAYS_AGO(7)}`,
    `/api/events/histogram?from=${DAYS_AGO(20)}&status=open`,
    `/api/events/histogram?from=${DAYS_AGO(20)}`,
    `/api/events/histogram?from=${DAYS_AGO(20)}&host=host-12*`,
  ],
  [`detail of a group of ${LARGEST.toLocaleString('en')}`]: [`/api/events/groups/${groupId(groups - 1)}`],
  [`members, timeline and map of a group of ${LARGEST.toLocaleString('en')}`]: [
    ...['members?limit=100', 'members?limit=500', 'members?limit=100&page=10', 'timeline', 'graph?limit=250'].map(
      (page) => `/api/events/groups/${groupId(groups - 1)}/${page}`,
    ),
  ],
  'rows of events, filtered': [
    '/api/events?view=row&limit=100&host=host-12*',
    '/api/events?view=row&limit=100&status=open&service=service-7',
    '/api/events?view=row&limit=100&search=replic+host-12',
    '/api/events?view=row&limit=500&status=open&assignee=none',
  ],
});

const request = (path: string): Buffer => bytesOf({ method: 'GET', path, tenant: TENANT });

async function measured(url: string, what: string, paths: readonly string[], targetMs: number): Promise<Row[]> {
  const load = { url, connections: 1, warmupMs: WARMUP_MS, durationMs: MEASURED_MS, requests: paths.map(request) };
  const { latencies, replies, refused } = await run(load);
  const p99 = percentile(latencies, 0.99);
  const note = `${replies} replies${refused === 0 ? '' : `, ${refused} REFUSED`}`;
  return [
    { what: `${what}, p50`, value: percentile(latencies, 0.5), unit: 'ms', note },
    { what: `${what}, p99`, value: p99, unit: 'ms', target: `≤ ${targetMs}`, met: p99 <= targetMs && refused === 0 },
  ];
}

/** Each request alone, so that a slow one is not hidden among quick ones. */
async function slowest(url: string, paths: readonly string[]): Promise<string> {
  const each: string[] = [];
  for (const path of paths) {
    const load = { url, connections: 1, warmupMs: 300, durationMs: 1_500, requests: [request(path)] };
    const { latencies } = await run(load);
    const [half, most] = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(0));
    each.push(`${half} ms, p99 ${most} ms ${path.replace('/api/events', '')}`);
  }
  return each.join('\n');
}

interface Asking {
  readonly groups: number;
  readonly targetMs: number;
  readonly progress: (text: string) => void;
}

/** Of a server whose store is filled. */
async function askAll(url: string, { groups, targetMs, progress }: Asking): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, paths] of Object.entries(asksOf(groups))) {
    progress(`groups: ${what}`);
    rows.push(...(await measured(url, what, paths, targetMs)));
    progress(await slowest(url, paths));
  }
  return rows;
}

const worldAt = (scale: number): GroupsWorld => ({
  events: EVENTS * scale,
  open: OPEN * scale,
  groups: GROUPS * scale,
});
const filling = ({ events, groups: all }: GroupsWorld): string =>
  `groups: filling ${events} events, ${all} groups, ${100 * GROUPED_SHARE} % of the events in one`;

export const groups = async ({ directory, scale, progress }: Options): Promise<Row[]> => {
  const world = worldAt(scale);
  progress(filling(world));
  await runScript('bench/groups-fill.ts', directory, world.events, world.open, world.groups);
  const { url, stop } = await startServer(directory);
  try {
    return await askAll(url, { groups: world.groups, targetMs: TARGET_MS, progress });
  } finally {
    await stop();
  }
};

/** The same of `api` on engines from Maven, beside a `worker`. */
export const groupsDistributed = async ({ scale, progress }: Omit<Options, 'directory'>): Promise<Row[]> => {
  const world = worldAt(scale);
  const engines = await startEngines({ ...readEnginesConfig(), progress });
  try {
    progress(filling(world));
    await fillElasticsearch(engines.addresses.ELASTICSEARCH_URL!, world);
    const { api, worker } = await startFaultline(engines, null);
    await makeTenant(api.url, TENANT);
    progress('groups: the worker reads what is open');
    await settled(worker.pid);
    const rows = await askAll(api.url, { groups: world.groups, targetMs: DISTRIBUTED_MS, progress });
    await Promise.all([api.stop(), worker.stop()]);
    return rows.map((row) => ({ ...row, what: `distributed: ${row.what}` }));
  } finally {
    await engines.stop();
  }
};
