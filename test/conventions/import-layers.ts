import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Folders of the product. */
export const AREAS = [
  'domain',
  'schemas',
  'sources',
  'processors',
  'application',
  'api',
  'infra',
  'features',
  'cli',
  'console',
];
/** Each starts a process, so it is above all folders. */
const ENTRIES = ['main.ts', 'cli/cli.ts'];
/** The formatter writes every import in one of these two forms. */
const IMPORT = /\bfrom '([#.][^']*)'|\bimport\('([#.][^']*)'\)/g;
/** Product files directly in one folder. */
export const MAX_FILES = 20;

/** Folders of one folder that need each other, and one import for each step of the round. */
export interface FolderCycle {
  readonly within: string;
  readonly folders: readonly string[];
  readonly imports: readonly string[];
}

/** A child of a folder: a subfolder, or `.` for the files directly in it. */
type Edges = Map<string, Map<string, string>>;

/** The path that an import leads to. */
export const targetOf = (file: string, specifier: string): string => {
  if (/^#(app|whole)$/.test(specifier)) return `${specifier.slice(1)}.ts`;
  return specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier));
};

export const isProduct = (file: string): boolean =>
  !/\.test\.ts$|-for-tests\.ts$|^features\/[^/]+\/(journeys|bench)\//.test(file);

export const productFiles = (root: string): string[] =>
  globSync(['*.ts', ...AREAS.map((area) => `${area}/**/*.{ts,tsx}`)], { cwd: root, exclude: ['console/dist*'] }).filter(
    isProduct,
  );

export const importsOf = (root: string, file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, named, dynamic]) =>
    targetOf(file, (named ?? dynamic) as string),
  );

/** Returns the folder where two paths diverge, and the child of that folder for each. */
const parting = (one: string, other: string) => {
  const [a, b] = [one.split('/'), other.split('/')];
  let depth = 0;
  while (depth < Math.min(a.length, b.length) - 1 && a[depth] === b[depth]) depth += 1;
  const child = (parts: readonly string[]): string => (depth < parts.length - 1 ? (parts[depth] as string) : '.');
  return { within: a.slice(0, depth).join('/') || '.', from: child(a), to: child(b) };
};

/** A shortest round through `start`, or null. */
const roundThrough = (edges: Edges, start: string): string[] | null => {
  const before = new Map<string, string>();
  const queue = [start];
  for (const at of queue) {
    for (const next of edges.get(at)?.keys() ?? []) {
      if (next === start) {
        const way = [at];
        for (let step = at; step !== start; way.unshift(step)) step = before.get(step) as string;
        return way;
      }
      if (before.has(next)) continue;
      before.set(next, at);
      queue.push(next);
    }
  }
  return null;
};

/** Ignores imports between the core and features, and between features: counted by weights. */
const leadsToFeature = (within: string, from: string, to: string): boolean =>
  within === 'features' || (within === '.' && (from === 'features' || to === 'features'));

/** Rounds of imports between folders, at any depth. The files of a folder count as one, beside its folders. */
export function folderCycles(root: string): FolderCycle[] {
  const files = productFiles(root);
  const known = new Set(files);
  const levels = new Map<string, Edges>();
  for (const file of files.filter((name) => !ENTRIES.includes(name))) {
    for (const target of importsOf(root, file)) {
      const { within, from, to } = parting(file, target);
      if (from === to || !known.has(target) || leadsToFeature(within, from, to)) continue;
      const edges: Edges = levels.get(within) ?? new Map();
      levels.set(within, edges);
      const targets = edges.get(from) ?? new Map<string, string>();
      edges.set(from, targets);
      targets.set(to, `${file} → ${target}`);
    }
  }
  return [...levels].flatMap(([within, edges]) => {
    const told = new Set<string>();
    return [...edges.keys()].flatMap((start) => {
      const folders = roundThrough(edges, start);
      if (folders === null || folders.some((folder) => told.has(folder))) return [];
      for (const folder of folders) told.add(folder);
      const next = (i: number): string => folders[(i + 1) % folders.length] as string;
      return [{ within, folders, imports: folders.map((folder, i) => edges.get(folder)?.get(next(i)) as string) }];
    });
  });
}

/** Returns folders with too many product files for orientation. */
export function crowdedFolders(root: string): string[] {
  const counts = Map.groupBy(productFiles(root), dirname);
  return [...counts]
    .filter(([, files]) => files.length > MAX_FILES)
    .map(([folder, files]) => `${folder}: ${files.length} files`);
}
