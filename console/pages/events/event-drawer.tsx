import { Button, CloseButton } from '@mantine/core';
import type { OneEvent } from '#console/api/event-finds.ts';
import { JsonTree } from '#console/facts/json-tree.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { StatusMark } from '#console/facts/status-mark.tsx';
import { Region } from '#console/states/region.tsx';
import { EventFacts } from './event-facts.tsx';
import { EventHistory } from './event-history.tsx';
import classes from './events.module.css';
import { ExplainWith } from './explain-with.tsx';
import type { EventActions } from './use-event-actions.ts';
import { useEvent } from './use-finds.ts';

interface Props {
  readonly eventId: string;
  readonly actions: EventActions;
  readonly onClose: () => void;
}

const OPENING = { acknowledged: 'Unacknowledge', resolved: 'Reopen', suppressed: 'Unsuppress' } as const;

function Actions({ event, actions }: { readonly event: OneEvent; readonly actions: EventActions }) {
  const { eventId, status } = event;
  const which = { ids: [eventId] };
  return (
    <div className={classes.drawerActions}>
      {status === 'open' ? (
        <Button variant="default" onClick={() => actions.move(which, { status: 'acknowledged' })}>
          Acknowledge
        </Button>
      ) : null}
      {status === 'resolved' ? null : (
        <Button variant="default" onClick={() => actions.resolve(which)}>
          Resolve
        </Button>
      )}
      {status === 'open' ? null : (
        <Button variant="default" onClick={() => actions.move(which, { status: 'open' })}>
          {OPENING[status]}
        </Button>
      )}
      {actions.more.map((action) => (
        <Button key={action.id} variant="default" onClick={() => actions.ask(action, [event])}>
          {action.words}…
        </Button>
      ))}
      <Button variant="default" onClick={() => actions.ask('assign', [event])}>
        Assign…
      </Button>
    </div>
  );
}

/** One event beside the list: what is known of it, what became of it, and what its sender said. */
export function EventDrawer({ eventId, actions, onClose }: Props) {
  const query = useEvent(eventId);
  return (
    <aside className={classes.drawer} aria-label="The event that is open">
      <Region query={query} what="The event">
        {(event) => (
          <>
            <header className={classes.drawerHead}>
              <span className={classes.drawerMarks}>
                <SeverityMark severity={event.severity} />
                <StatusMark status={event.status} />
              </span>
              <CloseButton aria-label="Close the event" size={28} onClick={onClose} />
            </header>
            <h2 className={classes.drawerTitle}>{event.title}</h2>
            {event.description === undefined ? null : <p className={classes.drawerText}>{event.description}</p>}
            {actions.mayWrite ? <Actions actions={actions} event={event} /> : null}
            <EventFacts event={event} />
            <details className={classes.fold} open>
              <summary>History</summary>
              <EventHistory event={event} />
            </details>
            <details className={classes.fold}>
              <summary>Explain with another event</summary>
              <ExplainWith event={event} />
            </details>
            <details className={classes.fold}>
              <summary>Raw</summary>
              <JsonTree value={{ ...event.details, tags: event.tags, conditions: event.conditions }} />
            </details>
          </>
        )}
      </Region>
    </aside>
  );
}
