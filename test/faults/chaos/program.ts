import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The program that is tested. */
export const CURRENT = resolve('.');

/** A program of another version that can be started. */
export interface Program {
  readonly folder: string;
  remove(): void;
}

const LOCK = 'package-lock.json';

/** The packages of the current program serve an older one as long as both ask for the same. */
const withPackages = (folder: string, tell: (line: string) => void): void => {
  if (existsSync(join(folder, 'node_modules'))) return;
  if (readFileSync(join(folder, LOCK), 'utf8') !== readFileSync(join(CURRENT, LOCK), 'utf8'))
    tell(
      `the packages of ${folder} are other ones: those of the current program are used; npm ci there gives it its own`,
    );
  symlinkSync(join(CURRENT, 'node_modules'), join(folder, 'node_modules'), 'dir');
};

/** `from`: a folder with the program, or anything that git calls a commit. Throws an Error when it is neither. */
export const openProgram = (from: string, tell: (line: string) => void): Program => {
  if (existsSync(from) && statSync(from).isDirectory()) {
    if (!existsSync(join(from, 'main.ts'))) throw new Error(`--upgrade-from: there is no main.ts in ${from}`);
    return { folder: resolve(from), remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'faultline-from-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'from.tar');
    execFileSync('git', ['archive', '--format=tar', '-o', archive, `${from}^{commit}`], { stdio: 'pipe' });
    execFileSync('tar', ['-xf', archive, '-C', folder], { stdio: 'pipe' });
    rmSync(archive);
    withPackages(folder, tell);
    return { folder, remove };
  } catch (error) {
    remove();
    throw new Error(`--upgrade-from: ${from} is neither a folder nor a commit`, { cause: error });
  }
};
