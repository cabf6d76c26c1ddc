import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, productFiles } from './import-layers.ts';

/*
 * Dependencies between features: a feature imports the core and the names in its `uses`, so that it can be removed with
 * its dependents.
 */

const MAX_USED = 4;

/** The feature that a file belongs to; undefined: it is of the core, or puts features together. */
const featureOf = (file: string): string | undefined => /^features\/([^/]+)\//.exec(file)?.[1];

/** Names in its `uses`, by feature. */
export const usesOf = (root: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    globSync('features/*/feature.ts', { cwd: root }).map((file) => {
      const [, list = ''] = /\buses: \[([^\]]*)\]/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
      return [featureOf(file) ?? '', list.match(/[a-z-]+/g) ?? []];
    }),
  );

/** These features and all that use them, directly or through others. */
export function withUsers(uses: ReadonlyMap<string, readonly string[]>, features: readonly string[]): string[] {
  const found = new Set(features);
  for (const one of found) for (const [user, used] of uses) if (used.includes(one)) found.add(user);
  return [...found];
}

/** Imports from one feature to another: whose they are, and where they lead. */
export function importsBetween(root: string) {
  const uses = usesOf(root);
  return productFiles(root).flatMap((file) => {
    const from = featureOf(file);
    if (from === undefined) return [];
    return importsOf(root, file).flatMap((target) => {
      const to = featureOf(target);
      if (to === undefined || to === from) return [];
      return [{ from, to, isBeyond: uses.get(from)?.includes(to) !== true, line: `${file} → ${target}` }];
    });
  });
}

/** Returns dependencies that prevent the removal of single features. */
export function tiesOfFeatures(root: string): string[] {
  const uses = usesOf(root);
  const imports = importsBetween(root);
  const beyond = imports.filter(({ isBeyond }) => isBeyond).map(({ line }) => `beyond uses: ${line}`);
  const named = [...uses].flatMap(([feature, used]) => [
    ...(used.length > MAX_USED ? [`more than ${MAX_USED} in uses: ${feature}`] : []),
    ...(withUsers(uses, [feature]).some((user) => used.includes(user)) ? [`a round of uses: ${feature}`] : []),
    ...used
      .filter((one) => !imports.some(({ from, to }) => from === feature && to === one))
      .map((one) => `named and not used: ${feature} → ${one}`),
  ]);
  return [...beyond, ...named];
}
