import type { States } from '#console/api/cmdb/cmdb.ts';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { number, openCounts } from '#console/words/counts.ts';
import classes from './cis.module.css';

interface Props {
  readonly state: States[string] | undefined;
  /** In a narrow column: what is acknowledged is told where the pointer rests. */
  readonly isShort?: boolean;
}

/** The worst event of a CI that is not over, and how many there are, with those that are acknowledged; nothing while it is well. */
export function StateMark({ state, isShort = false }: Props) {
  if (state === undefined || state.worst === null) return null;
  return (
    <span className={classes.state}>
      <SeverityMark severity={state.worst} />
      {state.open === 1 && state.acknowledged === 0 ? null : (
        <span className={classes.dim} title={openCounts(state)}>
          {state.acknowledged === 0 || isShort ? `×${number(state.open)}` : openCounts(state)}
        </span>
      )}
    </span>
  );
}
