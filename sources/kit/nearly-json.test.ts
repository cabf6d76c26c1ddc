import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { nearlyJson } from './nearly-json.ts';

test.each([
  ['a backslash before a blank', '{"o":"d:\\ - 190 GB (90%)"}', 'd:\\ - 190 GB (90%)'],
  ['a backslash before a letter that escapes nothing', '{"o":"c:\\Program"}', 'c:\\Program'],
  ['a backslash before a code that is none', '{"o":"c:\\users"}', 'c:\\users'],
  ['an escaped backslash beside it', '{"o":"\\\\srv\\Dok"}', '\\srv\\Dok'],
  ['a line break', '{"o":"first\nsecond"}', 'first\nsecond'],
  ['a line break of Windows and a tab', '{"o":"a\r\n\tb"}', 'a\r\n\tb'],
  ['an escaped quote', '{"o":"say \\"x\\"\n"}', 'say "x"\n'],
])('%s is read', (_what, text, value) => {
  expect(nearlyJson(text)).toEqual({ o: value });
});

test.each([
  ['a quote that may or may not end the text', '{"o":"d:\\"}'],
  ['a quote within a text', '{"o":"say "x" now"}'],
  ['no end', '{"o":"x'],
  ['no JSON', '{o}'],
  ['depth', `${'['.repeat(33)}"\n"${']'.repeat(33)}`],
  ['a prototype', '{"__proto__":"\n"}'],
  ['half a character', '{"o":"\\ud800\n"}'],
])('with %s it stays refused', (_what, text) => {
  expect(nearlyJson(text)).toBeUndefined();
});

test('what is JSON reads as it does anyway, and any text in it comes back', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const value = nearlyJson(text);
      if (value !== undefined) expect(value).toEqual(JSON.parse(text));
    }),
  );
  const pasted = fc.string().filter((text) => !/["\\]/.test(text));
  fc.assert(
    fc.property(pasted, (text) =>
      expect(nearlyJson(`{"o":"${text}"}`)).toEqual(text.includes('__proto__') ? undefined : { o: text }),
    ),
  );
});

test.each(['\\', '\n', '\\u', '"', '{', '\\ "'])('half a megabyte of %j takes linear time', (piece) => {
  expect(growth((length) => nearlyJson(`{"o":"${piece.repeat(length / piece.length)}`), 62_500)).toBeLessThan(LINEAR);
});
