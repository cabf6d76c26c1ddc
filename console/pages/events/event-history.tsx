import type { OneEvent } from '#console/api/event-finds.ts';
import { STATUS_WORDS } from '#console/facts/status-words.ts';
import { When } from '#console/facts/when.tsx';
import classes from './events.module.css';

type Entry = OneEvent['history'][number];

const wordsOf = ({ from, to, severity, assignedTo, assignedTeam }: Entry): string =>
  [
    ...(from === to ? [] : [from === null ? STATUS_WORDS[to] : `${STATUS_WORDS[from]} → ${STATUS_WORDS[to]}`]),
    ...(severity === undefined ? [] : [`${severity.from} → ${severity.to}`]),
    ...(assignedTo === undefined ? [] : [`${assignedTo.to?.name ?? 'nobody'} has it`]),
    ...(assignedTeam === undefined ? [] : [`team ${assignedTeam.to?.name ?? 'none'}`]),
  ].join(', ') || 'noted';

/** History of an event, newest first. */
export function EventHistory({ event }: { readonly event: OneEvent }) {
  return (
    <ol className={classes.history}>
      {event.history.toReversed().map((entry, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
        <li key={`${entry.at} ${place}`}>
          <span className={classes.unbound}>
            <When at={entry.at} />
          </span>
          <span>
            {wordsOf(entry)} <span className={classes.unbound}>{entry.by?.name ?? 'its monitor'}</span>
            {entry.notes === undefined ? null : <span className={classes.notes}>{entry.notes}</span>}
          </span>
        </li>
      ))}
      <li>
        <span className={classes.unbound}>
          <When at={event.firstOccurrence} />
        </span>
        <span>came in</span>
      </li>
    </ol>
  );
}
