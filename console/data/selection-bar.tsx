import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data.module.css';
import * as text from './texts.ts';

interface Props {
  /** `3 groups selected`. */
  readonly said: string;
  readonly selectNone: () => void;
  /** Actions on them. */
  readonly children: ReactNode;
}

/** Bar below a list with a selection. */
export function SelectionBar({ said, selectNone, children }: Props) {
  return (
    <section className={classes.selectionBar} data-selection aria-label={text.selection}>
      {said}
      {children}
      <Button variant="subtle" onClick={selectNone}>
        {text.clearSelection}
      </Button>
    </section>
  );
}
