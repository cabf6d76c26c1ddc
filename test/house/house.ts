import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { measure, type Weights } from './measure.ts';
import { ROOT } from './planted.ts';

/* `npm run house`: how heavy the house is, beside what it may weigh once it has its rooms. */

interface Figure {
  readonly name: string;
  readonly now: number;
  /** At the start of the move, on 2026-11-27. */
  readonly before: number;
  readonly bound: number;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const words = (file: string): number => read(file).split(/\s+/).filter(Boolean).length;

const product = (weights: Weights): Figure[] => [
  { name: 'product lines', now: weights.lines, before: 130_067, bound: 116_000 },
  { name: 'domain/ lines', now: weights.linesOfDomain, before: 28_083, bound: 12_000 },
  { name: 'product files', now: weights.files, before: 2_115, bound: 1_800 },
  { name: 'files with one importer, %', now: weights.filesWithOneImporter, before: 47, bound: 38 },
  { name: 'literal spreads', now: weights.literalSpreads, before: 973, bound: 0 },
  { name: 'type names in more than three files', now: weights.repeatedTypeNames, before: 65, bound: 1 },
];

const documents = (): Figure[] => [
  {
    name: 'golden of the interface, lines',
    now: read('test/conformance/openapi.golden.txt').split('\n').length - 1,
    before: 79_829,
    bound: 1_500,
  },
  { name: 'README, words', now: words('README.md'), before: 1_755, bound: 900 },
  { name: 'CHANGELOG, words', now: words('CHANGELOG.md'), before: 6_877, bound: 600 },
  { name: 'CONTRIBUTING, words', now: words('CONTRIBUTING.md'), before: 2_417, bound: 1_200 },
  { name: 'pages in docs', now: globSync('docs/*.md', { cwd: ROOT }).length, before: 35, bound: 20 },
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
