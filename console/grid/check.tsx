import type { ComponentProps } from 'react';
import classes from './check.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'> {
  readonly 'aria-label': string;
  /** Some of its rows are selected. */
  readonly isPartly?: boolean;
}

/** The check box of a row. That of the kit draws slower than the rest of the row. */
export function Check({ isPartly = false, ...props }: Props) {
  return (
    <input
      {...props}
      type="checkbox"
      className={classes.check}
      data-drawn
      ref={(element) => {
        if (element !== null) element.indeterminate = isPartly;
      }}
    />
  );
}
