import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { EventRow } from '#console/api/events.ts';
import { clearing } from '#console/data/filters.ts';
import { Table } from '#console/grid/table.tsx';
import type { Choice } from '#console/grid/use-choice.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { eventName } from '#console/text/event-text.ts';
import { EVENT_COLUMNS, narrowEvent } from './event-columns.tsx';
import { EVENT_ALSO, EVENT_FILTERS } from './event-filters.ts';
import * as text from './texts.ts';
import type { useEvents } from './use-events.ts';

/** Explains why the table is empty, and the next step. */
function NoEvents({ address }: { readonly address: Address }) {
  const { empty } = useMe();
  if (empty.events)
    return (
      <Notice title={text.noEventsYet} ways={<Link to="/start">{text.connectSourceLoadDemo}</Link>}>
        {text.eventsAppearHereWhen}
      </Notice>
    );
  return (
    <Notice
      title={text.noEventsMatchThese}
      ways={
        <Button variant="default" onClick={() => address.change(clearing(EVENT_FILTERS, EVENT_ALSO))}>
          {text.clearFilters}
        </Button>
      }
    >
      {text.clearFiltersSeeAll}
    </Notice>
  );
}

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
/** Shown in the details of an event: the titles need the room beside them. */
const IN_DETAILS: ReadonlySet<string> = new Set(['keeper', 'count', 'group']);
const NARROW_ROW_HEIGHT = 76;
const idOf = ({ eventId }: EventRow): string => eventId;

interface Props {
  readonly events: ReturnType<typeof useEvents>;
  readonly address: Address;
  /** Ids of the columns that are shown. */
  readonly shown: readonly string[];
  readonly isNarrow: boolean;
  readonly choice: Choice;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
}

export function EventsTable({ events, address, shown, isNarrow, choice, focused, onFocused }: Props) {
  const { density } = useSettings();
  const { first, total, order } = events;
  const open = address.query.event ?? null;
  const isBeside = open !== null;
  const columns = useMemo(
    () =>
      shown.flatMap((id) => {
        const found = EVENT_COLUMNS.find((column) => column.id === id);
        if (found === undefined) return [];
        // Beside an open event there is no room for all; else chosen columns are reached by scrolling.
        if (isBeside && IN_DETAILS.has(id)) return [];
        const { low: _, ...column } = found;
        return [isBeside ? found : column];
      }),
    [shown, isBeside],
  );
  return (
    <Region query={first} what={text.eventList} skeleton={<Skeleton rows={16} height={ROW_HEIGHTS[density]} />}>
      {() =>
        total === 0 ? (
          <NoEvents address={address} />
        ) : (
          <Table
            label={text.events}
            count={events.count}
            total={total}
            rowAt={events.rowAt}
            idOf={idOf}
            nameOf={eventName}
            order={order}
            rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHTS[density]}
            columns={columns}
            {...(isNarrow && { narrow: narrowEvent })}
            sorting={{ by: address.query.sort ?? 'timestamp', order: address.query.order === 'asc' ? 'asc' : 'desc' }}
            onSorting={({ by, order: way }) => address.change({ sort: by, order: way })}
            selection={choice.selection}
            onSelection={choice.select}
            focused={focused ?? open}
            onFocused={onFocused}
            onOpen={({ eventId }) => address.change({ event: eventId })}
            hrefOf={({ eventId }) => `events?${new URLSearchParams({ ...address.query, event: eventId })}`}
            onSeen={events.onSeen}
            opensByClick
            autoFocus={focused !== null}
          />
        )
      }
    </Region>
  );
}
