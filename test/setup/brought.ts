import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sends a request as a tenant; throws what is refused. */
// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
type Send = (method: string, path: string, body?: unknown) => Promise<any>;

/** A feature's part of journeys that are about all that there is. */
export interface Brought {
  /** Leaves data of the feature in a tenant. */
  readonly furnish?: (send: Send, now: number) => Promise<void>;
  /** Kinds of records in a tenant. */
  readonly kinds?: readonly string[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Contribution of each feature, `features/<noun>/journeys/brought.ts`: none is named, so that each can be removed. */
export const brought = (): readonly Brought[] => {
  const load = createRequire(import.meta.url);
  return globSync('features/*/journeys/brought.ts', { cwd: ROOT })
    .sort()
    .map((file) => (load(join(ROOT, file)) as { readonly brought: Brought }).brought);
};
