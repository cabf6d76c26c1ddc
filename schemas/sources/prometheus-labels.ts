/** The system of an alert, by labels of Prometheus; many labels name the reporter instead. */
import { type HostAddress, hostAddressAmong } from './hosts.ts';
import { type Belonging, belongingOf, type Labels } from './labels.ts';
import { first, joined } from './text.ts';

/** The subject of the complaint. */
const HOST = ['host', 'hostname', 'node', 'nodename', 'host_name', 'host.name'];
/** The scraped target, which may be another machine. */
const SCRAPED = ['instance', 'kubernetes_node', 'node_name', 'server', 'ip', 'ip_address', 'host_ip'];
/** Kinds that Kubernetes keeps in a namespace, narrowest first. */
const OBJECTS = [
  'pod',
  'replicaset',
  'deployment',
  'statefulset',
  'daemonset',
  'job_name',
  'cronjob',
  'horizontalpodautoscaler',
  'poddisruptionbudget',
  'persistentvolumeclaim',
  'resourcequota',
];
const HINTS = ['pod', 'deployment', 'statefulset', 'daemonset', 'container', 'device', 'target', 'vm', 'cluster'];

/** A probed address is the name of what it probes; `host:port` of an exporter is not. */
const urlOf = (instance: string | undefined): string | undefined => (instance?.includes('://') ? instance : undefined);

/** Services on the machine itself, by name or by port (Linux, Windows). */
const NODE_EXPORTER = /(?:node|windows)[-_]?exporter/i;
const NODE_EXPORTER_PORT = /:(?:9100|9182)$/;

/** It tells of nodes and objects, never of the machine it runs on. */
const KUBE_STATE_METRICS = /kube-state-metrics/i;
/** Exporters that are scraped for others; the name of their service names no complaint. */
const SCRAPER = /(?:^|[-_])(?:kube-state-metrics|kubelet|(?:node|windows)[-_]?exporter)$/i;

/** Whether `instance` is the address of something that tells of a node or an object from elsewhere. */
function isToldByAnother({ byName }: Labels): boolean {
  const [job = '', service = '', instance = ''] = ['job', 'service', 'instance'].map((name) => byName.get(name));
  if (KUBE_STATE_METRICS.test(job) || KUBE_STATE_METRICS.test(service)) return true;
  return byName.has('node') && !NODE_EXPORTER.test(job) && !NODE_EXPORTER_PORT.test(instance);
}

export function placeOfLabels(all: Labels): HostAddress {
  const among = (names: readonly string[]) => hostAddressAmong(names.map((name) => all.byName.get(name)));
  const host = among(HOST);
  // The name of what was scraped is not that of an address given beside it.
  if (host.ipAddress !== undefined) return host;
  return among([...HOST, ...SCRAPED.filter((name) => name !== 'instance' || !isToldByAnother(all))]);
}

/** As `belongingOf`, but for names of who was scraped for others. */
export const belongingOfLabels = (all: Labels): Belonging =>
  belongingOf({ ...all, byName: new Map([...all.byName].filter(([, value]) => !SCRAPER.test(value))) });

/** The object, by its namespace too, is the system of an alert that names no host. */
export function hintsOfLabels({ byName }: Labels): (string | undefined)[] {
  const told = (name: string): string | undefined => {
    // Prometheus renames what is told when the target has a label of that name itself.
    const value = byName.get(`exported_${name}`) ?? byName.get(name);
    // kube-state-metrics may have its own pod and container beside what it tells of.
    return value === undefined || KUBE_STATE_METRICS.test(value) ? undefined : value;
  };
  const object = first(...OBJECTS.map(told));
  return [object && joined([told('namespace'), object], '/'), ...HINTS.map(told), urlOf(byName.get('instance'))];
}

/** A label without a value says nothing. */
export const tagsOfLabels = (all: Labels): string[] =>
  all.pairs.filter(([, value]) => value !== '').map(([name, value]) => `${name}:${value}`);
