import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { EngineSetup, Recipe } from './engine.ts';
import { giveTo, requireReachable, unprivileged } from './owner.ts';

/** Root's home is closed to the user that Elasticsearch then runs as, so root's cache is the machine's. */
const defaultCache = (userCache: string | null): string =>
  unprivileged() === null
    ? join(userCache ?? join(homedir(), '.cache'), 'faultline', 'engines')
    : '/var/cache/faultline/engines';

/** The folder itself. Throws an Error when an engine that does not run as root could not enter it. */
export const reachable = (path: string, what: string): string => {
  if (unprivileged() !== null) requireReachable(path, what);
  return path;
};

const made = (path: string): string => {
  mkdirSync(path, { recursive: true });
  return path;
};

/** The folder of what is fetched, by its name or the default. */
export const openCache = (named: string | null, userCache: string | null): string =>
  reachable(made(resolve(named ?? defaultCache(userCache))), 'The cache of the engines');

/** Where the engines keep their data: the folder that is named, or a temporary one that is removed unless it is to be kept. */
export const openData = (named: string | null, keep: boolean): { readonly path: string; close(): void } => {
  if (named !== null)
    return { path: reachable(made(resolve(named)), 'The folder of the data'), close: () => undefined };
  const path = mkdtempSync(join(tmpdir(), 'faultline-engines-'));
  chmodSync(path, 0o755);
  return { path, close: () => (keep ? undefined : rmSync(path, { recursive: true, force: true })) };
};

/** Sets up the folder of one engine and hands it to whom it runs as; returns that user's id, null = ourselves. */
export const prepare = async (recipe: Recipe, place: EngineSetup): Promise<number | null> => {
  mkdirSync(place.data, { recursive: true });
  await recipe.configure(place);
  const owner = recipe.refusesRoot ? unprivileged() : null;
  if (owner === null) return null;
  giveTo(place.data, owner);
  return owner;
};
