import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { EventRow } from '#console/api/events.ts';
import type { Which } from '#console/api/status.ts';
import { NewPill } from '#console/data/new-pill.tsx';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import place from '#console/grid/place.module.css';
import { NOTHING, type Selection } from '#console/grid/selection.ts';
import { Table } from '#console/grid/table.tsx';
import { useHeld } from '#console/grid/use-held.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { besideOf } from '#console/memory/neighbours.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { EVENT_COLUMNS, narrowEvent } from './event-columns.tsx';
import { EventDialogs } from './event-dialogs.tsx';
import { EventDrawer } from './event-drawer.tsx';
import classes from './events.module.css';
import { NoEvents } from './no-events.tsx';
import { useEventActions } from './use-event-actions.ts';
import { askedEvents, useEvents } from './use-events.ts';

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 76;
const idOf = ({ eventId }: EventRow): string => eventId;
const nameOf = ({ title }: EventRow): string => title;

interface Props {
  readonly address: Address;
  /** Ids of the columns that are shown. */
  readonly shown: readonly string[];
  readonly isNarrow: boolean;
}

/** The table with what is done in it: apart from the page, which is not drawn anew at each key. */
export function EventsPart({ address, shown, isNarrow }: Props) {
  const { density } = useSettings();
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [isAll, setAll] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const events = useEvents(address.query, isHeld || selection.ids.size > 0);
  const { first, total, order } = events;
  const current = focused ?? order[0] ?? null;
  const open = address.query.event;
  const columns = useMemo(() => shown.flatMap((id) => EVENT_COLUMNS.find((column) => column.id === id) ?? []), [shown]);

  const selectNone = (): void => {
    setSelection(NOTHING);
    setAll(false);
  };
  const some = selection.ids.size > 0 ? [...selection.ids] : current === null ? [] : [current];
  const meant: Which | null = isAll
    ? { filter: askedEvents(address.query), expect: total }
    : some.length === 0
      ? null
      : { ids: some };
  const actions = useEventActions({ meant, rows: events.rowsOf(new Set(some)), begun: selectNone });
  const beside = open === undefined ? null : besideOf([open], order);
  const goTo = (id: string | null | undefined): void => {
    if (id == null) return;
    setFocused(id);
    address.change({ event: id }, { replace: true });
  };

  const select = (next: Selection): void => {
    setAll(false);
    setSelection(next);
  };

  useShortcuts([
    {
      keys: '[',
      words: 'Previous event, while one is open',
      section: 'Go to',
      isActive: beside?.before != null,
      run: () => goTo(beside?.before),
    },
    {
      keys: ']',
      words: 'Next event, while one is open',
      section: 'Go to',
      isActive: beside?.after != null,
      run: () => goTo(beside?.after),
    },
    {
      keys: 'Escape',
      words: 'Select nothing, or close the event',
      section: 'List',
      isActive: selection.ids.size > 0 || open !== undefined,
      run: () => (selection.ids.size > 0 ? selectNone() : address.change({ event: null })),
    },
  ]);

  return (
    <>
      <section className={`${place.place} ${classes.place}`} aria-label="Events" {...holding}>
        <NewPill count={events.waiting} takeIn={() => void events.takeIn()} />
        <Region query={first} what="The events" skeleton={<Skeleton rows={16} height={ROW_HEIGHTS[density]} />}>
          {() =>
            total === 0 ? (
              <NoEvents address={address} />
            ) : (
              <Table
                label="Events"
                count={events.count}
                total={total}
                rowAt={events.rowAt}
                idOf={idOf}
                nameOf={nameOf}
                order={order}
                rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHTS[density]}
                columns={columns}
                {...(isNarrow && { narrow: narrowEvent })}
                sorting={{
                  by: address.query.sort ?? 'timestamp',
                  order: address.query.order === 'asc' ? 'asc' : 'desc',
                }}
                onSorting={({ by, order: way }) => address.change({ sort: by, order: way })}
                selection={selection}
                onSelection={select}
                focused={current}
                onFocused={setFocused}
                onOpen={({ eventId }) => address.change({ event: eventId })}
                onSeen={events.onSeen}
                opensByClick
                autoFocus
              />
            )
          }
        </Region>
        {selection.ids.size === 0 || !actions.mayWrite ? null : (
          <SelectionBar
            said={isAll ? `All ${count(total, 'event')} that match` : `${count(selection.ids.size, 'event')} selected`}
            selectNone={selectNone}
          >
            {isAll || total <= selection.ids.size ? null : (
              <Button variant="subtle" onClick={() => setAll(true)}>
                Select all {count(total, 'event')} that match
              </Button>
            )}
            <Button variant="default" onClick={() => actions.move(meant, { status: 'acknowledged' })}>
              Acknowledge
            </Button>
            <Button variant="default" onClick={() => actions.resolve()}>
              Resolve
            </Button>
            <Button variant="default" onClick={() => actions.move(meant, { status: 'suppressed' })}>
              Suppress
            </Button>
            {actions.isAssignable ? (
              <Button variant="default" onClick={() => actions.ask('assign')}>
                Assign…
              </Button>
            ) : null}
            {selection.ids.size === 2 ? (
              <Button variant="default" onClick={() => actions.ask('explain')}>
                Explain
              </Button>
            ) : null}
          </SelectionBar>
        )}
      </section>
      {open === undefined ? null : (
        <EventDrawer eventId={open} actions={actions} onClose={() => address.change({ event: null })} />
      )}
      <EventDialogs actions={actions} />
    </>
  );
}
