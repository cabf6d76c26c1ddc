import { expect, test } from '@jest/globals';
import { positionText, readPosition } from './live-position.ts';

test.each([
  [{ origin: '1', lanes: [-1, 4711, 220, 15] }, '1.0.4712.221.16'],
  [{ origin: '01M7W6C380X71A049954Q81Y9M', lanes: [6] }, '01M7W6C380X71A049954Q81Y9M.7'],
])('%j is %s', (position, text) => {
  expect(positionText(position)).toBe(text);
  expect(readPosition(text)).toEqual(position);
});

test.each(['', '4711', 'x y.1', '1.-1', '1.1e3', '1.', `1.${'9'.repeat(16)}`, `1${'.1'.repeat(200)}`, '.1'])(
  'no process has written %j',
  (text) => {
    const read = readPosition(text);
    expect(read === null || read.lanes.length === 0).toBe(true);
  },
);
