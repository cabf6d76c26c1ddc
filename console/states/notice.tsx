import type { ReactNode } from 'react';
import classes from './states.module.css';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons and links that lead on. */
  readonly ways?: ReactNode;
  readonly kind?: 'plain' | 'bad' | 'caution';
}

/** A message in place of a region, with available actions. */
export function Notice({ title, children, ways, kind = 'plain' }: Props) {
  return (
    <section className={classes.notice} data-kind={kind} role={kind === 'bad' ? 'alert' : undefined}>
      <strong className={classes.title}>{title}</strong>
      {children === undefined ? null : <div className={classes.text}>{children}</div>}
      {ways === undefined ? null : <div className={classes.ways}>{ways}</div>}
    </section>
  );
}
