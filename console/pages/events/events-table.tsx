import { useMemo } from 'react';
import type { EventRow } from '#console/api/events.ts';
import { Table } from '#console/grid/table.tsx';
import type { Choice } from '#console/grid/use-choice.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { EVENT_COLUMNS, narrowEvent } from './event-columns.tsx';
import { NoEvents } from './no-events.tsx';
import type { useEvents } from './use-events.ts';

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 76;
const idOf = ({ eventId }: EventRow): string => eventId;
const nameOf = ({ title }: EventRow): string => title;

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
  const columns = useMemo(() => shown.flatMap((id) => EVENT_COLUMNS.find((column) => column.id === id) ?? []), [shown]);
  return (
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
            sorting={{ by: address.query.sort ?? 'timestamp', order: address.query.order === 'asc' ? 'asc' : 'desc' }}
            onSorting={({ by, order: way }) => address.change({ sort: by, order: way })}
            selection={choice.selection}
            onSelection={choice.select}
            focused={focused}
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
