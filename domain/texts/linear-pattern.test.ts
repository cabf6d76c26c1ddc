import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linearPattern } from './linear-pattern.ts';

const matches = (source: string, text: string): boolean => {
  const pattern = linearPattern(source);
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern(text);
};

describe('patterns', () => {
  test.each([
    ['web-\\d+', 'web-12', true],
    ['web-\\d+', 'xweb-12', false],
    ['web', 'web-1', false],
    ['', '', true],
    ['a|', '', true],
    ['(?i)warn(ing)?', 'WARNING', true],
    ['.*', 'a\nb', false],
    ['(?s).*', 'a\nb', true],
    ['[^a-c]{2,3}', 'xyz', true],
    ['[^a-c]{2,3}', 'xyb', false],
    ['a{2}', 'aaa', false],
    ['a{,2}', 'a{,2}', true],
    ['[[:digit:]_]+', '1_2', true],
    ['[]-]+', ']-', true],
    ['(?P<name>ab)+?', 'abab', true],
    ['^(?:web|db)\\.example$', 'db.example', true],
    ['^(?:web|db)\\.example$', 'db-example', false],
    ['a^b', 'ab', false],
    ['😀.', '😀é', true],
  ])('%j, %j: %p', (source, text, expected) => expect(matches(source, text)).toBe(expected));

  test.each([
    ['(a', 'missing )'],
    ['a)', 'unexpected )'],
    ['[a', 'unexpected end'],
    ['*a', 'nothing to repeat before *'],
    ['[z-a]', 'bad range'],
    ['a{3,2}', 'bad count {3,2}'],
    ['(?=a)', 'unsupported group'],
    ['(a)\\1', 'unsupported escape \\1'],
    ['((a{1000}){1000}){1000}', 'too large'],
    ['('.repeat(200), 'nested too deeply'],
    ['a'.repeat(1_025), 'at most 1024'],
  ])('%j is malformed: %s', (source, reason) => expect(linearPattern(source)).toContain(reason));

  test('those that other engines fail on take steps of the length of the text', () => {
    const text = `${'a'.repeat(50_000)}!`;
    for (const source of ['(a*)*b', '(a|a)*b', '(a?){500}a{500}b', '(.*a){50}b'])
      expect(matches(source, text)).toBe(false);
  });

  const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\.', '[a-c-]', '\\D');
  const { source } = fc.letrec<{ source: string }>((tie) => ({
    source: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.tuple(tie('source'), tie('source')).map((both) => both.join('')),
      fc.tuple(tie('source'), tie('source')).map(([one, other]) => `(${one}|${other})`),
      fc
        .tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}'))
        .map(([one, count]) => `(?:${one})${count}`),
    ),
  }));
  test('match as those of JavaScript do', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '-'), maxLength: 8 });
    fc.assert(
      fc.property(source, text, (said, value) => {
        expect(matches(said, value)).toBe(new RegExp(`^(?:${said})$`).test(value));
      }),
      { numRuns: 500 },
    );
  });
});
