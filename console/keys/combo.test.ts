import { expect, test } from '@jest/globals';
import { comboOf, isCharacter, type Pressed } from './combo.ts';

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

/** Combo, and whether it ends when letters are switched off. */
test.each([
  [pressed('j'), 'j', true],
  [pressed('X', { shiftKey: true }), 'Shift+x', true],
  [pressed('.'), '.', true],
  [pressed('?', { shiftKey: true }), '?', true],
  [pressed('ö'), 'ö', true],
  [pressed('ArrowDown'), 'ArrowDown', false],
  [pressed('ArrowDown', { shiftKey: true }), 'Shift+ArrowDown', false],
  [pressed('Enter'), 'Enter', false],
  [pressed(' '), 'Space', false],
  [pressed(' ', { shiftKey: true }), 'Shift+Space', false],
  [pressed('a', { metaKey: true }), 'mod+a', false],
  [pressed('Escape'), 'Escape', false],
])('%j is %s; a character: %s', (key, combo, isOne) => {
  expect([comboOf(key), isCharacter(comboOf(key))]).toEqual([combo, isOne]);
});
