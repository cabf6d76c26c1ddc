import type { ReactNode } from 'react';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import classes from './group.module.css';

interface Props {
  readonly title: string;
  readonly end?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A part of the page with a heading; an error in it leaves the others alone. */
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
