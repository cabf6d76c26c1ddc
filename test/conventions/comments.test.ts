import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isProduct } from './import-layers.ts';
import { ROOT } from './planted.ts';

const MAX_WORDS = 40;
const SOURCES = globSync(
  '{domain,schemas,sources,processors,application,api,infra,features,cli,console}/**/*.{ts,tsx}',
  { cwd: ROOT, exclude: ['console/dist*'] },
).filter((file) => isProduct(file) || file.endsWith('-for-tests.ts'));

/** Comments on lines of their own; one that begins with one star is a table for readers. */
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
      .filter((comment) => wordsOf(comment) > MAX_WORDS)
      .map((comment) => `${file}: ${wordsOf(comment)} words: ${comment.trim().slice(0, 80)}`),
  );
  expect(long).toEqual([]);
  expect(SOURCES.length).toBeGreaterThan(1_500);
});

interface FoundComment {
  readonly file: string;
  readonly comment: string;
}
const readAll = (): FoundComment[] =>
  SOURCES.flatMap((file) =>
    commentsIn(readFileSync(join(ROOT, file), 'utf8')).map((comment) => ({ file, comment: comment.trim() })),
  );
const startOf = (comment: string): string => comment.replace(/^[ \t]*(?:\/\*\*|\/\/)[\s*]*/, '');

/** Words in backquotes are code, not prose. */
const proseOf = (comment: string): string => startOf(comment).replaceAll(/`[^`]*`/g, '`');

/* Plain English names the subject first. */
test.each([
  [
    'begins with a preposition',
    '/** Of the last run. */',
    /^(?:After|As|At|Before|Beyond|By|For|From|In|Like|Of|On|Over|To|Under|Until|With|Within|Without)\b/,
  ],
  [
    'begins with a question word',
    '/** Whether it ended. */',
    /^(?:What|Who|Whose|Where|When|How|Whether|Why|Which|Whoever|Whatever)\b/,
  ],
  [
    'has a what-clause as a noun',
    '// Differs from what a user sees.',
    /\b(?:about|after|as|at|but|by|for|from|in|is|of|on|than|to|with) what\b/i,
  ],
  ['lets code say something', '/** The header says so. */', /\b(?:says?|said|saying)\b/i],
  ['takes something', '// It takes a list.', /\b(?:takes?|taken|taking)\b(?! (?:over|precedence))/i],
  ['tells something', '/** Monitors tell of it. */', /\b(?:tells?|told|telling)\b/i],
  ['comes or goes on', '// The rest comes later.', /\b(?:comes?|came|goes on|went on)\b/i],
  ['keeps something', '/** Kept for a day. */', /\b(?:keeps|kept)\b/i],
  ['names no noun', '/** Drops those that failed. */', /\b(?:those|the ones?) (?:that|who)\b/i],
  ['names no role', '// Nobody reads it.', /\b(?:nobody|somebody|anybody|everybody|whoever)\b/i],
  ['gives no number', '/** Retried so often. */', /\bso (?:many|much|long|often)\b/i],
  ['uses an old word', '// Written anew.', /\b(?:anew|lies?|hears?|heard|stands? in for|last word|word counts)\b/i],
])('no comment %s', (_name, sample, words) => {
  expect(readAll().filter(({ comment }) => words.test(proseOf(comment)))).toEqual([]);
  expect(proseOf(sample)).toMatch(words);
});

const OUTSIDE =
  /\b(?:rulings|life\.md|evidence\.md|house\.md|style\.md)\b|\bspecification §|(?<!docs\/)\bspecification\.md/;

test('no comment cites a document outside the repository', () => {
  expect(readAll().filter(({ comment }) => OUTSIDE.test(comment))).toEqual([]);
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
