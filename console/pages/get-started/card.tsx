import type { ReactNode } from 'react';
import classes from './get-started.module.css';

interface Props {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

/** One option to begin. */
export function Card({ number, title, children }: Props) {
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.cardTitle}>
        <span className={classes.number} aria-hidden>
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}
