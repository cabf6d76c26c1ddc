import { expect, test } from '@jest/globals';
import type { LandscapeData } from './api.ts';
import { tilesOf } from './tiles.ts';

const counts = (cis: number, worst: LandscapeData['worst'] = null) => ({
  cis,
  affected: worst === null ? 0 : 1,
  worst,
});
const DATA: LandscapeData = {
  ...counts(100, 'critical'),
  by: ['attribute.site', 'ci'],
  levels: [],
  fields: [],
  boxes: [
    {
      value: 'ber',
      ...counts(1, 'critical'),
      boxes: [{ value: 'db-1', ci: 'ID', ...counts(1, 'critical') }],
      others: null,
    },
    { value: null, ...counts(90), boxes: [{ value: 'x', ci: 'X', ...counts(1) }], others: counts(89) },
  ],
  others: counts(9),
  map: null,
};

test('frames come before what is on them, and a small box has none', () => {
  const tiles = tilesOf(DATA, { width: 300, height: 200 });
  expect(tiles.map(({ name, isFrame, path, ci }) => [name, isFrame, path, ci])).toEqual([
    ['No site', true, [null], null],
    ['89 CIs in smaller boxes', false, null, null],
    ['x', false, null, 'X'],
    ['9 CIs in smaller boxes', false, null, null],
    ['ber', false, ['ber'], null],
  ]);
  expect(tilesOf(DATA, { width: 0, height: 200 })).toEqual([]);
});
