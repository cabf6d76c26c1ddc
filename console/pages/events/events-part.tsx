import { useState } from 'react';
import type { Which } from '#console/api/status.ts';
import { NewPill } from '#console/data/new-pill.tsx';
import place from '#console/grid/place.module.css';
import { useChoice } from '#console/grid/use-choice.ts';
import { useFocusedRow } from '#console/grid/use-focused-row.ts';
import { useHeld } from '#console/grid/use-held.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { besideOf } from '#console/memory/neighbours.ts';
import { ChosenEvents } from './chosen-events.tsx';
import { EventDialogs } from './event-dialogs.tsx';
import { EventDrawer } from './event-drawer.tsx';
import classes from './events.module.css';
import { EventsTable } from './events-table.tsx';
import { useEventActions } from './use-event-actions.ts';
import { askedEvents, useEvents } from './use-events.ts';

interface Props {
  readonly address: Address;
  /** Ids of the columns that are shown. */
  readonly shown: readonly string[];
  readonly isNarrow: boolean;
}

/** Brackets lead from one open event to the next. */
const useNextEvents = (address: Address, order: readonly string[], focus: (id: string) => void): void => {
  const open = address.query.event;
  const beside = open === undefined ? null : besideOf([open], order);
  const key = (keys: string, words: string, id: string | null | undefined) => ({
    keys,
    words,
    section: 'Go to' as const,
    isActive: id != null,
    run: (): void => {
      if (id == null) return;
      focus(id);
      address.change({ event: id }, { replace: true });
    },
  });
  useShortcuts([
    key('[', 'Previous event, while one is open', beside?.before),
    key(']', 'Next event, while one is open', beside?.after),
  ]);
};

/** The table with what is done in it: apart from the page, which is not drawn anew at each key. */
export function EventsPart({ address, shown, isNarrow }: Props) {
  const { isHeld, holding } = useHeld();
  const choice = useChoice();
  const [focused, setFocused] = useFocusedRow('events');
  const open = address.query.event;
  const events = useEvents(address.query, isHeld || choice.hasAny || open !== undefined);
  const { total, order, narrowed } = events;
  const [known, setKnown] = useState(narrowed);
  // Other filters have other events: actions are not for those that are out of sight.
  if (known !== narrowed) {
    setKnown(narrowed);
    setFocused(null);
    choice.selectNone();
  }
  const current = focused;

  const some = choice.hasAny ? [...choice.selection.ids] : current !== null && order.includes(current) ? [current] : [];
  const named: Which | null = some.length === 0 ? null : { ids: some };
  const meant: Which | null = choice.isAll ? { filter: askedEvents(address.query), expect: total } : named;
  const actions = useEventActions({ meant, rows: events.rowsOf(new Set(some)), begun: choice.selectNone });
  const close = (): void => address.change({ event: null });
  useNextEvents(address, order, setFocused);
  useShortcuts([
    {
      keys: 'Escape',
      words: 'Select nothing, or close the event',
      section: 'List',
      isActive: choice.hasAny || open !== undefined,
      run: () => (choice.hasAny ? choice.selectNone() : close()),
    },
  ]);

  return (
    <>
      <section className={`${place.place} ${classes.place}`} aria-label="Events" {...holding}>
        <NewPill count={events.waiting} takeIn={() => void events.takeIn()} />
        <EventsTable
          events={events}
          address={address}
          shown={shown}
          isNarrow={isNarrow}
          choice={choice}
          focused={current}
          onFocused={setFocused}
        />
        <ChosenEvents choice={choice} total={total} meant={meant} actions={actions} />
      </section>
      {open === undefined ? null : <EventDrawer eventId={open} actions={actions} onClose={close} />}
      <EventDialogs actions={actions} />
    </>
  );
}
