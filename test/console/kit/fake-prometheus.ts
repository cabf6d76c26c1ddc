import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Prometheus server of a cluster with nodes alone, two of whose alerts are firing. */
export interface FakePrometheus {
  readonly url: string;
  nodes: number;
  /** Queries are answered with it. */
  status: number;
  stop(): void;
}

const ALERTS = [{ state: 'firing' }, { state: 'firing' }];
const RULES = { groups: [{ name: 'rules', rules: [{ name: 'KubeNodeNotReady', duration: 900, alerts: ALERTS }] }] };

export async function openFakePrometheus(): Promise<FakePrometheus> {
  const fake = { nodes: 14, status: 200 };
  const answer = (asked: URL): unknown => {
    if (asked.pathname.endsWith('/rules')) return RULES;
    const isOfNodes = asked.searchParams.get('query')?.includes('kube_node_info') ?? false;
    const nodes = Array.from({ length: isOfNodes ? fake.nodes : 0 }, (_, n) => ({
      metric: { node: `node-${n}`, internal_ip: `10.0.0.${n}`, os_image: 'Debian 13' },
      value: [1_763_632_800, '1'],
    }));
    return { resultType: 'vector', result: nodes };
  };
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://prometheus');
    response.writeHead(asked.pathname.endsWith('/query') ? fake.status : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: 'success', data: answer(asked) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prometheus`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
