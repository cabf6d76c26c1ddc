import type { AssigneesData } from '#console/api/assignees.ts';
import * as text from './texts.ts';

interface Choice {
  readonly value: string;
  readonly words: string;
}
interface AssigneeChoice extends Choice {
  readonly note: string;
}

/** Returns the first ones (me, unassigned), then my teams, then all others by name. */
export const choicesOf = ({ users, teams }: AssigneesData, first: readonly Choice[]): readonly AssigneeChoice[] => {
  const team = ({ _id, name, mine }: AssigneesData['teams'][number]) => ({
    value: _id,
    words: name,
    note: mine ? text.myTeam : 'team',
  });
  return [
    ...first.map((value) => ({ ...value, note: '' })),
    ...teams.filter(({ mine }) => mine).map(team),
    ...users.map(({ _id, name, username }) => ({ value: _id, words: name, note: username })),
    ...teams.filter(({ mine }) => !mine).map(team),
  ];
};
