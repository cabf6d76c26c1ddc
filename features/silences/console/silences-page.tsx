import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useNamed } from '#console/cis/use-named.ts';
import rows from '#console/data/rows.module.css';
import { Tabs } from '#console/data/tabs.tsx';
import { When } from '#console/facts/when.tsx';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { endSilence, listSilences, type SilenceShown } from './api.ts';
import { cisOf, matcherWords } from './matcher-words.ts';
import classes from './silences.module.css';

const STATES = ['active', 'planned', 'past'] as const;
type State = (typeof STATES)[number];
const STATE_WORDS = { active: 'Active', planned: 'Planned', past: 'Past' } as const;
const MOST = 100;

interface Props {
  readonly silence: SilenceShown;
  readonly names: ReadonlyMap<string, string>;
  readonly onEnd?: (() => void) | undefined;
}
function Silence({ silence, names, onEnd }: Props) {
  const { matcher, reason, createdBy, caught, startsAt, endsAt, state } = silence;
  return (
    <li className={rows.row}>
      <span className={rows.rowMain}>
        {matcherWords(matcher, names)}
        <span className={rows.rowNote}>
          {reason} · {createdBy.name} · {count(caught, 'event')} suppressed
        </span>
      </span>
      <span>
        {state === 'planned' ? (
          <>
            from <When at={startsAt} isDated />{' '}
          </>
        ) : null}
        {state === 'past' ? 'ended ' : 'until '}
        <When at={endsAt} isDated />
      </span>
      {onEnd === undefined ? null : (
        <Button variant="default" size="compact-sm" onClick={onEnd}>
          End silence
        </Button>
      )}
    </li>
  );
}

/** Silences of the tenant, with who made them and why. */
export function SilencesPage() {
  const { call } = useParts();
  const mayWrite = useMay('events.write');
  const [state, setState] = useState<State>('active');
  const attempt = useAttempt(['silences']);
  const query = useQuery({
    queryKey: ['silences', 'list', state],
    queryFn: ({ signal }) => listSilences(call, { state, limit: MOST }, signal),
  });
  useLive(['silences'], () => query.refetch());
  const cis = useNamed([...new Set(query.data?.flatMap(({ matcher }) => cisOf(matcher)))].slice(0, MOST));
  const names = new Map(cis.data?.map(({ _id, name }) => [_id, name]));
  const end = (id: string) =>
    attempt(() => endSilence(call, id), { done: 'Silence ended', failed: "Couldn't end the silence" });
  return (
    <Page
      title="Silences"
      scrolls
      lead="Matching events are stored and counted, and alert no one until the silence ends."
    >
      <div className={classes.tabs}>
        <Tabs
          label="State of the silences"
          value={state}
          tabs={STATES.map((value) => ({ value, words: STATE_WORDS[value] }))}
          onChange={setState}
        />
      </div>
      <Region query={query} what="The silences" skeleton={<Skeleton rows={4} height={40} />}>
        {(silences) =>
          silences.length === 0 ? (
            <Notice title={`No ${state} silences`}>
              Create one with Silence… on an event, a group or the page of a CI.
            </Notice>
          ) : (
            <ul className={`${rows.rows} ${classes.list}`} aria-label="Silences">
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
