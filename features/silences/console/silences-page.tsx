import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import type { Call } from '#console/api/link/call.ts';
import { useNamed } from '#console/cis/use-named.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { type CsvField, wholeList } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import rows from '#console/data/rows.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useLocal } from '#console/hooks/use-local.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { recurrenceText } from '#domain/event/silences/recurrence.ts';
import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { endSilence, listSilences, type SilenceData } from './api.ts';
import { cisOf, matcherWords } from './matcher-text.ts';
import { SilenceCalendar } from './silence-calendar.tsx';
import { SilenceDialog } from './silence-dialog.tsx';
import { draftOfSilence, emptyDraft, type SilenceDraft } from './silence-draft.ts';
import classes from './silences.module.css';
import * as text from './texts.ts';

const TABS = [...SILENCE_STATES, 'calendar'] as const;
type SilenceTab = (typeof TABS)[number];
const TAB_WORDS = { active: text.active, planned: text.planned, past: text.past, calendar: text.calendar } as const;
const END_WORDS = { active: text.untilTitle, planned: 'until', past: text.ended } as const;
const MOST = 100;

interface RowProps {
  readonly silence: SilenceData;
  readonly names: ReadonlyMap<string, string>;
  readonly actions: {
    readonly edit: (silence: SilenceData, isCopy: boolean) => void;
    readonly end: (id: string) => void;
  } | null;
}
function Silence({ silence, names, actions }: RowProps) {
  const { id, matcher, reason, createdBy, caught, startsAt, endsAt, state, recurrence } = silence;
  return (
    <li className={rows.row}>
      <span className={rows.rowMain}>
        {matcherWords(matcher, names)}
        {recurrence === undefined ? null : `, ${recurrenceText(recurrence)}`}
        <span className={rows.rowNote}>{text.silenceNote(reason, createdBy.name, count(caught, 'event'))}</span>
      </span>
      <span>
        {state === 'planned' ? (
          <>
            {text.fromTitle} <Timestamp at={startsAt} isDated />{' '}
          </>
        ) : null}
        {END_WORDS[state]} <Timestamp at={endsAt} isDated />
      </span>
      {actions === null ? null : (
        <span className={classes.actions}>
          {state === 'past' ? null : (
            <Button variant="default" size="compact-sm" onClick={() => actions.edit(silence, false)}>
              {text.edit}
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={() => actions.edit(silence, true)}>
            {text.copy}
          </Button>
          {state === 'past' ? null : (
            <Button variant="default" size="compact-sm" onClick={() => actions.end(id)}>
              {text.endSilence}
            </Button>
          )}
        </span>
      )}
    </li>
  );
}

const readTab = async (call: Call, tab: SilenceTab, signal?: AbortSignal): Promise<readonly SilenceData[]> => {
  if (tab !== 'calendar') return listSilences(call, { state: tab, limit: MOST }, signal);
  const states = ['active', 'planned'] as const;
  return (await Promise.all(states.map((state) => listSilences(call, { state, limit: MOST }, signal)))).flat();
};

const fieldsOf = (names: ReadonlyMap<string, string>): readonly CsvField<SilenceData>[] => [
  ['Silence ID', ({ id }) => id],
  ['Status', ({ state }) => state],
  ['Matches', ({ matcher }) => matcherWords(matcher, names)],
  ['Start', ({ startsAt }) => startsAt],
  ['End', ({ endsAt }) => endsAt],
  ['Windows', ({ recurrence }) => (recurrence === undefined ? '' : recurrenceText(recurrence))],
  ['Reason', ({ reason }) => reason],
  ['Created by', ({ createdBy }) => createdBy.name],
  ['Suppressed events', ({ caught }) => caught],
];

/** Silences of a tab; the calendar has active and planned ones. */
const useSilences = (tab: SilenceTab) => {
  const query = useRead(['silences', 'list', tab], (call, signal) => readTab(call, tab, signal));
  useLive(['silences'], () => query.refetch());
  const cis = useNamed([...new Set(query.data?.flatMap(({ matcher }) => cisOf(matcher)))].slice(0, MOST));
  return { query, names: new Map(cis.data?.map(({ _id, name }) => [_id, name])) };
};

/** Silences of the tenant, with who made them and why. */
export function SilencesPage() {
  const { call, clock } = useAppServices();
  const local = useLocal();
  const mayWrite = useMay('events.write');
  const address = useAddress();
  const tab = TABS.find((one) => one === address.query.tab) ?? 'active';
  const [draft, setDraft] = useState<SilenceDraft | null>(null);
  const attempt = useAttempt(['silences']);
  const { query, names } = useSilences(tab);
  const edit = (silence: SilenceData, isCopy: boolean): void =>
    setDraft(draftOfSilence(silence, names, local, { now: clock.now(), isCopy }));
  const end = (id: string): void =>
    void attempt(() => endSilence(call, id), { done: text.silenceEnded, failed: text.couldntEndSilence });
  const ways = (
    <>
      <ExportButton
        name="silences"
        fields={fieldsOf(names)}
        read={async (from) => wholeList(await readTab(from, tab))}
      />
      {mayWrite ? <Button onClick={() => setDraft(emptyDraft())}>{text.newSilence}</Button> : null}
    </>
  );
  return (
    <Page title={text.silences} scrolls lead={text.silencesLead} actions={ways}>
      <div className={classes.tabs}>
        <Tabs
          label={text.silenceStatus}
          value={tab}
          tabs={TABS.map((value) => ({ value, words: TAB_WORDS[value] }))}
          onChange={(next) => address.change({ tab: next === 'active' ? null : next })}
        />
      </div>
      <Region query={query} what={nouns.silences} skeleton={<Skeleton rows={4} height={40} />}>
        {(silences) =>
          tab === 'calendar' ? (
            <SilenceCalendar
              silences={silences}
              names={names}
              onOpen={mayWrite ? (silence) => edit(silence, false) : undefined}
            />
          ) : silences.length === 0 ? (
            <Notice title={text.noSilences(tab)}>{text.noSilencesHint}</Notice>
          ) : (
            <ul className={`${rows.rows} ${classes.list}`} aria-label={text.silences}>
              {silences.map((silence) => (
                <Silence key={silence.id} silence={silence} names={names} actions={mayWrite ? { edit, end } : null} />
              ))}
            </ul>
          )
        }
      </Region>
      <SilenceDialog draft={draft} onClose={() => setDraft(null)} />
    </Page>
  );
}
