import { type Fields, fieldIn, recordsIn, textOf } from '#features/topology-sources/rules/fields.ts';
import { awsKey, TERRAFORM_TYPES } from './cloud-types.ts';
import { Conversion, type Converter, stated } from './conversion.ts';
import { resourcesIn, type TerraformResource } from './terraform-files.ts';

/** Resources that only connect two others: the field of each end. */
const LINKS: ReadonlyMap<string, readonly [source: string, target: string, type: string]> = new Map([
  ['aws_lb_target_group_attachment', ['target_group_arn', 'target_id', 'depends_on']],
  ['aws_alb_target_group_attachment', ['target_group_arn', 'target_id', 'depends_on']],
  ['aws_lb_listener', ['load_balancer_arn', 'default_action.target_group_arn', 'depends_on']],
  ['aws_alb_listener', ['load_balancer_arn', 'default_action.target_group_arn', 'depends_on']],
  ['aws_elb_attachment', ['elb', 'instance', 'depends_on']],
  ['aws_autoscaling_attachment', ['lb_target_group_arn', 'autoscaling_group_name', 'depends_on']],
  ['aws_volume_attachment', ['instance_id', 'volume_id', 'uses']],
  ['azurerm_virtual_machine_data_disk_attachment', ['virtual_machine_id', 'managed_disk_id', 'uses']],
]);
/** Providers whose IDs are unique across resource types. */
const UNIQUE_IDS = /^(?:aws|azurerm|google)_/;
const NAMES = ['name', 'identifier', 'cluster_identifier', 'replication_group_id', 'function_name', 'bucket'];

interface ImportedResource extends TerraformResource {
  readonly key: string;
}

const firstOf = (values: Fields, fields: readonly string[]): string | null =>
  fields.map((field) => textOf(values[field])).find((text) => text !== null) ?? null;

function keyOf({ address, type, values }: TerraformResource): string {
  const key = awsKey(textOf(values.id), textOf(values.arn));
  if (key === null) return `terraform:${address}`;
  return UNIQUE_IDS.test(type) ? key : `${type}/${key}`;
}

const attributesOf = ({ address, values }: TerraformResource) =>
  stated({
    ip_address:
      firstOf(values, ['private_ip', 'private_ip_address', 'default_ip_address', 'ipv4_address', 'access_ip_v4']) ??
      fieldIn(recordsIn(values.network_interface)[0], 'network_ip'),
    public_ip: firstOf(values, ['public_ip', 'public_ip_address']),
    fqdn: firstOf(values, ['private_dns', 'dns_name', 'fqdn', 'address']),
    region: firstOf(values, ['region', 'location']),
    zone: firstOf(values, ['availability_zone', 'zone']),
    instance_type: firstOf(values, ['instance_type', 'instance_class', 'machine_type', 'size', 'node_type']),
    engine: textOf(values.engine),
    terraform_address: address,
  });

/** Collects all texts of a resource. */
function textsOf(value: unknown, found: Set<string>): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) textsOf(one, found);
  return found;
}

const idsOf = ({ values }: TerraformResource): readonly string[] =>
  [textOf(values.id), textOf(values.arn), textOf(values.name)].filter((text) => text !== null);

class TerraformEdges {
  readonly #conversion: Conversion;
  readonly #byConfig = new Map<string, ImportedResource[]>();
  readonly #byId = new Map<string, string>();

  constructor(conversion: Conversion, resources: readonly ImportedResource[]) {
    this.#conversion = conversion;
    for (const resource of resources) {
      this.#byConfig.set(resource.config, [...(this.#byConfig.get(resource.config) ?? []), resource]);
      for (const id of idsOf(resource).toReversed()) this.#byId.set(id, resource.key);
    }
  }

  /** Dependencies in a state include indirect ones. */
  #direct({ dependencies, config }: TerraformResource): readonly string[] {
    const known = dependencies.filter((one) => one !== config && this.#byConfig.has(one));
    const indirect = new Set(known.flatMap((one) => this.#byConfig.get(one)?.flatMap((to) => to.dependencies) ?? []));
    return known.filter((one) => !indirect.has(one));
  }

  depend(resource: ImportedResource): void {
    const texts = textsOf(resource.values, new Set());
    for (const config of this.#direct(resource)) {
      const targets = this.#byConfig.get(config) ?? [];
      const named = targets.filter((target) => idsOf(target).some((id) => texts.has(id)));
      for (const { key } of named.length > 0 ? named : targets)
        this.#conversion.set.edge('depends_on', resource.key, key, { group: config });
    }
  }

  link({ type, values }: TerraformResource): void {
    const [source = '', target = '', how = ''] = LINKS.get(type) ?? [];
    const [field = '', inner] = target.split('.');
    const ends =
      inner === undefined ? [textOf(values[field])] : recordsIn(values[field]).map((one) => textOf(one[inner]));
    const from = this.#byId.get(textOf(values[source]) ?? '');
    for (const end of ends) {
      const to = this.#byId.get(end ?? '');
      if (from !== undefined && to !== undefined)
        this.#conversion.set.edge(how, from, to, how === 'uses' ? {} : { group: 'targets' });
    }
  }
}

export const convertTerraform: Converter = (documents) => {
  const conversion = new Conversion();
  const imported: ImportedResource[] = [];
  const links: TerraformResource[] = [];
  for (const document of documents) {
    for (const resource of resourcesIn(document)) {
      const type = resource.isData ? undefined : TERRAFORM_TYPES.get(resource.type);
      if (type !== undefined) {
        const key = keyOf(resource);
        const { values, address } = resource;
        const name = fieldIn(values.tags, 'Name') ?? firstOf(values, NAMES) ?? address;
        imported.push({ ...resource, key });
        conversion.set.ci({
          key,
          name,
          type,
          attributes: attributesOf(resource),
          place: textOf(values.location) ?? address,
        });
      } else if (!resource.isData && LINKS.has(resource.type)) links.push(resource);
      else conversion.skip(resource.isData ? `data.${resource.type}` : resource.type);
    }
  }
  const edges = new TerraformEdges(conversion, imported);
  for (const resource of imported) edges.depend(resource);
  for (const link of links) edges.link(link);
  return conversion;
};
