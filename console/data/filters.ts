/** A filter that a list can have; its value stands in the address under `name`. */
export interface Filter {
  readonly name: string;
  /** As a chip says it: `severity`. */
  readonly words: string;
  /** What it can be; without them any text. */
  readonly values?: readonly FilterValue[];
  /** Several values at once, separated by commas. */
  readonly isMany?: boolean;
}

interface FilterValue {
  readonly value: string;
  readonly words: string;
}

interface Chip {
  readonly name: string;
  readonly words: string;
  readonly value: string;
}

type Search = Readonly<Record<string, string>>;

const wordsOf = ({ values = [] }: Filter, value: string): string =>
  values.find((known) => known.value === value)?.words ?? value;

/** The filters that are set, in the order in which they are known: one chip each. */
export const chipsOf = (filters: readonly Filter[], query: Search): Chip[] =>
  filters.flatMap((filter) => {
    const value = query[filter.name];
    if (value === undefined || value === '') return [];
    const said = (filter.isMany ? value.split(',') : [value]).map((one) => wordsOf(filter, one));
    return [{ name: filter.name, words: filter.words, value: said.join(' or ') }];
  });

/** The part of the address that the server is asked with. */
export const askedOf = (
  filters: readonly Filter[],
  query: Search,
  also: readonly string[] = [],
): Record<string, string> => {
  const names = new Set([...filters.map(({ name }) => name), ...also]);
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => names.has(name) && value !== ''));
};

/** With `value` added or taken away; null when none is left. */
export const switched = (before: string | undefined, value: string): string | null => {
  const values = new Set((before ?? '').split(',').filter((one) => one !== ''));
  if (!values.delete(value)) values.add(value);
  return values.size === 0 ? null : [...values].join(',');
};

/** Takes all filters away. */
export const clearing = (filters: readonly Filter[], also: readonly string[] = []): Record<string, null> =>
  Object.fromEntries([...filters.map(({ name }) => name), ...also].map((name) => [name, null]));
