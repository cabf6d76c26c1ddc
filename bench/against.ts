/** The same measurement of this program and of an older commit of it, in turns. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './load.ts';
import type { Row } from './report.ts';
import { runIn } from './server.ts';

/** A folder with the files of a commit, on the packages of this one. */
const checkedOut = (commit: string): { readonly folder: string; remove(): void } => {
  const folder = join(mkdtempSync(join(tmpdir(), 'faultline-against-')), 'program');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    remove() {
      execFileSync('git', ['worktree', 'remove', '--force', folder]);
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
};

/** Medians of both; `baseline` is that of the older one. */
export const against = async (
  commit: string,
  measure: (round: string) => Promise<readonly Row[]>,
  rounds: number,
): Promise<Row[]> => {
  const older = checkedOut(commit);
  const [own, before]: [Row[][], Row[][]] = [[], []];
  try {
    for (let round = 0; round < rounds; round++)
      for (const [folder, rows, name] of [
        [older.folder, before, 'before'],
        [process.cwd(), own, 'now'],
      ] as const) {
        runIn(folder);
        rows.push([...(await measure(`${name}-${round}`))]);
      }
  } finally {
    older.remove();
  }
  const middleOf = (all: readonly Row[][], what: string): number =>
    median(all.flatMap((rows) => rows.filter((row) => row.what === what).map(({ value }) => value)));
  return own[0]!.map(({ what, unit }) => ({
    what,
    unit,
    value: middleOf(own, what),
    baseline: middleOf(before, what),
    of: commit,
  }));
};
