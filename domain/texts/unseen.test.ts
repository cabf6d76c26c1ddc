import { expect, test } from '@jest/globals';
import { forTerminal, withTurnsMeant, withTurnsShown } from './unseen.ts';

test.each([
  ['evil\u202eevil desrever', 'evil‹U+202E›evil desrever'],
  ['\u2066isolated\u2069', '‹U+2066›isolated‹U+2069›'],
  ['\u061c\u200e\u200f\u202a\u202b\u202c\u202d', '‹U+061C›‹U+200E›‹U+200F›‹U+202A›‹U+202B›‹U+202C›‹U+202D›'],
  ['שלום db-1', 'שלום db-1'],
  ['a\u200db\tc\nd', 'a\u200db\tc\nd'],
])('%j is shown as %s, and means the same again', (text, shown) => {
  expect(withTurnsShown(text)).toBe(shown);
  expect(withTurnsMeant(shown)).toBe(text);
});

test('a mark of any other character is a text like others', () => {
  expect(withTurnsMeant('‹U+0041› [U+202E] U+202E')).toBe('‹U+0041› [U+202E] U+202E');
});

test.each([
  ['a\u001b[2Jb', 'a‹U+001B›[2Jb'],
  ['a\u009b31mb\u0007\u0000\r', 'a‹U+009B›31mb‹U+0007›‹U+0000›‹U+000D›'],
  ['a\u202eb\u2028c', 'a‹U+202E›b‹U+2028›c'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
])('%j on a terminal is %s', (text, shown) => {
  expect(forTerminal(text)).toBe(shown);
});
