import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { usesOf, withUsers } from './features.ts';

/* `npm run house -- --take-out NAME`: checks the code base without a feature and its dependents. */

const LISTS = ['features/features.ts', 'console/features.ts', 'cli/features.ts'];
/** Journeys of the core that touch most of it; `--journeys` runs all. */
const SOME_JOURNEYS = [
  'life-of-an-event',
  'groups.test',
  'events.test',
  'cmdb.test',
  'embedded/access',
  'embedded/headers',
];

/** Time limit of one check. */
const MAX_MS = 20 * 60_000;

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}
interface Outcome {
  readonly check: string;
  /** Null: it is green. */
  readonly firstError: string | null;
}

const npm = (name: string, script: string, ...args: readonly string[]): Check => ({
  name,
  command: 'npm',
  args: ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])],
});

/** Lines with an error, of any of the tools. */
const ERROR = /error TS\d+|^\s*error |● |FAIL |Error: |Cannot find/;

const firstErrorOf = (output: string): string => {
  const lines = output.split('\n').map((line) => stripVTControlCharacters(line).trim());
  return lines.find((line) => ERROR.test(line)) ?? lines.findLast((line) => line !== '') ?? 'it ended without a word';
};

const runIn = (folder: string, { name, command, args }: Check): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: folder, timeout: MAX_MS });
    let output = '';
    const keep = (piece: Buffer): void => {
      output += piece.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('close', (code) => {
      if (code !== 0) writeFileSync(join(tmpdir(), `take-out-${name.replaceAll(/\W+/g, '-')}.log`), output);
      resolve({ check: name, firstError: code === 0 ? null : firstErrorOf(output) });
    });
  });

/** A tree as it is now, committed or not, beside the packages of this one. */
function copyTo(folder: string, root: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  for (const file of listed
    .split('\n')
    .filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile())) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Deletes a folder and its entries in lists. */
export function takeOut(folder: string, feature: string): void {
  rmSync(join(folder, 'features', feature), { recursive: true });
  for (const list of LISTS) {
    const path = join(folder, list);
    const text = readFileSync(path, 'utf8');
    const line = new RegExp(`^import \\{ (\\w+) \\} from '#?[^']*/${feature}/[^']*';\\n`, 'm');
    const name = line.exec(text)?.[1];
    if (name !== undefined)
      writeFileSync(path, text.replace(line, '').replace(new RegExp(`[ \\t]*\\b${name}\\b,?\\n?`), ''));
  }
}

/** Parts of the core that no feature uses any more are there for the next one. */
const WITHOUT_DEAD =
  'module.exports.forbidden = module.exports.forbidden.filter(({ name }) => !/^no-(dead-modules|orphans)$/.test(name));\n';

/** One after the other; the two lines run side by side on two cores. */
const checks = (hasAllJourneys: boolean): readonly (readonly Check[])[] => [
  [npm('types', 'types'), npm('import rules', 'imports')],
  [
    npm('scenarios', 'test', 'test/scenarios', '--maxWorkers=1'),
    ...(hasAllJourneys ? [npm('console', 'prepare')] : []),
    npm(
      'journeys',
      'test',
      ...(hasAllJourneys ? ['test/journeys'] : SOME_JOURNEYS.map((name) => `test/journeys/${name}`)),
      '--maxWorkers=1',
    ),
  ],
];

/** The outcomes of a copy of `root` without these features. */
async function without(root: string, features: readonly string[], hasAllJourneys: boolean): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-take-out-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const giveUp = (): void => {
    remove();
    process.exit(1);
  };
  process.once('SIGINT', giveUp).once('SIGTERM', giveUp);
  try {
    copyTo(folder, root);
    for (const feature of features) takeOut(folder, feature);
    appendFileSync(join(folder, '.dependency-cruiser.cjs'), WITHOUT_DEAD);
    const lines = checks(hasAllJourneys).map(async (line) => {
      const outcomes: Outcome[] = [];
      for (const check of line) {
        const begun = performance.now();
        const outcome = await runIn(folder, check);
        const seconds = Math.round((performance.now() - begun) / 1_000);
        process.stderr.write(`  ${check.name}, ${seconds} s: ${outcome.firstError ?? 'green'}\n`);
        outcomes.push(outcome);
      }
      return outcomes;
    });
    return (await Promise.all(lines)).flat();
  } finally {
    process.off('SIGINT', giveUp).off('SIGTERM', giveUp);
    remove();
  }
}

/** `NAME`, `all` for all at once, or `each` for all one by one; with `--journeys` all of the core. */
export async function takeOutTest(root: string, asked: string, hasAllJourneys: boolean): Promise<boolean> {
  const uses = usesOf(root);
  const names = [...uses.keys()];
  if (!['all', 'each', ...names].includes(asked))
    throw new Error(`--take-out is all, each, or one of ${names.join(', ')}`);
  const runs = asked === 'all' ? [names] : (asked === 'each' ? names : [asked]).map((name) => withUsers(uses, [name]));
  const table = new Table({
    head: ['without', 'and', 'outcome'],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [16, 40, 100],
  });
  let isGreen = true;
  for (const features of runs) {
    const [first = '', ...others] = asked === 'all' ? ['all'] : features;
    process.stderr.write(`without ${features.join(', ')}\n`);
    const red = (await without(root, features, hasAllJourneys)).filter(({ firstError }) => firstError !== null);
    isGreen &&= red.length === 0;
    const outcome = red.map(({ check, firstError }) => `${check}: ${firstError}`).join('\n');
    table.push([first, others.join(', '), outcome === '' ? 'green' : outcome]);
  }
  process.stdout.write(`${table.toString()}\n`);
  return isGreen;
}
