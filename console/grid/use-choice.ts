import { useState } from 'react';
import { NOTHING, type Selection } from './selection.ts';

/** The selection in a list: some rows, or all that match. */
export const useChoice = () => {
  const [selection, setSelection] = useState(NOTHING);
  const [isAll, setAll] = useState(false);
  return {
    selection,
    isAll,
    hasAny: selection.ids.size > 0,
    select: (next: Selection): void => {
      setAll(false);
      setSelection(next);
    },
    selectAll: (): void => setAll(true),
    selectNone: (): void => {
      setAll(false);
      setSelection(NOTHING);
    },
  };
};

export type Choice = ReturnType<typeof useChoice>;
