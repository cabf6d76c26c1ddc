import { Progress } from '@mantine/core';
import compact from '#console/data/compact-table.module.css';
import { When } from '#console/facts/when.tsx';
import parts from '#console/forms/settings/settings.module.css';
import classes from '#console/pages/tuning/tuning.module.css';
import { Notice } from '#console/states/notice.tsx';
import { count, number, percent } from '#console/words/counts.ts';
import type { TrialShown } from './api.ts';
import { CHANGE_WORDS, compared, keptWords, signed, sizeWords, verdictOfTrial } from './trial-words.ts';

function Counts({ trial }: { readonly trial: TrialShown }) {
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th scope="col">{count(trial.events ?? 0, 'event')}</th>
          <th scope="col" data-end>
            as it was
          </th>
          <th scope="col" data-end>
            with it
          </th>
          <th scope="col" data-end>
            change
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

function Changes({ trial }: { readonly trial: TrialShown }) {
  const { changes, changed } = trial;
  if (changes === null || changes.length === 0) return null;
  return (
    <>
      <h3 className={classes.sub}>What would come out otherwise</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <section className={classes.scroll} tabIndex={0} aria-label="Groups that would come out otherwise">
        <ol className={classes.changes}>
          {changes.map((change, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a trial never changes.
            <li key={place}>
              <strong>{CHANGE_WORDS[change.kind]}</strong>
              <span>{change.titles[0] ?? 'A group without a title'}</span>
              <span className={classes.sizes}>{sizeWords(change)}</span>
            </li>
          ))}
        </ol>
      </section>
      {changed !== null && changed > changes.length ? (
        <p className={parts.small}>
          The {number(changes.length)} largest of {number(changed)} are shown.
        </p>
      ) : null}
    </>
  );
}

/** How far a trial is, and what came of it. */
export function TrialResult({ trial }: { readonly trial: TrialShown }) {
  if (trial.state === 'failed')
    return (
      <Notice title="The trial did not end" kind="bad">
        {trial.error ?? 'It was given up.'} Nothing was changed; try it again.
      </Notice>
    );
  if (trial.state !== 'completed')
    return (
      <div className={parts.body} role="status">
        <p>{trial.state === 'waiting' ? 'Waits for its turn' : `Going through the events, ${percent(trial.done)}`}</p>
        <Progress value={Math.max(2, trial.done * 100)} aria-label="Progress of the trial" />
        <p className={parts.small}>You can go on working; nothing that is stored is changed.</p>
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
          Events since <When at={trial.from} />
          {trial.truncated ? ': fewer hours than asked for, as a trial looks at 50,000 events at most' : ''}.
        </p>
      )}
      <Changes trial={trial} />
    </div>
  );
}
