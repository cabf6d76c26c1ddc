import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data.module.css';

interface Props {
  /** `3 groups selected`. */
  readonly said: string;
  readonly selectNone: () => void;
  /** Actions on them. */
  readonly children: ReactNode;
}

/** Below a list in which something is selected. */
export function SelectionBar({ said, selectNone, children }: Props) {
  return (
    <section className={classes.selectionBar} data-selection aria-label="What is selected">
      {said}
      {children}
      <Button variant="subtle" onClick={selectNone}>
        Select nothing
      </Button>
    </section>
  );
}
