/** A key as it is written in a shortcut: `j`, `Shift+x`, `mod+k`, `.`, `Escape`. */
export interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const isLetter = (key: string): boolean => /^\p{L}$/u.test(key);

/** Signs such as `?` and `.` are named by their character, regardless of the keyboard layout. */
export const comboOf = ({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): string => {
  const isNamed = key.length > 1 || key === ' ';
  const parts = [
    ...(ctrlKey || metaKey ? ['mod'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && (isNamed || isLetter(key)) ? ['Shift'] : []),
    isLetter(key) ? key.toLowerCase() : key === ' ' ? 'Space' : key,
  ];
  return parts.join('+');
};

/** A letter or sign, with Shift or without: keys that can be disabled (WCAG 2.1.4). */
export const isCharacter = (combo: string): boolean => /^(?:Shift\+)?.$/u.test(combo);

/** Keys that a text field, a menu or the browser handles itself. */
export const isPlainKey = (combo: string): boolean => !combo.startsWith('mod+') && combo !== 'Escape';

/** `mod+k` → `Ctrl K` or `⌘ K`; `g g` stays. */
export const comboWords = (combo: string, isMac: boolean): string =>
  combo
    .replaceAll('mod+', isMac ? '⌘ ' : 'Ctrl ')
    .replaceAll('Shift+', 'Shift ')
    .replaceAll('Escape', 'Esc');
