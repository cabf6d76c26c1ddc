import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import choice from '#console/data/choice.module.css';
import { When } from '#console/facts/when.tsx';
import parts from '#console/forms/settings/settings.module.css';
import { Section } from '#console/frame/section.tsx';
import classes from '#console/pages/tuning/tuning.module.css';
import type { TuningPartProps } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import type { TrialShown } from './api.ts';
import { TrialResult } from './trial-result.tsx';
import { stateOfTrial, triedWords } from './trial-words.ts';
import { usePastTrials, useStartTrial, useTrial } from './use-trials.ts';

const HOURS = [
  { value: 6, words: 'the last 6 hours' },
  { value: 24, words: 'the last day' },
  { value: 72, words: 'the last 3 days' },
  { value: 168, words: 'the last 7 days' },
] as const;
const SHOWN = 5;

function Past({
  trials,
  shown,
  show,
  tell,
}: Pick<TuningPartProps, 'shown' | 'show' | 'tell'> & { readonly trials: readonly TrialShown[] }) {
  if (trials.length === 0) return null;
  return (
    <div className={parts.body}>
      <h3 className={classes.sub}>Tried before</h3>
      <ul className={classes.past}>
        {trials.slice(0, SHOWN).map((trial) => (
          <li key={trial.id}>
            <button
              type="button"
              className={`${choice.choice} ${classes.pastOne}`}
              aria-pressed={trial.id === shown}
              onClick={() => show(trial.id)}
            >
              {triedWords(tell(trial.patch))}
              <br />
              <span className={parts.dim}>
                <When at={trial.startedAt} />
                {` · ${stateOfTrial(trial)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tries what is wished on stored events before it counts. */
export function TrialPart({ patch, shown, show, tell, takeOver }: TuningPartProps) {
  const [hours, setHours] = useState<number>(24);
  const start = useStartTrial(show);
  const trial = useTrial(shown);
  const past = usePastTrials(true);
  const isWished = Object.keys(patch).length > 0;
  const isAtWork = trial.data?.state === 'waiting' || trial.data?.state === 'running';
  return (
    <Section
      flush
      title="Try it first"
      lead="Goes through stored events as they came, once as it was and once with your changes. It changes nothing."
    >
      <div className={parts.body}>
        <div className={parts.ways}>
          <NativeSelect
            size="xs"
            aria-label="Events to try it on"
            value={String(hours)}
            onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}
          >
            {HOURS.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </NativeSelect>
          <Button
            disabled={!isWished || isAtWork}
            loading={start.isPending}
            onClick={() => start.mutate({ patch, hours })}
          >
            Try on stored events
          </Button>
        </div>
        {isWished ? null : <p className={parts.small}>Change something, then try it here.</p>}
      </div>
      {shown === null ? null : (
        <Region query={trial} what="The trial" skeleton={<Skeleton rows={4} />}>
          {(one) => (
            <>
              <TrialResult trial={one} />
              {one.state === 'completed' && JSON.stringify(one.patch) !== JSON.stringify(patch) ? (
                <div className={parts.body}>
                  <p className={parts.small}>This trial was of: {triedWords(tell(one.patch))}.</p>
                  <div className={parts.ways}>
                    <Button variant="default" onClick={() => takeOver(one.patch)}>
                      Put these settings into the form
                    </Button>
                  </div>
                </div>
              ) : null}
            </>
          )}
        </Region>
      )}
      {past.data === undefined ? null : <Past trials={past.data} shown={shown} show={show} tell={tell} />}
    </Section>
  );
}
