import type { ColumnChoice } from '#console/data/views/columns.ts';
import * as text from './texts.ts';

/** Fields of a row of the feed beside its title. */
export const GROUP_PARTS = [
  { id: 'reach', title: text.confidenceAndImpact },
  { id: 'hit', title: text.affectedServices },
  { id: 'who', title: text.assignee },
  { id: 'size', title: text.eventCount },
  { id: 'age', title: text.age },
  { id: 'spark', title: text.eventsOverTime, isExtra: true },
  { id: 'sources', title: text.sources, isExtra: true },
  { id: 'verdict', title: text.verdict, isExtra: true },
] as const satisfies readonly ColumnChoice[];

export type GroupPart = (typeof GROUP_PARTS)[number]['id'];
