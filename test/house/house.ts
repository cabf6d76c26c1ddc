import { globSync } from 'node:fs';
import Table from 'cli-table3';
import { BUDGETS, measure, type Weights, wordsIn } from './measure.ts';
import { ROOT } from './planted.ts';
import { documentText } from './tables.ts';

/* `npm run house`: how heavy the house is, beside what it may weigh once it has its rooms. */

interface Figure {
  readonly name: string;
  readonly now: number;
  /** At the start of the move, on 2026-11-27. */
  readonly before: number;
  readonly bound: number;
}

/** Words at the start of the move. */
const WORDS: Readonly<Record<string, number>> = { 'README.md': 1_755, 'CHANGELOG.md': 6_877, 'CONTRIBUTING.md': 2_417 };

const product = (weights: Weights): Figure[] => [
  { name: 'product lines', now: weights.lines, before: 130_067, bound: 116_000 },
  { name: 'domain/ lines', now: weights.linesOfDomain, before: 28_083, bound: 12_000 },
  { name: 'product files', now: weights.files, before: 2_115, bound: 1_800 },
  { name: 'files with one importer, %', now: weights.filesWithOneImporter, before: 47, bound: 38 },
  { name: 'literal spreads', now: weights.literalSpreads, before: 973, bound: 0 },
  { name: 'imports core → feature', now: weights.importsOfFeatures, before: 80, bound: 0 },
  { name: 'imports feature → feature beyond uses', now: weights.importsBeyondUses, before: 16, bound: 0 },
  { name: 'type names in more than three files', now: weights.repeatedTypeNames, before: 65, bound: 1 },
];

const documents = (): Figure[] => [
  {
    name: 'golden of the interface, lines',
    now: documentText('test/conformance/openapi.golden.txt').split('\n').length - 1,
    before: 79_829,
    bound: 1_500,
  },
  ...Object.entries(BUDGETS.documents.words).map(([path, bound]) => ({
    name: `${path}, words`,
    now: wordsIn(documentText(path)),
    before: WORDS[path] ?? 0,
    bound,
  })),
  {
    name: 'pages in docs',
    now: globSync('docs/*.md', { cwd: ROOT }).length,
    before: 35,
    bound: BUDGETS.documents.pages,
  },
];

const table = new Table({ head: ['figure', 'before', 'today', 'bound', 'met'], style: { head: [], border: [] } });
for (const { name, before, now, bound } of [...product(measure(ROOT)), ...documents()])
  table.push([
    name,
    before.toLocaleString('en'),
    now.toLocaleString('en'),
    `≤ ${bound.toLocaleString('en')}`,
    now <= bound ? 'yes' : 'no',
  ]);
process.stdout.write(`${table.toString()}\n`);
