import type { ReactNode } from 'react';
import type { MarkKind } from './kinds.ts';
import classes from './mark.module.css';

/** Disc, square, triangle, ring: the shape has the same meaning as the color. */
const SHAPES: Readonly<Record<MarkKind, string>> = {
  good: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z',
  bad: 'M1.5 1.5h9v9h-9z',
  caution: 'M6 1 11.4 10.6H.6z',
  quiet: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 1.8a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z',
};

/** Shows the state of a part of Faultline itself, as a shape and a word. */
export function Mark({ kind, children }: { readonly kind: MarkKind; readonly children: ReactNode }) {
  return (
    <span className={classes.mark} data-kind={kind}>
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden focusable="false">
        <path d={SHAPES[kind]} />
      </svg>
      {children}
    </span>
  );
}
