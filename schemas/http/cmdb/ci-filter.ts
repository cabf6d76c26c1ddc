import { z } from 'zod';
import { lastItem } from '#domain/assert.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { type FieldBag, type FieldValue, MAX_VALUE } from '#domain/topology/fields.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { ADDRESS_PATTERN, commaList, commaWords, digitsPattern, flag, searchText } from '#schemas/http/common.ts';
import { Time } from '#schemas/http/time.ts';

/** Conditions by which lists, exports and bulk changes select CIs; all that are given must hold. */

const MAX_PAIRS = 10;
const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Ten years. */
const LONGEST_MS = 3_653 * UNIT_MS.d;

/** `name:value` pairs, separated by commas; a backslash escapes the next character. Null when one has no colon. */
export function pairsOf(text: string): (readonly [name: string, value: string])[] | null {
  const pairs: [string, string | null][] = [['', null]];
  for (let i = 0; i < text.length; i++) {
    const pair = lastItem(pairs);
    const isEscaped = text[i] === '\\' && i + 1 < text.length;
    const character = isEscaped ? text.charAt(++i) : text.charAt(i);
    if (!isEscaped && character === ',') pairs.push(['', null]);
    else if (!isEscaped && character === ':' && pair[1] === null) pair[1] = '';
    else if (pair[1] === null) pair[0] += character;
    else pair[1] += character;
  }
  const found = pairs.map(([name, value]) => [name.trim(), value?.trim() ?? ''] as const);
  return found.every(([name, value]) => name !== '' && value !== '') ? found : null;
}

/** The same for readers of the document. */
const PAIR = '\\s*(?:[^\\s,:\\\\]|\\\\\\S)(?:[^,:\\\\]|\\\\.)*:\\s*(?:[^\\s,\\\\]|\\\\\\S)(?:[^,\\\\]|\\\\.)*';
export const pairsPattern = (most: number): string => `^${PAIR}(?:,${PAIR}){0,${most - 1}}$`;

const pairs = (what: string) =>
  z
    .string()
    .max(4_096)
    .transform((text, ctx) => {
      const found = pairsOf(text);
      if (found !== null && found.length <= MAX_PAIRS) return found;
      ctx.addIssue({ code: 'custom', message: `expected name:value, up to ${MAX_PAIRS} separated by commas` });
      return z.NEVER;
    })
    .meta({
      type: 'string',
      pattern: pairsPattern(MAX_PAIRS),
      description: `${what} equals value, as name:value. Comma-separated pairs are combined with AND. Escape commas and colons with a backslash`,
    });

/** Examples for readers of the document. */
const ages = Object.entries(UNIT_MS).map(([unit, ms]) => `${digitsPattern(1, Math.floor(LONGEST_MS / ms), 5)}${unit}`);
const age = z
  .string()
  .transform((text, ctx) => {
    const match = /^(\d{1,5})([hdw])$/.exec(text.trim());
    const ms = match === null ? 0 : Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
    if (ms > 0 && ms <= LONGEST_MS) return ms;
    ctx.addIssue({ code: 'custom', message: 'expected a number and a unit h, d or w, for example 30d' });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    pattern: `^\\s*(?:${ages.join('|')})\\s*$`,
    description: 'Last seen longer ago than this: a number and h, d or w',
  });

const address = z
  .string()
  .max(64)
  .refine((text) => canonicalAddress(text) !== null, 'expected an IPv4 or IPv6 address')
  .meta({ pattern: ADDRESS_PATTERN });

/** Fields of a query. */
export const ciFilterFields = {
  type: commaWords().optional(),
  status: commaList(CI_STATUSES).optional(),
  search: searchText().optional().meta({ description: 'Part of name, description, hostname, address or external key' }),
  external_key: z.string().min(1).max(255).optional().meta({ description: 'Case-insensitive' }),
  attribute: pairs('Attribute').optional(),
  custom_field: pairs('Custom field').optional(),
  address: address.optional().meta({ description: 'IP address of the CI, in any notation' }),
  last_seen_from: Time.optional(),
  last_seen_to: Time.optional(),
  not_seen_for: age.optional(),
  never_seen: flag().optional().meta({ description: 'true: never seen by discovery or import' }),
};
const CiQuery = z.strictObject(ciFilterFields);
export type CiQuery = Omit<z.output<typeof CiQuery>, 'attribute' | 'custom_field'> & {
  readonly attribute?: readonly (readonly [string, string])[] | undefined;
  readonly custom_field?: readonly (readonly [string, string])[] | undefined;
};

const text = z.string().min(1).max(255);
const bagOf = z.record(text, z.union([z.string().min(1).max(MAX_VALUE), z.number(), z.boolean()]));
/** The same in a body. */
export const CiSelection = z
  .strictObject({
    type: z.array(text).min(1).max(100).optional(),
    status: z.array(z.enum(CI_STATUSES)).min(1).optional(),
    search: searchText().optional(),
    external_key: text.optional(),
    attributes: bagOf.optional(),
    custom_fields: bagOf.optional(),
    address: address.optional(),
    last_seen_from: Time.optional(),
    last_seen_to: Time.optional(),
    not_seen_for: age.optional(),
    never_seen: z.boolean().optional(),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), 'expected at least one condition')
  .refine(
    ({ attributes = {}, custom_fields = {} }) =>
      Object.keys(attributes).length + Object.keys(custom_fields).length <= 2 * MAX_PAIRS,
    `expected at most ${2 * MAX_PAIRS} fields`,
  )
  .meta({ id: 'CiSelection', minProperties: 1 });

const fieldsOf = (bag: FieldBag, found: readonly (readonly [string, string])[] = []): FieldValue[] =>
  found.map(([name, value]) => ({ bag, name, value }));

/** The earlier of both ends counts. `now` in ms. */
const seenBefore = ({ last_seen_to: to, not_seen_for: quiet }: CiQuery, now: number): number | undefined => {
  const ends = [...(to === undefined ? [] : [to + 1]), ...(quiet === undefined ? [] : [now - quiet])];
  return ends.length === 0 ? undefined : Math.min(...ends);
};

export const ciFilterOf = (query: CiQuery, now: number): CiFilter => {
  const fields = [...fieldsOf('attributes', query.attribute), ...fieldsOf('customFields', query.custom_field)];
  const before = seenBefore(query, now);
  return {
    ...(query.type && { types: query.type }),
    ...(query.status && { statuses: query.status }),
    ...(query.search !== undefined && { search: query.search }),
    ...(query.external_key !== undefined && { externalKey: query.external_key }),
    ...(query.address !== undefined && { ip: query.address }),
    ...(fields.length > 0 && { fields }),
    ...(query.last_seen_from !== undefined && { seenFrom: query.last_seen_from }),
    ...(before !== undefined && { seenBefore: before }),
    ...(query.never_seen === true && { neverSeen: true }),
  };
};

const asTexts = (bag: z.output<typeof bagOf> = {}): (readonly [string, string])[] =>
  Object.entries(bag).map(([name, value]) => [name, String(value)]);

export const ciFilterOfSelection = (
  { attributes, custom_fields, ...rest }: z.output<typeof CiSelection>,
  now: number,
): CiFilter => ciFilterOf({ ...rest, attribute: asTexts(attributes), custom_field: asTexts(custom_fields) }, now);
