import { ASSIGNEE_VALUES, type Filter, renaming, SORTING } from '#console/data/filters.ts';
import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import { STATUS_WORDS } from '#console/facts/status-words.ts';
import { SEVERITIES, STATUSES } from '#domain/event/event.ts';

const yesNo = (yes: string, no: string) => [
  { value: 'true', words: yes },
  { value: 'false', words: no },
];

export const EVENT_FILTERS: readonly Filter[] = [
  {
    name: 'severity',
    words: 'severity',
    isMany: true,
    values: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
  },
  {
    name: 'status',
    words: 'status',
    isMany: true,
    values: STATUSES.map((value) => ({ value, words: STATUS_WORDS[value] })),
  },
  { name: 'source', words: 'source', isMany: true },
  { name: 'host', words: 'host', isMany: true },
  { name: 'service', words: 'service', isMany: true },
  { name: 'environment', words: 'environment', isMany: true },
  { name: 'tag', words: 'tag', isMany: true },
  { name: 'assignee', words: 'who has it', values: ASSIGNEE_VALUES, isAssignee: true },
  { name: 'bound', words: 'CI', values: yesNo('known', 'not known') },
  { name: 'grouped', words: 'group', values: yesNo('in a group', 'in no group') },
  { name: 'usual', words: 'usual', values: yesNo('seen most of the time', 'not usual') },
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
  { name: 'ciId', words: 'on', isOfLinks: true },
  { name: 'correlationId', words: 'of the group', isOfLinks: true },
  { name: 'ids', words: 'event', isMany: true, isOfLinks: true },
];

/** The page's own in the address. */
export const EVENT_KNOWN = ['event', 'sort', 'order', 'view', 'columns'] as const;

export const readEventAddress = renaming(SORTING);

/** Parameters of the page beside the filters of the bar. */
export const EVENT_ALSO = ['search'] as const;
