import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '#test/house/planted.ts';

const KB = 1_000;
const DIST = join(ROOT, 'console/dist');
const ASSETS = join(DIST, 'assets');
/** Loaded with the pages that show them. */
const MAPS = /^(?:maps|cytoscape|graph)/;

const gzipped = (name: string): number => statSync(join(ASSETS, `${name}.gz`)).size;
const inKb = (bytes: number): string => `${(bytes / KB).toFixed(1)} kB`;
const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** What the page names is loaded before anything is shown. */
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

/** Of the house, without what was built. */
const copied = () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  for (const name of ['domain', 'schemas', 'features', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  cpSync(join(ROOT, 'console'), join(folder, 'console'), { recursive: true, filter: (path) => !path.startsWith(DIST) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
};

describe('the build', () => {
  test('takes at most 6 s, and nothing when nothing has changed', async () => {
    using copy = copied();
    const prepare = async () => {
      const script =
        "await import('./console/prepare.js'); const { user, system } = process.cpuUsage(); console.log(user + system)";
      const at = performance.now();
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: copy.folder,
      });
      return { seconds: (performance.now() - at) / 1_000, work: Number(stdout) / 1_000_000 };
    };
    const build = await prepare();
    const again = await prepare();
    const built = readdirSync(join(copy.folder, 'console/dist/assets'));
    const said = ({ seconds, work }: typeof build) => `${seconds.toFixed(2)} s (${work.toFixed(2)} s of work)`;
    tell(`console: built in ${said(build)}; looked at in ${said(again)} when nothing has changed`);
    expect(built.filter((name) => name.endsWith('.br')).length).toBeGreaterThan(1);
    // The work, since other tests run beside this one.
    expect(build.work).toBeLessThanOrEqual(6);
    expect(again.work).toBeLessThanOrEqual(0.4);
  }, 60_000);
});
