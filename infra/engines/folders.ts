import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { javaOf, type Place, type Recipe } from './engine.ts';
import { giveTo, requireReachable, unprivileged } from './owner.ts';

/** Root's home is closed to the user that Elasticsearch then runs as, so root's cache is the machine's. */
export const defaultCache = (userCache: string | null): string =>
  unprivileged() === null
    ? join(userCache ?? join(homedir(), '.cache'), 'faultline', 'engines')
    : '/var/cache/faultline/engines';

/** Where the engines keep their data: the folder that is named, or a temporary one that is removed unless it is to be kept. */
export const openData = (named: string | null, keep: boolean): { readonly path: string; close(): void } => {
  if (named !== null) return { path: resolve(named), close: () => undefined };
  const path = mkdtempSync(join(tmpdir(), 'faultline-engines-'));
  chmodSync(path, 0o755);
  return { path, close: () => (keep ? undefined : rmSync(path, { recursive: true, force: true })) };
};

/** Sets up the folder of one engine and hands it to whom it runs as; returns that user's id, null = ourselves. */
export const prepare = async (recipe: Recipe, place: Place): Promise<number | null> => {
  mkdirSync(place.data, { recursive: true });
  await recipe.configure(place);
  const owner = recipe.refusesRoot ? unprivileged() : null;
  if (owner === null) return null;
  requireReachable(dirname(place.data), 'The folder of the data');
  requireReachable(place.program, 'The cache of the engines');
  requireReachable(dirname(javaOf(place)), 'The JDK');
  giveTo(place.data, owner);
  return owner;
};
