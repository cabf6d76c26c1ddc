import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { openFonts } from './fonts.ts';

const PLAIN = createRequire(import.meta.url).resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf');

test('a text is one run in the main font; what that lacks is counted', () => {
  const fonts = openFonts([]);
  expect(fonts.runs('größer Ελληνικά файл – “x” …')).toEqual([
    { text: 'größer Ελληνικά файл – “x” …', font: 'Roboto' },
  ]);
  expect(fonts.missing()).toBe(0);
  expect(fonts.runs('a数b')).toEqual([{ text: 'a数b', font: 'Roboto' }]);
  expect(fonts.missing()).toBe(1);
});

test('only its own files are fonts', () => {
  const { isFont, dictionary } = openFonts([PLAIN]);
  expect([isFont(PLAIN), isFont('/etc/passwd')]).toEqual([true, false]);
  expect(Object.keys(dictionary)).toEqual(['Roboto', 'Other0']);
});
