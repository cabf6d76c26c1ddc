import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ending, growth, LINEAR } from '#test/setup/processor-time.ts';
import { globOf } from './glob.ts';

test.each([
  ['shop-db-*', 'SHOP-db-01', true],
  ['shop-db-*', 'shop-dbx-01', false],
  ['*checkout*', 'eu-checkout-2', true],
  ['*checkout*', 'check-out', false],
  ['db-0?', 'db-07', true],
  ['db-0?', 'db-0', false],
  ['db-1', 'db-1', true],
  ['db-1', 'db-10', false],
  ['a*b*b', 'ab', false],
  ['a*b*b', 'abb', true],
  ['*', 'anything', true],
  ['', '', true],
  ['a.b', 'axb', false],
])('%s matches %s: %s', (pattern, name, expected) => {
  expect(globOf(pattern).matches(name)).toBe(expected);
});

test('agrees with a regular expression, and every match has the literal', () => {
  const letters = fc.constantFrom('a', 'b', '-');
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.string({ unit: letters, maxLength: 8 }), (text, name) => {
      const glob = globOf(text);
      const plain = new RegExp(`^${text.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(glob.matches(name)).toBe(plain.test(name));
      if (glob.matches(name)) expect(name).toContain(glob.literal);
    }),
    { numRuns: 2_000 },
  );
});

test('stays quick where a backtracking search would not', () => {
  // Of names more than 255 characters are not looked at.
  const three = globOf('*a*a*ab');
  expect(growth((length) => three.matches('a'.repeat(length)), 31)).toBeLessThan(LINEAR);
  const many = globOf(`${'*a'.repeat(120)}b`);
  expect(ending(() => many.matches('a'.repeat(255)))).toBe(false);
});
