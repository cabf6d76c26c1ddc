import { ASSIGNEE_VALUES, type Filter, renaming } from '#console/data/filters.ts';
import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import { SEVERITIES } from '#domain/event/event.ts';

type Search = Readonly<Record<string, string>>;

export const GROUP_STATES = ['active', 'acknowledged', 'resolved'] as const;
export type GroupFilterState = (typeof GROUP_STATES)[number];

export const GROUP_FILTERS: readonly Filter[] = [
  {
    name: 'severity',
    words: 'severity',
    isMany: true,
    values: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
  },
  { name: 'assignee', words: 'who has it', values: ASSIGNEE_VALUES, isAssignee: true },
  { name: 'service', words: 'service' },
  { name: 'host', words: 'host' },
  { name: 'source', words: 'source' },
  {
    name: 'verdict',
    words: 'verdict',
    values: [
      { value: 'none', words: 'none yet' },
      { value: 'right', words: 'cause was right' },
      { value: 'wrong', words: 'cause was wrong' },
    ],
  },
  {
    name: 'growing',
    words: 'growing',
    values: [
      { value: 'true', words: 'yes' },
      { value: 'false', words: 'no' },
    ],
    isOfLinks: true,
  },
  {
    name: 'hasOpen',
    words: 'open events',
    values: [
      { value: 'true', words: 'yes' },
      { value: 'false', words: 'no' },
    ],
    isOfLinks: true,
  },
  { name: 'ci', words: 'CI', isOfLinks: true },
  {
    name: 'timeRange',
    words: 'time',
    isTime: true,
    values: [
      { value: '1h', words: 'the last hour' },
      { value: '6h', words: 'the last 6 hours' },
      { value: '24h', words: 'the last day' },
      { value: '3d', words: 'the last 3 days' },
      { value: '7d', words: 'the last 7 days' },
    ],
  },
];

const isState = (word: string | undefined): word is GroupFilterState => GROUP_STATES.some((state) => state === word);

export const stateOf = ({ state }: Search): GroupFilterState => (isState(state) ? state : 'active');

const OWN = ['view', 'columns', 'hints'] as const;
/** The page's own in the address; a state that it cannot show is none of them. */
export const knownOf = ({ state }: Search): readonly string[] =>
  state === undefined || isState(state) ? ['state', ...OWN] : OWN;

const renamed = renaming({ status: 'state' });
export const readGroupAddress = (query: Search): Search => (isState(query.status) ? renamed(query) : query);
