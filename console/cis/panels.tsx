import type { ReactNode } from 'react';
import classes from './cis.module.css';

/** Two columns of panels where there is room; the left one is first. */
export function Panels({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) {
  return (
    <div className={classes.panels}>
      <div className={classes.column}>{left}</div>
      <div className={classes.column}>{right}</div>
    </div>
  );
}

/** A sentence in place of a list that is empty. */
export function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className={classes.nothing}>{children}</p>;
}
