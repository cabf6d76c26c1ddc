import { Button, Drawer, Stack } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import {
  type DeadLetterAction,
  type DeadLetterRecord,
  type DeadLetterRow,
  listDeadLetters,
  readDeadLetter,
  resolveDeadLetter,
  resolveDeadLetters,
} from '#console/api/pipeline.ts';
import { JsonTree } from '#console/components/json-tree.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { fieldsOf } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { FactsList } from '#console/data/facts-list.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { askedOf, type Filter } from '#console/data/filters.ts';
import { MoreRows } from '#console/data/more-rows.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, SimpleTable, timeColumn } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { Section } from '#console/frame/section.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import classes from './pipeline.module.css';
import { stageName } from './stages.ts';
import * as text from './texts.ts';
import { PIPELINE } from './use-pipeline.ts';

interface Props {
  readonly id: string | null;
  readonly close: () => void;
  readonly settle?: (id: string, way: DeadLetterAction) => Promise<void>;
}

function Body({ letter, settle, close }: Omit<Props, 'id'> & { readonly letter: DeadLetterRecord }) {
  const { id, state, settled, not_replayable: because } = letter;
  const act = (way: DeadLetterAction) => () => void settle?.(id, way).then(close);
  return (
    <Stack gap="md">
      <FactsList
        facts={[
          [text.reason, letter.reason],
          [text.processor, stageName(letter.processor)],
          [text.rejected, <Timestamp key="at" at={letter.at} />],
          [text.attempts, number(letter.attempts)],
          [text.location, text.partitionOffset(letter.topic, letter.partition, number(letter.offset))],
          [
            text.status,
            settled === null
              ? STATES.waiting
              : text.settledWithOutcome(STATES[state], settled.by.name, settled.outcome),
          ],
        ]}
      />
      {because === null || state !== 'waiting' ? null : <Notice title={text.cantBeReplayed}>{because}</Notice>}
      {settle === undefined || state !== 'waiting' ? null : (
        <div className={classes.ways}>
          <Button disabled={because !== null} onClick={act('replay')}>
            {text.replay}
          </Button>
          <Button variant="default" onClick={act('discard')}>
            {text.discard}
          </Button>
        </div>
      )}
      <div className={classes.ways}>
        <strong>{text.originalRecord}</strong>
        <CopyButton text={JSON.stringify(letter.record ?? letter.value, null, 2)} />
      </div>
      {letter.record === null ? <p className={classes.note}>{text.notReadable}</p> : <JsonTree value={letter.record} />}
    </Stack>
  );
}

/** One dead letter with its record. */
function DeadLetterDrawer({ id, close, settle }: Props) {
  const query = useRead([...PIPELINE, 'letter', id], (call, signal) => readDeadLetter(call, id ?? '', signal), {
    enabled: id !== null,
  });
  return (
    <Drawer opened={id !== null} onClose={close} position="right" size="xl" title={text.deadLetter}>
      <Region query={query} what={nouns.deadLetter}>
        {(letter) => <Body letter={letter} close={close} {...(settle !== undefined && { settle })} />}
      </Region>
    </Drawer>
  );
}

const LETTERS = [...PIPELINE, 'letters'] as const;
const PAGE = 50;
const STATES = { waiting: text.queued, replayed: text.replayed, discarded: text.discarded, all: text.all } as const;
const WAYS = ['replay', 'discard'] as const;
const WORDS = { replay: text.replay, discard: text.discard } as const;

const filtersOf = (stages: readonly string[]): readonly Filter[] => [
  { name: 'processor', words: text.processorWord, values: stages.map((value) => ({ value, words: stageName(value) })) },
  { name: 'reason', words: text.reasonWord },
  { name: 'state', words: text.statusWord, values: Object.entries(STATES).map(([value, words]) => ({ value, words })) },
];

const stateText = ({ state, settled }: DeadLetterRow): string =>
  settled === null ? STATES.waiting : text.settledBy(STATES[state], settled.by.name);

const COLUMNS: readonly SimpleColumn<DeadLetterRow>[] = [
  timeColumn(text.rejected, ({ at }) => at),
  { title: text.processor, cell: ({ processor }) => stageName(processor) },
  {
    title: text.reason,
    isWide: true,
    cell: ({ reason }) => <span className={classes.reason}>{reason}</span>,
    value: ({ reason }) => reason,
  },
  { title: text.attempts, isNumber: true, cell: ({ attempts }) => attempts },
  {
    title: text.status,
    cell: (letter) => <span title={letter.settled?.outcome}>{stateText(letter)}</span>,
    value: stateText,
  },
];

/** The letters that the filters find, and which of them are settled together. */
const useDeadLetters = (filters: readonly Filter[], address: Address) => {
  const { call } = useAppServices();
  const attempt = useAttempt(PIPELINE);
  const asked = askedOf(filters, address.query);
  const list = usePages([...LETTERS, asked], (cursor, signal) =>
    listDeadLetters(call, { ...asked, limit: PAGE, cursor }, signal),
  );
  const which = {
    ...(asked.processor !== undefined && { processor: asked.processor }),
    ...(asked.reason !== undefined && { reason: asked.reason }),
  };
  return {
    ...list,
    asked,
    which,
    isNarrowed: Object.keys(which).length > 0 && (asked.state ?? 'waiting') === 'waiting',
    settleOne: (id: string, way: DeadLetterAction) =>
      attempt(() => resolveDeadLetter(call, id, way), {
        done: way === 'replay' ? text.replayed : text.discardedFor7Days,
        failed: text.failed(WORDS[way]),
      }),
    async settleAll(way: DeadLetterAction): Promise<void> {
      const { settled, failed, more } = await resolveDeadLetters(call, which, way);
      await list.found.refetch();
      showToast({ text: text.settled(way, settled, failed, more) });
    },
  };
};
type FoundDeadLetters = ReturnType<typeof useDeadLetters>;

interface RowsProps {
  readonly list: FoundDeadLetters;
  readonly address: Address;
  readonly may: boolean;
}

function DeadLetterRows({ list, address, may }: RowsProps) {
  const { rows, total, found, settleOne: resolveOneDeadLetter } = list;
  const { full } = useTimes();
  return (
    <>
      <SimpleTable
        label={text.deadLetters}
        rows={rows}
        idOf={({ id }) => id}
        columns={COLUMNS}
        isDim={({ state }) => state !== 'waiting'}
        isCurrent={({ id }) => id === address.query.letter}
        actions={({ id, at, processor, state }) => {
          const of = text.recordOf(stageName(processor), full(at));
          return (
            <>
              <RowButton words={text.show} of={of} isMain onClick={() => address.change({ letter: id })} />
              {may && state === 'waiting'
                ? WAYS.map((way) => (
                    <RowButton key={way} words={WORDS[way]} of={of} onClick={() => resolveOneDeadLetter(id, way)} />
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

function AllWays({
  isNarrowed,
  choose,
}: {
  readonly isNarrowed: boolean;
  readonly choose: (way: DeadLetterAction) => void;
}) {
  return (
    <>
      {isNarrowed ? null : <span className={classes.note}>{text.filterForBulk}</span>}
      {WAYS.map((way) => (
        <Button key={way} variant="default" disabled={!isNarrowed} onClick={() => choose(way)}>
          {text.allOf(WORDS[way])}
        </Button>
      ))}
    </>
  );
}

interface SureProps {
  readonly list: FoundDeadLetters;
  readonly way: DeadLetterAction | null;
  readonly close: () => void;
}

function AllAtOnce({ list: { total, found, which, settleAll }, way, close }: SureProps) {
  const words = WORDS[way ?? 'replay'];
  return (
    <ConfirmDialog
      opened={way !== null}
      title={text.allMatching(words)}
      action={words}
      onClose={close}
      act={() => settleAll(way ?? 'replay')}
    >
      {text.bulkWarning(count(total, 'queued record'), found.hasNextPage, {
        ...which,
        ...(which.processor !== undefined && { processor: stageName(which.processor) }),
      })}
    </ConfirmDialog>
  );
}

/** Records that a stage could not handle: read, sent again, or put away, one or all that match. */
export function DeadLetters({ stages, waiting }: { readonly stages: readonly string[]; readonly waiting: number }) {
  const address = useAddress();
  const may = useMay('pipeline.manage');
  const [sure, setSure] = useState<DeadLetterAction | null>(null);
  const filters = filtersOf(stages);
  const list = useDeadLetters(filters, address);
  const isEmpty = list.rows.length === 0;
  return (
    <Section title={text.deadLetters} lead={text.deadLettersLead} flush>
      <FilterBar
        filters={filters}
        address={address}
        known={['letter']}
        end={
          <>
            <ExportButton name="dead-letters" fields={fieldsOf(COLUMNS)} read={(_call, cursor) => list.read(cursor)} />
            {may && !isEmpty ? <AllWays isNarrowed={list.isNarrowed} choose={setSure} /> : null}
          </>
        }
      />
      <Region query={list.found} what={nouns.deadLetters}>
        {() =>
          isEmpty ? (
            <Notice title={waiting === 0 ? text.noDeadLetters : text.noMatchingDeadLetters}>
              {waiting === 0 ? text.noDeadLettersHint : text.noMatchingDeadLettersHint}
            </Notice>
          ) : (
            <DeadLetterRows list={list} address={address} may={may} />
          )
        }
      </Region>
      <DeadLetterDrawer
        id={address.query.letter ?? null}
        close={() => address.change({ letter: null })}
        {...(may && { settle: list.settleOne })}
      />
      <AllAtOnce list={list} way={sure} close={() => setSure(null)} />
    </Section>
  );
}
