import type { Assignee } from '#console/api/assignees.ts';

/** `Ada`, `the team Network`, `nobody`. */
const assigneeName = (to: Assignee): string =>
  to === null ? 'nobody' : 'user' in to ? to.user.name : `the team ${to.team.name}`;

/** `Ada has it now`, `The team Network has 3 groups now`. */
export const assignedWords = (to: Assignee, what: string | null): string => {
  const name = assigneeName(to);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} has ${what ?? 'it'} now`;
};
