import { expect, test } from '@jest/globals';
import { MAX_CASCADE } from '#domain/ports/topology-store.ts';
import { refuseHeld } from './refusals.ts';

test.each([
  [0, false, null],
  [1, false, 'conflict'],
  [1, true, null],
  [MAX_CASCADE, true, null],
  [MAX_CASCADE + 1, true, 'unprocessable'],
  [MAX_CASCADE + 1, false, 'conflict'],
])('a CI with %i relationships, cascade %s: %s', (relationships, cascade, kind) => {
  const refused = () => refuseHeld('a', relationships, cascade);
  if (kind === null) expect(refused).not.toThrow();
  else expect(refused).toThrow(expect.objectContaining({ kind, data: { relationships } }));
});
