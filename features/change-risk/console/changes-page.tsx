import { Button } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PageLink } from '#console/cis/page-link.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { type CsvField, wholeList } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import type { Filter } from '#console/data/filters.ts';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import forms from '#console/forms/forms.module.css';
import { Page } from '#console/frame/page.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type AddressSearch, useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { inSentence } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import { type ListedChangeData, listChanges } from './api.ts';
import { AssessDialog } from './assess-dialog.tsx';
import { AssessmentDialog } from './assessment-dialog.tsx';
import { rangeOf } from './change-range.ts';
import { riskWords } from './change-words.ts';
import classes from './changes.module.css';
import * as text from './texts.ts';

const TYPE_WORDS = { planned: text.planned, reported: text.reported } as const;
const FILTERS: readonly Filter[] = [
  {
    name: 'time',
    words: text.timeRange,
    isTime: true,
    values: [
      { value: 'upcoming', words: text.upcoming },
      { value: '24h', words: shared.last24Hours },
      { value: '7d', words: shared.last7Days },
      { value: '30d', words: text.last30Days },
    ],
  },
  {
    name: 'type',
    words: text.type,
    values: [
      { value: 'planned', words: text.planned },
      { value: 'reported', words: text.reported },
    ],
  },
];

const FIELDS: readonly CsvField<ListedChangeData>[] = [
  ['ID', ({ id }) => id],
  [text.type, ({ kind }) => TYPE_WORDS[kind]],
  [text.start, ({ hasTime, start }) => (hasTime ? start : null)],
  [text.end, ({ end }) => end],
  [text.change, ({ title }) => title],
  [text.ci, ({ place }) => place],
  [text.risk, ({ riskLevel }) => riskLevel],
  [text.riskScore, ({ riskScore }) => riskScore],
  [text.by, ({ by }) => by],
];

const COLUMNS: readonly SimpleColumn<ListedChangeData>[] = [
  {
    title: text.change,
    isName: true,
    isWide: true,
    cell: ({ kind, id, title }) =>
      kind === 'planned' ? (
        <Link to="." search={((before: AddressSearch) => ({ ...before, assessment: id })) as never}>
          <bdi>{title}</bdi>
        </Link>
      ) : (
        <PageLink to={`/events?event=${id}`}>
          <bdi>{title}</bdi>
        </PageLink>
      ),
  },
  {
    title: text.time,
    cell: ({ start, end, hasTime }) =>
      hasTime ? (
        <span>
          <Timestamp at={start} isDated />
          {end === null ? null : (
            <>
              {' – '}
              <Timestamp at={end} isDated />
            </>
          )}
        </span>
      ) : (
        text.noTime
      ),
  },
  {
    title: text.ci,
    cell: ({ ciId, place }) => (ciId === null ? (place ?? '–') : <PageLink to={`/cis/${ciId}`}>{place}</PageLink>),
  },
  { title: text.type, cell: ({ kind }) => TYPE_WORDS[kind] },
  { title: text.risk, cell: riskWords },
  { title: text.by, cell: ({ by }) => by ?? '–' },
];

/** A storm of events asks for the list once in a while. */
const MIN_MS = 10_000;

const ofType = (changes: readonly ListedChangeData[], type: string | undefined): readonly ListedChangeData[] =>
  changes.filter(({ kind }) => type === undefined || kind === type);

/** Planned and past changes; a planned one is assessed here. */
export function ChangesPage() {
  const { clock } = useAppServices();
  const address = useAddress();
  const { time, from, to, type, assessment } = address.query;
  const [isNew, setNew] = useState(false);
  const query = useRead(
    ['changes', 'list', time, from, to],
    (call, signal) => listChanges(call, rangeOf(address.query, clock.now()), signal),
    { placeholderData: keepPreviousData },
  );
  useLive(['events'], () => query.refetch(), undefined, MIN_MS);
  const assess = useMay('ai.use') ? <Button onClick={() => setNew(true)}>{text.assess}</Button> : undefined;
  return (
    <Page title={text.changes} lead={text.changesLead} actions={assess}>
      <FilterBar
        filters={FILTERS}
        address={address}
        known={['assessment']}
        end={
          <ExportButton
            name="changes"
            fields={FIELDS}
            read={async (call) =>
              wholeList(ofType((await listChanges(call, rangeOf(address.query, clock.now()))).changes, type))
            }
          />
        }
      />
      <div className={classes.scroll}>
        <Region query={query} what={inSentence(text.changes)} skeleton={<Skeleton rows={6} height={40} />}>
          {({ changes, truncated }) => {
            const shown = ofType(changes, type);
            return shown.length === 0 ? (
              <Notice title={text.noChanges}>{text.noChangesHint}</Notice>
            ) : (
              <>
                {truncated ? <p className={forms.note}>{text.truncated}</p> : null}
                <SimpleTable label={text.changes} rows={shown} columns={COLUMNS} idOf={({ id }) => id} />
              </>
            );
          }}
        </Region>
      </div>
      <AssessDialog
        opened={isNew}
        onClose={() => setNew(false)}
        onAssessed={(id) => address.change({ assessment: id })}
      />
      <AssessmentDialog id={assessment ?? null} onClose={() => address.change({ assessment: null })} />
    </Page>
  );
}
