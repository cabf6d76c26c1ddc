import type { EventDraft } from './draft.ts';
import { isPlaceholder } from './placeholder.ts';

/** Fields that name something: where a sender writes a placeholder there, it names nothing. */
const NAMES = ['hostname', 'ipAddress', 'service', 'application', 'environment', 'ciId', 'category'] as const;

const isSaid = (name: string): boolean => !isPlaceholder(name);

/** The draft without names that are none; the same one when all are. */
export const withoutPlaceholders = (draft: EventDraft): EventDraft => {
  let said: { -readonly [K in keyof EventDraft]: EventDraft[K] } | null = null;
  for (const field of NAMES) {
    const name = draft[field];
    if (name === undefined || isSaid(name)) continue;
    said ??= { ...draft };
    delete said[field];
  }
  if (draft.ciHints === undefined || draft.ciHints.every(isSaid)) return said ?? draft;
  return { ...(said ?? draft), ciHints: draft.ciHints.filter(isSaid) };
};
