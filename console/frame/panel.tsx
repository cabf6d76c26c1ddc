import type { ReactNode } from 'react';
import { inSentence } from '#console/text/counts.ts';
import classes from './panel.module.css';
import { PanelBoundary } from './panel-boundary.tsx';

interface Props {
  readonly title: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a dense page with a heading; an error in it leaves the others alone. */
export function Panel({ title, end, children }: Props) {
  return (
    <section className={classes.panel} aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {end}
      </header>
      <PanelBoundary what={inSentence(title)}>{children}</PanelBoundary>
    </section>
  );
}
