import type { AssigneesShown } from '#console/api/assignees.ts';

interface Choice {
  readonly value: string;
  readonly words: string;
}
interface AssigneeChoice extends Choice {
  readonly note: string;
}

/** The first ones (me, nobody), then my teams, then all others by name. */
export const choicesOf = ({ users, teams }: AssigneesShown, first: readonly Choice[]): readonly AssigneeChoice[] => {
  const team = ({ _id, name, mine }: AssigneesShown['teams'][number]) => ({
    value: _id,
    words: name,
    note: mine ? 'my team' : 'team',
  });
  return [
    ...first.map((value) => ({ ...value, note: '' })),
    ...teams.filter(({ mine }) => mine).map(team),
    ...users.map(({ _id, name, username }) => ({ value: _id, words: name, note: username })),
    ...teams.filter(({ mine }) => !mine).map(team),
  ];
};
