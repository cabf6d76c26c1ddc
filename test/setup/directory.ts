import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of its own for one test; `remove` deletes it with everything in it. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'faultline-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
