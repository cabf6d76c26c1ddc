import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cellOf, cellValue, keyCellOf, plainCellOf, rowOfCells } from './cells.ts';

describe('a cell', () => {
  test.each([
    ['8', 8],
    ['-0.5', -0.5],
    ['true', true],
    ['null', null],
    ['[1,2]', [1, 2]],
    ['{"a":1}', { a: 1 }],
    ['"8"', '8'],
    ['007', '007'],
    ['1.0', '1.0'],
    ['1e3', '1e3'],
    ['Ubuntu 24.04', 'Ubuntu 24.04'],
    ['-', '-'],
    ["'-5", -5],
    ["'=SUM(A1)", '=SUM(A1)'],
    ["''=SUM(A1)", "'=SUM(A1)"],
    ["'text", "'text"],
    ['[broken', '[broken'],
  ])('%s is read as %j', (cell, value) => expect(cellValue(cell)).toEqual(value));

  test('what is written is read as the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(cellValue(cellOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

test('columns make a row: empty cells are absent, bags are gathered, texts stay texts', () => {
  const cells = {
    name: '12',
    external_key: '',
    description: "'=x",
    confidence: '0.5',
    'attributes.cpu_cores': '8',
    'attributes.a.b': 'x',
    custom_fields: '{"z":1}',
    'custom_fields.y': 'null',
  };
  expect(rowOfCells(cells, new Set())).toEqual({
    name: '12',
    description: '=x',
    confidence: 0.5,
    attributes: { cpu_cores: 8, 'a.b': 'x' },
    custom_fields: { z: 1, y: null },
  });
});

test.each([
  ['Ann', 'Ann'],
  ['Ann; Bob ;', ['Ann', 'Bob']],
  ['["Ann","Bob"]', ['Ann', 'Bob']],
  ['"Ann; Bob"', 'Ann; Bob'],
])('owners are separated by semicolons: %s, and come back as they left', (cell, owner) => {
  const cells = { 'attributes.owner': cell, 'custom_fields.owner': cell, 'attributes.note': 'a; b' };
  const expected = { attributes: { owner, note: 'a; b' }, custom_fields: { owner } };
  for (const texts of [new Set<string>(), new Set(typeof owner === 'string' ? ['attributes.owner'] : [])])
    expect(rowOfCells(cells, texts)).toEqual(expected);
  const again = rowOfCells({ 'attributes.owner': keyCellOf('owner', owner) }, new Set());
  expect(again).toEqual({ attributes: { owner } });
});

test('some columns of a bag are texts, whatever they look like', () => {
  const cells = {
    'attributes.group': '1',
    'attributes.zone': '"2"',
    'attributes.mode': 'null',
    'attributes.port': '1',
  };
  const texts = new Set(['attributes.group', 'attributes.zone', 'attributes.mode']);
  expect(rowOfCells(cells, texts)).toEqual({ attributes: { group: '1', zone: '2', mode: null, port: 1 } });
});

test('a text outside of a bag comes back as it left, and hands may write blanks around it', () => {
  const backOf = (cell: string) => rowOfCells({ name: cell }, new Set()).name;
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => expect(backOf(plainCellOf(text))).toBe(text)),
  );
  for (const text of [' a', 'a ', 'null', "'null", "' a", '-1', '\uFF1D1'])
    expect(backOf(plainCellOf(text))).toBe(text);
  expect(backOf(' web-1 ')).toBe('web-1');
});
