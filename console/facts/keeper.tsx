import type { GroupRow } from '#console/api/groups.ts';
import { keeper } from '#console/words/group-words.ts';
import { Age } from './age.tsx';
import classes from './facts.module.css';
import { Icon } from './icon.tsx';

/** The assignee of a group, and since when. */
export function Keeper({ group }: { readonly group: GroupRow }) {
  const name = keeper(group);
  if (name === null)
    return (
      <span className={classes.keeper} data-nobody>
        {group.status === 'acknowledged' ? 'nobody is assigned' : 'nobody has it'}
      </span>
    );
  return (
    <span className={classes.keeper}>
      {group.acknowledgedAt === null ? null : <Icon name="check" size={14} />}
      {name} has it{group.acknowledgedAt === null ? null : <Age since={group.acknowledgedAt} before=" for " />}
    </span>
  );
}
