import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { globMatches, globPrefix, isGlob } from './glob.ts';

test.each([
  ['fra1-*', 'fra1-core-01', true],
  ['fra1-*', 'fra1-', true],
  ['fra1-*', 'fra10', false],
  ['*-01', 'fra1-core-01', true],
  ['*core*', 'fra1-core-01', true],
  ['db-?', 'db-1', true],
  ['db-?', 'db-12', false],
  ['db-?', 'db-', false],
  ['a*b*c', 'aXbXbc', true],
  ['a*b*c', 'aXbXb', false],
  ['', '', true],
  ['*', '', true],
  ['[ab]', 'a', false],
  ['web.1', 'webx1', false],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(globMatches(pattern, text)).toBe(expected);
});

test('agrees with a regular expression', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
  const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
  fc.assert(
    fc.property(few, texts, (pattern, text) => {
      const plain = new RegExp(`^${pattern.replace(/\*+/g, '.*').replaceAll('?', '.')}$`);
      expect(globMatches(pattern, text)).toBe(plain.test(text));
    }),
    { numRuns: 2_000 },
  );
});

test('takes linear time whatever the pattern', () => {
  const pattern = `${'*a'.repeat(100)}b`;
  expect(growth((length) => globMatches(pattern, 'a'.repeat(length)), 4_000)).toBeLessThan(LINEAR);
  expect(globMatches(pattern, 'a'.repeat(4_000))).toBe(false);
});

test('the part before the first sign', () => {
  expect([globPrefix('fra1-*'), globPrefix('*'), globPrefix('db-?1*'), isGlob('db-1'), isGlob('db-?')]).toEqual([
    'fra1-',
    '',
    'db-',
    false,
    true,
  ]);
});
