import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConsoleFile, ConsoleFiles, ContentCoding } from '#domain/ports/console/console-files.ts';

/** Output directory of `console/build.ts`. */
const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const ENDINGS: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function fileOf(folder: string, name: string, all: ReadonlySet<string>): Promise<ConsoleFile> {
  const read = (file: string): Promise<Uint8Array> => readFile(join(folder, file));
  const codings = Object.entries(ENDINGS).filter(([, ending]) => all.has(name + ending));
  const coded = await Promise.all(
    codings.map(async ([coding, ending]) => [coding, await read(name + ending)] as const),
  );
  return { type: TYPES[extname(name)] as string, content: await read(name), coded: Object.fromEntries(coded) };
}

/**
 * The console, held in memory: a build that replaces its files while the server runs does not mix versions. Null when
 * it was not built.
 */
export async function readConsole(dist = DIST): Promise<ConsoleFiles | null> {
  try {
    const folder = join(dist, 'assets');
    const [page, names] = await Promise.all([readFile(join(dist, 'index.html'), 'utf8'), readdir(folder)]);
    const all = new Set(names);
    const served = names.filter((name) => extname(name) in TYPES);
    const assets = await Promise.all(served.map(async (name) => [name, await fileOf(folder, name, all)] as const));
    return { page, assets: new Map(assets) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
