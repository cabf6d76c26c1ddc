import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '#test/conventions/planted.ts';
import { processorTime } from '#test/setup/processor-time.ts';

const KB = 1_000;
const DIST = join(ROOT, 'console/dist');
const ASSETS = join(DIST, 'assets');
/** Loaded with the pages that show them. */
const MAPS = /^(?:maps|cytoscape|graph)/;

const gzipped = (name: string): number => statSync(join(ASSETS, `${name}.gz`)).size;
const inKb = (bytes: number): string => `${(bytes / KB).toFixed(1)} kB`;
const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** Files named by the page are loaded before anything is shown. */
const first = [...readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/assets\/([^"]+\.(?:js|css))"/g)].map(
  ([, name]) => name!,
);
const later = readdirSync(ASSETS).filter((name) => /\.(?:js|css)$/.test(name) && !first.includes(name));

describe('sizes, gzipped', () => {
  test('the first load has at most 300 kB', () => {
    const sum = first.reduce((bytes, name) => bytes + gzipped(name), 0);
    tell(`console: first load ${inKb(sum)} (${first.map((name) => `${name} ${inKb(gzipped(name))}`).join(', ')})`);
    expect(first.length).toBeGreaterThan(1);
    expect(sum).toBeLessThanOrEqual(300 * KB);
  });

  test('what a page loads has at most 60 kB, maps 160 kB', () => {
    const sizes = later.map((name) => ({ name, size: gzipped(name), most: (MAPS.test(name) ? 160 : 60) * KB }));
    const largest = sizes.toSorted((a, b) => b.size - a.size).slice(0, 5);
    tell(
      `console: ${sizes.length} further files, largest ${largest.map(({ name, size }) => `${name} ${inKb(size)}`).join(', ')}`,
    );
    expect(sizes.filter(({ size, most }) => size > most)).toEqual([]);
  });
});

/** A copy of the repository, without build output. */
const copied = () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  for (const name of ['domain', 'schemas', 'features', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  cpSync(join(ROOT, 'console'), join(folder, 'console'), { recursive: true, filter: (path) => !path.startsWith(DIST) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
};

describe('the build', () => {
  test('takes no more work than to compress what it makes some times over, and none when nothing has changed', async () => {
    using copy = copied();
    const assets = join(copy.folder, 'console/dist/assets');
    /** Processor time of Node with this script, s. */
    const workOf = async (script: string): Promise<number> => {
      const told = `${script}; const { user, system } = process.cpuUsage(); console.log(user + system)`;
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', told], { cwd: copy.folder });
      return Number((await run).stdout) / 1_000_000;
    };
    const made = () => readdirSync(assets).map((name) => `${name} ${statSync(join(assets, name)).mtimeMs}`);
    const build = await workOf("await import('./console/prepare.js')");
    const before = made();
    const again = await workOf("await import('./console/prepare.js')");
    expect(made()).toEqual(before);
    expect(before.filter((name) => name.includes('.br ')).length).toBeGreaterThan(1);
    const start = await workOf('');
    const texts = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name));
    const compress = processorTime(() => {
      for (const name of texts) brotliCompressSync(readFileSync(join(assets, name)));
    });
    const times = build / (compress / 1_000_000);
    tell(
      `console: built with ${build.toFixed(2)} s of work, ${times.toFixed(1)} times as much as to compress it; looked at with ${again.toFixed(2)} s when nothing has changed, where a start takes ${start.toFixed(2)} s`,
    );
    expect(times).toBeLessThan(3);
    expect(again / start).toBeLessThan(8);
  }, 60_000);
});
