import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  QUERIES,
  QUERY_NAMES,
  type SeriesLabels,
  type SeriesQuery,
} from '#features/topology-sources/rules/prometheus/queries.ts';

/** A rule with its pending time in seconds, and the states of its alerts. */
interface FakeRule {
  readonly name: string;
  readonly duration: number;
  readonly alerts: readonly { readonly state: string }[];
}

export type FakeSeries = Partial<Record<SeriesQuery, readonly SeriesLabels[]>>;

/** Answers the instant queries of a source with the series that it was given, as Prometheus does. */
export interface FakePrometheus {
  readonly url: string;
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[];
  series: FakeSeries;
  /** Alerting rules; null: it has none, as some compatible servers. */
  rules: readonly FakeRule[] | null;
  /** Answers with this status from now on; 200: normally. */
  status: number;
  stop(): Promise<void>;
}

const vector = (labels: readonly SeriesLabels[], time: number) => ({
  status: 'success',
  data: { resultType: 'vector', result: labels.map((metric) => ({ metric, value: [time, '1'] })) },
});

export async function openFakePrometheus(series: FakeSeries): Promise<FakePrometheus> {
  const fake = {
    series,
    rules: null as FakePrometheus['rules'],
    status: 200,
    requests: [] as FakePrometheus['requests'],
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://prometheus');
    fake.requests.push({ path: url.pathname, authorization: request.headers.authorization });
    const asked = url.searchParams.get('query');
    const name = QUERY_NAMES.find((one) => QUERIES[one] === asked);
    if (url.pathname.endsWith('/api/v1/rules') && fake.rules !== null) {
      const data = { groups: [{ name: 'rules', rules: fake.rules }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'success', data }));
      return;
    }
    const isKnown = url.pathname.endsWith('/api/v1/query') && name !== undefined;
    response.writeHead(isKnown ? fake.status : 404, { 'content-type': 'application/json' });
    const error = { status: 'error', errorType: 'unavailable', error: 'the store is not ready' };
    response.end(
      JSON.stringify(
        isKnown && fake.status === 200
          ? vector(fake.series[name] ?? [], 1_763_632_800 + fake.requests.length / 8)
          : error,
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prometheus`,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

/** A shop on three nodes: two deployments with a service each, an ingress, a database with a volume. */
export const SHOP = (hash = '6d4cf56db6', others = ['node-2', 'node-3']): FakeSeries => {
  const [second = 'node-2', third = 'node-3'] = others;
  const pod = (name: string, kind: string, owner: string, node: string, ip: string) => ({
    namespace: 'shop',
    pod: name,
    node,
    pod_ip: ip,
    host_ip: `10.0.0.${node.slice(-1)}`,
    created_by_kind: kind,
    created_by_name: owner,
  });
  return {
    nodes: [1, 2, 3].map((n) => ({ node: `node-${n}`, internal_ip: `10.0.0.${n}`, os_image: 'Debian 13' })),
    workloads: [
      { namespace: 'shop', deployment: 'checkout' },
      { namespace: 'shop', deployment: 'front' },
      { namespace: 'shop', statefulset: 'db' },
      { namespace: 'kube-system', daemonset: 'proxy' },
    ],
    replicaSets: ['checkout', 'front'].map((name) => ({
      namespace: 'shop',
      replicaset: `${name}-${hash}`,
      owner_kind: 'Deployment',
      owner_name: name,
    })),
    pods: [
      pod(`checkout-${hash}-a`, 'ReplicaSet', `checkout-${hash}`, 'node-1', '10.1.0.1'),
      pod(`front-${hash}-a`, 'ReplicaSet', `front-${hash}`, 'node-1', '10.1.0.2'),
      pod(`front-${hash}-b`, 'ReplicaSet', `front-${hash}`, second, '10.1.0.3'),
      pod('db-0', 'StatefulSet', 'db', 'node-1', '10.1.0.4'),
      ...[1, 2, 3].map((n) => ({
        ...pod(`proxy-${n}`, 'DaemonSet', 'proxy', `node-${n}`, `10.0.0.${n}`),
        namespace: 'kube-system',
      })),
      pod(`front-${hash}-c`, 'ReplicaSet', `front-${hash}`, third, '10.1.0.5'),
    ],
    services: ['checkout', 'front', 'db'].map((service) => ({ namespace: 'shop', service, cluster_ip: '10.2.0.1' })),
    endpoints: [
      ['checkout', '10.1.0.1'],
      ['front', '10.1.0.2'],
      ['front', '10.1.0.3'],
      ['db', '10.1.0.4'],
    ].map(([endpoint = '', ip = '']) => ({ namespace: 'shop', endpoint, ip, ready: 'true' })),
    ingresses: [{ namespace: 'shop', ingress: 'web', host: 'shop.example.com', path: '/', service_name: 'front' }],
    claims: [{ namespace: 'shop', persistentvolumeclaim: 'data-db-0', volumename: 'pvc-1', storageclass: 'fast' }],
    mounts: [{ namespace: 'shop', pod: 'db-0', volume: 'data', persistentvolumeclaim: 'data-db-0' }],
    calls: [
      { client: 'front', server: 'checkout', connection_type: '' },
      { client: 'checkout', server: 'db', connection_type: 'database' },
      { client: 'user', server: 'front', connection_type: '' },
    ],
    hosts: [{ instance: 'backup-1:9100', nodename: 'backup-1', sysname: 'Linux', release: '6.12', machine: 'x86_64' }],
    targets: [
      { instance: 'backup-1:9100', job: 'node' },
      { instance: 'ldap.example.com:9330', job: 'ldap' },
    ],
  };
};
