import { EVENTS_PATH, RESOURCES } from '#features/topology-sources/rules/kubernetes/resources.ts';
import type { FakeKubernetes, FakeObject } from './fake-kubernetes.ts';

const SHOP = 'shop';
const named = (name: string, namespace?: string, more: object = {}): FakeObject => ({
  metadata: { name, ...(namespace !== undefined && { namespace }), ...more },
});
const ownedBy = (kind: string, name: string) => ({ ownerReferences: [{ kind, name, controller: true }] });
const isoOf = (at: number): string => new Date(at).toISOString().replace('.000', '');

/** The state of a pod or node that its conditions report. */
const conditions = (given: Readonly<Record<string, boolean>>, at: number) =>
  Object.entries(given).map(([type, holds]) => ({
    type,
    status: holds ? 'True' : 'False',
    lastTransitionTime: isoOf(at),
    message: `${type} is ${holds}`,
  }));

export interface ShopEvent {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly reason: string;
  readonly message?: string;
  readonly container?: string;
  readonly count?: number;
  readonly at: number;
  readonly uid?: string;
}

/** The shop of `fake-prometheus.ts` without its hosts, as objects of the Kubernetes API. */
export class KubernetesShop {
  readonly #api: FakeKubernetes;
  #events = 0;

  constructor(api: FakeKubernetes) {
    this.#api = api;
  }

  node(name: string, given: Readonly<Record<string, boolean>> = { Ready: true }, at = 0): void {
    const addresses = [{ type: 'InternalIP', address: `10.0.0.${name.slice(-1)}` }];
    const nodeInfo = { osImage: 'Debian 13', kernelVersion: '6.12', kubeletVersion: 'v1.36.0' };
    this.#api.put(RESOURCES.nodes.path, {
      ...named(name),
      status: { addresses, nodeInfo, conditions: conditions(given, at) },
    });
  }

  pod(
    name: string,
    { kind, owner, node, ip, namespace = SHOP }: Readonly<Record<string, string>>,
    {
      ready = true,
      at = 0,
      more = {},
    }: { readonly ready?: boolean; readonly at?: number; readonly more?: object } = {},
  ): void {
    const host = `10.0.0.${node?.slice(-1)}`;
    const claim = owner === 'db' ? [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }] : [];
    this.#api.put(RESOURCES.pods.path, {
      ...named(name, namespace, ownedBy(kind ?? '', owner ?? '')),
      spec: { nodeName: node, volumes: claim },
      status: {
        phase: 'Running',
        podIP: ip ?? host,
        hostIP: host,
        conditions: conditions({ Ready: ready }, at),
        ...more,
      },
    });
  }

  /** Pods of deployments of this revision; the third and fourth are on these nodes. */
  pods(hash = '6d4cf56db6', [second = 'node-2', third = 'node-3']: readonly string[] = []): void {
    for (const { metadata } of this.#api.objects(RESOURCES.pods.path))
      this.#api.remove(RESOURCES.pods.path, `${metadata.namespace}/${metadata.name}`);
    const of = (deployment: string) => ({ kind: 'ReplicaSet', owner: `${deployment}-${hash}` });
    for (const name of ['checkout', 'front'])
      this.#api.put(RESOURCES.replicasets.path, named(`${name}-${hash}`, SHOP, ownedBy('Deployment', name)));
    this.pod(`checkout-${hash}-a`, { ...of('checkout'), node: 'node-1', ip: '10.1.0.1' });
    this.pod(`front-${hash}-a`, { ...of('front'), node: 'node-1', ip: '10.1.0.2' });
    this.pod(`front-${hash}-b`, { ...of('front'), node: second, ip: '10.1.0.3' });
    this.pod(`front-${hash}-c`, { ...of('front'), node: third, ip: '10.1.0.5' });
    this.pod('db-0', { kind: 'StatefulSet', owner: 'db', node: 'node-1', ip: '10.1.0.4' });
    for (const n of [1, 2, 3])
      this.pod(`proxy-${n}`, { kind: 'DaemonSet', owner: 'proxy', node: `node-${n}`, namespace: 'kube-system' });
    this.slice('checkout', [`checkout-${hash}-a`]);
    this.slice('front', [`front-${hash}-a`, `front-${hash}-b`]);
    this.slice('db', ['db-0']);
  }

  slice(service: string, pods: readonly string[]): void {
    this.#api.put(RESOURCES.endpointslices.path, {
      ...named(`${service}-x7k2p`, SHOP, { labels: { 'kubernetes.io/service-name': service } }),
      endpoints: pods.map((name) => ({ targetRef: { kind: 'Pod', namespace: SHOP, name } })),
    });
  }

  fill(): void {
    for (const n of [1, 2, 3]) this.node(`node-${n}`);
    for (const name of ['checkout', 'front']) this.#api.put(RESOURCES.deployments.path, named(name, SHOP));
    this.#api.put(RESOURCES.statefulsets.path, named('db', SHOP));
    this.#api.put(RESOURCES.daemonsets.path, named('proxy', 'kube-system'));
    for (const name of ['checkout', 'front', 'db']) this.#api.put(RESOURCES.services.path, named(name, SHOP));
    const backend = { service: { name: 'front', port: { number: 80 } } };
    this.#api.put(RESOURCES.ingresses.path, {
      ...named('web', SHOP),
      spec: { rules: [{ host: 'shop.example.com', http: { paths: [{ path: '/', backend }] } }] },
    });
    this.#api.put(RESOURCES.persistentvolumeclaims.path, {
      ...named('data-db-0', SHOP),
      spec: { volumeName: 'pvc-1', storageClassName: 'fast' },
    });
    this.pods();
  }

  event({ kind, name, namespace = SHOP, reason, message = reason, container, count = 1, at, uid }: ShopEvent): void {
    const id = uid ?? `${name}.${++this.#events}`;
    this.#api.put(EVENTS_PATH, {
      ...named(id, kind === 'Node' ? 'default' : namespace, { uid: id }),
      involvedObject: {
        kind,
        name,
        ...(kind !== 'Node' && { namespace }),
        ...(container !== undefined && { fieldPath: `spec.containers{${container}}` }),
      },
      reason,
      message,
      count,
      lastTimestamp: isoOf(at),
    });
  }
}
