import { expect, test } from '@jest/globals';
import { addressOf, askedLandscape, boxName, placeOf } from './place.ts';

const LEVELS = ['attribute.site', 'custom_field.rack', 'type'];

test('a place is the same after it was in an address', () => {
  const path = ['Köln, 2\\3', null, 'vm'];
  const { levels, path: written } = addressOf(LEVELS, path);
  expect(placeOf({ levels, path: written ?? '' })).toEqual({ levels: LEVELS, path });
  expect(placeOf({ path: 'ber' })).toEqual({ levels: null, path: [] });
});

test.each([
  [[], { by: 'attribute.site,custom_field.rack' }],
  [['a:b'], { attribute: 'site:a\\:b', by: 'custom_field.rack,type' }],
  [[null, 'r,1'], { without: 'attribute.site', custom_field: 'rack:r\\,1', by: 'type,ci' }],
  [['a', null, 'vm'], { attribute: 'site:a', without: 'custom_field.rack', type: 'vm', by: 'ci' }],
])('the request for %j', (path, asked) => expect(askedLandscape({ levels: LEVELS, path })).toEqual(asked));

test('names of boxes', () => {
  expect(boxName('type', { value: 'virtual_machine' })).toBe('Virtual machine');
  expect(boxName('attribute.site', { value: null })).toBe('No site');
  expect(boxName('attribute.site', { value: 'fra1' })).toBe('fra1');
});
