import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Age } from '#console/components/age.tsx';
import { Mark } from '#console/components/mark/mark.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { ageColumn, type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { NameCell } from '#console/pages/admin/parts/name-cell.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { sourcesQuery, type TopologySourceData } from './api.ts';
import { kindWords } from './kinds.ts';
import { NewSourceDialog } from './source-dialog.tsx';
import { nextStep, sourceState } from './source-text.ts';
import * as text from './texts.ts';

const READ_MS = 10_000;

function State({ source }: { readonly source: TopologySourceData }) {
  const { kind, words } = sourceState(source);
  const { error, error_code: code, stale_since: since } = source;
  const mark = (
    <Mark kind={kind}>
      {words} {since === null ? null : <Age since={since} />}
    </Mark>
  );
  if (error === null) return mark;
  return <NameCell name={mark} note={`${error}. ${nextStep(code) ?? ''}`} />;
}

const COLUMNS: readonly SimpleColumn<TopologySourceData>[] = [
  {
    title: text.source,
    isName: true,
    cell: (source) => (
      <NameCell
        name={<Link to={`/topology-sources/${encodeURIComponent(source.name)}`}>{source.name}</Link>}
        note={source.url === null ? kindWords(source) : `${kindWords(source)}, ${new URL(source.url).host}`}
      />
    ),
    value: ({ name }) => name,
  },
  {
    title: text.status,
    cell: (source) => <State source={source} />,
    value: (source) => [sourceState(source).words, source.error].filter(Boolean).join(': '),
  },
  {
    title: text.cis,
    isNumber: true,
    cell: ({ counts }) => (counts === null ? '–' : number(counts.cis.total)),
  },
  {
    title: text.relationships,
    isNumber: true,
    cell: ({ counts }) => (counts === null ? '–' : number(counts.relationships.total)),
  },
  { ...ageColumn(text.lastRun, ({ last_run: at }) => at, text.never), isNumber: true },
];

/** Sources that keep the CMDB up to date. */
export function TopologyTab() {
  const { call } = useAppServices();
  const mayManage = useMay('settings.manage');
  const [isNew, setNew] = useState(false);
  const query = useQuery({ ...sourcesQuery(call), refetchInterval: READ_MS });
  return (
    <Section
      title={text.topologySources}
      lead={text.topologySourcesLead}
      flush
      end={
        <>
          <ExportRows name="topology-sources" columns={COLUMNS} rows={query.data} />
          {mayManage ? <Button onClick={() => setNew(true)}>{text.addSource}</Button> : null}
        </>
      }
    >
      <Region query={query} what={nouns.sources}>
        {(sources) =>
          sources.length === 0 ? (
            <Notice title={text.noSources}>{text.noSourcesHint}</Notice>
          ) : (
            <SimpleTable
              label={text.topologySources}
              rows={sources}
              idOf={({ name }) => name}
              columns={COLUMNS}
              isDim={({ paused }) => paused}
            />
          )
        }
      </Region>
      {isNew ? <NewSourceDialog onClose={() => setNew(false)} /> : null}
    </Section>
  );
}
