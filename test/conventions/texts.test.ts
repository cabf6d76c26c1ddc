import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isUpdate } from '#test/setup/is-update.ts';
import { planted, ROOT } from './planted.ts';
import { catalogueTexts, isConsole, literalTexts, proseOf, type ReadText, strayTexts } from './texts.ts';

const GOLDEN = join(ROOT, 'test/conventions/texts.golden.md');

/** Words forbidden in texts; the reason is the replacement. */
const BANNED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(nobody|somebody|everybody|whoever)\b/i, 'the role'],
  [/\bhas it\b/i, 'assignee'],
  [/\bhit\b(?!@| an )/i, 'affects'],
  [/\bsure\b/i, 'confidence'],
  [/\b(never )?heard\b/i, 'receiving'],
  [/\b(told|tells)\b/i, 'send, notify'],
  [/\btaken\b/i, 'accepted; undo'],
  [/\brests\b/i, 'paused'],
  [/\bgiven up\b/i, 'failed, canceled'],
  [/\banew\b/i, 'again'],
  [/\bby hand\b/i, 'manual'],
  [/\bestate\b/i, 'infrastructure'],
  [/\bcomplaints?\b/i, 'problem'],
  [/\bfolded\b/i, 'deduplicated'],
  [/\bforetold\b/i, 'forecast'],
  [/\bcome out otherwise\b/i, 'change'],
  [/\bLarge screen\b|\bSet-up\b|\bMake it\b/, 'Wallboard; Get started; Create'],
  [/\bcould not be\b/, "Couldn't …"],
  [/\d %|\} %/, '76%'],
  [/\d h \d\d\b/, '2h 5m'],
  [/\S {2,}\S/, 'one space'],
];
/** Forbidden first words of a label. */
const HEADLESS = /^(?:#+ )?(What|Who|How|Whether|Where|Of|That|It|Its|Those)\b(?!.*[.?…]$)/;

const isServer = (file: string): boolean =>
  !READS_INPUT.test(file) &&
  /^(api|application|schemas|sources|processors|domain)\/|^features\/[^/]+\/(http|rules|schemas|use-cases)\//.test(
    file,
  );
const isCli = (file: string): boolean => /^(cli|features\/[^/]+\/cli)\//.test(file);
const AREAS: readonly (readonly [area: string, texts: () => readonly ReadText[]])[] = [
  ['console', () => literalTexts(ROOT, isConsole)],
  ['cli', () => literalTexts(ROOT, isCli)],
  ['server', () => literalTexts(ROOT, isServer)],
  ['docs', () => globSync(['README.md', 'docs/*.md'], { cwd: ROOT }).flatMap((file) => proseOf(ROOT, file))],
];
/** Values of fields, style sheets and examples. */
const NO_TEXTS: readonly (readonly [file: string, text: string])[] = [
  ['console/maps/map-style.ts', 'data(shown)'],
  ['console/pages/cis/cis-page.tsx', 'update'],
  ['console/pages/sources/mapping-draft.ts', 'Site24x7'],
  ['console/pages/sources/mapping-draft.ts', '{$.MONITORNAME} is {$.STATUS}'],
  ['console/pages/sources/mapping-draft.ts', '$.INCIDENT_REASON'],
  ['features/webhooks/console/webhook-fields.tsx', 'https://'],
];
/** Words for parsing input, and messages of the demo's monitors. */
const READS_INPUT =
  /^(domain\/event\/identity|features\/ai\/rules\/claims|features\/questions\/rules\/(?:grammar|asking)|features\/demo\/rules)\//;
/** Ceilings: each may only fall. */
const MOST: Readonly<Record<string, { readonly banned: number; readonly headless: number }>> = {
  console: { banned: 0, headless: 0 },
  // A kind of search is called `complaint`.
  cli: { banned: 1, headless: 0 },
  server: { banned: 0, headless: 0 },
  docs: { banned: 0, headless: 0 },
};

/** Names of values and of fields are no visible words. */
const withoutCode = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '{}').replaceAll(/`[^`]*`/g, '``');
const bannedOf = (texts: readonly ReadText[]): string[] =>
  texts.flatMap(({ file, text }) =>
    BANNED.filter(([word]) => word.test(withoutCode(text))).map(
      ([, instead]) => `${file}: “${text}” (say: ${instead})`,
    ),
  );
const headlessOf = (texts: readonly ReadText[]): string[] =>
  texts.filter(({ text }) => HEADLESS.test(text)).map(({ file, text }) => `${file}: “${text}”`);
/** All of them, when there are more than may be. */
const beyond = (found: readonly string[], most: number): readonly string[] => (found.length > most ? found : []);

test('every text of the console stands in a catalogue', () => {
  const stray = strayTexts(ROOT).map(({ file, text }) => [file, text]);
  expect(stray).toEqual(NO_TEXTS);
});

describe.each(AREAS)('texts of %s', (area, textsOf) => {
  const texts = textsOf();
  const most = MOST[area] ?? { banned: 0, headless: 0 };

  test(`at most ${most.banned} have a word that the glossary replaces`, () => {
    expect(texts.length).toBeGreaterThan(100);
    expect(beyond(bannedOf(texts), most.banned)).toEqual([]);
  });

  test(`at most ${most.headless} are labels without a noun`, () => {
    // Of a document only the headings are labels.
    const labels = area === 'docs' ? texts.filter(({ text }) => text.startsWith('#')) : texts;
    expect(beyond(headlessOf(labels), most.headless)).toEqual([]);
  });
});

test('every text of a catalogue is as agreed on', () => {
  const areas = Map.groupBy(catalogueTexts(ROOT), ({ file }) => file);
  const lines = [...areas].flatMap(([area, texts]) => [
    `## ${area}`,
    '',
    ...texts.map(({ key, text }) => `- \`${key}\`: ${text}`),
    '',
  ]);
  const copy = ['# Texts', '', ...lines].join('\n');
  if (isUpdate()) writeFileSync(GOLDEN, copy);
  expect(copy.split('\n')).toEqual(readFileSync(GOLDEN, 'utf8').split('\n'));
});

describe('the checks find', () => {
  test('text between tags, visible attributes and properties, and no others', () => {
    using tree = planted({
      'console/page.tsx':
        'export const one = { title: \'A title\', kind: \'not seen\' };\nexport const Page = () => <p className="no text" title="Shown">Hello <b>{one.title}</b></p>;\n',
      'console/texts.ts': "export const title = 'In its place';\n",
      'api/page.ts': "export const title = { title: 'Of the server' };\n",
    });
    expect(strayTexts(tree.path).map(({ key, text }) => `${key}: ${text}`)).toEqual([
      'title: A title',
      'title: Shown',
      ': Hello',
    ]);
  });

  test('banned words and labels without a noun', () => {
    const said = (text: string): ReadText => ({ file: 'f', key: '', text });
    const texts = ['Nobody has it', 'The map could not be loaded', '76 %', 'Assign to me'].map(said);
    expect(bannedOf(texts)).toHaveLength(4);
    const labels = ['Who has it', 'Its events', 'It explains no other CIs.', 'Was this it?', 'Assignee'].map(said);
    expect(headlessOf(labels)).toEqual(['f: “Who has it”', 'f: “Its events”']);
  });

  test('texts of catalogues, with their values', () => {
    const value = ['$', '{groups}'].join('');
    using tree = planted({
      'cli/texts.ts': `export const merged = (groups: string) => \`Merged ${value}\`;
export const done = "It's done";
`,
    });
    expect(catalogueTexts(tree.path).map(({ key, text }) => `${key}: ${text}`)).toEqual([
      'merged: Merged {groups}',
      "done: It's done",
    ]);
  });
});
