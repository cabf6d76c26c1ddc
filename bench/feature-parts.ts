import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from './report.ts';

export interface PartOptions {
  /** Empty, or not there. */
  readonly directory: string;
  readonly scale: number;
  readonly seeds: readonly number[];
  readonly progress: (text: string) => void;
}

/** Measurements of a feature, by the names that are asked for; several features may have parts of one name. */
export type BenchParts = Readonly<Record<string, (options: PartOptions) => Promise<readonly Row[]>>>;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Those of `features/<noun>/bench/parts.ts`. */
export const featureParts = async (): Promise<readonly BenchParts[]> => {
  const files = globSync('features/*/bench/parts.ts', { cwd: ROOT }).sort();
  const loaded = await Promise.all(files.map((file) => import(join(ROOT, file)) as Promise<{ parts: BenchParts }>));
  return loaded.map(({ parts }) => parts);
};
