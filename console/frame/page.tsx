import { type ReactNode, useEffect } from 'react';
import classes from './frame.module.css';
import * as text from './texts.ts';

interface Props {
  readonly title: string;
  /** The page has a heading of its own. */
  readonly heading?: boolean;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** The page is read from top to bottom; without it each of its parts scrolls by itself. */
  readonly scrolls?: boolean;
  readonly children: ReactNode;
}

/** The frame of every page. */
export function Page({ title, heading = true, lead, actions, scrolls = false, children }: Props) {
  useEffect(() => {
    document.title = text.documentTitle(title);
  }, [title]);
  return (
    <main id="main" tabIndex={-1} className={classes.page} data-scrolls={scrolls || undefined}>
      {heading ? (
        <header className={classes.head}>
          <div className={classes.headText}>
            <h1 className={classes.title}>{title}</h1>
            {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
          </div>
          {actions === undefined ? null : <div className={classes.headActions}>{actions}</div>}
        </header>
      ) : null}
      {children}
    </main>
  );
}
