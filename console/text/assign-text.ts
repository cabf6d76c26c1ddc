import type { Assignee } from '#console/api/assignees.ts';
import { inSentence } from './counts.ts';

/** `Assigned to Ada`, `3 groups assigned to Network`, `3 groups unassigned`; null: only one, which needs no name. */
export const assignedWords = (to: Assignee, what: string | null): string => {
  const text = to === null ? 'Unassigned' : `Assigned to ${'user' in to ? to.user.name : to.team.name}`;
  return what === null ? text : `${what} ${inSentence(text)}`;
};
