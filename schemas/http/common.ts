import { z } from 'zod';

/** A whole number in a query or path. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    // No `regex`: its pattern would be beside the type in the OpenAPI document, where it matches no number.
    .transform((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= min && value <= max, `expected a whole number from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });

/** `true` or `false` in a query. */
export const flag = () =>
  z
    .string()
    // No `enum`: its texts would be beside the type in the OpenAPI document, where they are no booleans.
    .refine((word) => word === 'true' || word === 'false', 'expected one of true, false')
    .transform((word) => word === 'true')
    .meta({ type: 'boolean' });

/**
 * Omitted in the OpenAPI document: a second name of a field, accepted and returned, as a field has one name there; and
 * a field that is refused with its own message.
 */
export const alias = <S extends z.ZodType>(schema: S) => schema.meta({ isAlias: true });
export const isAlias = (schema: z.ZodType): boolean => schema.meta()?.isAlias === true;

/* States requirements of schema checks in the OpenAPI document, from which readers generate requests. */

const needs = (...names: readonly string[]) => ({ required: names });
/** A choice beside fields. Within `allOf`, as generators of clients mistake a choice beside fields for another type. */
export const oneShapeOf = (...shapes: readonly object[]) => ({ allOf: [{ anyOf: [...shapes] }] });
export const atLeastOneOf = (...names: readonly string[]) => oneShapeOf(...names.map((name) => needs(name)));
export const exactlyOneOf = (...names: readonly string[]) => ({ allOf: [{ oneOf: names.map((name) => needs(name)) }] });
/** The one excludes all others. */
export const notWith = (one: string, ...others: readonly string[]) => ({
  allOf: others.map((other) => ({ not: needs(one, other) })),
});
/** One of these fields has this shape. */
export const fieldsOf = (shape: object, ...names: readonly string[]) =>
  names.map((name) => ({ ...needs(name), properties: { [name]: shape } }));
export const FILLED_LIST = { type: 'array', minItems: 1 } as const;
/** Not blank. */
export const FILLED_TEXT = { type: 'string', pattern: '\\S' } as const;

export const listPattern = (item: string): string => `^\\s*${item}\\s*(?:,\\s*${item}\\s*)*$`;
/** Words with commas between them. */
const WORDS_PATTERN = '^\\s*[^\\s,][^,]*(?:,\\s*[^\\s,][^,]*)*$';
export const choicesPattern = (values: readonly string[]): string => listPattern(`(?:${values.join('|')})`);

/** Digits of the whole numbers from `least` to `most`, with zeros before them up to `length` characters. */
export const digitsPattern = (least: 0 | 1, most: number, length = String(most).length): string => {
  const digits = String(most);
  const rest = (count: number): string => (count === 0 ? '' : `\\d{${count}}`);
  const below = [...digits].flatMap((digit, i) => {
    const from = i === 0 && digits.length > 1 ? 1 : i === 0 ? least : 0;
    const to = Number(digit) - 1;
    return to < from ? [] : [`${digits.slice(0, i)}[${from}-${to}]${rest(digits.length - i - 1)}`];
  });
  const shorter =
    digits.length === 1 ? [] : [`${least === 0 ? '' : '[1-9]'}\\d{${1 - least},${digits.length - 1 - least}}`];
  return `0{0,${length - digits.length}}(?:${[...shorter, ...below, digits].join('|')})`;
};

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
export const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
const GROUP = '[\\dA-Fa-f]{1,4}';
export const IPV6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  ...[1, 2, 3, 4, 5, 6].map((most) => `(?:${GROUP}:){1,${7 - most}}(?::${GROUP}){1,${most}}`),
  `(?:${GROUP}:){1,7}:`,
  `:(?::${GROUP}){1,7}`,
  '::',
  `::(?:[Ff]{4}:)?${IPV4}`,
].join('|');
const ADDRESS = `(?:${IPV4}|${IPV6})`;
/** An IPv4 or IPv6 address, and with the blanks around it. */
export const BARE_ADDRESS_PATTERN = `^${ADDRESS}$`;
export const ADDRESS_PATTERN = `^\\s*${ADDRESS}\\s*$`;

/** Problems of a list are named one by one, so that a longer one is refused as a whole. */
const MAX_CHOICES = 50;
const MAX_WORDS = 1_000;
const parts = (most: number) =>
  z
    .string()
    .refine((text) => text.split(',', most + 1).length <= most, `expected at most ${most} values`)
    .transform((text) => text.split(',').map((word) => word.trim()));

/** One or more of `values`, separated by commas, in a query. */
export const commaList = <const T extends readonly [string, ...string[]]>(values: T) =>
  parts(MAX_CHOICES)
    .pipe(z.array(z.enum(values)).min(1))
    .meta({
      type: 'string',
      pattern: choicesPattern(values),
      description: `Comma-separated list of ${values.join(', ')}`,
    });

/** Free words, separated by commas, in a query. */
export const commaWords = (description = 'Comma-separated list') =>
  parts(MAX_WORDS)
    .refine((words) => !words.includes(''), 'must not contain empty values')
    .meta({ type: 'string', pattern: WORDS_PATTERN, description });

/** The search text of a list. No stored text has a NUL, and an index may read it as the end of the text. */
export const searchText = () =>
  z
    .string()
    .min(1)
    .max(255)
    .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
    .meta({ pattern: '^[^\\u0000]*$' });

export const sortOrder = z.enum(['asc', 'desc']);

/** The answer of a delete and the like: bare on /v1, wrapped on /api. */
export const Message = z.object({ message: z.string() }).meta({ id: 'Message' });
