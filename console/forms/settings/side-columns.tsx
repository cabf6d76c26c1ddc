import type { ReactNode } from 'react';
import classes from './side-columns.module.css';

interface Props {
  /** Narrower than the rest, and always visible beside it. */
  readonly side: ReactNode;
  readonly children: ReactNode;
}

/** A page of two columns; on a narrow one the side is below. */
export function SideColumns({ side, children }: Props) {
  return (
    <div className={classes.columns}>
      <div className={classes.stack}>{children}</div>
      <div className={`${classes.stack} ${classes.side}`}>{side}</div>
    </div>
  );
}
