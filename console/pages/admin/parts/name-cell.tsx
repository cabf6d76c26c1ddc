import type { ReactNode } from 'react';
import classes from '../admin.module.css';

/** The name of a row, and below it another key. */
export function NameCell({ name, note }: { readonly name: ReactNode; readonly note?: string }) {
  return (
    <>
      {name}
      {note === undefined || note === '' ? null : <div className={classes.note}>{note}</div>}
    </>
  );
}
