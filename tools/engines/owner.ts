import { chmodSync, chownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `nobody`: exists everywhere and owns nothing. */
const NOBODY = 65_534;
const OTHERS_ENTER = 0o001;

/** Whom to run an engine as that refuses root: the id of `nobody` when we are root, else null (ourselves). */
export const unprivileged = (): number | null => (process.getuid?.() === 0 ? NOBODY : null);

/** Gives a folder with everything in it to a user. */
export const giveTo = (path: string, owner: number): void => {
  chownSync(path, owner, owner);
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) giveTo(join(path, name), owner);
};

/** Throws an Error naming the first folder on the way to `path` that other users cannot enter. */
export const requireReachable = (path: string, what: string): void => {
  if ((statSync(path).mode & OTHERS_ENTER) === 0)
    throw new Error(
      `${what} is not reachable for the user that Elasticsearch runs as when you are root: ${path} is closed to others. Choose another folder, or run as another user.`,
    );
  if (dirname(path) !== path) requireReachable(dirname(path), what);
};
