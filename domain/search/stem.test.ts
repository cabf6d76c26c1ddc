import { expect, test } from '@jest/globals';
import { stemOf } from './stem.ts';

test.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['bled', 'bled'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['failing', 'fail'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['vietnamization', 'vietnam'],
  ['sensibiliti', 'sensibl'],
  ['electrical', 'electr'],
  ['goodness', 'good'],
  ['gyroscopic', 'gyroscop'],
  ['replacement', 'replac'],
  ['adoption', 'adopt'],
  ['bowdlerize', 'bowdler'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
  ['ab', 'ab'],
  ['10', '10'],
  ['überlaufen', 'überlaufen'],
])('the stem of %s is %s', (word, stem) => {
  expect(stemOf(word)).toBe(stem);
});
