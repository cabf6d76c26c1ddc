import { expect, test } from '@jest/globals';
import { isWithin } from './hours.ts';

const day = { from: '08:00', to: '18:00' };
const night = { from: '22:00', to: '06:00' };
test.each([
  [null, '03:00', true],
  [day, '08:00', true],
  [day, '18:00', false],
  [night, '23:00', true],
  [night, '05:59', true],
  [night, '06:00', false],
  [{ from: '08:00', to: '08:00' }, '03:00', true],
])('%j at %s: %p', (hours, now, expected) => expect(isWithin(hours, now)).toBe(expected));
