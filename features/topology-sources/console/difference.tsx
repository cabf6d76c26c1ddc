import { number } from '#console/text/counts.ts';
import type { SourceRunData } from './api.ts';
import { shownChanges } from './source-text.ts';
import * as text from './texts.ts';
import classes from './topology-sources.module.css';

interface Props {
  readonly counts: NonNullable<SourceRunData['run']>;
  readonly changes: NonNullable<SourceRunData['changes']>;
}

/** Changes of a run with the names of the first few. */
export function Difference({ counts, changes }: Props) {
  const shown = shownChanges(counts, changes);
  if (shown.length === 0) return <p className={classes.note}>{text.noChanges}</p>;
  return (
    <div className={classes.changes}>
      {shown.map(({ title, total, names, more }) => (
        <details key={title} open={names.length <= 5}>
          <summary className={classes.change}>
            {title} <span className={classes.total}>{number(total)}</span>
          </summary>
          <ul className={classes.names}>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
            {more === 0 ? null : <li className={classes.note}>{text.more(number(more))}</li>}
          </ul>
        </details>
      ))}
    </div>
  );
}
