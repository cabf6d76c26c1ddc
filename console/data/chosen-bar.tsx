import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Choice } from '#console/grid/use-choice.ts';
import { count } from '#console/words/counts.ts';
import { SelectionBar } from './selection-bar.tsx';

interface Props {
  readonly choice: Choice;
  /** One of them: `event`. */
  readonly one: string;
  readonly total: number;
  /** Whether the server can be told of all that match. */
  readonly mayAll?: boolean;
  /** Actions on them. */
  readonly children: ReactNode;
}

/** The selection of a table of which all that match can be selected, loaded or not. */
export function ChosenBar({ choice, one, total, mayAll = true, children }: Props) {
  const { selection, isAll, selectAll, selectNone } = choice;
  const { size } = selection.ids;
  if (size === 0) return null;
  const all = `${count(total, one)} that match`;
  return (
    <SelectionBar said={isAll ? `All ${all}` : `${count(size, one)} selected`} selectNone={selectNone}>
      {isAll || !mayAll || total <= size ? null : (
        <Button variant="subtle" onClick={selectAll}>
          Select all {all}
        </Button>
      )}
      {children}
    </SelectionBar>
  );
}
