import { useState } from 'react';
import { useAppServices } from '#console/hooks/app-services.ts';

/** The row with the focus of a list; null: the first one. It is the same when the page of the list is opened again. */
export const useFocusedRow = (list: string) => {
  const { places } = useAppServices();
  const [focused, setFocused] = useState(() => places.of(list));
  const focus = (id: string | null): void => {
    places.set(list, id);
    setFocused(id);
  };
  return [focused, focus] as const;
};
