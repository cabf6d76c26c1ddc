import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'console');
const DIST = join(FOLDER, 'dist');
const STAMP = join(DIST, 'stamp.txt');
/** Parts of the bundle. */
const SOURCES = ['console/**/*', 'domain/**/*.ts', 'features/*/{console,rules}/**/*', 'package-lock.json'];
const COMPRESSED = '**/*.{js,css,svg}';
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Paths, sizes and times of all sources. */
const stamped = (): string =>
  globSync(SOURCES, { cwd: ROOT, exclude: ['console/dist*', '**/*.test.ts'] })
    .sort()
    .map((path) => {
      const { size, mtimeMs } = statSync(join(ROOT, path));
      return `${path} ${size} ${mtimeMs}\n`;
    })
    .join('');

const isFresh = (stamp: string): boolean => {
  try {
    return readFileSync(STAMP, 'utf8') === stamp;
  } catch {
    return false;
  }
};

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, BROTLI),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

/** Builds beside the place and moves it there whole: a server that starts meanwhile finds the one before or the new one. */
async function build(stamp: string): Promise<void> {
  const { build: bundle } = await import('vite');
  const outDir = `${DIST}-${process.pid}`;
  await bundle({ configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
  await Promise.all(globSync(COMPRESSED, { cwd: outDir }).map((path) => compress(join(outDir, path))));
  writeFileSync(join(outDir, basename(STAMP)), stamp);
  place(outDir, DIST, () => isFresh(stamp));
}

const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Moves a folder to its place. Another start may build at the same time: its result stays when it is fresh, and is
 * replaced otherwise.
 */
export function place(built: string, to: string, isThereFresh: () => boolean): void {
  const old = `${built}-old`;
  while (!isThereFresh()) {
    try {
      renameSync(to, old);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
    rmSync(old, { recursive: true, force: true });
    try {
      renameSync(built, to);
      return;
    } catch (error) {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    }
  }
  rmSync(built, { recursive: true, force: true });
}

/** Used by `npm ci` and `npm start`. */
export async function buildWhenStale(): Promise<void> {
  const stamp = stamped();
  if (!isFresh(stamp)) await build(stamp);
}
