import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { ASSIGNEE_VALUES, type Filter, renaming } from '#console/data/filters.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import * as shared from '#console/text/texts.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import * as text from './texts.ts';

export const GROUP_STATES = ['active', 'acknowledged', 'resolved'] as const;
export type GroupFilterState = (typeof GROUP_STATES)[number];

export const GROUP_FILTERS: readonly Filter[] = [
  {
    name: 'severity',
    words: text.severity,
    isMany: true,
    values: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
  },
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
  {
    name: 'growing',
    words: text.growing,
    values: [
      { value: 'true', words: text.yes },
      { value: 'false', words: text.no },
    ],
    isOfLinks: true,
  },
  {
    name: 'hasOpen',
    words: text.openEvents,
    values: [
      { value: 'true', words: text.yes },
      { value: 'false', words: text.no },
    ],
    isOfLinks: true,
  },
  { name: 'ci', words: text.ci, isOfLinks: true },
  {
    name: 'timeRange',
    words: text.time,
    isTime: true,
    values: [
      { value: '1h', words: text.lastHour },
      { value: '6h', words: shared.last6Hours },
      { value: '24h', words: shared.last24Hours },
      { value: '3d', words: shared.last3Days },
      { value: '7d', words: shared.last7Days },
    ],
  },
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
