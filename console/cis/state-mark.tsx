import type { States } from '#console/api/cmdb/cmdb.ts';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { number, openCounts } from '#console/text/counts.ts';
import classes from './cis.module.css';

interface Props {
  readonly state: States[string] | undefined;
  /** Set for a narrow column: acknowledged events are in the tooltip. */
  readonly isShort?: boolean;
}

/** The worst open event of a CI, and their number, with acknowledged ones; nothing while it is well. */
export function StateMark({ state, isShort = false }: Props) {
  if (state === undefined || state.worst === null) return null;
  return (
    <span className={classes.state}>
      <SeverityMark severity={state.worst} />
      {state.open === 1 && (isShort || state.acknowledged === 0) ? null : (
        <span className={classes.dim} title={openCounts(state)}>
          {state.acknowledged === 0 || isShort ? `×${number(state.open)}` : openCounts(state)}
        </span>
      )}
    </span>
  );
}
