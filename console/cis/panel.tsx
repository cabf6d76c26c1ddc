import type { ReactNode } from 'react';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import classes from './cis.module.css';

interface Props {
  readonly title: string;
  readonly end?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a heading; an error in it leaves the others alone. */
export function Panel({ title, end, wide = false, children }: Props) {
  return (
    <section className={classes.panel} data-wide={wide || undefined} aria-label={title}>
      <header className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        {end}
      </header>
      <PanelBoundary what={title}>{children}</PanelBoundary>
    </section>
  );
}

/** Panels side by side where there is room. */
export function Panels({ children }: { readonly children: ReactNode }) {
  return <div className={classes.panels}>{children}</div>;
}

/** A sentence in place of a list that is empty. */
export function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className={classes.nothing}>{children}</p>;
}
