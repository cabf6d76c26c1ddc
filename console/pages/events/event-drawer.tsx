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
import { useEvent } from './use-finds.ts';

interface Props {
  readonly eventId: string;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
  readonly acknowledge: (eventId: string) => void;
  readonly resolve: (eventId: string) => void;
  readonly suppress: (eventId: string) => void;
}

function Actions({ event, acknowledge, resolve, suppress }: Props & { readonly event: OneEvent }) {
  const { eventId, status } = event;
  return (
    <div className={classes.drawerActions}>
      {status === 'open' ? (
        <Button variant="default" onClick={() => acknowledge(eventId)}>
          Acknowledge
        </Button>
      ) : null}
      {status === 'resolved' ? null : (
        <Button variant="default" onClick={() => resolve(eventId)}>
          Resolve
        </Button>
      )}
      {status === 'open' || status === 'acknowledged' ? (
        <Button variant="default" onClick={() => suppress(eventId)}>
          Suppress
        </Button>
      ) : null}
    </div>
  );
}

/** One event beside the list: what is known of it, what became of it, and what its sender said. */
export function EventDrawer(props: Props) {
  const { eventId, mayWrite, onClose } = props;
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
            {mayWrite ? <Actions {...props} event={event} /> : null}
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
