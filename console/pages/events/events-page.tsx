import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { AssignDialog } from '#console/actions/assign/assign-dialog.tsx';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { MoveDialog } from '#console/actions/merge/move-dialog.tsx';
import { NoteDialog } from '#console/actions/note-dialog.tsx';
import { ResolveDialog } from '#console/actions/resolve-dialog.tsx';
import { SuppressDialog } from '#console/actions/suppress-dialog.tsx';
import type { EventRow } from '#console/api/events.ts';
import { readGroup } from '#console/api/groups.ts';
import type { Which } from '#console/api/status.ts';
import { useNamed } from '#console/cis/use-named.ts';
import { ExplainedPair } from '#console/components/explained-pair.tsx';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { NewPill } from '#console/data/new-pill.tsx';
import { SelectionActions } from '#console/data/selection-actions.tsx';
import { Histogram } from '#console/data/time/histogram.tsx';
import { columnsOf } from '#console/data/time/histogram-bars.ts';
import { ColumnsMenu } from '#console/data/views/columns-menu.tsx';
import { useColumns, useViews } from '#console/data/views/use-views.ts';
import { ViewMenu } from '#console/data/views/view-menu.tsx';
import { Page } from '#console/frame/page.tsx';
import place from '#console/grid/place.module.css';
import { type Choice, useChoice } from '#console/grid/use-choice.ts';
import { useFocusedRow } from '#console/grid/use-focused-row.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useExplained } from '#console/hooks/use-explained.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { besideOf } from '#console/memory/neighbours.ts';
import { Region } from '#console/states/region.tsx';
import { count, names } from '#console/text/counts.ts';
import { eventName } from '#console/text/event-text.ts';
import { groupTitle } from '#console/text/group-text.ts';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EVENT_FILTERS, EVENT_KNOWN, readEventAddress } from './event-filters.ts';
import classes from './events.module.css';
import { EVENT_FIELDS, eventsFile } from './events-file.ts';
import { EventsTable } from './events-table.tsx';
import { Narrowing } from './narrowing.tsx';
import * as texts from './texts.ts';
import { type EventActions, numberOf, useEventActions } from './use-event-actions.ts';
import { askedEvents, useEvents, useEventsCounted, useFirstEvents } from './use-events.ts';
import { useFinds } from './use-finds.ts';

function Explained({ one, other }: { readonly one: EventRow; readonly other: EventRow }) {
  const explained = useExplained(one.eventId, other.eventId);
  return (
    <Region query={explained} what={texts.explanation}>
      {(pair) => <ExplainedPair explained={pair} names={[eventName(one), eventName(other)]} />}
    </Region>
  );
}

/** Dialogs before an action on events, and why two are together. */
function EventDialogs({ actions }: { readonly actions: EventActions }) {
  const { open, close } = actions;
  const rows = open !== null && 'rows' in open ? open.rows : [];
  const which = open !== null && 'which' in open ? open.which : null;
  const [one, other] = rows;
  const said = one !== undefined && rows.length === 1 ? `“${eventName(one)}”` : count(rows.length, 'event');
  const isPair = open?.kind === 'explain' && one !== undefined && other !== undefined;
  return (
    <>
      <ResolveDialog
        what={which !== null && open?.kind === 'resolve' ? numberOf(which) : null}
        onClose={close}
        resolve={async (wish) => which !== null && actions.setAs(which, { status: 'resolved', ...wish })}
      />
      <SuppressDialog
        what={which !== null && open?.kind === 'suppress' ? numberOf(which) : null}
        onClose={close}
        suppress={async (wish) => which !== null && actions.setAs(which, { status: 'suppressed', ...wish })}
      />
      <AssignDialog
        what={open?.kind === 'assign' ? said : null}
        onClose={close}
        assign={(to) => actions.assign(rows, to)}
      />
      <MoveDialog what={open?.kind === 'move' ? said : null} events={rows} onClose={close} onMoved={actions.begun} />
      <NoteDialog
        what={open?.kind === 'note' ? said : null}
        onClose={close}
        note={(text) => actions.note(rows, text)}
      />
      {actions.more.map((action) => (
        <action.Part key={action.id} row={open?.kind === action ? (one ?? null) : null} onClose={close} />
      ))}
      <Modal opened={isPair} onClose={close} title={texts.explainCorrelation} size="lg">
        {isPair ? <Explained one={one} other={other} /> : null}
      </Modal>
    </>
  );
}

interface SelectedEventsProps {
  readonly choice: Choice;
  readonly total: number;
  readonly meant: Which | null;
  readonly actions: EventActions;
}

/** Actions on the selected events. */
function SelectedEvents({ choice, total, meant, actions }: SelectedEventsProps) {
  if (!actions.mayWrite) return null;
  return (
    <SelectionActions choice={choice} one="event" total={total}>
      <Button variant="default" onClick={() => actions.move(meant, { status: 'acknowledged' })}>
        {texts.acknowledge}
      </Button>
      <Button variant="default" onClick={() => actions.end('resolve')}>
        {texts.resolve}
      </Button>
      <Button variant="default" onClick={() => actions.end('suppress')}>
        {texts.suppress}
      </Button>
      <Button variant="default" onClick={() => actions.move(meant, { status: 'open' })}>
        {texts.reopen}
      </Button>
      {choice.selection.ids.size === 1
        ? actions.more.map((action) => (
            <Button key={action.id} variant="default" onClick={() => actions.ask(action)}>
              {action.words}…
            </Button>
          ))
        : null}
      {actions.isAssignable ? (
        <Button variant="default" onClick={() => actions.ask('assign')}>
          {texts.assign}
        </Button>
      ) : null}
      {actions.isAssignable && actions.mayCorrelate ? (
        <Button variant="default" onClick={() => actions.ask('move')}>
          {texts.moveToGroupAsks}
        </Button>
      ) : null}
      {choice.selection.ids.size === 2 ? (
        <Button variant="default" onClick={() => actions.ask('explain')}>
          {texts.explain}
        </Button>
      ) : null}
    </SelectionActions>
  );
}

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
  useShortcuts([key('[', texts.previousEvent, beside?.before), key(']', texts.nextEvent, beside?.after)]);
};

/** The table with its actions: apart from the page, which does not render again at each key. */
function EventsPart({ address, shown, isNarrow }: Props) {
  const { isHeld, holding } = useHeld();
  const choice = useChoice();
  const [focused, setFocused] = useFocusedRow('events');
  const open = address.query.event;
  const events = useEvents(address.query, isHeld || choice.hasAny || open !== undefined);
  const { total, order, narrowed } = events;
  const [known, setKnown] = useState(narrowed);
  // Other filters have other events: actions must not apply to those out of sight.
  if (known !== narrowed) {
    setKnown(narrowed);
    setFocused(null);
    choice.selectNone();
  }
  const current = focused ?? open ?? null;

  const some = choice.hasAny ? [...choice.selection.ids] : current !== null && order.includes(current) ? [current] : [];
  const named: Which | null = some.length === 0 ? null : { ids: some };
  const meant: Which | null = choice.isAll ? { filter: askedEvents(address.query), expect: total } : named;
  const actions = useEventActions({ meant, rows: events.rowsOf(new Set(some)), begun: choice.selectNone });
  const close = (): void => address.change({ event: null });
  useNextEvents(address, order, setFocused);
  useShortcuts([
    {
      keys: 'Escape',
      words: texts.clearSelectionCloseEvent,
      section: 'List',
      isActive: choice.hasAny || open !== undefined,
      run: () => (choice.hasAny ? choice.selectNone() : close()),
    },
  ]);

  return (
    <>
      <section className={`${place.place} ${classes.place}`} aria-label={texts.events} {...holding}>
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
        <SelectedEvents choice={choice} total={total} meant={meant} actions={actions} />
      </section>
      {open === undefined ? null : <EventDrawer eventId={open} actions={actions} onClose={close} />}
      <EventDialogs actions={actions} />
    </>
  );
}

/** The CIs and the group that a link has set as filters, by name. */
const useSaid = ({ ciId, correlationId }: Readonly<Record<string, string>>) => {
  const cis = (ciId ?? '').split(',').filter((id) => id !== '');
  const named = useNamed(cis);
  const group = useRead(
    [...GROUPS, 'detail', correlationId],
    (call, signal) => readGroup(call, correlationId ?? '', signal),
    { enabled: correlationId !== undefined },
  );
  const known = (named.data ?? []).map(({ name }) => name);
  return {
    ciId: known.length === 0 ? count(cis.length, 'CI') : names(known, cis.length),
    correlationId: group.data && groupTitle(group.data),
  };
};

const NO_COLUMNS = { from: '', to: '', stepMs: 0, buckets: [] };

function Total({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { data } = useFirstEvents(query);
  return data === undefined ? null : <span className={classes.total}>{count(data.pagination.total, 'event')}</span>;
}

/** All events, as a table. */
export function EventsPage() {
  const address = useAddress(readEventAddress);
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false }) ?? false;
  const isWide = useMediaQuery('(min-width: 1500px)', true, { getInitialValueInEffect: false }) ?? true;
  const views = useViews('events', address);
  const columns = useColumns(EVENT_COLUMNS, views, address);
  const countOf = useEventsCounted();
  const said = useSaid(address.query);
  const { facets, histogram } = useFinds(askedEvents(address.query));

  return (
    <Page title={texts.events}>
      <FilterBar
        filters={EVENT_FILTERS}
        address={address}
        said={said}
        known={EVENT_KNOWN}
        searches={texts.searchTitleDescriptionHostname}
        end={
          <>
            <Total query={address.query} />
            {isNarrow ? null : (
              <ExportButton name="events" fields={EVENT_FIELDS} read={eventsFile(askedEvents(address.query))} />
            )}
            {isNarrow ? null : <ColumnsMenu columns={columns} hasDensity />}
          </>
        }
      >
        <ViewMenu views={views} columns={columns} address={address} whole={texts.allEvents} countOf={countOf} />
      </FilterBar>
      <Histogram
        columns={columnsOf(histogram.data ?? NO_COLUMNS)}
        onRange={(from, to) => address.change({ timeRange: null, from: String(from), to: String(to) })}
      />
      <div className={place.split}>
        {address.query.event === undefined || isWide ? <Narrowing found={facets.data} address={address} /> : null}
        <EventsPart address={address} shown={columns.shown} isNarrow={isNarrow} />
      </div>
    </Page>
  );
}
