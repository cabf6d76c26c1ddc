import { expect, test } from '@jest/globals';
import { cisOf, matcherWords } from './matcher-text.ts';

test('a silence says what it matches', () => {
  expect(matcherWords({ title: 'SIP registration', host: 'pet-*', severity: ['minor', 'info'] })).toBe(
    'title contains SIP registration, host pet-*, severity minor, info',
  );
});

test('CIs of a silence are told by their names', () => {
  expect(['ciId', 'below', 'host'].flatMap((part) => cisOf({ [part]: 'CI-1' }))).toEqual(['CI-1', 'CI-1']);
  const names = new Map([['CI-1', 'pet-db-01']]);
  expect(matcherWords({ below: 'CI-1', tag: 'move' }, names)).toBe('CI (incl. impacted) pet-db-01, tag move');
  expect(matcherWords({ ciId: 'CI-2' }, names)).toBe('CI CI-2');
  const ciIds = ['CI-1', 'CI-2', 'CI-3', 'CI-4', 'CI-5', 'CI-6'];
  expect(matcherWords({ ciIds }, names)).toBe('CI pet-db-01, CI-2, CI-3, CI-4, CI-5 and 1 more');
  expect(cisOf({ ciIds })).toEqual(ciIds);
});
