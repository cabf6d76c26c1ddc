import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { EventRow } from '#console/api/events.ts';
import type { Which } from '#console/api/status.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { NewPill } from '#console/data/new-pill.tsx';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import { Histogram } from '#console/data/time/histogram.tsx';
import { columnsOf } from '#console/data/time/histogram-bars.ts';
import { ColumnsMenu } from '#console/data/views/columns-menu.tsx';
import { useColumns, useViews } from '#console/data/views/use-views.ts';
import { ViewMenu } from '#console/data/views/view-menu.tsx';
import { Page } from '#console/frame/page.tsx';
import { NOTHING } from '#console/grid/selection.ts';
import { Table } from '#console/grid/table.tsx';
import { useHeld } from '#console/grid/use-held.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { besideOf } from '#console/memory/neighbours.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { EVENT_COLUMNS, narrowEvent } from './event-columns.tsx';
import { EventDialogs } from './event-dialogs.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EVENT_FILTERS } from './event-filters.ts';
import classes from './events.module.css';
import { Narrowing } from './narrowing.tsx';
import { NoEvents } from './no-events.tsx';
import { useEventActions } from './use-event-actions.ts';
import { askedEvents, useEvents, useEventsCounted } from './use-events.ts';
import { useFinds } from './use-finds.ts';

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 76;
const NO_COLUMNS = { from: '', to: '', stepMs: 0, buckets: [] };
const idOf = ({ eventId }: EventRow): string => eventId;

/** All events, as a table. */
export function EventsPage() {
  const address = useAddress();
  const { density } = useSettings();
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false }) ?? false;
  const isWide = useMediaQuery('(min-width: 1500px)', true, { getInitialValueInEffect: false }) ?? true;
  const views = useViews('events', address);
  const columns = useColumns(EVENT_COLUMNS, views, address);
  const countOf = useEventsCounted();
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [isAll, setAll] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const events = useEvents(address.query, isHeld || selection.ids.size > 0);
  const { first, total, order } = events;
  const current = focused ?? order[0] ?? null;
  const open = address.query.event;
  const { facets, histogram } = useFinds(askedEvents(address.query));

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
    <Page title="Events" quiet>
      <FilterBar
        filters={EVENT_FILTERS}
        address={address}
        searches="Words of title, description or host"
        end={
          <>
            {first.data === undefined ? null : <span className={classes.total}>{count(total, 'event')}</span>}
            {isNarrow ? null : <ColumnsMenu columns={columns} />}
          </>
        }
      >
        <ViewMenu views={views} columns={columns} address={address} whole="All events" countOf={countOf} />
      </FilterBar>
      <Histogram
        columns={columnsOf(histogram.data ?? NO_COLUMNS)}
        onRange={(from, to) => address.change({ timeRange: null, from: String(from), to: String(to) })}
      />
      <div className={classes.split}>
        {open === undefined || isWide ? <Narrowing found={facets.data} address={address} /> : null}
        <section className={classes.place} aria-label="Events" {...holding}>
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
                  nameOf={({ title }) => title}
                  order={order}
                  rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHTS[density]}
                  columns={columns.shown.flatMap((id) => EVENT_COLUMNS.find((column) => column.id === id) ?? [])}
                  {...(isNarrow && { narrow: narrowEvent })}
                  sorting={{
                    by: address.query.sort ?? 'timestamp',
                    order: address.query.order === 'asc' ? 'asc' : 'desc',
                  }}
                  onSorting={({ by, order: way }) => address.change({ sort: by, order: way })}
                  selection={selection}
                  onSelection={(next) => {
                    setAll(false);
                    setSelection(next);
                  }}
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
              said={
                isAll ? `All ${count(total, 'event')} that match` : `${count(selection.ids.size, 'event')} selected`
              }
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
      </div>
      <EventDialogs actions={actions} />
    </Page>
  );
}
