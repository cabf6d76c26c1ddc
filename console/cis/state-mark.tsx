import type { States } from '#console/api/cmdb/cmdb.ts';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { number } from '#console/words/counts.ts';
import classes from './cis.module.css';

/** The worst open event of a CI, and how many there are; nothing while it is well. */
export function StateMark({ state }: { readonly state: States[string] | undefined }) {
  if (state === undefined || state.worst === null) return null;
  return (
    <span className={classes.state}>
      <SeverityMark severity={state.worst} />
      {state.open > 1 ? <span className={classes.dim}>×{number(state.open)}</span> : null}
    </span>
  );
}
