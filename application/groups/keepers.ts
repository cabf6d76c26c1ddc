import type { GroupCare } from '#domain/correlation/grouping/group-state.ts';
import type { Assignment } from '#domain/event/incoming.ts';

/* The assignee of a group. */

type Keepers = Pick<GroupCare, 'assignedTo' | 'assignedTeam'>;

export const keptBy = ({ assignedTo, assignedTeam }: GroupCare): Keepers => ({
  ...(assignedTo && { assignedTo }),
  ...(assignedTeam && { assignedTeam }),
});

/** A field that the assignment leaves out stays. */
export const givenTo =
  (assignment: Assignment) =>
  ({ assignedTo, assignedTeam, ...rest }: GroupCare): GroupCare => {
    const user = assignment.assignedTo === undefined ? assignedTo : assignment.assignedTo.user;
    const team = assignment.assignedTeam === undefined ? assignedTeam : assignment.assignedTeam.team;
    return { ...rest, ...(user && { assignedTo: user }), ...(team && { assignedTeam: team }) };
  };

/** For the history of the group. */
export const keptText = ({ assignedTo, assignedTeam }: GroupCare): string => {
  const names = [assignedTo?.name, assignedTeam?.name].filter((name) => name !== undefined);
  return names.length === 0 ? 'assigned to nobody' : `assigned to ${names.join(', ')}`;
};
