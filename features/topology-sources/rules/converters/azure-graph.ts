/** Resources in results of Azure Resource Graph (`az graph query`, `Search-AzGraph`, REST). */
import { isRecord } from '#domain/record-of.ts';
import { type Fields, fieldIn, recordsIn, textOf } from '#features/topology-sources/rules/fields.ts';
import { AZURE_TYPES } from './cloud-types.ts';
import { Conversion, type Converter, type FileDocument, FormatError, stated } from './conversion.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';

interface GraphPage {
  readonly rows: readonly unknown[];
  /** Number of results of the whole query; null: unknown. */
  readonly total: number | null;
}
function pageIn(document: FileDocument): GraphPage {
  const { value } = document;
  if (Array.isArray(value)) return { rows: value, total: null };
  const rows = isRecord(value) ? value.data : undefined;
  if (!isRecord(value) || !Array.isArray(rows)) throw new FormatError(document, 'a list of resources', 'data');
  return { rows, total: [value.total_records, value.totalRecords].find(isNumber) ?? null };
}

/** Reads all pages. Throws FormatError if one is missing: a full set would retire its resources. */
function resourcesIn(documents: readonly FileDocument[]): readonly Fields[] {
  const found: Fields[] = [];
  for (const document of documents) {
    const { rows, total } = pageIn(document);
    const all = documents.reduce((sum, one) => sum + pageIn(one).rows.length, 0);
    if (total !== null && total > all)
      throw new FormatError(document, `all ${total} results of the query, but the files have ${all}. Export all pages`);
    for (const [index, row] of rows.entries()) {
      if (!isRecord(row) || !textOf(row.id) || !textOf(row.type))
        throw new FormatError(document, 'id and type', `data[${index}]`);
      found.push(row);
    }
  }
  return found;
}

const keyOf = (id: string): string => id.toLowerCase();
/** Returns the ID of the resource that a part, such as a subnet, belongs to. */
const ownerOf = (id: string, part: string): string => keyOf(id).split(`/${part}/`, 1)[0] ?? '';

const listIn = (value: unknown, ...path: readonly string[]): readonly Fields[] => {
  let at = value;
  for (const field of path) at = isRecord(at) ? at[field] : undefined;
  return Array.isArray(at) ? recordsIn(at) : [];
};

class AzureNetwork {
  /** Virtual network, virtual machine and address by network interface. */
  readonly #interfaces = new Map<string, Fields>();

  constructor(resources: readonly Fields[]) {
    for (const resource of resources)
      if (keyOf(String(resource.type)) === 'microsoft.network/networkinterfaces')
        this.#interfaces.set(keyOf(String(resource.id)), resource);
  }

  #configurations(id: string): readonly Fields[] {
    return listIn(this.#interfaces.get(keyOf(id)), 'properties', 'ipConfigurations');
  }

  addressOf(id: string): string | null {
    const found = this.#configurations(id).map((one) => fieldIn(one, 'properties', 'privateIPAddress'));
    return found.find((address) => address !== null) ?? null;
  }

  networksOf(id: string): readonly string[] {
    return this.#configurations(id).flatMap((one) => fieldIn(one, 'properties', 'subnet', 'id') ?? []);
  }

  machineOf(id: string): string | null {
    return fieldIn(this.#interfaces.get(ownerOf(id, 'ipconfigurations')), 'properties', 'virtualMachine', 'id');
  }
}

type Connect = (type: string, target: string | null, group?: string) => void;

interface ConnectedResource {
  readonly id: string;
  readonly properties: unknown;
  readonly network: AzureNetwork;
  readonly connect: Connect;
}

const connectMachine = ({ properties, network, connect }: ConnectedResource): void => {
  for (const one of listIn(properties, 'networkProfile', 'networkInterfaces'))
    for (const subnet of network.networksOf(fieldIn(one, 'id') ?? ''))
      connect('depends_on', ownerOf(subnet, 'subnets'));
  connect('uses', fieldIn(properties, 'storageProfile', 'osDisk', 'managedDisk', 'id'));
  for (const disk of listIn(properties, 'storageProfile', 'dataDisks'))
    connect('uses', fieldIn(disk, 'managedDisk', 'id'));
};

const connectBalancer = ({ properties, network, connect }: ConnectedResource): void => {
  for (const pool of listIn(properties, 'backendAddressPools'))
    for (const one of listIn(pool, 'properties', 'backendIPConfigurations'))
      connect('depends_on', network.machineOf(fieldIn(one, 'id') ?? ''), 'backends');
};

/** Relationships by type of resource. */
const CONNECTIONS: ReadonlyMap<string, (resource: ConnectedResource) => void> = new Map([
  ['microsoft.compute/virtualmachines', connectMachine],
  ['microsoft.network/loadbalancers', connectBalancer],
  ['microsoft.web/sites', ({ properties, connect }) => connect('runs_on', fieldIn(properties, 'serverFarmId'))],
  [
    'microsoft.app/containerapps',
    ({ properties, connect }) =>
      connect('runs_on', fieldIn(properties, 'managedEnvironmentId') ?? fieldIn(properties, 'environmentId')),
  ],
  [
    'microsoft.containerservice/managedclusters',
    ({ properties, connect }) => {
      for (const pool of listIn(properties, 'agentPoolProfiles'))
        connect('depends_on', ownerOf(fieldIn(pool, 'vnetSubnetID') ?? '', 'subnets'));
    },
  ],
  ['microsoft.sql/servers/databases', ({ id, connect }) => connect('runs_on', ownerOf(id, 'databases'))],
]);

export const convertAzureGraph: Converter = (documents) => {
  const conversion = new Conversion();
  const resources = resourcesIn(documents);
  const network = new AzureNetwork(resources);
  for (const { id, type, name, location, resourceGroup, subscriptionId, properties } of resources) {
    const known = AZURE_TYPES.get(keyOf(String(type)));
    if (known === undefined) {
      conversion.skip(keyOf(String(type)));
      continue;
    }
    const first = listIn(properties, 'networkProfile', 'networkInterfaces')[0];
    conversion.set.ci({
      key: keyOf(String(id)),
      name: textOf(name) ?? String(id),
      type: known,
      place: textOf(resourceGroup) ?? undefined,
      attributes: stated({
        ip_address: network.addressOf(fieldIn(first, 'id') ?? ''),
        fqdn:
          fieldIn(properties, 'fullyQualifiedDomainName') ??
          fieldIn(properties, 'defaultHostName') ??
          fieldIn(properties, 'hostName'),
        region: textOf(location),
        resource_group: textOf(resourceGroup),
        subscription: textOf(subscriptionId),
        instance_type: fieldIn(properties, 'hardwareProfile', 'vmSize'),
      }),
    });
  }
  for (const { id, type, properties } of resources) {
    const source = keyOf(String(id));
    const connect: Connect = (how, target, group) => {
      if (target === null || conversion.set.get(keyOf(target)) === undefined) return;
      conversion.set.edge(how, source, keyOf(target), group === undefined ? {} : { group });
    };
    CONNECTIONS.get(keyOf(String(type)))?.({ id: source, properties, network, connect });
  }
  return conversion;
};
