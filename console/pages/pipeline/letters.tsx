import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { type Letter, type LetterWay, listLetters, settleLetter, settleLetters } from '#console/api/pipeline.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { askedOf, type Filter } from '#console/data/filters.ts';
import { MoreRows } from '#console/data/more-rows.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/words/counts.ts';
import { LetterDrawer } from './letter-drawer.tsx';
import classes from './pipeline.module.css';
import { stageName } from './stages.ts';
import { PIPELINE } from './use-pipeline.ts';

const LETTERS = [...PIPELINE, 'letters'] as const;
const PAGE = 50;
const STATES = { waiting: 'waiting', replayed: 'replayed', discarded: 'discarded', all: 'all' } as const;
const WAYS = ['replay', 'discard'] as const;
const WORDS = { replay: 'Replay', discard: 'Discard' } as const;

const filtersOf = (stages: readonly string[]): readonly Filter[] => [
  { name: 'processor', words: 'stage', values: stages.map((value) => ({ value, words: stageName(value) })) },
  { name: 'reason', words: 'reason' },
  { name: 'state', words: 'state', values: Object.entries(STATES).map(([value, words]) => ({ value, words })) },
];

const COLUMNS: readonly SimpleColumn<Letter>[] = [
  { title: 'Rejected', cell: ({ at }) => <When at={at} /> },
  { title: 'Stage', cell: ({ processor }) => stageName(processor) },
  { title: 'Why', isWide: true, cell: ({ reason }) => <span className={classes.reason}>{reason}</span> },
  { title: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
  {
    title: 'State',
    cell: ({ state, settled }) => (
      <span title={settled?.outcome}>{settled === null ? 'waiting' : `${state} by ${settled.by.name}`}</span>
    ),
  },
];

/** The letters that the filters find, and which of them are settled together. */
const useLetters = (filters: readonly Filter[], address: Address) => {
  const { call } = useParts();
  const attempt = useAttempt(PIPELINE);
  const asked = askedOf(filters, address.query);
  const list = usePages([...LETTERS, asked], (cursor, signal) =>
    listLetters(call, { ...asked, limit: PAGE, cursor }, signal),
  );
  const which = {
    ...(asked.processor !== undefined && { processor: asked.processor }),
    ...(asked.reason !== undefined && { reason: asked.reason }),
  };
  return {
    ...list,
    which,
    isNarrowed: Object.keys(which).length > 0 && (asked.state ?? 'waiting') === 'waiting',
    settleOne: (id: string, way: LetterWay) =>
      attempt(() => settleLetter(call, id, way), {
        done: way === 'replay' ? 'Sent through the pipeline again' : 'Discarded; it can be read for 7 days',
        failed: `${WORDS[way]} did not succeed`,
      }),
    async settleAll(way: LetterWay): Promise<void> {
      const { settled, failed, more } = await settleLetters(call, which, way);
      await list.found.refetch();
      const rest = `${failed === 0 ? '' : `, ${failed} could not be`}${more ? '; more match' : ''}`;
      say({ text: `${count(settled, 'record')} ${way === 'replay' ? 'replayed' : 'discarded'}${rest}` });
    },
  };
};
type FoundLetters = ReturnType<typeof useLetters>;

interface RowsProps {
  readonly list: FoundLetters;
  readonly address: Address;
  readonly may: boolean;
}

function LetterRows({ list, address, may }: RowsProps) {
  const { rows, total, found, settleOne } = list;
  const { full } = useTimes();
  return (
    <>
      <SimpleTable
        label="Dead letters"
        rows={rows}
        idOf={({ id }) => id}
        columns={COLUMNS}
        isDim={({ state }) => state !== 'waiting'}
        isCurrent={({ id }) => id === address.query.letter}
        actions={({ id, at, processor, state }) => {
          const of = `the record of ${stageName(processor)}, ${full(at)}`;
          return (
            <>
              <RowButton words="Show" of={of} isMain onClick={() => address.change({ letter: id })} />
              {may && state === 'waiting'
                ? WAYS.map((way) => (
                    <RowButton key={way} words={WORDS[way]} of={of} onClick={() => settleOne(id, way)} />
                  ))
                : null}
            </>
          );
        }}
      />
      <MoreRows list={{ found, rows, total }} />
    </>
  );
}

function AllWays({ isNarrowed, choose }: { readonly isNarrowed: boolean; readonly choose: (way: LetterWay) => void }) {
  return (
    <>
      {isNarrowed ? null : <span className={classes.note}>Filter by stage or reason to settle many at once</span>}
      {WAYS.map((way) => (
        <Button key={way} variant="default" disabled={!isNarrowed} onClick={() => choose(way)}>
          {WORDS[way]} all
        </Button>
      ))}
    </>
  );
}

interface SureProps {
  readonly list: FoundLetters;
  readonly way: LetterWay | null;
  readonly close: () => void;
}

function AllAtOnce({ list: { total, found, which, settleAll }, way, close }: SureProps) {
  const words = WORDS[way ?? 'replay'];
  return (
    <ConfirmDialog
      opened={way !== null}
      title={`${words} all that match`}
      action={words}
      onClose={close}
      act={() => settleAll(way ?? 'replay')}
    >
      {count(total, 'record')}
      {found.hasNextPage ? ' or more' : ''} that wait
      {which.processor === undefined ? '' : ` for ${stageName(which.processor)}`}
      {which.reason === undefined ? '' : ` with “${which.reason}” in the reason`}, at most 1,000 at once, the oldest
      first.
    </ConfirmDialog>
  );
}

/** Records that a stage could not handle: read, sent again, or put away, one or all that match. */
export function Letters({ stages, waiting }: { readonly stages: readonly string[]; readonly waiting: number }) {
  const address = useAddress();
  const may = useMay('pipeline.manage');
  const [sure, setSure] = useState<LetterWay | null>(null);
  const filters = filtersOf(stages);
  const list = useLetters(filters, address);
  const isEmpty = list.rows.length === 0;
  return (
    <Section
      title="Dead letters"
      lead="Records that a stage could not handle. They wait for 30 days; the rest of the pipeline goes on."
      flush
    >
      <FilterBar
        filters={filters}
        address={address}
        known={['letter']}
        end={may && !isEmpty ? <AllWays isNarrowed={list.isNarrowed} choose={setSure} /> : null}
      />
      <Region query={list.found} what="The dead letters">
        {() =>
          isEmpty ? (
            <Notice title={waiting === 0 ? 'No record was refused' : 'No dead letter fits'}>
              {waiting === 0 ? 'Every stage has handled all that it was given.' : 'Other filters show those that wait.'}
            </Notice>
          ) : (
            <LetterRows list={list} address={address} may={may} />
          )
        }
      </Region>
      <LetterDrawer
        id={address.query.letter ?? null}
        close={() => address.change({ letter: null })}
        {...(may && { settle: list.settleOne })}
      />
      <AllAtOnce list={list} way={sure} close={() => setSure(null)} />
    </Section>
  );
}
