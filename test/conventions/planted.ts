import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A folder outside the repository with these files; disposing removes it. */
export function planted(files: Readonly<Record<string, string>>): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a script of a package in a folder; its exit code is ignored, since a finding is an error. */
export function toolOutput(tool: string, script: string, args: readonly string[], folder: string): string {
  const manifest = findPackageJSON(tool, import.meta.url);
  if (manifest === undefined) throw new Error(`${tool} is not installed`);
  const { stdout, stderr, error } = spawnSync(process.execPath, [join(dirname(manifest), script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  if (stdout === '') throw new Error(`${tool} printed nothing: ${stderr}`);
  return stdout;
}
