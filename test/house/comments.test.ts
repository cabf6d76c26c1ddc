import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './planted.ts';

const MOST_WORDS = 40;
/** Migrations never change, and their comments describe whole tables. */
const SOURCES = globSync('{domain,schemas,processors,application,api,infra,console}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['console/dist*', 'infra/embedded/sqlite/migrations/*'],
}).filter((file) => !file.includes('.test.'));

/** Comments on lines of their own; what begins with one star is a table for people. */
const commentsIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/gm)].map(
    ([comment]) => comment,
  );
const wordsOf = (comment: string): number =>
  comment
    .replaceAll(/^[ \t]*(?:\/\*\*|\/\/|\*\/|\*)|\*\/$/gm, ' ')
    .split(/\s+/)
    .filter(Boolean).length;

test('no comment has more than 40 words', () => {
  const long = SOURCES.flatMap((file) =>
    commentsIn(readFileSync(join(ROOT, file), 'utf8'))
      .filter((comment) => wordsOf(comment) > MOST_WORDS)
      .map((comment) => `${file}: ${wordsOf(comment)} words: ${comment.trim().slice(0, 80)}`),
  );
  expect(long).toEqual([]);
  expect(SOURCES.length).toBeGreaterThan(1_500);
});

test('a comment of 41 words is found, on one line and on several', () => {
  const words = Array.from({ length: 41 }, (_, n) => `w${n}`);
  for (const text of [
    `/** ${words.join(' ')} */`,
    `  /**\n   * ${words.join('\n   * ')}\n   */`,
    `// ${words.join('\n// ')}`,
  ])
    expect(commentsIn(text).map(wordsOf)).toEqual([41]);
});
