import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, LEVELS, levelOf, testsOf } from './levels.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'main';

/** jest asks which of the files that it found it shall run. */
const choose = (paths: readonly string[]): { filtered: string[] } => {
  const { FAULTLINE_TEST_LEVEL: level, FAULTLINE_TEST_CHANGED: isChanged } = process.env;
  const changed = isChanged === undefined ? null : changedFiles(ROOT, MAIN);
  const concerned = changed === null ? null : testsOf(ROOT, changed);
  const filtered = paths.filter((path) => {
    const file = relative(ROOT, path);
    return (level === undefined || levelOf(ROOT, file) === level) && (concerned === null || concerned.has(file));
  });
  if (changed !== null)
    process.stderr.write(
      `${changed.length} files differ from ${MAIN}: ${filtered.length} of ${paths.length} test files\n`,
    );
  return { filtered };
};

/** `npm test`: jest, with `--level NAME` and `--changed` beside its own options. */
const main = async (): Promise<void> => {
  const jest: string[] = [];
  const asked = process.argv.slice(2);
  for (let arg = asked.shift(); arg !== undefined; arg = asked.shift()) {
    const [name, value] = arg.split('=');
    if (name === '--level') {
      const level = value ?? asked.shift();
      if (!LEVELS.some((known) => known === level)) throw new Error(`--level is one of ${LEVELS.join(', ')}`);
      process.env.FAULTLINE_TEST_LEVEL = level;
    } else if (name === '--changed') process.env.FAULTLINE_TEST_CHANGED = 'yes';
    else jest.push(arg);
  }
  if (jest.length < process.argv.length - 2) jest.unshift(`--filter=${import.meta.filename}`, '--passWithNoTests');
  process.argv.splice(2, Infinity, ...jest);
  // @ts-expect-error It runs when it is imported, and exports nothing.
  await import('jest/bin/jest');
};

// Not awaited: jest requires this file, which a file that still loads does not allow.
if (import.meta.main) void main();

export { choose as 'module.exports' };
