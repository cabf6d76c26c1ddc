/** The system of an alert, by labels of Prometheus; many labels name the reporter instead. */
import { type HostAddress, hostAddressAmong } from './hosts.ts';
import { type Belonging, belongingOf, isSaid, type Labels, namedBy } from './labels.ts';
import { first, joined } from './text.ts';

/** The machine, as OpenTelemetry calls it, too. */
const NODES = ['node', 'nodename', 'k8s.node.name', 'k8s_node_name'];
/** The subject of the complaint. */
const HOST = ['host', 'hostname', ...NODES, 'host_name', 'host.name'];
/** The scraped target, which may be another machine. */
const SCRAPED = [
  'instance',
  'kubernetes_node',
  'node_name',
  'server',
  'ip',
  'ip_address',
  'ipaddress',
  'host_ip',
  'host.ip',
];
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
const SCRAPER = /(?:^|[-_])(?:kube-state-metrics|kubelet|push-?gateway|(?:node|windows|blackbox|snmp)[-_]?exporter)$/i;
/** The pod of one of these. */
const POD_OF_SCRAPER = /(?:kube-state-metrics|push-?gateway|(?:node|windows|blackbox|snmp)[-_]?exporter)/i;
/** A number that a program of OpenTelemetry gives itself at each start (`service.instance.id`). */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const RENAMED = 'exported_';
/** Of the target itself, when it is no more than the way by which others are told of. */
const OF_TARGET = ['instance', 'job'];

/**
 * The labels of what is meant. Prometheus renames what is told when the target has a label of that name itself, so that
 * behind `exported_…` stands the subject and without it the gateway or the exporter.
 */
export function meantLabels(all: Labels): Labels {
  const { byName } = all;
  const renamed = [...byName].filter(([name]) => name.startsWith(RENAMED) && namedBy(all, name) !== undefined);
  const isRenamed = (name: string): boolean => namedBy(all, RENAMED + name) !== undefined;
  const meant = new Map(byName);
  if (renamed.length > 0) for (const name of OF_TARGET) meant.delete(name);
  const isBesidePod = renamed.length > 0 && ((byName.has('pod') && !isRenamed('pod')) || byName.has('endpoint'));
  if (isBesidePod) meant.delete('namespace');
  for (const [name, value] of renamed) meant.set(name.slice(RENAMED.length), value);
  if (!isRenamed('namespace') && isNamespaceOfScraper(meant)) meant.delete('namespace');
  return { ...all, byName: meant };
}

/** Whether the namespace is that of an exporter that tells of machines or addresses: nothing that is kept in one is told of. */
function isNamespaceOfScraper(byName: ReadonlyMap<string, string>): boolean {
  const { pod = '', container = '', job = '' } = Object.fromEntries(byName);
  if (!POD_OF_SCRAPER.test(pod) && !POD_OF_SCRAPER.test(container) && !KUBE_STATE_METRICS.test(job)) return false;
  return !OBJECTS.some((kind) => spellingsOf(kind).some((name) => !POD_OF_SCRAPER.test(byName.get(name) ?? pod)));
}

/** Whether `instance` is the address of something that tells of a node or an object from elsewhere. */
function isToldByAnother(all: Labels): boolean {
  const [job = '', service = '', instance = ''] = ['job', 'service', 'instance'].map((name) => all.byName.get(name));
  if (KUBE_STATE_METRICS.test(job) || KUBE_STATE_METRICS.test(service) || UUID.test(instance)) return true;
  const hasNode = NODES.some((name) => namedBy(all, name) !== undefined);
  return hasNode && !NODE_EXPORTER.test(job) && !NODE_EXPORTER_PORT.test(instance);
}

/** By labels as they are meant (`meantLabels`). */
export function placeOfLabels(all: Labels): HostAddress {
  const among = (names: readonly string[]) => hostAddressAmong(names.map((name) => all.byName.get(name)));
  const renamed = among([...HOST, ...SCRAPED].map((name) => RENAMED + name));
  if (renamed.hostname !== undefined || renamed.ipAddress !== undefined) return renamed;
  const host = among(HOST);
  // The name of what was scraped is not that of an address given beside it.
  if (host.ipAddress !== undefined) return host;
  return among([...HOST, ...SCRAPED.filter((name) => name !== 'instance' || !isToldByAnother(all))]);
}

/** As `belongingOf`, but for names of who was scraped for others. */
export const belongingOfLabels = (all: Labels): Belonging =>
  belongingOf({ ...all, byName: new Map([...all.byName].filter(([, value]) => !SCRAPER.test(value))) });

/** A kind of object, as OpenTelemetry calls it, too. */
const spellingsOf = (kind: string): readonly string[] => [kind, `k8s.${kind}.name`, `k8s_${kind}_name`];

/** The object, by its namespace too, is the system of an alert that names no host. */
export function hintsOfLabels(all: Labels): (string | undefined)[] {
  const told = (kind: string): string | undefined => {
    const value = first(...spellingsOf(kind).map((name) => namedBy(all, name)));
    // Exporters may have their own pod and container beside what they tell of.
    return value === undefined || POD_OF_SCRAPER.test(value) ? undefined : value;
  };
  const object = first(...OBJECTS.map(told));
  return [
    object && joined([told('namespace'), object], '/'),
    ...HINTS.map(told),
    urlOf(all.byName.get('instance')),
    ...['host.id', 'host_id', 'cloud.resource_id', 'cloud_resource_id', `${RENAMED}job`].map((name) =>
      namedBy(all, name),
    ),
  ];
}

/** A label without a value says nothing. */
export const tagsOfLabels = ({ pairs }: Labels): string[] =>
  pairs.filter(([name, value]) => value !== '' && isSaid(name, value)).map(([name, value]) => `${name}:${value}`);
