import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

const AREAS = ['domain', 'schemas', 'processors', 'application', 'api', 'infra', 'features', 'console'];
/** Each starts a process, so it stands above all folders. */
const ENTRIES = ['main.ts', 'infra/cli/cli.ts', 'infra/engines/main.ts'];
/** The formatter writes every import in one of these two ways. */
const IMPORT = /\bfrom '([#.][^']*)'|\bimport\('([#.][^']*)'\)/g;
/** Product files directly in one folder; `docs/architecture.md` argues each exception. */
export const MOST_FILES = 20;
const LARGER = ['schemas/sources'];

/** Folders of one folder that need each other, and one import for each step of the round. */
export interface FolderCycle {
  readonly within: string;
  readonly folders: readonly string[];
  readonly imports: readonly string[];
}

/** A child of a folder: a folder in it, or `.` for the files that lie in it directly. */
type Edges = Map<string, Map<string, string>>;

/** The path that an import leads to. */
export const targetOf = (file: string, specifier: string): string => {
  if (/^#(app|whole)$/.test(specifier)) return `${specifier.slice(1)}.ts`;
  return specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier));
};

export const isProduct = (file: string): boolean => !/\.test\.ts$|-for-tests\.ts$/.test(file);

export const productFiles = (root: string): string[] =>
  globSync(['*.ts', ...AREAS.map((area) => `${area}/**/*.{ts,tsx}`)], { cwd: root, exclude: ['console/dist*'] }).filter(
    isProduct,
  );

export const importsOf = (root: string, file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, named, dynamic]) =>
    targetOf(file, (named ?? dynamic) as string),
  );

/** Where two paths part, and which child of that folder each is in. */
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

/** Between the core and features, and from one feature to another: counted by weights. */
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

/** Folders with more product files than anybody finds their way in. */
export function crowdedFolders(root: string): string[] {
  const counts = Map.groupBy(productFiles(root), dirname);
  return [...counts]
    .filter(([folder, files]) => files.length > MOST_FILES && !LARGER.includes(folder))
    .map(([folder, files]) => `${folder}: ${files.length} files`);
}

/** `npm run imports` ends with it. */
const main = (): void => {
  const cycles = folderCycles('.').map(
    ({ within, folders, imports }) =>
      `  error folders-form-a-line: in ${within}: ${folders.join(' → ')}\n${imports.map((line) => `      ${line}`).join('\n')}`,
  );
  const crowds = crowdedFolders('.').map((line) => `  error at-most-${MOST_FILES}-files: ${line}`);
  const problems = [...cycles, ...crowds];
  if (problems.length === 0)
    process.stdout.write(`✔ folders form a line, and none has more than ${MOST_FILES} files\n`);
  else {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  }
};

if (basename(process.argv[1] ?? '') === 'rooms.ts' && import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  main();
