import { useEffect } from 'react';
import { comboOf, isPlainKey } from '#console/keys/combo.ts';
import { useParts } from './parts.ts';

const TYPED =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true]';

/** Whether a letter is meant for a list or group, and not for a text, a menu or a button's own keys. */
const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[data-keys]') !== null &&
  target.closest(`${TYPED}, [role=menu], [role=listbox], [role=dialog]`) === null;

/** The one listener for all shortcuts. */
export const useKeyboard = (): void => {
  const { registry, settings, clock } = useParts();
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const combo = comboOf(event);
      if (isPlainKey(combo) && !(takesLetters(event.target) && settings.get().shortcuts && !registry.isHeld())) return;
      if (registry.press(combo, clock.now())) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [registry, settings, clock]);
};
