/** Resources in snapshots of AWS Config, and in the output of `aws configservice batch-get-resource-config`. */
import { isRecord } from '#domain/record-of.ts';
import { type Fields, fieldIn, recordsIn, textOf } from '#features/topology-sources/rules/fields.ts';
import { AWS_TYPES, awsKey } from './cloud-types.ts';
import { Conversion, type Converter, type FileDocument, FormatError, stated } from './conversion.ts';

const GONE = /^ResourceDeleted/;
const NETWORKS: ReadonlySet<string | undefined> = new Set(['network', 'subnet']);

/** Snapshots have an object, replies of the API a JSON text. */
function configurationOf({ configuration }: Fields, document: FileDocument, path: string): Fields {
  if (typeof configuration !== 'string') return isRecord(configuration) ? configuration : {};
  try {
    const parsed: unknown = JSON.parse(configuration);
    return isRecord(parsed) ? parsed : {};
  } catch {
    throw new FormatError(document, 'JSON', `${path}.configuration`);
  }
}

const nameOf = (item: Fields): string | null => {
  const listed = recordsIn(item.tags).find(({ key, Key }) => key === 'Name' || Key === 'Name');
  return (
    fieldIn(item.tags, 'Name') ?? fieldIn(listed, 'value') ?? fieldIn(listed, 'Value') ?? textOf(item.resourceName)
  );
};

const attributesOf = (item: Fields, configuration: Fields) =>
  stated({
    ip_address: textOf(configuration.privateIpAddress),
    public_ip: textOf(configuration.publicIpAddress),
    fqdn:
      textOf(configuration.privateDnsName) ??
      fieldIn(configuration, 'endpoint', 'address') ??
      textOf(configuration.dNSName) ??
      textOf(configuration.dnsName),
    region: textOf(item.awsRegion),
    zone: textOf(item.availabilityZone),
    account: textOf(item.awsAccountId) ?? textOf(item.accountId),
    instance_type: textOf(configuration.instanceType) ?? textOf(configuration.dBInstanceClass),
    engine: textOf(configuration.engine),
  });

function itemsIn(document: FileDocument): readonly Fields[] {
  const { value } = document;
  const items = isRecord(value) ? (value.configurationItems ?? value.baseConfigurationItems) : value;
  if (!Array.isArray(items)) throw new FormatError(document, 'a list', 'configurationItems');
  return items.map((item: unknown, index) => {
    if (
      isRecord(item) &&
      fieldIn(item, 'resourceType') &&
      (fieldIn(item, 'resourceId') ?? fieldIn(item, 'resourceName'))
    )
      return item;
    throw new FormatError(document, 'resourceType and resourceId', `configurationItems[${index}]`);
  });
}

interface ImportedItem {
  readonly key: string;
  readonly type: string;
  readonly relationships: readonly Fields[];
}

/** Relationships name their target by ID, or only by name. */
const endKey = (type: string | null, name: string | null): string => `${type} ${name}`;

function connect(
  conversion: Conversion,
  { key, type, relationships }: ImportedItem,
  keys: ReadonlyMap<string, string>,
): void {
  const ends = relationships.flatMap((relationship) => {
    const name = textOf(relationship.name) ?? textOf(relationship.relationshipName) ?? '';
    const target = ['resourceId', 'resourceName']
      .map((field) => keys.get(endKey(textOf(relationship.resourceType), textOf(relationship[field]))))
      .find((found) => found !== undefined);
    return target === undefined ? [] : [{ name, target, type: conversion.set.get(target)?.type }];
  });
  const isInSubnet = ends.some((end) => end.type === 'subnet' && end.name.startsWith('Is contained in'));
  for (const end of ends) {
    if (end.name.startsWith('Is contained in')) {
      if (end.type !== 'network' || !isInSubnet)
        conversion.set.edge('depends_on', key, end.target, end.type === 'subnet' ? { group: 'subnets' } : {});
    } else if (end.name.startsWith('Contains')) {
      if (!NETWORKS.has(type)) conversion.set.edge('depends_on', key, end.target, { group: 'members' });
    } else if (end.type === 'volume') conversion.set.edge('uses', key, end.target);
  }
}

export const convertAwsConfig: Converter = (documents) => {
  const conversion = new Conversion();
  const keys = new Map<string, string>();
  const imported: ImportedItem[] = [];
  for (const document of documents) {
    for (const [index, item] of itemsIn(document).entries()) {
      const resourceType = textOf(item.resourceType) ?? '';
      const [id, named] = [textOf(item.resourceId), textOf(item.resourceName)];
      const type = AWS_TYPES.get(resourceType);
      const configuration = configurationOf(item, document, `configurationItems[${index}]`);
      const isGone =
        GONE.test(textOf(item.configurationItemStatus) ?? '') ||
        fieldIn(configuration, 'state', 'name') === 'terminated';
      const key = awsKey(id, textOf(item.ARN) ?? textOf(item.arn)) ?? `${resourceType}/${named}`;
      if (isGone) conversion.skip(`${resourceType} (deleted)`);
      else if (type === undefined) conversion.skip(resourceType);
      else {
        const attributes = attributesOf(item, configuration);
        conversion.set.ci({ key, name: nameOf(item) ?? id ?? key, type, attributes, place: id ?? undefined });
        for (const name of [named, id]) if (name !== null) keys.set(endKey(resourceType, name), key);
        imported.push({ key, type, relationships: recordsIn(item.relationships ?? []) });
      }
    }
  }
  for (const item of imported) connect(conversion, item, keys);
  return conversion;
};
