import type { ReactNode } from 'react';
import classes from './settings.module.css';

interface Props {
  /** Stays in sight beside the settings. */
  readonly side: ReactNode;
  readonly children: ReactNode;
}

/** Settings, and beside them what would change. */
export function SettingColumns({ side, children }: Props) {
  return (
    <div className={classes.columns}>
      <div className={classes.stack}>{children}</div>
      <div className={`${classes.stack} ${classes.side}`}>{side}</div>
    </div>
  );
}
