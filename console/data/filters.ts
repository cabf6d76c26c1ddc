import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import * as shared from '#console/text/texts.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { parseTime } from '#domain/texts/time-text.ts';
import * as texts from './texts.ts';

/** A possible filter of a list; its value is in the address under `name`. */
export interface Filter {
  readonly name: string;
  /** Label of the chip: `severity`. */
  readonly words: string;
  /** Its values; without them any text. */
  readonly values?: readonly FilterValue[];
  /** Several values at once, separated by commas. */
  readonly isMany?: boolean;
  /** Placeholder of the field. */
  readonly example?: string;
  /** A range of time: one of `values` that ends now, or `from` and `to` of the address. */
  readonly isTime?: boolean;
  /** Its values are those, and the ids of users and teams. */
  readonly isAssignee?: boolean;
  /** Its values are business services, by name. */
  readonly isService?: boolean;
  /** Set by links only: it is shown and can be removed, and is not offered. */
  readonly isOfLinks?: boolean;
}

interface FilterValue {
  readonly value: string;
  readonly words: string;
}

export const ASSIGNEE_VALUES: readonly FilterValue[] = [
  { value: 'me', words: texts.meAndMyTeams },
  { value: 'none', words: texts.unassigned },
];

interface Chip {
  readonly name: string;
  readonly words: string;
  readonly value: string;
}

const RANGE = ['from', 'to'] as const;
/** The values of a filter in the address. */
const namesOf = ({ name, isTime }: Filter): readonly string[] => (isTime ? [name, ...RANGE] : [name]);
const has = (query: AddressSearch, name: string): boolean => query[name] !== undefined && query[name] !== '';

const isRange = (name: string): boolean => RANGE.some((one) => one === name);
const mayHaveTime = (filters: readonly Filter[]): boolean => filters.some(({ isTime }) => isTime);
/** A typed address may have an invalid time: it is left out, the others are epoch ms. */
const sound = (filters: readonly Filter[], query: AddressSearch): AddressSearch => {
  if (!mayHaveTime(filters)) return query;
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      if (!isRange(name)) return [[name, value]];
      const ms = parseTime(value);
      return ms === null ? [] : [[name, String(ms)]];
    }),
  );
};
export const isSet = (filter: Filter, query: AddressSearch): boolean => {
  const given = sound([filter], query);
  return namesOf(filter).some((name) => has(given, name));
};

const wordsOf = ({ values = [] }: Filter, value: string): string =>
  values.find((known) => known.value === value)?.words ?? value;

type Timestamp = (ms: number) => string;
const rangeWords = ({ from, to }: AddressSearch, when: Timestamp): string => {
  if (from === undefined) return texts.until(when(Number(to)));
  return to === undefined ? texts.since(when(Number(from))) : `${when(Number(from))} – ${when(Number(to))}`;
};

/** The filters that are set, in the order in which they are known: one chip each. */
export const chipsOf = (filters: readonly Filter[], query: AddressSearch, when: Timestamp = String): Chip[] =>
  filters.flatMap((filter) => {
    const { name, words } = filter;
    if (!isSet(filter, query)) return [];
    if (!has(query, name)) return [{ name, words, value: rangeWords(sound([filter], query), when) }];
    const value = query[name] as string;
    const said = (filter.isMany ? value.split(',') : [value]).map((one) => wordsOf(filter, one));
    return [{ name, words, value: said.join(' or ') }];
  });

/** Returns the user or team requested by id. */
export const assigneeAsked = (filters: readonly Filter[], query: AddressSearch): string | undefined => {
  const filter = filters.find(({ isAssignee }) => isAssignee);
  const asked = filter && query[filter.name];
  return asked && filter.values?.every(({ value }) => value !== asked) ? asked : undefined;
};

/** The part of the address that the server is asked with. */
export const askedOf = (
  filters: readonly Filter[],
  query: AddressSearch,
  also: readonly string[] = [],
): Record<string, string> => {
  const names = new Set([...filters.flatMap(namesOf), ...also]);
  return Object.fromEntries(
    Object.entries(sound(filters, query)).filter(([name, value]) => names.has(name) && value !== ''),
  );
};

/** Returns the list with `value` added or removed; null when none is left. */
export const switched = (before: string | undefined, value: string): string | null => {
  const values = new Set((before ?? '').split(',').filter((one) => one !== ''));
  if (!values.delete(value)) values.add(value);
  return values.size === 0 ? null : [...values].join(',');
};

/** Removes all filters. */
export const clearing = (filters: readonly Filter[], also: readonly string[] = []): Record<string, null> =>
  Object.fromEntries([...filters.flatMap(namesOf), ...also].map((name) => [name, null]));

/** Parts of the address that do not narrow the list: names that the page does not know, and times that are none. */
export const ignoredOf = (
  filters: readonly Filter[],
  query: AddressSearch,
  known: readonly string[],
): readonly { readonly name: string; readonly text: string }[] => {
  const names = new Set([...filters.flatMap(namesOf), ...known]);
  const kept = sound(filters, query);
  return Object.entries(query).flatMap(([name, value]) => {
    if (value === '') return [];
    if (!names.has(name)) return [{ name, text: texts.unknownFilter(name) }];
    return name in kept ? [] : [{ name, text: texts.notATime(name, value) }];
  });
};

/** The address by the names of the page, where it has those of the interface. */
export const renaming =
  (names: Readonly<Record<string, string>>) =>
  (query: AddressSearch): AddressSearch => {
    const renamed = Object.entries(query).filter(([name]) => names[name] !== undefined);
    if (renamed.length === 0) return query;
    const own = Object.entries(query).filter(([name]) => names[name] === undefined);
    return Object.fromEntries([...renamed.map(([name, value]) => [names[name], value]), ...own]);
  };

/** Order of a list, as the interface names it. */
export const SORTING = { sortBy: 'sort', sortOrder: 'order' } as const;

export const yesNo = (yes: string, no: string) => [
  { value: 'true', words: yes },
  { value: 'false', words: no },
];

export const severityFilter = (words: string): Filter => ({
  name: 'severity',
  words,
  isMany: true,
  values: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
});

export const timeFilter = (words: string, lastHour: string): Filter => ({
  name: 'timeRange',
  words,
  isTime: true,
  values: [
    { value: '1h', words: lastHour },
    { value: '6h', words: shared.last6Hours },
    { value: '24h', words: shared.last24Hours },
    { value: '3d', words: shared.last3Days },
    { value: '7d', words: shared.last7Days },
  ],
});
