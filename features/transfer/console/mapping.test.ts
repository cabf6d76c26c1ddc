import { describe, expect, test } from '@jest/globals';
import { choicesFor, columnNames, mappingText, rememberedMapping, rememberMapping, suggested } from './mapping.ts';

describe('suggestions', () => {
  test.each([
    [
      ['Bezeichnung', 'Machine', 'IP adress', 'Env'],
      { Machine: 'name', 'IP adress': 'attributes.ip_address', Env: 'attributes.environment' },
    ],
    [['Server state', 'Statuss'], { Statuss: 'status' }],
    [['Asset ID', 'UUID'], { 'Asset ID': 'external_key' }],
    [['Vendor', 'Seriel'], { Vendor: 'attributes.manufacturer', Seriel: 'attributes.serial_number' }],
  ])('%j', (columns, expected) => expect(suggested('cis', columns, {})).toEqual(expected));

  test('of earlier imports come first', () => {
    expect(suggested('cis', ['Machine', 'Bezeichnung'], { bezeichnung: 'name' })).toEqual({ Bezeichnung: 'name' });
  });

  test('for relationships are their ends', () => {
    expect(suggested('relationships', ['From', 'To', 'Relation'], {})).toEqual({
      From: 'source_ci',
      To: 'target_ci',
      Relation: 'type',
    });
  });
});

test('a column may become an attribute or a custom field of its own name', () => {
  expect(choicesFor('cis', 'Patch level (OS)').slice(-2)).toEqual([
    'attributes.patch_level_os',
    'custom_fields.patch_level_os',
  ]);
  expect(choicesFor('relationships', 'Vlan').at(-1)).toBe('attributes.vlan');
});

test('the mapping is written as the server reads it', () => {
  expect(mappingText({ 'a, b': 'name', 'c:d': 'attributes.x' })).toBe('a\\, b:name,c\\:d:attributes.x');
});

test.each([
  ['a,b', ['a', 'b']],
  ['"x, ""y""",b,', ['x, "y"', 'b', '']],
  [' a ,"b"', ['a', 'b']],
  ['name;"a; b";type', ['name', 'a; b', 'type']],
  ['name\ttype', ['name', 'type']],
])('columns of %j', (header, names) => expect(columnNames(header)).toEqual(names));

test('mappings are remembered by the word of the column, at most 200, the newest first', () => {
  const kept = new Map<string, string>();
  const shelf = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
  rememberMapping(shelf, 'cis', { 'Asset No.': 'external_key' });
  rememberMapping(shelf, 'cis', { 'asset no': 'name' });
  expect(rememberedMapping(shelf, 'cis')).toEqual({ asset_no: 'name' });
  expect(rememberedMapping(shelf, 'relationships')).toEqual({});
  rememberMapping(shelf, 'cis', Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`c${n}`, 'name'])));
  expect(Object.keys(rememberedMapping(shelf, 'cis'))).toHaveLength(200);
  kept.set('faultline-import-cis', '[broken');
  expect(rememberedMapping(shelf, 'cis')).toEqual({});
});
