import { expect, test } from '@jest/globals';
import { matcherWords } from './matcher-words.ts';

test('a silence says what it matches', () => {
  expect(matcherWords({ title: 'SIP registration', host: 'pet-*', severity: ['minor', 'info'] })).toBe(
    'title has SIP registration, host pet-*, severity minor, info',
  );
});
