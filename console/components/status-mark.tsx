import type { Status } from '#domain/event/event.ts';
import classes from './facts.module.css';
import { STATUS_WORDS } from './status-text.ts';

/** The status of an event, in a word. */
export function StatusMark({ status }: { readonly status: Status }) {
  return (
    <span className={classes.status} data-status={status}>
      {STATUS_WORDS[status]}
    </span>
  );
}
