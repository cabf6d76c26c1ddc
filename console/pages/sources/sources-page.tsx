import { Button } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listSources, type SourceData } from '#console/api/sources.ts';
import { Mark } from '#console/components/mark/mark.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { ageColumn, type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { inPlace, useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { names, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { NEW } from './mapping-draft.ts';
import { sortedSources, sourceState } from './source-text.ts';
import classes from './sources.module.css';
import * as text from './texts.ts';

const SOURCES = ['sources'] as const;
const READ_MS = 20_000;

const columnsAt = (now: number): readonly SimpleColumn<SourceData>[] => [
  {
    title: text.source,
    isName: true,
    cell: ({ name, title }) => <Link to={`/sources/${name}`}>{title}</Link>,
    value: ({ name }) => name,
  },
  {
    title: text.status,
    cell: (source) => {
      const { kind, words } = sourceState(source, now);
      return <Mark kind={kind}>{words}</Mark>;
    },
    value: (source) => sourceState(source, now).words,
  },
  { ...ageColumn(text.lastEventTitle, ({ lastEventAt: at }) => at), isNumber: true },
  { title: text.messages24h, isNumber: true, cell: ({ events24h }) => number(events24h) },
  { title: text.rejected24h, isNumber: true, cell: ({ rejected24h }) => number(rejected24h) },
  {
    title: text.tokens,
    cell: ({ tokens }) =>
      tokens.length === 0
        ? '–'
        : names(
            tokens.map(({ name }) => name ?? text.unknownToken),
            tokens.length,
          ),
  },
];

/** The monitoring systems that send events, and possible further ones. */
function EventSources() {
  const { call, clock } = useAppServices();
  const query = useQuery({
    queryKey: [...SOURCES, 'list'],
    queryFn: ({ signal }) => listSources(call, signal),
    refetchInterval: READ_MS,
  });
  return (
    <Region query={query} what={nouns.sources} skeleton={<Skeleton rows={12} height={38} />}>
      {(sources) => {
        const now = clock.now();
        const sorted = sortedSources(sources, now);
        const heard = sorted.filter(({ lastEventAt }) => lastEventAt !== null);
        const others = sorted.filter(({ lastEventAt }) => lastEventAt === null);
        const [all, few] = [columnsAt(now), columnsAt(now).slice(0, 1)];
        const path: SimpleColumn<SourceData> = { title: text.endpoint, cell: ({ path: to }) => to };
        return (
          <>
            {heard.length === 0 ? null : (
              <Section title={text.connected} flush end={<ExportRows name="sources" columns={all} rows={heard} />}>
                <SimpleTable label={text.connectedSources} rows={heard} idOf={({ name }) => name} columns={all} />
              </Section>
            )}
            <Section title={text.availableSources} lead={text.availableSourcesLead} flush>
              <SimpleTable
                label={text.availableSources}
                rows={others}
                idOf={({ name }) => name}
                columns={[...few, path]}
              />
            </Section>
          </>
        );
      }}
    </Region>
  );
}

const EVENTS = 'events';

/** Sources of events, and those of features. */
export function SourcesPage() {
  const { call } = useAppServices();
  const address = useAddress();
  const mayMap = useMay('settings.manage');
  const added = inPlace(useSlot('pageTabs').filter(({ page }) => page === '/sources'));
  const counts = useQueries({ queries: added.map(({ count }) => count(call)) });
  const shown = added.find(({ id }) => id === address.query.tab);
  const tabs = [
    { value: EVENTS, words: text.eventsTab },
    ...added.map(({ id, words }, at) => ({ value: id, words, count: counts[at]?.data })),
  ];
  return (
    <Page
      title={text.sources}
      scrolls
      lead={text.sourcesLead}
      actions={
        mayMap && shown === undefined ? (
          <Button variant="default" component={Link} to={`/sources/${NEW}/mapping`}>
            {text.mapAnotherSource}
          </Button>
        ) : null
      }
    >
      {added.length === 0 ? null : (
        <div className={classes.tabs}>
          <Tabs
            label={text.sourcesSections}
            value={shown?.id ?? EVENTS}
            tabs={tabs}
            onChange={(next) => address.change({ tab: next === EVENTS ? null : next })}
          />
        </div>
      )}
      {shown === undefined ? <EventSources /> : <shown.Part />}
    </Page>
  );
}
