import { Fragment, type ReactNode } from 'react';

/** A text in which the parts between backticks are code. */
export const withCode = (text: string): ReactNode =>
  text.split('`').map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
    at % 2 === 1 ? <code key={at}>{part}</code> : <Fragment key={at}>{part}</Fragment>,
  );
