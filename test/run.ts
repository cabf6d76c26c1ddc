import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf } from './conventions/import-layers.ts';
import { changedFiles, LEVELS, levelOf, testsOf } from './levels.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'main';
/** Import of tests with a long form. */
const LONGER = 'test/setup/runs.ts';

/** jest asks which of the files that it found it shall run. */
const choose = (paths: readonly string[]): { filtered: string[] } => {
  const { FAULTLINE_TEST_LEVELS: levels, FAULTLINE_TEST_CHANGED: isChanged, FAULTLINE_LONG: isLong } = process.env;
  const changed = isChanged === undefined ? null : changedFiles(ROOT, MAIN);
  const concerned = changed === null ? null : testsOf(ROOT, changed);
  const filtered = paths.filter((path) => {
    const file = relative(ROOT, path);
    return (
      (levels === undefined || levels.split(' ').includes(levelOf(ROOT, file))) &&
      (concerned === null || concerned.has(file)) &&
      (isLong === undefined || importsOf(ROOT, file).includes(LONGER))
    );
  });
  if (changed !== null)
    process.stderr.write(
      `${changed.length} files differ from ${MAIN}: ${filtered.length} of ${paths.length} test files\n`,
    );
  return { filtered };
};

/**
 * File names, a difference or the long forms select all levels; else the browser tests, a third of the time, are left
 * to `--level all`.
 */
const DEFAULT = LEVELS.filter((level) => level !== 'browser');

/** `npm test`: jest, with `--level NAME`, `--changed` and `--long` beside its own options. */
const main = async (): Promise<void> => {
  const jest: string[] = [];
  const asked = process.argv.slice(2);
  let levels: readonly string[] = DEFAULT;
  for (let arg = asked.shift(); arg !== undefined; arg = asked.shift()) {
    const [name, value] = arg.split('=');
    if (name === '--level') {
      const level = value ?? asked.shift();
      levels = LEVELS.filter((known) => known === level || level === 'all');
      if (levels.length === 0) throw new Error(`--level is one of ${LEVELS.join(', ')}, all`);
    } else {
      if (!arg.startsWith('-') || name === '--changed' || name === '--long')
        levels = levels === DEFAULT ? LEVELS : levels;
      if (name === '--changed') process.env.FAULTLINE_TEST_CHANGED = 'yes';
      else if (name === '--long') process.env.FAULTLINE_LONG = 'yes';
      else jest.push(arg);
    }
  }
  process.env.FAULTLINE_TEST_LEVELS = levels.join(' ');
  jest.unshift(`--filter=${import.meta.filename}`, '--passWithNoTests');
  process.argv.splice(2, Infinity, ...jest);
  // @ts-expect-error It runs when it is imported, and exports nothing.
  await import('jest/bin/jest');
};

// Not awaited: jest requires this file, which a file that still loads does not allow.
if (import.meta.main) void main();

export { choose as 'module.exports' };
