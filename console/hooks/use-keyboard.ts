import { useEffect, useLayoutEffect, useRef } from 'react';
import { comboOf, isCharacter, isPlainKey } from '#console/keys/combo.ts';
import { useParts } from './parts.ts';

const TYPED =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true]';

/** A text, a menu, a list of choices or a dialog: keys are meant for it. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`${TYPED}, [role=menu], [role=listbox], [role=dialog]`) !== null;

/** Something lies over the page. */
const isCovered = (): boolean => document.querySelector('[aria-modal=true]') !== null;

/** Whether a letter is meant for a list or group, and not for a text, a menu or a button's own keys. */
const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-keys]') !== null && !hasOwnKeys(target);

/** Gives the focus to the list or part of the page that keys act on, when that which had it is gone: a row, a button, a dialog. */
const regained = (lost: EventTarget | null): Element | null => {
  const isGone = lost instanceof Node && !lost.isConnected;
  if (!isGone || isCovered()) return null;
  const place =
    document.querySelector<HTMLElement>('[data-keys] [tabindex="0"]') ??
    document.querySelector<HTMLElement>('[data-keys][tabindex]');
  place?.focus({ preventScroll: true });
  return place;
};

/** The one listener for all shortcuts. */
export const useKeyboard = (): void => {
  const { registry, settings, clock } = useParts();
  const wasCovered = useRef(false);
  // A dialog hears Escape at the window, too, and may be gone when it comes here: this one asks before.
  useLayoutEffect(() => {
    const pressed = (): void => {
      wasCovered.current = isCovered();
    };
    window.addEventListener('keydown', pressed, { capture: true });
    return () => window.removeEventListener('keydown', pressed, { capture: true });
  }, []);
  useEffect(() => {
    let had: EventTarget | null = null;
    const focused = ({ target }: FocusEvent): void => {
      had = target;
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const combo = comboOf(event);
      const place = event.target === document.body && isCharacter(combo) ? regained(had) : null;
      if (place !== null) {
        event.preventDefault();
        // Lists hear keys of their own.
        place.dispatchEvent(new KeyboardEvent(event.type, event));
        return;
      }
      if (isPlainKey(combo) && !(takesLetters(event.target) && settings.get().shortcuts && !registry.isHeld())) return;
      // A dialog or menu closes by itself, and in a field the typing ends.
      if (combo === 'Escape' && (wasCovered.current || hasOwnKeys(event.target))) return;
      if (registry.press(combo, clock.now())) event.preventDefault();
    };
    document.addEventListener('focusin', focused);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('focusin', focused);
      document.removeEventListener('keydown', pressed);
    };
  }, [registry, settings, clock]);
};
