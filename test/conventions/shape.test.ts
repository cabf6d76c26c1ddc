import { globSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { planted, ROOT } from './planted.ts';
import { documentTexts, isConsole, literalTexts, type ReadText, sentencesOf } from './texts.ts';
import { usedTexts } from './used-texts.ts';

/* Shapes that keep texts short: buttons, titles and sentences. Summaries of operations have theirs in test/conformance/. */

const MAX_OF_BUTTON = 3;
const MAX_OF_CONSOLE = 20;
const MAX_OF_DOCUMENT = 25;

/** Buttons that need more words; this list may only become shorter. */
const LONG_BUTTONS: readonly string[] = ['Save as new view…'];
const VERBS = new Set(
  [
    'Accept Acknowledge Add Apply Ask Assess Assign Bind Cancel Change Clear Collapse Copy Create Delete Disable Discard Dismiss',
    'Download Edit Enable End Expand Explain Export Filter Fit Follow Import Invite Load Mark Match Merge Move Open Pause Preview Redeliver Reject',
    'Reload Remove Rename Reopen Replay Resend Reset Resolve Restore Resume Retry Review Revoke Rotate Run Save Select Send Show Sign',
    'Silence Split Suppress Switch Unacknowledge Unassign Undo Update View',
  ].flatMap((verbs) => verbs.split(' ')),
);
/** Steps between pages, choices of menus and states of a button; this list may only become shorter. */
const NO_VERBS: readonly string[] = [
  'API reference',
  'All relationships',
  'All tenants',
  'As Markdown',
  'As curl',
  'As of {time}',
  'As plain text',
  'Back',
  'Back to now',
  'Back to {tenant}',
  'Columns',
  'Data changed. Refresh',
  'Default',
  'Done',
  'Filters',
  'Got it',
  'Group ID',
  'Headers',
  'Link',
  'List',
  'Map',
  'Mapping',
  'New conversation',
  'Newer',
  'Next',
  'Next group',
  'No changes nearby',
  'Older',
  'Preferences',
  'Previous',
  'Previous group',
  'Theirs: {their}',
  'Yours: {mine}',
  'and {value} more',
  'default {field}',
  '{changes} nearby',
  '{number} more',
  '{way} all',
];

const { buttons, titles } = usedTexts(ROOT);

/** Values, names of fields, numbers and signs are not counted. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/\{[^}]*\}|`[^`]*`/g, ' ')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));
const longSentences = (texts: readonly ReadText[], most: number): string[] =>
  texts.flatMap(({ file, text }) =>
    sentencesOf(text)
      .map((sentence) => ({ sentence, words: wordsOf(sentence).length }))
      .filter(({ words }) => words > most)
      .map(({ sentence, words }) => `${file}: ${words} words: ${sentence}`),
  );
const unique = (texts: readonly ReadText[]): string[] => [...new Set(texts.map(({ text }) => text))].sort();

describe('buttons', () => {
  test(`have at most ${MAX_OF_BUTTON} words`, () => {
    expect(buttons.length).toBeGreaterThan(100);
    expect(unique(buttons.filter(({ text }) => wordsOf(text).length > MAX_OF_BUTTON))).toEqual(LONG_BUTTONS);
  });

  test('begin with a verb', () => {
    const others = unique(buttons.filter(({ text }) => !VERBS.has(wordsOf(text)[0]?.replace(/\W+$/, '') ?? '')));
    expect(others).toEqual(NO_VERBS);
  });
});

test('no title of one sentence ends with a full stop', () => {
  expect(titles.length).toBeGreaterThan(200);
  expect(unique(titles.filter(({ text }) => /^[^.]*\.$/.test(text)))).toEqual([]);
});

describe('sentences', () => {
  test(`of the console have at most ${MAX_OF_CONSOLE} words`, () => {
    expect(longSentences(literalTexts(ROOT, isConsole), MAX_OF_CONSOLE)).toEqual([]);
  });

  test(`of documents have at most ${MAX_OF_DOCUMENT} words`, () => {
    const files = globSync(['*.md', 'docs/*.md'], { cwd: ROOT });
    expect(
      longSentences(
        files.flatMap((file) => documentTexts(ROOT, file)),
        MAX_OF_DOCUMENT,
      ),
    ).toEqual([]);
  });
});

describe('the checks find', () => {
  test('texts of buttons and titles by their use', () => {
    using tree = planted({
      'console/page/texts.ts': "export const save = 'Save all of these changes';\nexport const title = 'Changes.';\n",
      'console/page/page.tsx':
        "import * as text from './texts.ts';\nexport const Page = () => <p title={text.title}><Button onClick={() => say(text.title)}>{text.save}</Button></p>;\n",
    });
    const used = usedTexts(tree.path);
    expect(used.buttons.map(({ text }) => text)).toEqual(['Save all of these changes']);
    expect(used.titles.map(({ text }) => text)).toEqual(['Changes.']);
  });

  test('a long sentence across lines, without its code', () => {
    const words = Array.from({ length: 25 }, () => 'word').join('\n');
    using tree = planted({ 'docs/a.md': `- ${words} \`code\`\n  word.\n- ${words}; word.\n` });
    const texts = documentTexts(tree.path, 'docs/a.md');
    expect(longSentences(texts, 25)).toHaveLength(1);
  });
});
