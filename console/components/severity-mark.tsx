import type { Severity } from '#domain/event/event.ts';
import classes from './facts.module.css';
import { SEVERITY_SHAPES, SEVERITY_WORDS } from './severity-shapes.ts';

interface Props {
  readonly severity: Severity;
  /** The shape alone; the word is for screen readers. */
  readonly bare?: boolean;
}

/** Shape, word and color have the same meaning, so that none of them is needed. */
export function SeverityMark({ severity, bare = false }: Props) {
  return (
    <span className={classes.severity} data-severity={severity} title={bare ? SEVERITY_WORDS[severity] : undefined}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden focusable="false">
        <path d={SEVERITY_SHAPES[severity]} />
      </svg>
      {bare ? <span className={classes.unseen}>{SEVERITY_WORDS[severity]}</span> : SEVERITY_WORDS[severity]}
    </span>
  );
}
