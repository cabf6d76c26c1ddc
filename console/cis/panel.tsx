import type { ReactNode } from 'react';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import classes from './cis.module.css';

interface Props {
  readonly title: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading; an error in it leaves the others alone. */
export function Panel({ title, end, children }: Props) {
  return (
    <section className={classes.panel} aria-label={title}>
      <header className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        {end}
      </header>
      <PanelBoundary what={title}>{children}</PanelBoundary>
    </section>
  );
}

/** Two columns of panels where there is room; the left one comes first. */
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
