import type { Shortcut } from '#console/keys/registry.ts';

const shown = (keys: string, words: string): Shortcut => ({
  keys,
  words,
  section: 'List',
  isActive: false,
  run: () => undefined,
});

/** Handled by the list that has the focus; here for the help alone. */
export const LIST_KEYS: readonly Shortcut[] = [
  shown('j', 'Next row (also ↓)'),
  shown('k', 'Previous row (also ↑)'),
  shown('Enter', 'Open'),
  shown('x', 'Select or leave out'),
  shown('Shift+x', 'Select a range'),
  shown('mod+a', 'Select all that are loaded'),
];
