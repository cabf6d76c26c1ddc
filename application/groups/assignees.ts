import type { GroupAssignment } from '#domain/correlation/grouping/group-state.ts';
import { assigneeName } from '#domain/event/event-words.ts';
import type { Assignment } from '#domain/event/incoming.ts';

/* The assignee of a group. */

type GroupAssignees = Pick<GroupAssignment, 'assignedTo' | 'assignedTeam'>;

export const assigneesOf = ({ assignedTo, assignedTeam }: GroupAssignment): GroupAssignees => ({
  ...(assignedTo && { assignedTo }),
  ...(assignedTeam && { assignedTeam }),
});

/** A field that the assignment leaves out stays. */
export const givenTo =
  (assignment: Assignment) =>
  ({ assignedTo, assignedTeam, ...rest }: GroupAssignment): GroupAssignment => {
    const user = assignment.assignedTo === undefined ? assignedTo : assignment.assignedTo.user;
    const team = assignment.assignedTeam === undefined ? assignedTeam : assignment.assignedTeam.team;
    return { ...rest, ...(user && { assignedTo: user }), ...(team && { assignedTeam: team }) };
  };

/** Returns the assignees for the history of the group. */
export const assigneesText = (care: GroupAssignment): string => {
  const name = assigneeName(care);
  return name === null ? 'unassigned' : `assigned to ${name}`;
};
