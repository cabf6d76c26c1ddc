import { expect, test } from '@jest/globals';
import { storedPhrases } from './words.ts';

test('what was typed is searched for as phrases between spaces', () => {
  expect(storedPhrases(' "uplink"  eth0/1 * ÜBER-last\0down ')).toEqual(['uplink', 'eth0 1', 'uber last', 'down']);
  expect(storedPhrases('"* (')).toEqual([]);
  expect(storedPhrases('Straße')).toEqual(['strasse']);
  expect(storedPhrases('エラー')).toEqual(['エ ラ ー']);
});
