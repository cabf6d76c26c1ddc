import { ASSIGNEE_VALUES, type Filter, renaming, severityFilter, timeFilter, yesNo } from '#console/data/filters.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
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

const OWN = ['view', 'columns', 'hints'] as const;
/** The page's own in the address; a state that it cannot show is none of them. */
export const knownOf = ({ state }: AddressSearch): readonly string[] =>
  state === undefined || isState(state) ? ['state', ...OWN] : OWN;

const renamed = renaming({ status: 'state' });
export const readGroupAddress = (query: AddressSearch): AddressSearch =>
  isState(query.status) ? renamed(query) : query;
