import { expect, test } from '@jest/globals';
import { factOf, fieldWords, typeWords, valueText, wayWords } from './ci-words.ts';

test.each([
  ['powered_by', 'outgoing', 'powered by'],
  ['powered_by', 'incoming', 'powers'],
  ['located_in', 'incoming', 'location of'],
  ['mirrors_to', 'outgoing', 'mirrors to'],
  ['mirrors_to', 'incoming', 'mirrors to (incoming)'],
] as const)('%s, %s, is said as "%s"', (type, direction, words) => {
  expect(wayWords(type, direction)).toBe(words);
});

test.each([
  ['attributes.ip_address', 'IP address'],
  ['customFields.cost_centre', 'Cost centre'],
  ['description', 'Description'],
])('the field %s is called "%s"', (field, words) => {
  expect(fieldWords(field)).toBe(words);
});

test.each([
  ['text', 'text'],
  [null, ''],
  [undefined, ''],
  [7, '7'],
  [['a', 'b'], 'a, b'],
  [{ a: 1 }, '{"a":1}'],
])('the value %j reads "%s"', (value, text) => {
  expect(valueText(value)).toBe(text);
});

test('an attribute outweighs a custom field of its name, and what is no text is none', () => {
  expect(factOf({ attributes: { site: 'ams2' }, custom_fields: { site: 'dub3' } }, 'site')).toBe('ams2');
  expect(factOf({ attributes: {}, custom_fields: { site: 'dub3' } }, 'site')).toBe('dub3');
  expect(factOf({ attributes: { site: { a: 1 } }, custom_fields: {} }, 'site')).toBeNull();
  expect(typeWords('power_feed')).toBe('power feed');
});
