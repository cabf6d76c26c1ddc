import type { Types } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS, typeWords } from '#console/cis/ci-words.ts';
import { askedOf, type Filter } from '#console/data/filters.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import { number } from '#console/text/counts.ts';
import { pairPart } from '#domain/text.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import * as text from './texts.ts';

const STATUS: Filter = {
  name: 'status',
  words: text.statusWord,
  isMany: true,
  values: CI_STATUSES.map((value) => ({ value, words: CI_STATUS_WORDS[value] })),
};
const UNSEEN: Filter = {
  name: 'not_seen_for',
  words: text.notSeenFor,
  values: [
    { value: '7d', words: text.days7 },
    { value: '30d', words: text.days30 },
    { value: '90d', words: text.days90 },
  ],
};
/** Only in addresses that were made for the interface. */
const OF_LINKS: readonly Filter[] = [
  { name: 'address', words: text.ipAddress, isOfLinks: true },
  { name: 'external_key', words: text.externalKey, isOfLinks: true },
];
/** Stored as attributes; the address has them by their own names. */
const ATTRIBUTES = ['environment', 'site'] as const;

export const ciFilters = (types: Types | undefined): readonly Filter[] => [
  {
    name: 'type',
    words: text.typeWord,
    isMany: true,
    values: (types?.ci_types ?? [])
      .filter(({ count }) => count > 0)
      .map(({ type, count }) => ({ value: type, words: `${typeWords(type)} (${number(count)})` })),
  },
  STATUS,
  ...ATTRIBUTES.map((name) => ({ name, words: name })),
  UNSEEN,
  ...OF_LINKS,
];

/** The page's own in the address. */
export const CI_KNOWN = ['sort', 'order'] as const;

/** `attribute=environment:prod` of the interface by the names of the page; other attributes stay as they are, unknown to it. */
export const readCiAddress = ({ attribute, ...query }: AddressSearch): AddressSearch => {
  if (attribute === undefined) return query;
  const pairs = attribute.split(',').map((pair) => pair.split(':') as [string, ...string[]]);
  const isPlain = pairs.every(([name, ...values]) => values.length === 1 && ATTRIBUTES.some((one) => one === name));
  return isPlain && !attribute.includes('\\') ? { ...Object.fromEntries(pairs), ...query } : { attribute, ...query };
};

/** Parameters of the request. */
export const askedCis = (query: AddressSearch): Record<string, string> => {
  const asked = askedOf([{ name: 'type', words: '' }, STATUS, UNSEEN, ...OF_LINKS], query, ['search']);
  const pairs = ATTRIBUTES.flatMap((name) => {
    const value = query[name];
    return value ? [`${name}:${pairPart(value)}`] : [];
  });
  return pairs.length === 0 ? asked : { ...asked, attribute: pairs.join(',') };
};

/** Returns the same for a request body; null without any condition. */
export const selectedCis = (query: AddressSearch) => {
  const { attribute: _, type, status, ...rest } = askedCis(query);
  const bag = Object.fromEntries(ATTRIBUTES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const selection = {
    ...rest,
    ...(type && { type: type.split(',') }),
    ...(status && { status: status.split(',') as (typeof CI_STATUSES)[number][] }),
    ...(Object.keys(bag).length > 0 && { attributes: bag as Record<string, string> }),
  };
  return Object.keys(selection).length === 0 ? null : selection;
};
