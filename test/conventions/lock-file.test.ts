import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './planted.ts';

interface Locked {
  readonly version?: string;
  readonly deprecated?: string;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
};

/** True if `name` is installed where a package at `folder` looks for it. */
function isLocked(folder: string, name: string): boolean {
  const inside = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
  if (inside in packages) return true;
  return folder !== '' && isLocked(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name);
}

// npm leaves out packages of other platforms that the registry of the day does not show; `npm ci` then refuses the file.
test('names the optional packages of all platforms', () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(folder, name)),
  );
  expect(missing).toEqual([]);
});

test('has no deprecated package', () => {
  expect(Object.entries(packages).filter(([, { deprecated }]) => deprecated !== undefined)).toEqual([]);
});

test('every version is exact and the one that is locked', () => {
  const named = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies });
  const wanted = Object.fromEntries(named.map(([name, version]) => [name, version.replace(/^npm:.+@/, '')]));
  const locked = Object.keys(wanted).map((name) => [name, packages[`node_modules/${name}`]?.version]);
  expect(Object.fromEntries(locked)).toEqual(wanted);
});
