import { type ConsulData, type ConsulInstance, readConsul } from './consul-files.ts';
import { Conversion, type Converter, stated } from './conversion.ts';

/** Intentions allow a call, but it may never happen. */
const ALLOWED_CONFIDENCE = 0.7;
const PROXY = 'connect-proxy';

class ConsulSet {
  readonly #conversion: Conversion;
  readonly #datacenter: string;

  /** `datacenter`: of services without a node. */
  constructor(conversion: Conversion, datacenter: string) {
    this.#conversion = conversion;
    this.#datacenter = datacenter;
  }

  #key(kind: string, name: string, datacenter: string | null = null): string {
    return `consul:${datacenter ?? this.#datacenter}/${kind}/${name}`;
  }

  service(name: string, kind = '', attributes: Readonly<Record<string, unknown>> = {}): string {
    const key = this.#key('service', name);
    if (this.#conversion.set.get(key) === undefined)
      this.#conversion.set.ci({ key, name, type: kind === '' ? 'service' : 'gateway', attributes });
    return key;
  }

  instance({ node, datacenter, nodeAddress, service, kind, namespace, proxied, upstreams }: ConsulInstance): void {
    const at = node === null ? null : this.#key('node', node, datacenter);
    if (node !== null && at !== null) {
      const attributes = stated({ ip_address: nodeAddress, datacenter });
      this.#conversion.set.ci({ key: at, name: node, type: 'server', attributes, place: datacenter ?? undefined });
    }
    if (service === null) return;
    const of = kind === PROXY ? proxied : service;
    if (of === null) this.#conversion.skip('proxy without a service');
    if (of === null) return;
    if (kind === PROXY) this.#conversion.skip('sidecar proxy (part of its service)');
    const key = this.service(of, kind === PROXY ? '' : kind, stated({ namespace }));
    if (at !== null && kind !== PROXY) this.#conversion.set.edge('runs_on', key, at, { group: 'instances' });
    for (const upstream of upstreams) this.call(of, upstream);
  }

  call(source: string, target: string, confidence?: number): void {
    const line = confidence === undefined ? {} : { confidence };
    this.#conversion.set.edge('depends_on', this.#key('service', source), this.#key('service', target), line);
  }
}

export const convertConsul: Converter = (documents) => {
  const conversion = new Conversion();
  const data: ConsulData = { instances: [], intentions: [], names: [], skip: (type) => conversion.skip(type) };
  for (const document of documents) readConsul(document, data);
  const [datacenter = 'default', ...others] = new Set(data.instances.flatMap((one) => one.datacenter ?? []));
  const set = new ConsulSet(conversion, others.length > 0 ? 'default' : datacenter);
  for (const name of data.names) set.service(name);
  for (const instance of data.instances) set.instance(instance);
  // The first relationship between two services counts, and calls of proxies are more certain than intentions.
  for (const { source, target } of data.intentions) set.call(source, target, ALLOWED_CONFIDENCE);
  return conversion;
};
