import { Button } from '@mantine/core';
import { Section } from '#console/frame/section.tsx';
import { count } from '#console/text/counts.ts';
import type { Difference } from './draft.ts';
import classes from './settings.module.css';
import * as text from './texts.ts';

export function DifferenceList({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <dl className={classes.differences}>
      {differences.map(({ path, words, before, after }) => (
        <div key={path}>
          <dt>{words}</dt>
          <dd>
            <span className={classes.was}>{before}</span> → <strong>{after}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Props {
  readonly differences: readonly Difference[];
  readonly mayChange: boolean;
  readonly discard: () => void;
  readonly save: () => void;
}

/** Differences, before they are saved. */
export function ChangesPart({ differences, mayChange, discard, save }: Props) {
  const isEmpty = differences.length === 0;
  return (
    <Section flush title={isEmpty ? text.yourChanges : count(differences.length, 'change')}>
      <div className={classes.body}>
        {mayChange ? null : <p className={classes.caution}>{text.readOnlyEditingRequires}</p>}
        {isEmpty ? (
          <p className={classes.dim}>{text.noChangesYetEdits}</p>
        ) : (
          <DifferenceList differences={differences} />
        )}
        {isEmpty ? null : (
          <div className={classes.ways}>
            <Button onClick={save}>{text.save}</Button>
            <Button variant="default" onClick={discard}>
              {text.discard}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}
