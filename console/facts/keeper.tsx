import type { GroupRow } from '#console/api/groups.ts';
import { assigneeOf } from '#console/words/group-words.ts';
import classes from './facts.module.css';
import { When } from './when.tsx';

/** The acknowledgement of a group, and its assignee: two things, often of two people. */
export function Keeper({ group }: { readonly group: GroupRow }) {
  const { status, acknowledgedBy, acknowledgedAt } = group;
  const assignee = assigneeOf(group);
  return (
    <span className={classes.keeper}>
      {status !== 'acknowledged' || acknowledgedAt === null ? null : (
        <span>
          Acknowledged{acknowledgedBy === null ? '' : ` by ${acknowledgedBy.name}`} <When at={acknowledgedAt} />
        </span>
      )}
      <span className={classes.assignee} data-nobody={assignee === null || undefined}>
        {assignee === null ? 'Unassigned' : `Assigned to ${assignee}`}
      </span>
    </span>
  );
}
