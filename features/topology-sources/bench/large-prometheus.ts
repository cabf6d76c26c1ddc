/** A Prometheus server that knows a large cluster: half of the CIs are deployments, half services, with two pods each. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inSteps } from '#application/tasks/in-steps.ts';
import { recordOf } from '#domain/record-of.ts';
import {
  QUERIES,
  QUERY_NAMES,
  type SeriesByQuery,
  type SeriesLabels,
} from '#features/topology-sources/rules/prometheus/queries.ts';
import { topologyOf } from '#features/topology-sources/rules/prometheus/topology.ts';
import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { systemClock } from '#infra/system/time.ts';

const NODES = 500;
const PODS = 2;
const NAMESPACES = 50;
const CLUSTER = 'prod';

export interface LargePrometheus {
  readonly url: string;
  /** The topology of its series. */
  readonly set: WantedSet;
  stop(): void;
}

const addressOf = (n: number): string => `10.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;

function seriesOf(cis: number): SeriesByQuery {
  const workloads = Math.floor((cis - NODES) / 2);
  const each = <T>(many: number, make: (n: number) => T): T[] => Array.from({ length: many }, (_, n) => make(n));
  const of = (n: number) => ({ namespace: `ns-${n % NAMESPACES}` });
  const all: Partial<Record<(typeof QUERY_NAMES)[number], SeriesLabels[]>> = {
    nodes: each(NODES, (n) => ({ node: `node-${n}`, internal_ip: `10.0.${n >> 8}.${n & 255}` })),
    workloads: each(workloads, (n) => ({ ...of(n), deployment: `app-${n}` })),
    replicaSets: each(workloads, (n) => ({
      ...of(n),
      replicaset: `app-${n}-1`,
      owner_kind: 'Deployment',
      owner_name: `app-${n}`,
    })),
    pods: each(workloads * PODS, (p) => {
      const n = Math.floor(p / PODS);
      return {
        ...of(n),
        pod: `app-${n}-1-${p}`,
        node: `node-${(p * 7) % NODES}`,
        pod_ip: addressOf(p),
        created_by_kind: 'ReplicaSet',
        created_by_name: `app-${n}-1`,
      };
    }),
    services: each(workloads, (n) => ({ ...of(n), service: `app-${n}` })),
    endpoints: each(workloads, (n) => ({ ...of(n), endpoint: `app-${n}`, ip: addressOf(n * PODS), ready: 'true' })),
  };
  return recordOf(QUERY_NAMES, (name) => (all[name] ?? []).map((labels) => ({ labels, value: 1 })));
}

/** Bodies are made once, so that the server takes no processor time from the measured one. */
export async function openLargePrometheus(cis: number): Promise<LargePrometheus> {
  const series = seriesOf(cis);
  const bodies = new Map(
    QUERY_NAMES.map((name) => {
      const result = series[name].map(({ labels }) => ({ metric: labels, value: [1_763_632_800, '1'] }));
      const reply = { status: 'success', data: { resultType: 'vector', result } };
      return [QUERIES[name] as string, Buffer.from(JSON.stringify(reply))];
    }),
  );
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://prometheus');
    const body = bodies.get(url.searchParams.get('query') ?? '');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (await inSteps(topologyOf(series, CLUSTER), systemClock)).set,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const sourceOf = (prometheus: LargePrometheus, every: string) => ({
  kind: 'prometheus',
  url: prometheus.url,
  every,
  cluster: CLUSTER,
});
