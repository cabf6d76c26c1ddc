import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import { percent } from '#domain/numbers.ts';
import classes from './facts.module.css';
import * as text from './texts.ts';

/** Confidence of the server in a cause. */
export function Confidence({ value }: { readonly value: number }) {
  return (
    <span className={classes.confidence} title={text.rootCausesConfidenceCorrect(percent(value))}>
      {percent(value)}
      <span className={classes.bar} data-drawn data-unsure={value < CERTAIN || undefined} aria-hidden>
        <span style={{ width: `${Math.round(value * 100)}%` }} />
      </span>
    </span>
  );
}
