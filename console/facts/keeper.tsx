import type { GroupRow } from '#console/api/groups.ts';
import { assigneeOf } from '#console/words/group-words.ts';
import classes from './facts.module.css';
import { When } from './when.tsx';

/** The acknowledgement, and since when the group is worse than it was then. */
function Acknowledged({ group }: { readonly group: GroupRow }) {
  const { acknowledgedBy, acknowledgedAt, worseSince } = group;
  if (acknowledgedAt === null) return null;
  return (
    <span>
      Acknowledged{acknowledgedBy === null ? '' : ` by ${acknowledgedBy.name}`} <When at={acknowledgedAt} />
      {worseSince === null ? null : (
        <strong className={classes.worse}>
          , worse since <When at={worseSince} />
        </strong>
      )}
    </span>
  );
}

/** The acknowledgement of a group, and its assignee: two things, often of two people. */
export function Keeper({ group }: { readonly group: GroupRow }) {
  const assignee = assigneeOf(group);
  return (
    <span className={classes.keeper}>
      <Acknowledged group={group} />
      <span className={classes.assignee} data-nobody={assignee === null || undefined}>
        {assignee === null ? 'Unassigned' : `Assigned to ${assignee}`}
      </span>
    </span>
  );
}
