import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useNamed } from '#console/cis/use-named.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import rows from '#console/data/rows.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { recurrenceText } from '#domain/event/silences/recurrence.ts';
import { endSilence, listSilences, type SilenceData } from './api.ts';
import { cisOf, matcherWords } from './matcher-text.ts';
import classes from './silences.module.css';
import * as text from './texts.ts';

const STATES = ['active', 'planned', 'past'] as const;
type SilenceTab = (typeof STATES)[number];
const END_WORDS = { active: text.untilTitle, planned: 'until', past: text.ended } as const;
const STATE_WORDS = { active: text.active, planned: text.planned, past: text.past } as const;
const MOST = 100;

interface Props {
  readonly silence: SilenceData;
  readonly names: ReadonlyMap<string, string>;
  readonly onEnd?: (() => void) | undefined;
}
function Silence({ silence, names, onEnd }: Props) {
  const { matcher, reason, createdBy, caught, startsAt, endsAt, state, recurrence } = silence;
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
      {onEnd === undefined ? null : (
        <Button variant="default" size="compact-sm" onClick={onEnd}>
          {text.endSilence}
        </Button>
      )}
    </li>
  );
}

/** Silences of the tenant, with who made them and why. */
export function SilencesPage() {
  const { call } = useAppServices();
  const mayWrite = useMay('events.write');
  const [state, setState] = useState<SilenceTab>('active');
  const attempt = useAttempt(['silences']);
  const query = useRead(['silences', 'list', state], (call, signal) =>
    listSilences(call, { state, limit: MOST }, signal),
  );
  useLive(['silences'], () => query.refetch());
  const cis = useNamed([...new Set(query.data?.flatMap(({ matcher }) => cisOf(matcher)))].slice(0, MOST));
  const names = new Map(cis.data?.map(({ _id, name }) => [_id, name]));
  const end = (id: string) =>
    attempt(() => endSilence(call, id), { done: text.silenceEnded, failed: text.couldntEndSilence });
  return (
    <Page title={text.silences} scrolls lead={text.silencesLead}>
      <div className={classes.tabs}>
        <Tabs
          label={text.silenceStatus}
          value={state}
          tabs={STATES.map((value) => ({ value, words: STATE_WORDS[value] }))}
          onChange={setState}
        />
      </div>
      <Region query={query} what={nouns.silences} skeleton={<Skeleton rows={4} height={40} />}>
        {(silences) =>
          silences.length === 0 ? (
            <Notice title={text.noSilences(state)}>{text.noSilencesHint}</Notice>
          ) : (
            <ul className={`${rows.rows} ${classes.list}`} aria-label={text.silences}>
              {silences.map((silence) => (
                <Silence
                  key={silence.id}
                  silence={silence}
                  names={names}
                  onEnd={mayWrite && state !== 'past' ? () => void end(silence.id) : undefined}
                />
              ))}
            </ul>
          )
        }
      </Region>
    </Page>
  );
}
