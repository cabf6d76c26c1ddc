import type { ReactNode } from 'react';
import classes from '../admin.module.css';

/** What a row is called, and below it what else tells it from others. */
export function NameCell({ name, note }: { readonly name: ReactNode; readonly note?: string }) {
  return (
    <>
      {name}
      {note === undefined || note === '' ? null : <div className={classes.note}>{note}</div>}
    </>
  );
}
