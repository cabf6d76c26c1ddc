import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { isUpdate } from '#test/setup/is-update.ts';

const KEPT = new URL('../pictures/', import.meta.url);
/** Differing pictures are stored here for inspection. */
const DIFFERENT = new URL('../../../node_modules/.cache/pictures/', import.meta.url);
/** Without transparency, at maximum compression: documents show them. */
const SMALL = { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 } as const;
/** Maximum share of all pixels. */
const MOST = 0.001;

/**
 * Compares the page with the picture of that name: the share of pixels that differ, at most 0.001. `npm run
 * console:pictures` creates them again.
 */
export async function differenceFrom(page: Page, name: string): Promise<number> {
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const path = fileURLToPath(new URL(`${name}.png`, KEPT));
  if (isUpdate()) {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(path, PNG.sync.write(PNG.sync.read(taken), SMALL));
    return 0;
  }
  if (!existsSync(path)) return 1;
  const [now, kept] = [PNG.sync.read(taken), PNG.sync.read(readFileSync(path))];
  const { width, height } = kept;
  if (now.width !== width || now.height !== height) return 1;
  const marked = new PNG({ width, height });
  const share = pixelmatch(kept.data, now.data, marked.data, width, height) / (width * height);
  if (share <= MOST) return 0;
  mkdirSync(DIFFERENT, { recursive: true });
  writeFileSync(new URL(`${name}.png`, DIFFERENT), taken);
  writeFileSync(new URL(`${name}.marked.png`, DIFFERENT), PNG.sync.write(marked));
  return share;
}
