import { expect, test } from '@jest/globals';
import { COUNTRIES, countryOf } from './countries.ts';

test.each([
  ['DE', 'DE'],
  ['de', 'DE'],
  ['DEU', 'DE'],
  ['276', 'DE'],
  [' Germany ', 'DE'],
  ['United States', 'US'],
  ['United States of America', 'US'],
  ['USA', 'US'],
  ['840', 'US'],
  ['UK', 'GB'],
  ['Great Britain', 'GB'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ["Cote d'Ivoire", 'CI'],
  ['Côte d’Ivoire', 'CI'],
  ['Ivory Coast', 'CI'],
  ['Saint Lucia', 'LC'],
  ['St. Lucia', 'LC'],
  ['Trinidad and Tobago', 'TT'],
  ['the Netherlands', 'NL'],
  ['Zimbabwe', 'ZW'],
  ['ZWE', 'ZW'],
])('%s is %s', (said, code) => expect(countryOf(said)).toBe(code));

test.each(['', 'ZZ', 'ZZZ', '999', '000', 'Congo', 'Atlantis', 'Deutschland', 'DE-BY', 'Germanyy'])(
  '%j is no country',
  (said) => expect(countryOf(said)).toBeNull(),
);

test('every code has an English name that means it', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  expect(COUNTRIES.size).toBe(249);
  for (const code of COUNTRIES) expect([code, countryOf(names.of(code)!)]).toEqual([code, code]);
});
