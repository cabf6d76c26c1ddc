import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { productFiles } from './import-layers.ts';
import { planted, ROOT } from './planted.ts';

const TYPE = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** Names of types that several product files export, with the files. */
const sharedNames = (root: string): string[] => {
  const places = productFiles(root).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(TYPE)].map(([, name = '']) => ({ name, file })),
  );
  return [...Map.groupBy(places, ({ name }) => name)]
    .map(([name, own]) => ({ name, files: [...new Set(own.map(({ file }) => file))].sort() }))
    .filter(({ files }) => files.length > 1)
    .map(({ name, files }) => `${name}: ${files.join(', ')}`);
};

test('a name of a type is exported by one file', () => expect(sharedNames(ROOT)).toEqual([]));

test('a name that two files export is found; one that a file keeps to itself is not', () => {
  using tree = planted({
    'domain/place.ts': 'export interface Place {\n  a: number;\n}\nexport type Own = 1;\n',
    'api/place.ts': 'export type Place = string;\ntype Own = 2;\nexport const own: Own = 2;\n',
    'api/place.test.ts': 'export type Own = 3;\n',
  });
  expect(sharedNames(tree.path)).toEqual(['Place: api/place.ts, domain/place.ts']);
});
