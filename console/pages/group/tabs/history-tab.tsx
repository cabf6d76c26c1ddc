import type { GroupDetailShown } from '#console/api/groups.ts';
import { When } from '#console/facts/when.tsx';
import classes from '../group.module.css';

const KIND_WORDS = {
  note: 'added a note',
  assigned: 'changed the assignee',
  verdict: 'judged the root cause',
  split: 'split the group',
  status: 'changed the status',
} as const;

/** Actions of people on the group, newest first. */
export function HistoryTab({ group }: { readonly group: GroupDetailShown }) {
  const entries = group.history.toReversed();
  return (
    <div className={classes.tab}>
      {entries.length === 0 ? <p className={classes.dim}>No actions yet.</p> : null}
      <ol className={classes.notes}>
        {entries.map(({ at, by, kind, text }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
          <li key={`${at} ${place}`}>
            <span className={classes.dim}>
              <When at={at} /> · {by.name} {KIND_WORDS[kind]}
            </span>
            <p className={classes.noteText}>{text}</p>
          </li>
        ))}
      </ol>
      {group.aliases.length === 0 ? null : (
        <p className={classes.dim}>Merged into this group, and still found by their ids: {group.aliases.join(', ')}</p>
      )}
    </div>
  );
}
