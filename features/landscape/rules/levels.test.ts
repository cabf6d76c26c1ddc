import { expect, test } from '@jest/globals';
import { levelsOf, placeFields } from './levels.ts';

const field = (name: string, values: number, count = 100) => ({ bag: 'attributes', name, values, count }) as const;

test.each([
  ['a site with racks', [field('rack', 40), field('site', 4)], ['site', 'rack', 'type']],
  ['a field of few CIs is none', [field('site', 4, 9), field('Location', 3)], ['Location', 'type']],
  ['names are no places', [field('site', 501)], ['type']],
  ['nothing', [], ['type']],
] as const)('levels of %s', (_, fields, names) => {
  expect(levelsOf(fields, 100).map((key) => (typeof key === 'string' ? key : key.name))).toEqual(names);
});

test('a field whose name a list of fields cannot hold is left out', () => {
  expect(placeFields([field('a,b', 2), field(' a', 2), field('a b', 2)])).toEqual([field('a b', 2)]);
});
