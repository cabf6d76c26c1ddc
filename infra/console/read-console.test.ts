import { expect, test } from '@jest/globals';
import { planted } from '#test/conventions/planted.ts';
import { readConsole } from './read-console.ts';

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('utf8');

test('reads the page and its assets with what is compressed beside them, and nothing else', async () => {
  using tree = planted({
    'index.html': '<p>',
    'stamp.txt': 'of the build',
    'assets/a-1.js': 'whole',
    'assets/a-1.js.br': 'as br',
    'assets/a-1.js.gz': 'as gzip',
    'assets/b-2.css': 'alone',
    'assets/c-3.map': 'unknown',
  });
  const { page, assets } = (await readConsole(tree.path))!;
  expect(page).toBe('<p>');
  const read = [...assets].map(([name, { type, content, coded }]) => [
    name,
    type,
    text(content),
    text(coded.br),
    text(coded.gzip),
  ]);
  expect(read.sort()).toEqual([
    ['a-1.js', 'text/javascript; charset=utf-8', 'whole', 'as br', 'as gzip'],
    ['b-2.css', 'text/css; charset=utf-8', 'alone', undefined, undefined],
  ]);
});

test('there is none before it was built', async () => {
  using tree = planted({ 'main.tsx': '' });
  expect(await readConsole(tree.path)).toBeNull();
});
