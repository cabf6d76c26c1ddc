import { useEffect, useLayoutEffect, useRef } from 'react';
import { comboOf, isCharacter, isPlainKey } from '#console/keys/combo.ts';
import { useAppServices } from './app-services.ts';

const TYPED =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true]';

const OWN_PLACES = '[role=menu], [role=listbox], [role=dialog]';

/** A text, a menu, a list of choices or a dialog: keys are meant for it. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`${TYPED}, ${OWN_PLACES}`) !== null;

/** True if something covers the page. */
const isCovered = (): boolean => document.querySelector('[aria-modal=true]') !== null;

/** True if a letter is for a list or group, and not for a text, a menu or a button's own keys. */
const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-keys]') !== null && !hasOwnKeys(target);

/** Moves the focus to the list or part of the page that keys act on. */
const enterPage = (): Element | null => {
  if (isCovered()) return null;
  const place =
    document.querySelector<HTMLElement>('[data-keys] [tabindex="0"]') ??
    document.querySelector<HTMLElement>('[data-keys][tabindex]');
  place?.focus({ preventScroll: true });
  return place;
};

/** The focus was on a row or a button that is gone. */
const isGone = (lost: EventTarget | null): boolean => lost instanceof Node && !lost.isConnected;

/** Returns the focus from a field to the page, so that keys act again. */
const leaveField = (field: EventTarget | null): boolean => {
  if (!(field instanceof HTMLElement) || !field.matches(TYPED) || field.closest(OWN_PLACES) !== null) return false;
  field.blur();
  enterPage();
  return true;
};

/** The one listener for all shortcuts. */
export const useKeyboard = (): void => {
  const { registry, settings, clock } = useAppServices();
  const wasCovered = useRef(false);
  // A dialog receives Escape at the window, too, and may be closed when it arrives here: this one checks before.
  useLayoutEffect(() => {
    const pressed = (): void => {
      wasCovered.current = isCovered();
    };
    window.addEventListener('keydown', pressed, { capture: true });
    return () => window.removeEventListener('keydown', pressed, { capture: true });
  }, []);
  useEffect(() => {
    let had: EventTarget | null = null;
    let wasInDialog = false;
    const focused = ({ target }: FocusEvent): void => {
      wasInDialog = target instanceof Element && target.closest('[aria-modal=true]') !== null;
      if (!wasInDialog) had = target;
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const combo = comboOf(event);
      const acts = settings.get().shortcuts && !registry.isHeld();
      const isAnywhere = acts && isCharacter(combo) && !hasOwnKeys(event.target) && registry.isAnywhere(combo);
      if (event.target === document.body && isCharacter(combo) && !isAnywhere) {
        const lost = had;
        const place = enterPage();
        if (place === null) return;
        event.preventDefault();
        // Lists handle keys of their own. On a fresh page the first key shows the row, and does nothing to it.
        const isBack = wasInDialog && lost instanceof Element && lost.closest('[data-keys]') !== null;
        if (isGone(lost) || isBack) place.dispatchEvent(new KeyboardEvent(event.type, event));
        return;
      }
      if (isPlainKey(combo) && !isAnywhere && !(takesLetters(event.target) && acts)) return;
      // A dialog or menu closes by itself.
      if (combo === 'Escape' && wasCovered.current) return;
      if (combo === 'Escape' && hasOwnKeys(event.target)) {
        if (leaveField(event.target)) event.preventDefault();
        return;
      }
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
