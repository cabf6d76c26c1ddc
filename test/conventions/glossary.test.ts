import { globSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { planted, ROOT } from './planted.ts';
import { quoted, rowsUnder } from './tables.ts';
import { catalogueTexts, documentTexts, isConsole, type ReadText } from './texts.ts';

const GLOSSARY = 'docs/glossary.md';
const rows = rowsUnder(GLOSSARY, 'concept');
const NEVER = rows.flatMap(([, term = '', , , never]) => quoted(never).map((word) => ({ word, term })));

/** Also in the plural, but not as a part of a longer word. */
const wholeWord = (word: string): RegExp => new RegExp(`(?<![\\w-])${word}(?:e?s)?(?![\\w-])`, 'i');
const found = (texts: readonly ReadText[]): string[] =>
  NEVER.flatMap(({ word, term }) => {
    const pattern = wholeWord(word);
    return texts
      .filter(({ text }) => pattern.test(text))
      .map(({ file, text }) => `${file}: “${word}” (say: ${term}) in “${text.slice(0, 120)}”`);
  });

const consoleTexts = (root: string): ReadText[] =>
  catalogueTexts(root)
    .filter(({ file }) => isConsole(`${file}/`))
    .map(({ file, key, text }) => ({ file, key, text: text.replaceAll(/\{[^}]*\}|`[^`]*`/g, '') }));
const documents = globSync(['README.md', 'docs/*.md'], { cwd: ROOT }).filter((file) => file !== GLOSSARY);

test('each row of the glossary has a term, its meaning, its API names and words that are never used for it', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((cells) => cells.length !== 5 || cells.some((cell) => cell === ''))).toEqual([]);
  expect(NEVER.length).toBeGreaterThan(80);
});

describe('words that the glossary avoids', () => {
  test('stand in no document', () => {
    expect(found(documents.flatMap((file) => documentTexts(ROOT, file)))).toEqual([]);
  });

  test('stand in no text of the console', () => {
    expect(found(consoleTexts(ROOT))).toEqual([]);
  });

  test('are found in a sentence and a cell, but not in code, in addresses of links and in longer words', () => {
    using tree = planted({
      'docs/a.md':
        'The worst\nfaults are `usual`.\n\n| a | b |\n|---|---|\n| unusual | [tests](test/faults/README.md) |\n| two\\|a victim | x |\n\n```\nfault\n```\n\n    fault\n',
    });
    const inDocument = found(documentTexts(tree.path, 'docs/a.md'));
    expect(inDocument.map((line) => line.replace(/ \(say.*/, ''))).toEqual([
      'docs/a.md: “fault”',
      'docs/a.md: “victim”',
    ]);
  });
});
