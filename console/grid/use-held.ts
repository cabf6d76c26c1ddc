import { type FocusEvent, type PointerEvent, useState } from 'react';

interface Held {
  /** Pointer or focus are on the list: its rows keep their places. */
  readonly isHeld: boolean;
  readonly holding: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: (event: PointerEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

export const useHeld = (): Held => {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  return {
    isHeld: isPointed || isFocused,
    holding: {
      // A finger comes and does not say when it has gone.
      onPointerEnter: (event) => setPointed(event.pointerType !== 'touch'),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
};
