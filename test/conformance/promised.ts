import fc from 'fast-check';

/** JSON Schema as far as requests use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minProperties?: number;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isFields,
};
const typesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

/** Strings of a pattern that looks ahead, which cannot be made from it. */
const AHEAD = [
  '10.0.0.1',
  ' 192.168.255.0',
  '::1',
  'fe80::1',
  '2001:db8:0:0:0:0:0:1',
  '1.2.3',
  ':::',
  '::ffff:1.2.3.4',
];
const PLAIN = [
  '',
  ' ',
  'a',
  '0',
  'web-1',
  'two words',
  'Überlauf',
  '日本',
  'a,b',
  'x=1',
  '\0',
  '\t',
  '..',
  '"',
  '-1',
  'true',
];
const POOL = 60;

/** Values that a schema allows, and whether it allows one; the same ones for the same seed. */
export function promises(components: Readonly<Record<string, Schema>>, seed: number) {
  const random = fc.sample(fc.noShrink(fc.integer({ min: 0, max: 0x7fff_ffff })), { seed, numRuns: 1 });
  let state = random[0] ?? 1;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * most);
  };
  const chance = (share: number): boolean => below(1_000) < share * 1_000;
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;

  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {});

  const fitsText = (value: string, { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema) =>
    value.length >= minLength &&
    value.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value));

  const fitsFields = (value: Fields, schema: Schema): boolean => {
    const { properties = {}, required = [], minProperties = 0, additionalProperties = true, propertyNames } = schema;
    const names = Object.keys(value);
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    return (
      names.length >= minProperties &&
      required.every((name) => name in value) &&
      names.every((name) => propertyNames === undefined || fits(name, propertyNames)) &&
      names.every((name) => name in properties || additionalProperties !== false) &&
      names.every((name) => fits(value[name], properties[name] ?? others)) &&
      Object.entries(schema.dependentRequired ?? {}).every(
        ([name, needed]) => !(name in value) || needed.every((one) => one in value),
      )
    );
  };

  const fitsList = (value: readonly unknown[], { items = {}, minItems = 0, maxItems, uniqueItems }: Schema): boolean =>
    value.length >= minItems &&
    value.length <= (maxItems ?? Number.POSITIVE_INFINITY) &&
    (uniqueItems !== true || new Set(value.map((one) => JSON.stringify(one))).size === value.length) &&
    value.every((item) => fits(item, items));

  const fitsPlain = (value: unknown, schema: Schema): boolean => {
    const types = typesOf(schema);
    if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) return false;
    if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
    if ('const' in schema && schema.const !== value) return false;
    if (typeof value === 'string') return fitsText(value, schema);
    if (typeof value === 'number')
      return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
    if (Array.isArray(value)) return fitsList(value, schema);
    return !isFields(value) || fitsFields(value, schema);
  };

  function fits(value: unknown, given: Schema): boolean {
    const schema = resolved(given);
    const { anyOf, oneOf, allOf, not } = schema;
    return (
      fitsPlain(value, schema) &&
      (anyOf === undefined || anyOf.some((one) => fits(value, one))) &&
      (oneOf === undefined || oneOf.filter((one) => fits(value, one)).length === 1) &&
      (allOf === undefined || allOf.every((one) => fits(value, one))) &&
      (not === undefined || !fits(value, not)) &&
      (schema.if === undefined || fits(value, (fits(value, schema.if) ? schema.then : schema.else) ?? {}))
    );
  }

  const pools = new Map<string, readonly string[]>();
  const textsOf = (schema: Schema): readonly string[] => {
    const { pattern, minLength = 0, maxLength } = schema;
    const key = JSON.stringify([pattern, minLength, maxLength]);
    const known = pools.get(key);
    if (known !== undefined) return known;
    const longest = Math.min(maxLength ?? 300, 20_000);
    const edges = ['a'.repeat(longest), 'a'.repeat(minLength), 'é'.repeat(minLength + 1)];
    const made =
      pattern === undefined || /\(\?[!=]/.test(pattern)
        ? AHEAD
        : fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed, numRuns: POOL });
    const pool = [...new Set([...made, ...PLAIN, ...edges])].filter((text) => fitsText(text, schema));
    pools.set(key, pool);
    return pool;
  };

  const numberOf = ({ minimum, maximum }: Schema, isWhole: boolean): number => {
    const [least, most] = [minimum ?? -1e6, maximum ?? 1e12];
    const inside = least + below(Math.min(most - least, 1_000) + 1);
    const value = pick([least, most, inside, isWhole ? inside : least + (most - least) / 3]);
    return isWhole ? Math.round(value) : value;
  };

  const nameOf = ({ propertyNames }: Schema): string =>
    propertyNames?.enum === undefined
      ? pick(textsOf(propertyNames ?? { minLength: 1, maxLength: 64 }))
      : String(pick(propertyNames.enum));

  const fieldsOf = (schema: Schema, depth: number): Fields => {
    const { properties = {}, required = [], additionalProperties } = schema;
    const share = depth > 4 ? 0 : pick([0.15, 0.4, 0.8]);
    const names = [...new Set([...Object.keys(properties), ...required])];
    const chosen = names.filter((name) => required.includes(name) || chance(share));
    const own = chosen.map((name): [string, unknown] => [name, make(properties[name] ?? {}, depth + 1)]);
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    const more = additionalProperties === false || depth > 4 ? 0 : names.length === 0 ? below(4) : Number(chance(0.1));
    for (let i = 0; i < more; i++) own.push([nameOf(schema), make(others, depth + 1)]);
    return Object.fromEntries(own.filter(([name]) => name !== '__proto__'));
  };

  const listOf = ({ items = {}, minItems = 0, maxItems = 1_000 }: Schema, depth: number): unknown[] =>
    Array.from({ length: Math.min(minItems + below(3), maxItems) }, () => make(items, depth + 1));

  const plain = (schema: Schema, depth: number): unknown => {
    if ('const' in schema) return schema.const;
    if (schema.enum !== undefined) return pick(schema.enum);
    const type = typesOf(schema).length > 0 ? pick(typesOf(schema)) : pick(['string', 'integer', 'null', 'boolean']);
    if (type === 'string') return pick(textsOf(schema));
    if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer');
    if (type === 'array') return listOf(schema, depth);
    if (type === 'object') return fieldsOf(schema, depth);
    return type === 'null' ? null : chance(0.5);
  };

  const attempt = (schema: Schema, depth: number): unknown => {
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices === undefined)
      return plain(schema.properties === undefined ? schema : { type: 'object', ...schema }, depth);
    const choice = make(pick(choices), depth);
    return schema.properties !== undefined && isFields(choice) ? { ...fieldsOf(schema, depth), ...choice } : choice;
  };

  /** Throws when none is found: the schema allows next to nothing. */
  function make(given: Schema, depth = 0): unknown {
    const schema = resolved(given);
    for (let i = 0; i < 500; i++) {
      const value = attempt(schema, depth);
      if (fits(value, schema)) return value;
    }
    throw new Error(`No value was found for ${JSON.stringify(schema).slice(0, 400)}`);
  }

  return { make, fits, chance, pick };
}
