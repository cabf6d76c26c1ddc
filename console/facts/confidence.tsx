import { percent } from '#console/words/counts.ts';
import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import classes from './facts.module.css';

/** How sure the server is of a cause. */
export function Confidence({ value }: { readonly value: number }) {
  return (
    <span
      className={classes.confidence}
      title={`Causes with this confidence were right in about ${percent(value)} of cases`}
    >
      {percent(value)}
      <span className={classes.bar} data-drawn data-unsure={value < CERTAIN || undefined} aria-hidden>
        <span style={{ width: `${Math.round(value * 100)}%` }} />
      </span>
    </span>
  );
}
