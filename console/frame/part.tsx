import type { ReactNode } from 'react';
import { PanelBoundary } from './panel-boundary.tsx';
import classes from './part.module.css';

interface Props {
  readonly title: string;
  /** What it is about, below the heading. */
  readonly lead?: ReactNode;
  /** At the end of the heading. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading; an error in it leaves the others alone. */
export function Part({ title, lead, end, children }: Props) {
  return (
    <section className={classes.part} aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {end === undefined ? null : <span className={classes.end}>{end}</span>}
        {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
      </header>
      <PanelBoundary what={title}>{children}</PanelBoundary>
    </section>
  );
}
