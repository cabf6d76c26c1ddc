import { expect, test } from '@jest/globals';
import { clueWords } from './clue-words.ts';

test.each([
  ['Reported by this CI only, unusual for this CI', { kind: 'own', cis: 1, habit: 0 }],
  ['Reported by this CI only', { kind: 'own', cis: 1, habit: 0.5 }],
  ['Reported by 4 CIs, frequent on this CI', { kind: 'own', cis: 4, habit: 2 }],
  ['8 of 9 of its instances report it', { kind: 'parts', cis: 8, habit: 0, parts: { saying: 8, all: 9 } }],
  ['Symptom, possibly spread from another CI', { kind: 'symptom', cis: 0, habit: 0 }],
] as const)('%s', (words, clue) => expect(clueWords(clue)).toBe(words));
