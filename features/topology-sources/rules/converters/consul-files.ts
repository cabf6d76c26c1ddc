/** Replies of Consul's HTTP API, and service definitions, as instances of services. */
import { isRecord } from '#domain/record-of.ts';
import { type Fields, fieldIn, recordsIn, textOf } from '#features/topology-sources/rules/fields.ts';
import { type FileDocument, FormatError } from './conversion.ts';

export interface ConsulInstance {
  /** Null: a definition without its node. */
  readonly node: string | null;
  readonly datacenter: string | null;
  readonly nodeAddress: string | null;
  /** Null: the row describes only a node. */
  readonly service: string | null;
  readonly address: string | null;
  readonly namespace: string | null;
  readonly kind: string;
  /** Service that a sidecar proxy represents. */
  readonly proxied: string | null;
  readonly upstreams: readonly string[];
}
interface ConsulIntention {
  readonly source: string;
  readonly target: string;
}
export interface ConsulData {
  readonly instances: ConsulInstance[];
  readonly intentions: ConsulIntention[];
  /** Names without instances. */
  readonly names: string[];
  readonly skip: (type: string) => void;
}

const upstreamsIn = (proxy: unknown): readonly string[] => {
  const list = isRecord(proxy) ? (proxy.Upstreams ?? proxy.upstreams) : undefined;
  return recordsIn(list ?? []).flatMap((one) => textOf(one.DestinationName) ?? textOf(one.destination_name) ?? []);
};

const nodeFields = (node: unknown) => ({
  node: fieldIn(node, 'Node'),
  datacenter: fieldIn(node, 'Datacenter'),
  nodeAddress: fieldIn(node, 'Address'),
});
const NO_NODE = { node: null, datacenter: null, nodeAddress: null };

/** `/v1/health/service/…`, `/v1/agent/services`. */
const serviceFields = (service: Fields) => ({
  service: textOf(service.Service),
  address: textOf(service.Address),
  namespace: textOf(service.Namespace),
  kind: textOf(service.Kind) ?? '',
  proxied: fieldIn(service, 'Proxy', 'DestinationServiceName'),
  upstreams: upstreamsIn(service.Proxy),
});

/** `/v1/catalog/service/…`. */
const catalogFields = (row: Fields) => ({
  service: textOf(row.ServiceName),
  address: textOf(row.ServiceAddress),
  namespace: textOf(row.Namespace),
  kind: textOf(row.ServiceKind) ?? '',
  proxied: fieldIn(row.ServiceProxy, 'DestinationServiceName'),
  upstreams: upstreamsIn(row.ServiceProxy),
});

/** Service definitions of an agent. */
const definedFields = (service: Fields) => {
  const sidecar = isRecord(service.connect) ? service.connect.sidecar_service : undefined;
  return {
    service: textOf(service.name),
    address: textOf(service.address),
    namespace: textOf(service.namespace),
    kind: textOf(service.kind) ?? '',
    proxied: fieldIn(service, 'proxy', 'destination_service_name'),
    upstreams: [...upstreamsIn(isRecord(sidecar) ? sidecar.proxy : undefined), ...upstreamsIn(service.proxy)],
  };
};

function readIntention(row: Fields, data: ConsulData): void {
  const [source, target] = [textOf(row.SourceName), textOf(row.DestinationName)];
  const isAllowed = row.Action === 'allow' || recordsIn(row.Permissions ?? []).some(({ Action }) => Action === 'allow');
  if (!isAllowed) data.skip('intention that denies');
  else if (source === null || target === null || source === '*' || target === '*')
    data.skip('intention for all services');
  else data.intentions.push({ source, target });
}

function readRow(document: FileDocument, row: unknown, index: number, data: ConsulData): void {
  if (isRecord(row) && 'SourceName' in row) readIntention(row, data);
  else if (isRecord(row) && isRecord(row.Node) && isRecord(row.Service))
    data.instances.push({ ...nodeFields(row.Node), ...serviceFields(row.Service) });
  else if (isRecord(row) && textOf(row.ServiceName)) data.instances.push({ ...nodeFields(row), ...catalogFields(row) });
  else if (isRecord(row) && textOf(row.Node)) data.instances.push({ ...nodeFields(row), ...serviceFields({}) });
  else throw new FormatError(document, 'a service, node or intention', `[${index}]`);
}

/** Throws FormatError for files of another kind. */
export function readConsul(document: FileDocument, data: ConsulData): void {
  const { value } = document;
  if (Array.isArray(value)) {
    for (const [index, row] of value.entries()) readRow(document, row, index, data);
    return;
  }
  if (!isRecord(value)) throw new FormatError(document, 'a reply of Consul or a service definition');
  const defined = [value.service, value.services].flatMap((one) => recordsIn(one ?? []));
  const services = Object.entries(isRecord(value.Services) ? value.Services : value);
  if (defined.length > 0) {
    for (const one of defined) data.instances.push({ ...NO_NODE, ...definedFields(one) });
  } else if (services.every(([, tags]) => Array.isArray(tags))) {
    data.names.push(...services.map(([name]) => name));
  } else if (services.every(([, one]) => fieldIn(one, 'Service') !== null)) {
    for (const one of recordsIn(services.map(([, service]) => service)))
      data.instances.push({ ...(isRecord(value.Node) ? nodeFields(value.Node) : NO_NODE), ...serviceFields(one) });
  } else throw new FormatError(document, 'a reply of Consul or a service definition');
}
