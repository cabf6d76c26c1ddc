import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listSources, type SourceShown } from '#console/api/sources.ts';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { names, number } from '#console/words/counts.ts';
import { NEW } from './mapping-draft.ts';
import { sortedSources, sourceState } from './source-words.ts';

const SOURCES = ['sources'] as const;
const READ_MS = 20_000;

const columnsAt = (now: number): readonly SimpleColumn<SourceShown>[] => [
  { title: 'Source', isName: true, cell: ({ name, title }) => <Link to={`/sources/${name}`}>{title}</Link> },
  {
    title: 'State',
    cell: (source) => {
      const { kind, words } = sourceState(source, now);
      return <Mark kind={kind}>{words}</Mark>;
    },
  },
  {
    title: 'Last event',
    isNumber: true,
    cell: ({ lastEventAt: at }) => (at === null ? '–' : <Age since={at} after=" ago" />),
  },
  { title: 'In 24 hours', isNumber: true, cell: ({ events24h }) => number(events24h) },
  { title: 'Refused', isNumber: true, cell: ({ rejected24h }) => number(rejected24h) },
  {
    title: 'Tokens used',
    cell: ({ tokens }) =>
      tokens.length === 0
        ? '–'
        : names(
            tokens.map(({ name }) => name ?? 'a token that is gone'),
            tokens.length,
          ),
  },
];

/** The monitoring systems that send events, and those that could. */
export function SourcesPage() {
  const { call, clock } = useParts();
  const mayMap = useMay('settings.manage');
  const query = useQuery({
    queryKey: [...SOURCES, 'list'],
    queryFn: ({ signal }) => listSources(call, signal),
    refetchInterval: READ_MS,
  });
  return (
    <Page
      title="Sources"
      scrolls
      lead="Who sends events, and who has stopped. Open one to set it up."
      actions={
        mayMap ? (
          <Button variant="default" component={Link} to={`/sources/${NEW}/mapping`}>
            Map another source
          </Button>
        ) : null
      }
    >
      <Region query={query} what="The sources" skeleton={<Skeleton rows={12} height={38} />}>
        {(sources) => {
          const now = clock.now();
          const sorted = sortedSources(sources, now);
          const heard = sorted.filter(({ lastEventAt }) => lastEventAt !== null);
          const others = sorted.filter(({ lastEventAt }) => lastEventAt === null);
          const [all, few] = [columnsAt(now), columnsAt(now).slice(0, 1)];
          const path: SimpleColumn<SourceShown> = { title: 'Posts to', cell: ({ path: to }) => to };
          return (
            <>
              {heard.length === 0 ? null : (
                <Section title="Heard" flush>
                  <SimpleTable label="Sources that were heard" rows={heard} idOf={({ name }) => name} columns={all} />
                </Section>
              )}
              <Section
                title={heard.length === 0 ? 'Nothing has sent anything yet' : 'Never heard'}
                lead="Choose what you have; the page tells what to paste there."
                flush
              >
                <SimpleTable
                  label="Sources that were never heard"
                  rows={others}
                  idOf={({ name }) => name}
                  columns={[...few, path]}
                />
              </Section>
            </>
          );
        }}
      </Region>
    </Page>
  );
}
