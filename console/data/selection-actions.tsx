import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Choice } from '#console/grid/use-choice.ts';
import { count, inflected, number } from '#console/text/counts.ts';
import { SelectionBar } from './selection-bar.tsx';
import * as text from './texts.ts';

interface Props {
  readonly choice: Choice;
  /** One of them: `event`. */
  readonly one: string;
  readonly total: number;
  /** True if the server can select all that match. */
  readonly mayAll?: boolean;
  /** Actions on them. */
  readonly children: ReactNode;
}

/** The selection of a table of which all that match can be selected, loaded or not. */
export function SelectionActions({ choice, one, total, mayAll = true, children }: Props) {
  const { selection, isAll, selectAll, selectNone } = choice;
  const { size } = selection.ids;
  if (size === 0) return null;
  const all = text.matching(number(total), inflected(total, one));
  return (
    <SelectionBar said={isAll ? text.allSelected(all) : text.selected(count(size, one))} selectNone={selectNone}>
      {isAll || !mayAll || total <= size ? null : (
        <Button variant="subtle" onClick={selectAll}>
          {text.selectAll(all)}
        </Button>
      )}
      {children}
    </SelectionBar>
  );
}
