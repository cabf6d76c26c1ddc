/** Values by which lists select a CI beyond its name: plain attributes and custom fields, and texts for searches. */
import type { Lookup } from './lookup.ts';
import type { Ci } from './topology.ts';

export type FieldBag = 'attributes' | 'customFields';
/** A field with one of its values, as text. */
export interface FieldValue {
  readonly bag: FieldBag;
  readonly name: string;
  readonly value: string;
}
type Bags = Pick<Ci, 'attributes' | 'customFields'>;

/** Longer texts are descriptions, by which no list selects. */
export const MAX_VALUE = 255;
/** Maximum per CI. */
const MAX_FIELDS = 200;

const MARKS: Readonly<Record<FieldBag, string>> = { attributes: 'a.', customFields: 'c.' };
/** The name of a field in an index. */
export const fieldKey = ({ bag, name }: Pick<FieldValue, 'bag' | 'name'>): string => MARKS[bag] + name;

/** The opposite of `fieldKey`. */
export const fieldOfKey = (key: string): Pick<FieldValue, 'bag' | 'name'> => ({
  bag: key.startsWith(MARKS.attributes) ? 'attributes' : 'customFields',
  name: key.slice(MARKS.attributes.length),
});

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Returns the scalar items of a list; ignores structures. */
const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value])
    .filter(isPlain)
    .map(String)
    .filter((text) => text !== '' && text.length <= MAX_VALUE);

/** Field and value, both as texts, without repeats; the first `MAX_FIELDS` in their order. */
export function fieldsOf(ci: Bags): (readonly [field: string, value: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const bag of ['attributes', 'customFields'] as const)
    for (const [name, value] of Object.entries(ci[bag])) {
      const field = fieldKey({ bag, name });
      for (const text of new Set(textsOf(value))) found.push([field, text]);
    }
  if (found.length <= MAX_FIELDS) return found;
  const keyOf = ([field, value]: (typeof found)[number]): string => `${field}\0${value}`;
  return found.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).slice(0, MAX_FIELDS);
}

const OWNERS = ['owner', 'team'] as const;
/** Owners or teams of a CI by its custom fields, then its attributes, with commas between; null: unknown. */
export const ownerOf = ({ attributes, customFields }: Bags): string | null =>
  OWNERS.flatMap((name) => [textsOf(customFields[name]), textsOf(attributes[name])])
    .find(({ length }) => length > 0)
    ?.join(', ') ?? null;

/** No query contains it by accident, so no match spans two texts. Not NUL, at which SQLite ends a text that it searches. */
const BETWEEN = '\u0001';

/** Names and addresses for searches, in lower case. */
export function foundTexts(ci: Pick<Ci, 'formerly'>, { externalKey, hostname, fqdn, addresses }: Lookup): string {
  const texts = [externalKey, hostname, fqdn, ...addresses, ...(ci.formerly ?? [])];
  return texts
    .filter((text) => text !== null)
    .join(BETWEEN)
    .toLowerCase();
}
