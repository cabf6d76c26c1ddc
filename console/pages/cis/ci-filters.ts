import type { Types } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS, typeWords } from '#console/cis/ci-words.ts';
import { askedOf, type Filter } from '#console/data/filters.ts';
import { number } from '#console/words/counts.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';

type Search = Readonly<Record<string, string>>;

const STATUS: Filter = {
  name: 'status',
  words: 'state',
  isMany: true,
  values: CI_STATUSES.map((value) => ({ value, words: CI_STATUS_WORDS[value] })),
};
const UNSEEN: Filter = {
  name: 'not_seen_for',
  words: 'not seen for',
  values: [
    { value: '7d', words: 'a week' },
    { value: '30d', words: '30 days' },
    { value: '90d', words: '90 days' },
  ],
};
/** Only in addresses that were made for the interface. */
const OF_LINKS: readonly Filter[] = [
  { name: 'address', words: 'IP address', isOfLinks: true },
  { name: 'external_key', words: 'external key', isOfLinks: true },
];
/** Kept as attributes; the address has them by their own names. */
const ATTRIBUTES = ['environment', 'site'] as const;

export const ciFilters = (types: Types | undefined): readonly Filter[] => [
  {
    name: 'type',
    words: 'type',
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
export const readCiAddress = ({ attribute, ...query }: Search): Search => {
  if (attribute === undefined) return query;
  const pairs = attribute.split(',').map((pair) => pair.split(':') as [string, ...string[]]);
  const isPlain = pairs.every(([name, ...values]) => values.length === 1 && ATTRIBUTES.some((one) => one === name));
  return isPlain && !attribute.includes('\\') ? { ...Object.fromEntries(pairs), ...query } : { attribute, ...query };
};

/** `name:value` of a query takes a comma or colon as it stands behind a backslash. */
const escaped = (text: string): string => text.replaceAll(/[\\,:]/g, (character) => `\\${character}`);

/** Parameters of the request. */
export const askedCis = (query: Search): Record<string, string> => {
  const asked = askedOf([{ name: 'type', words: '' }, STATUS, UNSEEN, ...OF_LINKS], query, ['search']);
  const pairs = ATTRIBUTES.flatMap((name) => {
    const value = query[name];
    return value ? [`${name}:${escaped(value)}`] : [];
  });
  return pairs.length === 0 ? asked : { ...asked, attribute: pairs.join(',') };
};

/** The same as a body says it; null without any condition. */
export const selectedCis = (query: Search) => {
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
