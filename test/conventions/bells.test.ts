import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { productFiles } from './import-layers.ts';
import { planted, ROOT } from './planted.ts';

/** Work in the background is woken by one bell, `Ports.background.ring`; stores have threads and loops of their own. */
const MAY_WAKE = /^(?:application\/tasks|infra)\//;

const wakers = (root: string): string[] =>
  productFiles(root)
    .filter((file) => !MAY_WAKE.test(file))
    .filter((file) => /\bwake\s*(?:\(|[:=]\s*(?:async\s*)?\()/.test(readFileSync(join(root, file), 'utf8')));

test('no feature and no use case has a bell of its own', () => {
  expect(wakers(ROOT)).toEqual([]);
});

test.each([
  ['a method', 'export class Worker {\n  wake(): void {}\n}\n'],
  ['a private field', 'export class Worker {\n  #wake = (): void => undefined;\n}\n'],
  ['a property', 'export const worker = { wake: () => undefined };\n'],
  ['a member of an interface', 'export interface Worker {\n  wake(): void;\n}\n'],
])('one is found as %s', (_, text) => {
  using tree = planted({ 'features/x/use-cases/worker.ts': text, 'infra/loop.ts': text });
  expect(wakers(tree.path)).toEqual(['features/x/use-cases/worker.ts']);
});
