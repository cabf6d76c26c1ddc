import { expect, test } from '@jest/globals';
import { isNearly } from './nearly.ts';

test.each([
  ['disk', 'disk', true],
  ['dsik', 'disk', true],
  ['dik', 'disk', true],
  ['diskk', 'disk', true],
  ['dusk', 'disk', true],
  ['dusc', 'disk', false],
  ['route', 'router', true],
  ['rotue', 'router', false],
  ['ruotre', 'router', false],
  ['ruotr', 'router', false],
  ['outage', 'usage', false],
  ['lost', 'host', false],
  ['certifcaet', 'certificate', true],
  ['conection', 'connection', true],
  ['conecton', 'connection', true],
  ['conectn', 'connection', false],
])('%s may be meant for %s: %s', (typed, word, isMeant) => {
  expect(isNearly(typed, word)).toBe(isMeant);
});
