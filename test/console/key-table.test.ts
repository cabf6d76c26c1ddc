import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { KNOWN_KEYS } from '#console/keys/known.ts';
import { ROOT } from '#test/conventions/planted.ts';

/** The table of keys in `docs/console.md` has exactly the keys that the code registers. */

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, keys]) => keys!);

/** `keys: 'a'` of a shortcut; `key('a'` and `shown('a'` make one. */
const REGISTERED = /\bkeys: '([^']+)'|\b(?:key|shown)\('([^']+)'/g;
const registeredIn = (text: string): string[] => [...text.matchAll(REGISTERED)].map(([, one, two]) => (one ?? two)!);

const files = globSync('{console,features/*/console}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['console/dist*'] }).filter(
  (file) => !file.endsWith('.test.ts') && file !== 'console/keys/known.ts',
);
const inCode = new Set([
  ...files.flatMap((file) => registeredIn(read(file))),
  // A list handles keys by itself.
  ...found(read('console/grid/move.ts'), /case '([^']+)'/g),
  ...found(read('console/grid/list-hands.ts'), /combo === '([^']+)'/g),
  ...['console/frame/navigation.ts', ...globSync('features/*/console/feature.tsx', { cwd: ROOT })]
    .flatMap((file) => found(read(file), /to: '[^}]*\bkey: '([^']+)'/g))
    .map((key) => `g ${key}`),
]);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['↓', 'ArrowDown'],
  ['↑', 'ArrowUp'],
  ['Page Down', 'PageDown'],
  ['Page Up', 'PageUp'],
  ['Esc', 'Escape'],
]);
/** `Ctrl K` of a document as the code writes it. */
const combo = (shown: string): string =>
  SIGNS.get(shown) ??
  shown.replace(/^Ctrl (.)$/, (_, letter: string) => `mod+${letter.toLowerCase()}`).replace(/^Shift /, 'Shift+');

const table = read('docs/console.md').split('\n## Keyboard shortcuts\n')[1]?.split('\n## ')[0] ?? '';
const inTable = table
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => found(line.split('|')[1] ?? '', /`([^`]+)`/g))
  .map(combo);

test('the table of keys and the code name the same keys, each once', () => {
  expect(inCode.size).toBeGreaterThan(30);
  expect(inTable.toSorted()).toEqual([...inCode].sort());
});

test('what the help says of other pages is registered there', () => {
  expect(KNOWN_KEYS.filter(({ keys }) => !inCode.has(keys))).toEqual([]);
});
