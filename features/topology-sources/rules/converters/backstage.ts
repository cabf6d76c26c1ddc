/** Entities in catalog files of Backstage (catalog-info.yaml, `GET /api/catalog/entities`). */
import { isRecord } from '#domain/record-of.ts';
import { type Fields, fieldIn, recordsIn, textOf, textsIn } from '#features/topology-sources/rules/fields.ts';
import { wordOf } from '#features/transfer/rules/foreign-types.ts';
import { Conversion, type Converter, type FileDocument, FormatError, stated } from './conversion.ts';

/** CI types by kind of entity; null: by the type in `spec`. */
const KINDS: ReadonlyMap<string, string | null> = new Map([
  ['component', null],
  ['resource', null],
  ['api', 'api'],
  ['system', 'system'],
  ['domain', 'domain'],
]);
/** Code that runs only as a part of components. */
const NOT_RUNNING: ReadonlySet<string> = new Set(['library', 'documentation', 'template']);

/** References: field, kind if the reference has none, relationship, and whether the other entity is its source. */
const REFERENCES: readonly (readonly [field: string, kind: string, type: string, isReverse: boolean])[] = [
  ['dependsOn', 'component', 'depends_on', false],
  ['dependencyOf', 'component', 'depends_on', true],
  ['consumesApis', 'api', 'depends_on', false],
  ['providesApis', 'api', 'depends_on', true],
  ['subcomponentOf', 'component', 'part_of', false],
  ['system', 'system', 'part_of', false],
  ['domain', 'domain', 'part_of', false],
  ['partOf', 'system', 'part_of', false],
];

const PREFIX = 'backstage:';
/** Completes `[kind:][namespace/]name`. */
function referenceKey(reference: string, kind: string, namespace: string): string {
  const [name = '', given] = reference.split(':', 2).toReversed();
  return `${PREFIX}${given ?? kind}:${name.includes('/') ? name : `${namespace}/${name}`}`.toLowerCase();
}

interface CatalogEntity {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly entity: Fields;
}

function entityIn(document: FileDocument, entity: Fields): CatalogEntity {
  const [kind, name] = [textOf(entity.kind), fieldIn(entity, 'metadata', 'name')];
  if (kind === null) throw new FormatError(document, 'the kind of an entity', 'kind');
  if (name === null) throw new FormatError(document, 'the name of an entity', 'metadata.name');
  const namespace = fieldIn(entity, 'metadata', 'namespace') ?? 'default';
  return { kind: kind.toLowerCase(), name, namespace, entity };
}

function entitiesIn(document: FileDocument): readonly CatalogEntity[] {
  const { value } = document;
  if (value === null) return [];
  const items = isRecord(value) && Array.isArray(value.items) ? value.items : value;
  const entities = recordsIn(items);
  if (entities.length === 0 && !Array.isArray(items))
    throw new FormatError(document, 'an entity with kind and metadata');
  return entities.map((entity) => entityIn(document, entity));
}

/** Returns null for entities that are no CI. */
function typeOf({ kind, entity }: CatalogEntity): string | null {
  const known = KINDS.get(kind);
  if (known !== null) return known ?? null;
  const type = fieldIn(entity, 'spec', 'type') ?? kind;
  return NOT_RUNNING.has(type.toLowerCase()) ? null : wordOf(type);
}

export const convertBackstage: Converter = (documents) => {
  const conversion = new Conversion();
  for (const one of documents.flatMap(entitiesIn)) {
    const { kind, name, namespace, entity } = one;
    const { spec } = entity;
    const type = typeOf(one);
    if (type === null) {
      conversion.skip(KINDS.has(kind) ? `${kind} of type ${fieldIn(spec, 'type')}` : kind);
      continue;
    }
    const key = referenceKey(name, kind, namespace);
    const attributes = stated({
      owner: fieldIn(spec, 'owner'),
      lifecycle: fieldIn(spec, 'lifecycle'),
      title: fieldIn(entity, 'metadata', 'title'),
      kind,
    });
    conversion.set.ci({ key, name, type, attributes, place: namespace });
    for (const [field, otherKind, how, isReverse] of REFERENCES) {
      const given = isRecord(spec) ? spec[field] : undefined;
      for (const reference of typeof given === 'string' ? [given] : textsIn(given)) {
        const other = referenceKey(reference, otherKind, namespace);
        const [source, target] = isReverse ? [other, key] : [key, other];
        conversion.set.edge(how, source, target);
      }
    }
  }
  return conversion;
};
