import type { ColumnChoice } from '#console/data/views/columns.ts';

/** Fields of a row of the feed beside its title. */
export const GROUP_PARTS = [
  { id: 'reach', title: 'How sure, and how far it reaches' },
  { id: 'hit', title: 'Services hit' },
  { id: 'who', title: 'Who has it' },
  { id: 'size', title: 'Number of events' },
  { id: 'age', title: 'Since when' },
  { id: 'spark', title: 'Arrivals over time' },
  { id: 'sources', title: 'Sources', isExtra: true },
  { id: 'verdict', title: 'Verdict', isExtra: true },
] as const satisfies readonly ColumnChoice[];

export type GroupPart = (typeof GROUP_PARTS)[number]['id'];
