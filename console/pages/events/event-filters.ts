import { STATUS_WORDS } from '#console/components/status-text.ts';
import {
  ASSIGNEE_VALUES,
  type Filter,
  renaming,
  SORTING,
  severityFilter,
  timeFilter,
  yesNo,
} from '#console/data/filters.ts';
import { STATUSES } from '#domain/event/event.ts';
import * as text from './texts.ts';

export const EVENT_FILTERS: readonly Filter[] = [
  severityFilter(text.severityFilter),
  {
    name: 'status',
    words: text.statusFilter,
    isMany: true,
    values: STATUSES.map((value) => ({ value, words: STATUS_WORDS[value] })),
  },
  { name: 'source', words: text.sourceFilter, isMany: true },
  { name: 'host', words: text.host, isMany: true, example: text.hostExample },
  { name: 'businessService', words: text.businessService, values: [], isMany: true, isService: true },
  { name: 'service', words: text.serviceFilter, isMany: true },
  { name: 'environment', words: text.environmentFilter, isMany: true },
  { name: 'tag', words: text.tag, isMany: true },
  { name: 'assignee', words: text.assigneeFilter, values: ASSIGNEE_VALUES, isAssignee: true },
  { name: 'bound', words: text.ci, values: yesNo('known', text.noCiBound) },
  { name: 'grouped', words: text.groupFilter, values: yesNo(text.grouped, text.ungrouped) },
  { name: 'usual', words: text.recurring, values: yesNo(text.recurring, text.notRecurring) },
  timeFilter(text.time, text.lastHour),
  { name: 'ciId', words: text.on, isOfLinks: true },
  { name: 'correlationId', words: text.inGroup, isOfLinks: true },
  { name: 'ids', words: text.event, isMany: true, isOfLinks: true },
];

/** The page's own in the address. */
export const EVENT_KNOWN = ['event', 'sort', 'order', 'view', 'columns'] as const;

export const readEventAddress = renaming(SORTING);

/** Parameters of the page beside the filters of the bar. */
export const EVENT_ALSO = ['search'] as const;
