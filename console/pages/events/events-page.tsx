import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { ResolveDialog } from '#console/actions/resolve-dialog.tsx';
import { useEventStatus } from '#console/actions/use-event-status.ts';
import type { EventRow } from '#console/api/events.ts';
import type { Which, Wish } from '#console/api/status.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { Histogram } from '#console/data/histogram.tsx';
import { columnsOf } from '#console/data/histogram-bars.ts';
import { NewPill } from '#console/data/new-pill.tsx';
import { Page } from '#console/frame/page.tsx';
import { NOTHING } from '#console/grid/selection.ts';
import { Table } from '#console/grid/table.tsx';
import { useHeld } from '#console/grid/use-held.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { EVENT_COLUMNS, narrowEvent } from './event-columns.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EVENT_FILTERS } from './event-filters.ts';
import classes from './events.module.css';
import { Narrowing } from './narrowing.tsx';
import { NoEvents } from './no-events.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { askedEvents, useEvents } from './use-events.ts';
import { useFinds } from './use-finds.ts';

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 76;
const idOf = ({ eventId }: EventRow): string => eventId;

/** All events, as a table. */
export function EventsPage() {
  const address = useAddress();
  const mayWrite = useMay('events.write');
  const { density } = useSettings();
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false }) ?? false;
  const isWide = useMediaQuery('(min-width: 1500px)', true, { getInitialValueInEffect: false }) ?? true;
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [isAll, setAll] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const [resolving, setResolving] = useState<Which | null>(null);
  const setStatus = useEventStatus();
  const events = useEvents(address.query, isHeld || selection.ids.size > 0);
  const { first, total, order } = events;
  const current = focused ?? order[0] ?? null;
  const open = address.query.event;
  const { facets, histogram } = useFinds(askedEvents(address.query));
  const columns = columnsOf(histogram.data?.buckets ?? [], histogram.data?.stepMs ?? 0);

  const selectNone = (): void => {
    setSelection(NOTHING);
    setAll(false);
  };
  /** What an action means: all that match, what is selected, or the row in focus. */
  const meant = (): Which | null => {
    if (isAll) return { filter: askedEvents(address.query), expect: total };
    if (selection.ids.size > 0) return { ids: [...selection.ids] };
    return current === null ? null : { ids: [current] };
  };
  const move = (which: Which | null, wish: Wish): void => {
    if (which === null) return;
    selectNone();
    void setStatus(which, wish);
  };
  const numberOf = (which: Which | null): string => {
    if (which === null) return '';
    return count('filter' in which ? which.expect : 'ids' in which ? which.ids.length : 0, 'event');
  };

  useShortcuts([
    {
      keys: 'a',
      words: 'Acknowledge',
      section: 'Actions',
      isActive: mayWrite,
      run: () => move(meant(), { status: 'acknowledged' }),
    },
    { keys: 'r', words: 'Resolve', section: 'Actions', isActive: mayWrite, run: () => setResolving(meant()) },
    {
      keys: 's',
      words: 'Suppress',
      section: 'Actions',
      isActive: mayWrite,
      run: () => move(meant(), { status: 'suppressed' }),
    },
    {
      keys: 'Escape',
      words: 'Select nothing, or close the event',
      section: 'List',
      isActive: selection.ids.size > 0,
      run: selectNone,
    },
  ]);

  return (
    <Page title="Events" quiet>
      <FilterBar
        filters={EVENT_FILTERS}
        address={address}
        searches="Words of title, description or host"
        end={first.data === undefined ? null : <span className={classes.total}>{count(total, 'event')}</span>}
      />
      <Histogram
        columns={columns}
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
                  columns={EVENT_COLUMNS}
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
          {selection.ids.size === 0 || !mayWrite ? null : (
            <SelectionBar
              selected={selection.ids.size}
              total={total}
              isAll={isAll}
              selectAll={() => setAll(true)}
              selectNone={selectNone}
              acknowledge={() => move(meant(), { status: 'acknowledged' })}
              resolve={() => setResolving(meant())}
              suppress={() => move(meant(), { status: 'suppressed' })}
            />
          )}
        </section>
        {open === undefined ? null : (
          <EventDrawer
            eventId={open}
            mayWrite={mayWrite}
            onClose={() => address.change({ event: null })}
            acknowledge={(id) => move({ ids: [id] }, { status: 'acknowledged' })}
            resolve={(id) => setResolving({ ids: [id] })}
            suppress={(id) => move({ ids: [id] }, { status: 'suppressed' })}
          />
        )}
      </div>
      <ResolveDialog
        what={resolving === null ? null : numberOf(resolving)}
        onClose={() => setResolving(null)}
        resolve={(wish) => move(resolving, wish)}
      />
    </Page>
  );
}
