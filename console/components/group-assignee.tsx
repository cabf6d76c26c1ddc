import type { GroupRow } from '#console/api/groups.ts';
import { assigneeName } from '#domain/event/event-words.ts';
import classes from './facts.module.css';
import * as text from './texts.ts';
import { Timestamp } from './timestamp.tsx';

/** The acknowledgment, and the time since when the group is worse. */
function Acknowledged({ group }: { readonly group: GroupRow }) {
  const { acknowledgedBy, acknowledgedAt, worseSince } = group;
  if (acknowledgedAt === null) return null;
  return (
    <span>
      {text.acknowledged(acknowledgedBy?.name)} <Timestamp at={acknowledgedAt} />
      {worseSince === null ? null : (
        <strong className={classes.worse}>
          {text.worseSince} <Timestamp at={worseSince} />
        </strong>
      )}
    </span>
  );
}

/** The acknowledgment of a group, and its assignee: often two different users. */
export function GroupAssignee({ group }: { readonly group: GroupRow }) {
  const assignee = assigneeName(group);
  return (
    <span className={classes.keeper}>
      <Acknowledged group={group} />
      <span className={classes.assignee} data-nobody={assignee === null || undefined}>
        {assignee === null ? text.unassigned : text.assignedTo(assignee)}
      </span>
    </span>
  );
}
