import { Button, NativeSelect, Progress } from '@mantine/core';
import { useState } from 'react';
import { Timestamp } from '#console/components/timestamp.tsx';
import choice from '#console/data/choice.module.css';
import compact from '#console/data/compact-table.module.css';
import type { FileColumn } from '#console/data/csv/csv.ts';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import parts from '#console/forms/settings/settings.module.css';
import { Section } from '#console/frame/section.tsx';
import classes from '#console/pages/tuning/tuning.module.css';
import type { TuningPartProps } from '#console/slots/feature.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import * as shared from '#console/text/texts.ts';
import { percent } from '#domain/numbers.ts';
import type { TrialData } from './api.ts';
import * as text from './texts.ts';
import {
  CHANGE_WORDS,
  compared,
  keptWords,
  signed,
  sizeWords,
  stateOfTrial,
  triedWords,
  verdictOfTrial,
} from './trial-text.ts';
import { usePastTrials, useStartTrial, useTrial } from './use-trials.ts';

function Counts({ trial }: { readonly trial: TrialData }) {
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th scope="col">{count(trial.events ?? 0, 'event')}</th>
          <th scope="col" data-end>
            {text.current}
          </th>
          <th scope="col" data-end>
            {text.simulated}
          </th>
          <th scope="col" data-end>
            {text.difference}
          </th>
        </tr>
      </thead>
      <tbody>
        {compared(trial).map((one) => (
          <tr key={one.words}>
            <th scope="row">{one.words}</th>
            <td data-end>{number(one.before)}</td>
            <td data-end>
              <strong>{number(one.after)}</strong>
            </td>
            <td className={parts.dim} data-end>
              {signed(one)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CHANGE_COLUMNS: readonly FileColumn<NonNullable<TrialData['changes']>[number]>[] = [
  { title: text.difference, cell: ({ kind }) => CHANGE_WORDS[kind] },
  { title: text.group, cell: ({ titles }) => titles[0] ?? text.untitledGroup },
  { title: text.events, cell: sizeWords },
];

function Changes({ trial }: { readonly trial: TrialData }) {
  const { changes, changed } = trial;
  if (changes === null || changes.length === 0) return null;
  return (
    <>
      <h3 className={classes.sub}>{text.changedGroups}</h3>
      <ExportRows name="changed-groups" columns={CHANGE_COLUMNS} rows={changes} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <section className={classes.scroll} tabIndex={0} aria-label={text.changedGroups}>
        <ol className={classes.changes}>
          {changes.map((change, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a trial never changes.
            <li key={place}>
              <strong>{CHANGE_WORDS[change.kind]}</strong>
              <span>{change.titles[0] ?? text.untitledGroup}</span>
              <span className={classes.sizes}>{sizeWords(change)}</span>
            </li>
          ))}
        </ol>
      </section>
      {changed !== null && changed > changes.length ? (
        <p className={parts.small}>{text.showingLargest(number(changes.length), number(changed))}</p>
      ) : null}
    </>
  );
}

/** Progress of a trial, and its result. */
function TrialResult({ trial }: { readonly trial: TrialData }) {
  if (trial.state === 'failed')
    return (
      <Notice title={text.simulationFailed} kind="bad">
        {text.nothingWasModified(trial.error ?? text.itWasCanceled)}
      </Notice>
    );
  if (trial.state !== 'completed')
    return (
      <div className={parts.body} role="status">
        <p>{trial.state === 'waiting' ? text.queued : text.running(percent(trial.done))}</p>
        <Progress value={Math.max(2, trial.done * 100)} aria-label={text.simulationProgress} />
        <p className={parts.small}>{text.leavePageHint}</p>
      </div>
    );
  return (
    <div className={parts.body}>
      <p>
        <strong>{verdictOfTrial(trial)}</strong>
      </p>
      <p>{keptWords(trial)}</p>
      <Counts trial={trial} />
      {trial.from === null ? null : (
        <p className={parts.small}>
          {text.eventsSince} <Timestamp at={trial.from} />
          {trial.truncated ? text.shorterThanRequested : ''}.
        </p>
      )}
      <Changes trial={trial} />
    </div>
  );
}

const HOURS = [
  { value: 6, words: shared.last6Hours },
  { value: 24, words: shared.last24Hours },
  { value: 72, words: shared.last3Days },
  { value: 168, words: shared.last7Days },
] as const;
const SHOWN = 5;

function Past({
  trials,
  shown,
  show,
  tell,
}: Pick<TuningPartProps, 'shown' | 'show' | 'tell'> & { readonly trials: readonly TrialData[] }) {
  if (trials.length === 0) return null;
  const columns: readonly FileColumn<TrialData>[] = [
    { title: text.startedAt, cell: ({ startedAt }) => startedAt },
    { title: text.settings, cell: ({ patch }) => triedWords(tell(patch)) },
    { title: text.state, cell: stateOfTrial },
  ];
  return (
    <div className={parts.body}>
      <h3 className={classes.sub}>{text.previousSimulations}</h3>
      <ExportRows name="simulations" columns={columns} rows={trials} />
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
                <Timestamp at={trial.startedAt} />
                {` · ${stateOfTrial(trial)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tries the changes on stored events before they are saved. */
export function TrialPart({ patch, shown, show, tell, takeOver }: TuningPartProps) {
  const [hours, setHours] = useState<number>(24);
  const start = useStartTrial(show);
  const trial = useTrial(shown);
  const past = usePastTrials(true);
  const isWished = Object.keys(patch).length > 0;
  const isAtWork = trial.data?.state === 'waiting' || trial.data?.state === 'running';
  return (
    <Section flush title={text.simulate} lead={text.simulateLead}>
      <div className={parts.body}>
        <div className={parts.ways}>
          <NativeSelect
            size="xs"
            aria-label={text.timeRange}
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
            {text.runSimulation}
          </Button>
        </div>
        {isWished ? null : <p className={parts.small}>{text.noChangedSetting}</p>}
      </div>
      {shown === null ? null : (
        <Region query={trial} what={nouns.simulation} skeleton={<Skeleton rows={4} />}>
          {(one) => (
            <>
              <TrialResult trial={one} />
              {one.state === 'completed' && JSON.stringify(one.patch) !== JSON.stringify(patch) ? (
                <div className={parts.body}>
                  <p className={parts.small}>{text.simulatedSettings(triedWords(tell(one.patch)))}</p>
                  <div className={parts.ways}>
                    <Button variant="default" onClick={() => takeOver(one.patch)}>
                      {text.applyToForm}
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
