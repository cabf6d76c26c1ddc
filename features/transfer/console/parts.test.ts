import { expect, test } from '@jest/globals';
import { kindOf, partsOf, readFile } from './parts.ts';

test('a row of a CSV may have line breaks in quotes', () => {
  const file = readFile('a.csv', '\uFEFFname,description\r\nweb-1,"two\nlines, and a ""quote"""\r\n\r\nweb-2,x\r\n');
  expect(file).toEqual({
    format: 'csv',
    header: 'name,description',
    rows: ['web-1,"two\nlines, and a ""quote"""', 'web-2,x'],
  });
});

test('each part of a CSV has the header, and knows how many rows came before', () => {
  const parts = partsOf(readFile('a.csv', 'name\na\nb\nc\n'), 2);
  expect(parts).toEqual([
    { before: 0, rows: 2, text: 'name\na\nb\n' },
    { before: 2, rows: 1, text: 'name\nc\n' },
  ]);
});

test.each([
  ['a.json', '[{"name":"a"},{"name":"b"}]', ['{"name":"a"}', '{"name":"b"}']],
  ['a.jsonl', '{"name":"a"}\n\n{"name":"b"}\n', ['{"name":"a"}', '{"name":"b"}']],
])('%s is read as objects, one a row', (name, text, rows) => {
  expect(readFile(name, text)).toEqual({ format: 'jsonl', header: null, rows });
});

test.each(['', '  \n', 'name,type\n'])('the file %j is refused as a whole', (text) => {
  expect(() => readFile('a.csv', text)).toThrow();
});

test('columns tell relationships from CIs', () => {
  expect(kindOf(readFile('a.csv', 'type,source_ci,target_ci\na,b,c'))).toBe('relationships');
  expect(kindOf(readFile('a.csv', 'name,type\na,b'))).toBe('cis');
  expect(kindOf(readFile('a.jsonl', '{"type":"x","source_ci":"a","target_ci":"b"}'))).toBe('relationships');
});
