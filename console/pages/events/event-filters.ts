import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { STATUS_WORDS } from '#console/components/status-text.ts';
import { ASSIGNEE_VALUES, type Filter, renaming, SORTING } from '#console/data/filters.ts';
import * as shared from '#console/text/texts.ts';
import { SEVERITIES, STATUSES } from '#domain/event/event.ts';
import * as text from './texts.ts';

const yesNo = (yes: string, no: string) => [
  { value: 'true', words: yes },
  { value: 'false', words: no },
];

export const EVENT_FILTERS: readonly Filter[] = [
  {
    name: 'severity',
    words: text.severityFilter,
    isMany: true,
    values: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
  },
  {
    name: 'status',
    words: text.statusFilter,
    isMany: true,
    values: STATUSES.map((value) => ({ value, words: STATUS_WORDS[value] })),
  },
  { name: 'source', words: text.sourceFilter, isMany: true },
  { name: 'host', words: text.host, isMany: true },
  { name: 'service', words: text.serviceFilter, isMany: true },
  { name: 'environment', words: text.environmentFilter, isMany: true },
  { name: 'tag', words: text.tag, isMany: true },
  { name: 'assignee', words: text.assigneeFilter, values: ASSIGNEE_VALUES, isAssignee: true },
  { name: 'bound', words: text.ci, values: yesNo('known', text.noCiBound) },
  { name: 'grouped', words: text.groupFilter, values: yesNo(text.grouped, text.ungrouped) },
  { name: 'usual', words: text.recurring, values: yesNo(text.recurring, text.notRecurring) },
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
  { name: 'ciId', words: text.on, isOfLinks: true },
  { name: 'correlationId', words: text.inGroup, isOfLinks: true },
  { name: 'ids', words: text.event, isMany: true, isOfLinks: true },
];

/** The page's own in the address. */
export const EVENT_KNOWN = ['event', 'sort', 'order', 'view', 'columns'] as const;

export const readEventAddress = renaming(SORTING);

/** Parameters of the page beside the filters of the bar. */
export const EVENT_ALSO = ['search'] as const;
