import { ASSIGNEE_VALUES, type Filter, renaming, severityFilter, timeFilter, yesNo } from '#console/data/filters.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import type { GroupRowSort } from '#domain/ports/events/group-rows.ts';
import * as text from './texts.ts';

export const GROUP_STATES = ['active', 'acknowledged', 'resolved'] as const;
export type GroupFilterState = (typeof GROUP_STATES)[number];

export const GROUP_FILTERS: readonly Filter[] = [
  severityFilter(text.severity),
  { name: 'assignee', words: text.assigneeFilter, values: ASSIGNEE_VALUES, isAssignee: true },
  { name: 'service', words: text.service },
  { name: 'host', words: text.host },
  { name: 'source', words: text.source },
  {
    name: 'verdict',
    words: text.verdictFilter,
    values: [
      { value: 'none', words: text.noVerdictFilter },
      { value: 'right', words: text.rootCauseCorrect },
      { value: 'wrong', words: text.rootCauseWrong },
    ],
  },
  { name: 'growing', words: text.growing, values: yesNo(text.yes, text.no), isOfLinks: true },
  { name: 'hasOpen', words: text.openEvents, values: yesNo(text.yes, text.no), isOfLinks: true },
  { name: 'ci', words: text.ci, isOfLinks: true },
  timeFilter(text.time, text.lastHour),
];

const isState = (word: string | undefined): word is GroupFilterState => GROUP_STATES.some((state) => state === word);

export const stateOf = ({ state }: AddressSearch): GroupFilterState => (isState(state) ? state : 'active');

/** Orders of the list, each with the largest first. */
export const GROUP_ORDERS = [
  { value: 'urgency', label: text.mostUrgent },
  { value: 'last', label: text.latestEvent },
  { value: 'first', label: text.newest },
  { value: 'size', label: text.mostEvents },
] as const satisfies readonly { readonly value: GroupRowSort; readonly label: string }[];

const isOrder = (word: string | undefined): boolean => GROUP_ORDERS.some(({ value }) => value === word);

export const orderOf = ({ sort }: AddressSearch): string => (sort !== undefined && isOrder(sort) ? sort : 'urgency');

const OWN = ['view', 'columns', 'hints'] as const;
/** The page's own in the address; a state or an order that it cannot show is none of them. */
export const knownOf = ({ state, sort }: AddressSearch): readonly string[] => [
  ...OWN,
  ...(state === undefined || isState(state) ? ['state'] : []),
  ...(sort === undefined || isOrder(sort) ? ['sort'] : []),
];

const byState = renaming({ status: 'state' });
const byOrder = renaming({ sortBy: 'sort' });
export const readGroupAddress = (query: AddressSearch): AddressSearch => {
  const named = isState(query.status) ? byState(query) : query;
  return isOrder(named.sortBy) ? byOrder(named) : named;
};
