import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MIB = 1024 * 1024;

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
interface Installed {
  readonly private?: boolean;
  readonly scripts?: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Installs the tarball beside nothing but the packages that it asks for. */
const install = (folder: string, tarball: string): string => {
  const place = join(folder, 'node_modules/faultline');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Installed;
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  return place;
};

test('the packed program has what production needs, and serves from an empty folder', async () => {
  const directory = temporaryDirectory();
  const quiet = { encoding: 'utf8', stdio: 'pipe' } as const;
  execFileSync(process.execPath, ['tools/package/package.ts', '--to', directory.path], { ...quiet, cwd: ROOT });
  const packing = execFileSync('npm', ['pack', '--json'], { ...quiet, cwd: directory.path });
  const [{ files, unpackedSize }] = JSON.parse(packing) as [Packed];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['package.json', 'built/cli/faultline.js', 'built/console/dist/index.html']),
  );
  expect(
    paths.filter((path) => /\.tsx?$|\.test\.|-for-tests|\/(bench|journeys)\/|^built\/(test|tools)\//.test(path)),
  ).toEqual([]);
  expect(unpackedSize).toBeLessThan(30 * MIB);

  const place = install(
    directory.path,
    join(directory.path, readdirSync(directory.path).find((name) => name.endsWith('.tgz'))!),
  );
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Installed;
  expect([manifest.private, manifest.scripts]).toEqual([undefined, undefined]);

  const env = { PORT: '0', FAULTLINE_DATA: join(directory.path, 'data'), FAULTLINE_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [join(place, 'built/cli/faultline.js'), 'serve'], { env, cwd: directory.path });
  const said: string[] = [];
  let url: string | undefined;
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    url = /is ready at (\S+)/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  try {
    if (url === undefined) throw new Error(said.join('\n'));
    const pages = ['readyz', 'ui/', 'docs/swagger-ui.css', 'openapi.json', 'asyncapi.json'].map(async (path) => [
      path,
      (await fetch(`${url}/${path}`)).status,
    ]);
    expect((await Promise.all(pages)).filter(([, status]) => status !== 200)).toEqual([]);
  } finally {
    child.kill();
    await once(child, 'exit');
    directory.remove();
  }
}, 120_000);
