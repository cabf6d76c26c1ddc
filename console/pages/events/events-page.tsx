import { useMediaQuery } from '@mantine/hooks';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { Histogram } from '#console/data/time/histogram.tsx';
import { columnsOf } from '#console/data/time/histogram-bars.ts';
import { ColumnsMenu } from '#console/data/views/columns-menu.tsx';
import { useColumns, useViews } from '#console/data/views/use-views.ts';
import { ViewMenu } from '#console/data/views/view-menu.tsx';
import { Page } from '#console/frame/page.tsx';
import place from '#console/grid/place.module.css';
import { useAddress } from '#console/hooks/use-address.ts';
import { count } from '#console/words/counts.ts';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EVENT_FILTERS, EVENT_KNOWN, readEventAddress } from './event-filters.ts';
import classes from './events.module.css';
import { EventsPart } from './events-part.tsx';
import { Narrowing } from './narrowing.tsx';
import { askedEvents, useEventsCounted, useFirstEvents } from './use-events.ts';
import { useFinds } from './use-finds.ts';
import { useSaid } from './use-said.ts';

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
    <Page title="Events" quiet>
      <FilterBar
        filters={EVENT_FILTERS}
        address={address}
        said={said}
        known={EVENT_KNOWN}
        searches="Words of title, description or host"
        end={
          <>
            <Total query={address.query} />
            {isNarrow ? null : <ColumnsMenu columns={columns} hasDensity />}
          </>
        }
      >
        <ViewMenu views={views} columns={columns} address={address} whole="All events" countOf={countOf} />
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
