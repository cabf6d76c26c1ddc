import type { Mode } from './asked.ts';
import classes from './topology.module.css';

const ARROW = 'An arrow goes from what others need to what needs it.';

/** Meanings of the marks of this map. */
export function MapLegend({ mode }: { readonly mode: Mode }) {
  return (
    <p className={classes.legend}>
      Shape and fill: worst open event of now, as in lists; empty: none.{' '}
      {mode === 'impact' ? 'Dashed outline: fails too, without an event. Double outline: saved by redundancy. ' : ''}
      {ARROW}
    </p>
  );
}
