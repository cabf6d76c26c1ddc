import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FILES = globSync(['console/routes.tsx', 'features/*/console/feature.tsx'], { cwd: ROOT });
const PAGE = /\b(?:corePage\(\s*|path: )'\/([^']+)',\s+(?:needs: )?(?:'[a-z.]+'|null),/g;
const TAB = /\bid: '([^']+)',\s+page: '\/([^']+)'/g;

/** Addresses below `ui/` of all pages and their tabs of features, read from the product, so that no new one is missing. */
export const routesOfConsole = (): readonly string[] =>
  FILES.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const pages = [...source.matchAll(PAGE)].map(([, path]) => path ?? '');
    const tabs = [...source.matchAll(TAB)].map(([, tab, page]) => `${page}?tab=${tab}`);
    return [...pages, ...tabs];
  }).sort();
