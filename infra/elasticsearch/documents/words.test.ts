import { expect, test } from '@jest/globals';
import { phrases } from './words.ts';

test('what was typed is searched for as phrases between spaces', () => {
  expect(phrases(' "uplink"  eth0/1 * ÜBER-last\0down ')).toEqual(['uplink', 'eth0 1', 'uber last', 'down']);
  expect(phrases('"* (')).toEqual([]);
});
