import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { importsOf } from './conventions/import-layers.ts';

export const LEVELS = ['unit', 'contract', 'journey', 'browser'] as const;
export type TestLevel = (typeof LEVELS)[number];

const JOURNEYS =
  /^(test\/(journeys|life|faults|scenarios)\/|test\/conformance\/specification\.|features\/[^/]+\/journeys\/)/;
const BROWSER = 'test/console/kit/open-console.ts';
/** Paths of suites: those of the core, and those of features beside their adapters. */
const SUITES = /^test\/contract\/|^features\/[^/]+\/stores\/.*-for-tests\.ts$/;
const SUITE = /export (?:function|const) \w+Contract\b/;

const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
const isTest = (file: string): boolean => file.endsWith('.test.ts');

export const levelOf = (root: string, file: string): TestLevel => {
  if (JOURNEYS.test(file)) return 'journey';
  const imported = importsOf(root, file);
  if (file.startsWith('test/console/') && imported.includes(BROWSER)) return 'browser';
  // A text that a test plants looks like an import, too.
  const suites = imported.filter((name) => SUITES.test(name) && existsSync(join(root, name)));
  const runsSuite = suites.some((name) => SUITE.test(textOf(root, name)));
  return runsSuite ? 'contract' : 'unit';
};

/** Files that decide how every test runs. */
const ALL = /^(package(-lock)?\.json|jest\.config\.js|test\/(run|levels)\.ts|test\/setup\/native\/.*)$/;
/** Its importers see every feature, and so nothing of a certain one. */
const LIST = 'features/features.ts';
const FEATURE = /^features\/([^/]+)\//;
/** Served as one program, which no test imports. */
const PAGES = /^(console|features\/[^/]+\/console)\//;
const STARTED = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

const codeOf = (root: string): string[] =>
  globSync('**/*.{ts,tsx,js}', { cwd: root, exclude: ['**/node_modules', 'console/dist*', 'test/engines'] });

const needsOf = (root: string, file: string): string[] => [
  ...importsOf(root, file),
  ...[...textOf(root, file).matchAll(STARTED)].map(([, path]) => join(file, '..', path as string)),
];

/** Files that need one of these, directly or through others; not through the list of all features when `isOne`. */
function leadingTo(importers: ReadonlyMap<string, readonly string[]>, from: string, isOne: boolean): Set<string> {
  const found = new Set([from]);
  for (const file of found) if (!isOne || file !== LIST) for (const next of importers.get(file) ?? []) found.add(next);
  return found;
}

/** Tests of the whole server that carry the name of a feature. */
const namedAfter = (noun: string): RegExp => new RegExp(`^test/.*[-/]${noun.replace(/s$/, '')}`);

/** Tests that these changed files can turn red. */
export function testsOf(root: string, changed: readonly string[]): ReadonlySet<string> {
  const code = codeOf(root);
  const tests = code.filter(isTest);
  if (changed.some((file) => ALL.test(file))) return new Set(tests);
  const importers = new Map<string, string[]>();
  for (const file of code)
    for (const needed of needsOf(root, file)) importers.set(needed, [...(importers.get(needed) ?? []), file]);
  const chosen = new Set<string>();
  const choose = (which: (test: string) => boolean): void => {
    for (const test of tests.filter(which)) chosen.add(test);
  };
  // The house reads the whole tree.
  if (changed.length > 0) choose((test) => test.startsWith('test/conventions/'));
  for (const file of changed) {
    const isCode = ['.ts', '.tsx', '.js'].includes(extname(file));
    const starts = isCode ? [file] : code.filter((name) => textOf(root, name).includes(basename(file)));
    if (!isCode) choose((test) => dirname(test) === dirname(file));
    const noun = FEATURE.exec(file)?.[1];
    for (const start of starts)
      for (const name of leadingTo(importers, start, noun !== undefined)) if (isTest(name)) chosen.add(name);
    if (noun !== undefined)
      choose(
        (test) =>
          namedAfter(noun).test(test) ||
          test.startsWith(`features/${noun}/journeys/`) ||
          test.startsWith('test/conformance/'),
      );
    if (PAGES.test(file) && !isTest(file)) choose((test) => levelOf(root, test) === 'browser');
  }
  return chosen;
}

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Returns the differences of the working tree and its branch from the main branch, deleted files included. */
export function changedFiles(root: string, main: string): string[] {
  const since = git(root, 'merge-base', main, 'HEAD').trim();
  const lines = git(root, 'diff', '--name-only', since) + git(root, 'ls-files', '--others', '--exclude-standard');
  return lines.split('\n').filter((line) => line !== '');
}
