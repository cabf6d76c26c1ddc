/** Resources in Terraform state files of version 4, and in the output of `terraform show -json`. */
import { isRecord } from '#domain/record-of.ts';
import { type Fields, fieldIn, recordsIn, textOf, textsIn } from '#features/topology-sources/rules/fields.ts';
import { type FileDocument, FormatError } from './conversion.ts';

export interface TerraformResource {
  readonly address: string;
  /** Address without the keys of `count` and `for_each`. */
  readonly config: string;
  readonly type: string;
  readonly values: Fields;
  /** Addresses without keys. */
  readonly dependencies: readonly string[];
  readonly isData: boolean;
}

const KEYS = /\[(?:\d+|"[^"]*")\]/g;
const withoutKeys = (address: string): string => address.replaceAll(KEYS, '');

const keyText = (key: unknown): string => {
  if (typeof key === 'number') return `[${key}]`;
  return typeof key === 'string' ? `["${key}"]` : '';
};

function* stateResources(document: FileDocument, state: Fields): Generator<TerraformResource> {
  if (!Array.isArray(state.resources)) throw new FormatError(document, 'a list', 'resources');
  for (const [index, resource] of state.resources.entries()) {
    const [type, name, module] = ['type', 'name', 'module'].map((field) => fieldIn(resource, field));
    if (!isRecord(resource) || !type || !name || !Array.isArray(resource.instances))
      throw new FormatError(document, 'type, name and instances', `resources[${index}]`);
    const isData = resource.mode === 'data';
    const config = [module ?? [], isData ? 'data' : [], type, name].flat().join('.');
    for (const instance of recordsIn(resource.instances)) {
      yield {
        address: config + keyText(instance.index_key),
        config: withoutKeys(config),
        type,
        values: isRecord(instance.attributes) ? instance.attributes : {},
        dependencies: textsIn(instance.dependencies).map(withoutKeys),
        isData,
      };
    }
  }
}

function* moduleResources(document: FileDocument, module: Fields, path: string): Generator<TerraformResource> {
  for (const [index, resource] of recordsIn(module.resources ?? []).entries()) {
    const [address, type] = [textOf(resource.address), textOf(resource.type)];
    if (address === null || type === null)
      throw new FormatError(document, 'address and type', `${path}.resources[${index}]`);
    yield {
      address,
      config: withoutKeys(address),
      type,
      values: isRecord(resource.values) ? resource.values : {},
      dependencies: textsIn(resource.depends_on).map(withoutKeys),
      isData: resource.mode === 'data',
    };
  }
  for (const [index, child] of recordsIn(module.child_modules ?? []).entries())
    yield* moduleResources(document, child, `${path}.child_modules[${index}]`);
}

/** Throws FormatError for other files. */
export function* resourcesIn(document: FileDocument): Generator<TerraformResource> {
  const { value } = document;
  if (!isRecord(value)) throw new FormatError(document, 'a Terraform state');
  if (isRecord(value.planned_values)) throw new FormatError(document, 'a state, but this is a plan');
  if ('format_version' in value) {
    const root = isRecord(value.values) ? value.values.root_module : undefined;
    if (!isRecord(root)) throw new FormatError(document, 'the resources of a state', 'values.root_module');
    yield* moduleResources(document, root, 'values.root_module');
  } else {
    if (value.version !== 4) throw new FormatError(document, '4, the format of Terraform 0.12 and later', 'version');
    yield* stateResources(document, value);
  }
}
