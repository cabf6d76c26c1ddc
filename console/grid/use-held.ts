import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

interface ListHold {
  /** Pointer or focus are on the list: its rows keep their places. */
  readonly isHeld: boolean;
  readonly holding: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: (event: PointerEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

/** Time after which a still pointer does not mark a row. */
const STILL_MS = 10_000;

export const useHeld = (): ListHold => {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const still = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = (): void => {
    clearTimeout(still.current);
    setPointed(false);
  };
  useEffect(() => () => clearTimeout(still.current), []);
  return {
    isHeld: isPointed || isFocused,
    holding: {
      onPointerMove: ({ pointerType }) => {
        // Touch input has no leave event.
        if (pointerType === 'touch') return;
        clearTimeout(still.current);
        still.current = setTimeout(leave, STILL_MS);
        setPointed(true);
      },
      onPointerLeave: leave,
      onFocus: () => setFocused(true),
      onBlur: (event) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
};
