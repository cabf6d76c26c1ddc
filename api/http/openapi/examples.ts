import type { createDocument } from 'zod-openapi';
import { exampleByName } from '#schemas/http/events/examples.ts';

/** The part of JSON schema that is used here. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}
type Content = Readonly<Record<string, Media>>;
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema?: Schema;
  readonly required?: boolean;
  example?: unknown;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}
type Document = ReturnType<typeof createDocument>;

/** Deeper than this an example has required fields only. */
const SHOWN_DEPTH = 6;
const BY_FORMAT: Readonly<Record<string, unknown>> = {
  'date-time': '2026-11-21T11:38:17.885Z',
  date: '2026-11-21',
  email: 'ann@example.com',
  uri: 'https://example.com',
  uuid: '6f1c9a52-3d0e-4a53-9f5e-7b1f7c3b0d11',
};

interface SchemaPlace {
  /** Name of the field that the value is for; of a list's items that of the list. */
  readonly name: string;
  /** Names of the enclosing components, the innermost last. */
  readonly within: readonly string[];
  readonly depth: number;
}

const plain = ({ minimum, minLength, format }: Schema, type: string | undefined): unknown => {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, 1);
  if (type === 'null') return null;
  return type === 'string' ? (BY_FORMAT[format ?? ''] ?? 'text'.repeat(Math.ceil((minLength ?? 1) / 4))) : {};
};

/** Wrapped, as the value may be null. */
const ownExample = (schema: Schema): { readonly value: unknown } | null => {
  const value = schema.example ?? schema.examples?.[0];
  if (value !== undefined) return { value };
  if (schema.const !== undefined) return { value: schema.const };
  return schema.enum === undefined ? null : { value: schema.default ?? schema.enum[0] };
};

const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((one) => one !== 'null');

const fitting = (value: unknown, { pattern, maxLength = Number.POSITIVE_INFINITY }: Schema): unknown =>
  String(value).length > maxLength || (pattern !== undefined && !new RegExp(pattern, 'u').test(String(value)))
    ? undefined
    : value;

/** Makes examples from schemas: the schema's own, else one suggested by its field's name, else any valid value. */
const makeExamples = (components: Readonly<Record<string, Schema>>) => {
  const keysOf = ({
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
  }: Schema): readonly string[] => {
    const named = new Set([...Object.keys(properties), ...required]);
    const isMap = named.size === 0 && typeof additionalProperties === 'object';
    return isMap && Object.keys(additionalProperties).length > 0
      ? [String(propertyNames?.enum?.[0] ?? 'key')]
      : [...named];
  };
  const objectOf = (schema: Schema, { within, depth }: SchemaPlace): unknown => {
    const { properties = {}, required = [], additionalProperties } = schema;
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    const shown = keysOf(schema).filter((name) => required.includes(name) || depth < SHOWN_DEPTH);
    const values = shown.map(
      (name) => [name, of(properties[name] ?? others, { name, within, depth: depth + 1 })] as const,
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
  /** A component inside itself is left out. */
  const referred = (ref: string, place: SchemaPlace): unknown => {
    const id = ref.slice(ref.lastIndexOf('/') + 1);
    if (place.within.includes(id)) return undefined;
    return of(components[id] ?? {}, { ...place, within: [...place.within, id] });
  };
  const arrayOf = ({ items = {}, prefixItems, minItems = 1 }: Schema, place: SchemaPlace): readonly unknown[] => {
    if (prefixItems !== undefined) return prefixItems.map((item) => of(item, place));
    if (minItems > 1 && items.enum !== undefined) return items.enum.slice(0, minItems);
    const item = of(items, place);
    return item === undefined ? [] : Array<unknown>(Math.max(minItems, 1)).fill(item);
  };
  function of(schema: Schema, place: SchemaPlace): unknown {
    const own = ownExample(schema);
    if (own !== null) return own.value;
    if (schema.$ref !== undefined) return referred(schema.$ref, place);
    // A choice beside fields defines the required ones.
    if (schema.properties !== undefined) return objectOf(schema, place);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      const found = choices.filter(({ type }) => type !== 'null').map((choice) => of(choice, place));
      return found.find((value) => value !== undefined) ?? null;
    }
    if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => of(part, place)));
    const type = typeOf(schema);
    if (type === 'object') return objectOf(schema, place);
    if (type === 'array') return arrayOf(schema, place);
    return (
      fitting(exampleByName(place.name, place.within.at(-1) ?? '', type), schema) ??
      schema.default ??
      plain(schema, type)
    );
  }
  return (schema: Schema, name = ''): unknown => of(schema, { name, within: [], depth: 0 });
};

const exemplify = (content: Content | undefined, make: (schema: Schema, name?: string) => unknown): void => {
  for (const [type, media] of Object.entries(content ?? {})) {
    if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) continue;
    media.example = make(media.schema, type.split(';')[0] ?? '');
  }
};

/**
 * Adds to every body, reply and required parameter of the document an example that fits its schema. Changes `document`.
 */
export function addExamples(document: Document): Document {
  const make = makeExamples((document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>);
  for (const operations of Object.values(document.paths ?? {}))
    for (const operation of Object.values(operations ?? {}) as Operation[]) {
      for (const parameter of operation.parameters ?? [])
        if (parameter.in === 'path' && parameter.schema !== undefined)
          parameter.example ??= make(parameter.schema, parameter.name);
      exemplify(operation.requestBody?.content, make);
      for (const { content } of Object.values(operation.responses ?? {})) exemplify(content, make);
    }
  return document;
}
