import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './planted.ts';

const MOST_WORDS = 40;
const WHATS = 9;
const NOBODIES = 179;
const SOURCES = globSync('{domain,schemas,processors,application,api,infra,features,console}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['console/dist*'],
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

const readAll = (): string[] => SOURCES.flatMap((file) => commentsIn(readFileSync(join(ROOT, file), 'utf8')));
const startOf = (comment: string): string => comment.replace(/^[ \t]*(?:\/\*\*|\/\/)[\s*]*/, '');

/* Plain English names the actor first. Each ceiling only falls: rewrite a few when you are near, and lower it. */
test.each([
  ['begin with What, Who or Whoever', /^(?:What|Who|Whoever)\b/, WHATS],
  ['speak of nobody or somebody', /\b(?:nobody|somebody)\b/i, NOBODIES],
])('no more comments than before %s', (_name, words, most) => {
  const found = readAll().filter((comment) => words.test(startOf(comment)));
  expect(found.length).toBeLessThanOrEqual(most);
  expect(found.length).toBeGreaterThan(most - 25);
});

const OUTSIDE =
  /\b(?:rulings|life\.md|evidence\.md|house\.md|style\.md)\b|\bspecification §|(?<!docs\/)\bspecification\.md/;

test('no comment cites a document outside the repository', () => {
  expect(readAll().filter((comment) => OUTSIDE.test(comment))).toEqual([]);
  expect('see rulings §4').toMatch(OUTSIDE);
  expect('see docs/specification.md §4').not.toMatch(OUTSIDE);
});

test('the code that a stranger follows from a request to its group begins no comment so', () => {
  const path =
    /^(?:processors|domain\/(?:pipeline|correlation|event)|infra\/embedded|application\/events|api\/(?:events|http))\//;
  const found = SOURCES.filter((file) => path.test(file)).flatMap((file) =>
    commentsIn(readFileSync(join(ROOT, file), 'utf8'))
      .filter((comment) => /^(?:What|Who|Whoever)\b/.test(startOf(comment)))
      .map((comment) => `${file}: ${startOf(comment)}`),
  );
  expect(found).toEqual([]);
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
