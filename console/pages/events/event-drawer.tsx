import { Button, CloseButton, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { OneEvent } from '#console/api/event-finds.ts';
import { listEvents } from '#console/api/events.ts';
import { ExplainedPair } from '#console/components/explained-pair.tsx';
import { JsonTree } from '#console/components/json-tree.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { StatusMark } from '#console/components/status-mark.tsx';
import { STATUS_WORDS } from '#console/components/status-text.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { useExplained } from '#console/hooks/use-explained.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { eventName } from '#console/text/event-text.ts';
import { EventFacts } from './event-facts.tsx';
import classes from './events.module.css';
import * as texts from './texts.ts';
import type { EventActions } from './use-event-actions.ts';
import { useEvent } from './use-finds.ts';

const FOUND = 30;
const TYPING_MS = 300;

/** Any other event: why the two are, or are not, in one group. */
function ExplainWith({ event }: { readonly event: OneEvent }) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [other, setOther] = useState<string | null>(null);
  const found = useRead(
    ['events', 'found', text, FOUND],
    (call, signal) => listEvents(call, { search: text || undefined, limit: FOUND }, signal),
    { placeholderData: keepPreviousData },
  );
  const explained = useExplained(event.eventId, other);
  const others = (found.data?.events ?? []).filter(({ eventId }) => eventId !== event.eventId);
  const chosen = others.find(({ eventId }) => eventId === other);
  return (
    <>
      <Select
        aria-label={texts.otherEvent}
        placeholder={texts.searchTitleDescriptionHostname}
        searchable
        filter={({ options }) => options}
        data={others.map((one) => ({ value: one.eventId, label: eventName(one) }))}
        value={other}
        onChange={setOther}
        onSearchChange={setTyped}
        mb="md"
      />
      {other === null ? null : (
        <Region query={explained} what={texts.explanation}>
          {(pair) => (
            <ExplainedPair
              explained={pair}
              names={[eventName(event), chosen === undefined ? texts.unnamedEvent : eventName(chosen)]}
            />
          )}
        </Region>
      )}
    </>
  );
}

type HistoryLine = OneEvent['history'][number];

const wordsOf = ({ from, to, severity, assignedTo, assignedTeam }: HistoryLine): string =>
  [
    ...(from === to ? [] : [from === null ? STATUS_WORDS[to] : `${STATUS_WORDS[from]} → ${STATUS_WORDS[to]}`]),
    ...(severity === undefined ? [] : [`${severity.from} → ${severity.to}`]),
    ...(assignedTo === undefined ? [] : [texts.assignedTo(assignedTo.to?.name)]),
    ...(assignedTeam === undefined ? [] : [texts.team(assignedTeam.to?.name)]),
  ].join(', ') || texts.noted;

/** History of an event, newest first. */
function EventHistory({ event }: { readonly event: OneEvent }) {
  return (
    <ol className={classes.history}>
      {event.history.toReversed().map((entry, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
        <li key={`${entry.at} ${place}`}>
          <span className={classes.unbound}>
            <Timestamp at={entry.at} />
          </span>
          <span>
            {wordsOf(entry)} <span className={classes.unbound}>{entry.by?.name ?? texts.monitoringSystem}</span>
            {entry.notes === undefined ? null : <span className={classes.notes}>{entry.notes}</span>}
          </span>
        </li>
      ))}
      <li>
        <span className={classes.unbound}>
          <Timestamp at={event.firstOccurrence} />
        </span>
        <span>{texts.created}</span>
      </li>
    </ol>
  );
}

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
          {texts.acknowledge}
        </Button>
      ) : null}
      {status === 'resolved' ? null : (
        <Button variant="default" onClick={() => actions.end('resolve', which)}>
          {texts.resolve}
        </Button>
      )}
      {status === 'resolved' ? null : (
        <Button variant="default" onClick={() => actions.end('suppress', which)}>
          {texts.suppress}
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
        {texts.assign}
      </Button>
      {actions.mayCorrelate ? (
        <Button variant="default" onClick={() => actions.ask('move', [event])}>
          {texts.moveToGroupAsks}
        </Button>
      ) : null}
    </div>
  );
}

/** One event beside the list: its data, its history, and the message of its sender. */
export function EventDrawer({ eventId, actions, onClose }: Props) {
  const query = useEvent(eventId);
  return (
    <aside className={classes.drawer} aria-label={texts.eventDetails}>
      <Region query={query} what={texts.event}>
        {(event) => (
          <>
            <header className={classes.drawerHead}>
              <span className={classes.drawerMarks}>
                <SeverityMark severity={event.severity} />
                <StatusMark status={event.status} />
              </span>
              <CloseButton aria-label={texts.closeEvent} size={28} onClick={onClose} />
            </header>
            <h2 className={classes.drawerTitle}>{event.title}</h2>
            {event.description === undefined ? null : <p className={classes.drawerText}>{event.description}</p>}
            {actions.mayWrite ? <Actions actions={actions} event={event} /> : null}
            <EventFacts event={event} />
            <details className={classes.fold} open>
              <summary>{texts.history}</summary>
              <EventHistory event={event} />
            </details>
            <details className={classes.fold}>
              <summary>{texts.compareWithAnotherEvent}</summary>
              <ExplainWith event={event} />
            </details>
            <details className={classes.fold}>
              <summary>{texts.raw}</summary>
              <JsonTree value={{ ...event.details, tags: event.tags, conditions: event.conditions }} />
            </details>
          </>
        )}
      </Region>
    </aside>
  );
}
