/** The system of an alert, by labels of Prometheus; many labels name the reporter instead. */
import { type AlertKind, alertKindOf } from '#domain/event/identity/alert-kinds.ts';
import { stockAlert } from '#domain/event/identity/stock-alerts.ts';
import { ANY_CLUSTER, kubernetesKey } from '#domain/topology/kubernetes-keys.ts';
import { type HostAddress, hostAddressAmong } from './hosts.ts';
import { type Belonging, belongingOf, isSaid, type Labels, namedBy } from './labels.ts';
import { first, joined } from './text.ts';

/** The machine, as OpenTelemetry calls it, too. */
const NODES = ['node', 'nodename', 'k8s.node.name', 'k8s_node_name'];
/** The subject of the problem. */
const HOST = ['host', 'hostname', ...NODES, 'host_name', 'host.name'];
/** The scraped target, which may be another machine. */
const SCRAPED = 'instance kubernetes_node node_name server ip ip_address ipaddress host_ip host.ip'.split(' ');
/** Kubernetes kinds within a namespace, narrowest first. */
const OBJECTS =
  'pod replicaset deployment statefulset daemonset job_name cronjob horizontalpodautoscaler poddisruptionbudget persistentvolumeclaim resourcequota'.split(
    ' ',
  );
const HINTS = ['pod', 'deployment', 'statefulset', 'daemonset', 'container', 'device', 'target', 'vm', 'cluster'];

/** A probed address is the name of the target; `host:port` of an exporter is not. */
const urlOf = (instance: string | undefined): string | undefined => (instance?.includes('://') ? instance : undefined);

/** Services on the machine itself, by name or by port (Linux, Windows). */
const NODE_EXPORTER = /(?:node|windows)[-_]?exporter/i;
const NODE_EXPORTER_PORT = /:(?:9100|9182)$/;

/** It reports nodes and objects, never the machine it runs on. */
const KUBE_STATE_METRICS = /kube-state-metrics/i;
/** Exporters that are scraped for others; the name of their service names no problem. */
const SCRAPER = /(?:^|[-_])(?:kube-state-metrics|kubelet|push-?gateway|(?:node|windows|blackbox|snmp)[-_]?exporter)$/i;
/** The pod of one of these. */
const POD_OF_SCRAPER = /(?:kube-state-metrics|push-?gateway|(?:node|windows|blackbox|snmp)[-_]?exporter)/i;
/** An id that a program of OpenTelemetry assigns itself at each start (`service.instance.id`). */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const RENAMED = 'exported_';
/** Labels of the target itself, when it only reports others. */
const OF_TARGET = ['instance', 'job'];

/**
 * Returns the labels of the subject. Prometheus renames a label when the target has one of that name itself, so that
 * `exported_…` contains the subject and the plain one the gateway or the exporter.
 */
export function namedLabels(all: Labels): Labels {
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

/** True if the namespace is that of an exporter of machines or addresses: no reported object is in a namespace. */
function isNamespaceOfScraper(byName: ReadonlyMap<string, string>): boolean {
  const { pod = '', container = '', job = '' } = Object.fromEntries(byName);
  if (!POD_OF_SCRAPER.test(pod) && !POD_OF_SCRAPER.test(container) && !KUBE_STATE_METRICS.test(job)) return false;
  return !OBJECTS.some((kind) => spellingsOf(kind).some((name) => !POD_OF_SCRAPER.test(byName.get(name) ?? pod)));
}

/** True if `instance` is the address of an exporter that reports a node or an object elsewhere. */
function isToldByAnother(all: Labels): boolean {
  const [job = '', service = '', instance = ''] = ['job', 'service', 'instance'].map((name) => all.byName.get(name));
  if (KUBE_STATE_METRICS.test(job) || KUBE_STATE_METRICS.test(service) || UUID.test(instance)) return true;
  const hasNode = NODES.some((name) => namedBy(all, name) !== undefined);
  return hasNode && !NODE_EXPORTER.test(job) && !NODE_EXPORTER_PORT.test(instance);
}

/** Returns the location by the labels of the subject (`namedLabels`). */
export function placeOfLabels(all: Labels): HostAddress {
  const among = (names: readonly string[]) => hostAddressAmong(names.map((name) => all.byName.get(name)));
  const renamed = among([...HOST, ...SCRAPED].map((name) => RENAMED + name));
  if (renamed.hostname !== undefined || renamed.ipAddress !== undefined) return renamed;
  const host = among(HOST);
  // The name of the scraped target is not that of an address given beside it.
  if (host.ipAddress !== undefined) return host;
  return among([...HOST, ...SCRAPED.filter((name) => name !== 'instance' || !isToldByAnother(all))]);
}

/** Variant of `belongingOf` without names of exporters that were scraped for others. */
export const belongingOfLabels = (all: Labels): Belonging =>
  belongingOf({ ...all, byName: new Map([...all.byName].filter(([, value]) => !SCRAPER.test(value))) });

/** A kind of object, as OpenTelemetry calls it, too. */
const spellingsOf = (kind: string): readonly string[] => [kind, `k8s.${kind}.name`, `k8s_${kind}_name`];

/** Kinds that are CIs, or stand for one, by the label that names the object; narrowest first. */
const KEYED: readonly (readonly [label: string, kind: string])[] = [
  ['pod', 'pod'],
  ['deployment', 'deployment'],
  ['statefulset', 'statefulset'],
  ['daemonset', 'daemonset'],
  ['cronjob', 'cronjob'],
  ['horizontalpodautoscaler', 'deployment'],
  ['persistentvolumeclaim', 'persistentvolumeclaim'],
  ['ingress', 'ingress'],
  ['service', 'service'],
  ['job', 'service'],
];
/** Names in keys are parts of a path. */
const PART_OF_KEY = /^[^\s/*]{1,253}$/;

/** External keys of the objects in the labels, as topology sources assign them; a stock alert determines the relevant label. */
function keysOfLabels(
  all: Labels,
  told: (kind: string) => string | undefined,
  kinds: readonly AlertKind[],
): (string | undefined)[] {
  const cluster = namedBy(all, 'cluster') ?? ANY_CLUSTER;
  const keyOf = (kind: string, namespace: string | null, name: string | undefined): string | undefined =>
    name !== undefined && [name, namespace ?? name].every((part) => PART_OF_KEY.test(part))
      ? kubernetesKey({ cluster: PART_OF_KEY.test(cluster) ? cluster : ANY_CLUSTER, kind, namespace, name })
      : undefined;
  const alert = all.byName.get('alertname');
  const own = alertKindOf(kinds, alert)?.object;
  const stock = own === undefined ? stockAlert(alert) : { object: own, label: '' };
  const node = first(...NODES.map((name) => namedBy(all, name)));
  if (stock?.object === 'node') return [keyOf('node', null, node)];
  const namespace = told('namespace');
  if (namespace === undefined) return [];
  const wanted = KEYED.filter(([label, kind]) => label === stock?.label || kind === own);
  return (wanted.length > 0 ? wanted : KEYED).map(([label, kind]) => {
    const name = told(label);
    return name === undefined || SCRAPER.test(name) ? undefined : keyOf(kind, namespace, name);
  });
}

/** Exporters may have their own pod and container beside those of the subject. */
const tellerOf =
  (all: Labels) =>
  (kind: string): string | undefined => {
    const value = first(...spellingsOf(kind).map((name) => namedBy(all, name)));
    return value === undefined || POD_OF_SCRAPER.test(value) ? undefined : value;
  };

/** The object, by its namespace too, is the system of an alert that names no host. */
export function hintsOfLabels(all: Labels): (string | undefined)[] {
  const told = tellerOf(all);
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

/** The service by its namespace, and the job, which is mostly called like it. */
const servicesOfLabels = (told: (kind: string) => string | undefined): (string | undefined)[] => {
  const namespace = told('namespace');
  if (namespace === undefined) return [];
  return ['service', 'job'].map((label) => {
    const name = told(label);
    return name === undefined || SCRAPER.test(name) ? undefined : joined([namespace, name], '/');
  });
};

/** A label without a value is ignored. */
export const tagsOfLabels = ({ pairs }: Labels): string[] =>
  pairs.filter(([name, value]) => value !== '' && isSaid(name, value)).map(([name, value]) => `${name}:${value}`);

/** Names and keys of objects of Kubernetes that are known as CIs, after all other hints. */
export const objectHints = (all: Labels, kinds: readonly AlertKind[]): (string | undefined)[] => {
  const told = tellerOf(all);
  return [...servicesOfLabels(told), ...keysOfLabels(all, told, kinds)];
};
