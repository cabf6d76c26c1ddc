/** Machines, from node_exporter and from scrape targets. */
import type { Stepwise } from '#domain/ports/clock.ts';
import { kubernetesKey } from '#domain/topology/kubernetes-keys.ts';
import type { Collected } from './collected.ts';
import type { LabelledValue, SeriesByQuery } from './queries.ts';

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])$/i;
const HOST_AND_PORT = /^([^\s/]+?)(?::\d{1,5})?$/;

/** Returns the host of `db-1:9104`; null for a URL. */
const hostOf = (instance: string | undefined): string | null =>
  instance === undefined || instance.includes('://') ? null : (HOST_AND_PORT.exec(instance)?.[1] ?? null);

/** Returns the key of the Kubernetes node of that name, if there is one. */
const keyOf = (into: Collected, cluster: string, name: string): string => {
  const node = kubernetesKey({ cluster, kind: 'node', namespace: null, name });
  return into.has(node) ? node : `host:${cluster}/${name.toLowerCase()}`;
};

function* addMachines(hosts: readonly LabelledValue[], into: Collected): Stepwise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { labels } of hosts) {
    yield;
    const { nodename = '', instance = '', sysname, release, machine } = labels;
    if (nodename === '') continue;
    const cluster = into.clusterOf(labels);
    const host = hostOf(instance);
    const address = host !== null && ADDRESS.test(host) ? host.replace(/[[\]]/g, '') : undefined;
    const key = keyOf(into, cluster, nodename);
    known.add(`${cluster}/${nodename.toLowerCase()}`);
    if (host !== null) known.add(`${cluster}/${host.toLowerCase()}`);
    if (!into.has(key))
      into.other(key, nodename, 'server', {
        ip_address: address,
        os: sysname,
        kernel_version: release,
        architecture: machine,
      });
  }
  return known;
}

/** Adds scrape targets outside Kubernetes, unless they have only an IP address. */
export function* addHosts(
  { hosts, targets }: Pick<SeriesByQuery, 'hosts' | 'targets'>,
  into: Collected,
): Stepwise<void> {
  const known = yield* addMachines(hosts, into);
  for (const { labels } of targets) {
    yield;
    const host = hostOf(labels.instance);
    if (host === null || ADDRESS.test(host) || host === 'localhost') continue;
    const cluster = into.clusterOf(labels);
    const short = host.split('.', 1)[0] ?? host;
    if ([host, short].some((name) => known.has(`${cluster}/${name.toLowerCase()}`))) continue;
    const key = keyOf(into, cluster, host);
    if (!into.has(key)) into.other(key, host, 'server', {});
  }
}
