import type { ReactNode } from 'react';
import { inSentence } from '#console/text/counts.ts';
import { PanelBoundary } from './panel-boundary.tsx';
import classes from './section.module.css';

interface Props {
  readonly title: string;
  /** The part in a sentence. */
  readonly lead?: ReactNode;
  /** Buttons beside the heading. */
  readonly end?: ReactNode;
  /** Its content reaches its edges. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a heading; an error in it leaves the others alone. */
export function Section({ title, lead, end, flush = false, children }: Props) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.head}>
        <div>
          <h2 className={classes.title}>{title}</h2>
          {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
        </div>
        {end === undefined ? null : <div className={classes.end}>{end}</div>}
      </header>
      <div className={flush ? classes.flush : classes.body}>
        <PanelBoundary what={inSentence(title)}>{children}</PanelBoundary>
      </div>
    </section>
  );
}
