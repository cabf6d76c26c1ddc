/**
 * The package that `npm pack` takes: the program as JavaScript in `built/`, since Node reads no types below node_modules.
 * `--to` makes it in another folder; without it the manifest of the checkout is that of the package until `--restore`.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUNDLED, bundle, fromBundle, type UsedNames } from './bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { to, restore: isOver } = parseArgs({
  options: { to: { type: 'string', default: ROOT }, restore: { type: 'boolean', default: false } },
}).values;
const BUILT = join(to, 'built');
const MANIFEST = join(ROOT, 'package.json');
const KEPT = join(ROOT, 'node_modules/.cache/package.json');

const CODE = [
  'cli/faultline.js',
  '{app,whole}.ts',
  '{api,application,cli,domain,features,infra,processors,schemas,sources}/**/*.ts',
];
const DATA = ['schemas/**/*.{avsc,json,yaml}', 'console/dist/**/*.*', 'docs/{console,glossary,services}.md'];
/** The package brings maps of five times this size, and a script that calls home when it is installed. */
const SWAGGER_UI = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];
const NO_PRODUCT = [
  '**/*.test.ts',
  '**/*-for-tests.ts',
  '**/*.d.ts',
  'features/*/{bench,journeys,console}',
  'infra/deploy',
];

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const manifest = (): Manifest => JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;

/** Names of files of ours in imports and in the places of threads. */
const OWN = /(?<=(?:\bfrom |\bimport |\bimport\(|\bnew URL\())'(?:#|\.{1,2}\/)[^'\n]+\.ts'/g;

const javascript = (text: string, used: UsedNames): string =>
  fromBundle(
    stripTypeScriptTypes(text).replace(OWN, (name) => name.replace(/\.ts'$/, ".js'")),
    used,
  );

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const restore = (): void => {
  if (!existsSync(KEPT)) return;
  cpSync(KEPT, MANIFEST);
  rmSync(KEPT);
};

/** Packages that are part of the bundle are not installed again. */
const packed = ({
  scripts: _scripts,
  devDependencies: _forDevelopers,
  imports: _imports,
  ...rest
}: Manifest): unknown => {
  const inside = [...BUNDLED, 'swagger-ui-dist'];
  const left = Object.entries(rest.dependencies).filter(([name]) => !inside.includes(name));
  return { ...rest, bin: { faultline: 'built/cli/faultline.js' }, dependencies: Object.fromEntries(left) };
};

async function build(): Promise<void> {
  if (!existsSync(join(ROOT, 'console/dist/index.html'))) throw new Error('Build the console first: npm run prepare');
  if (to === ROOT) restore();
  rmSync(BUILT, { recursive: true, force: true });
  const used: UsedNames = new Map();
  for (const file of globSync(CODE, { cwd: ROOT, exclude: NO_PRODUCT }))
    put(join(BUILT, file.replace(/\.ts$/, '.js')), javascript(readFileSync(join(ROOT, file), 'utf8'), used));
  for (const file of globSync(DATA, { cwd: ROOT, exclude: ['console/dist/stamp.txt'] }))
    cpSync(join(ROOT, file), join(BUILT, file));
  for (const file of SWAGGER_UI)
    cpSync(join(ROOT, 'node_modules/swagger-ui-dist', file), join(BUILT, 'swagger-ui', file));
  const { version, imports, ...rest } = manifest();
  const own = Object.entries(imports).map(([name, path]) => [name, path.replace(/\.ts$/, '.js')]);
  await bundle(used, join(BUILT, 'bundled'));
  const inside = {
    name: 'faultline',
    version,
    type: 'module',
    imports: { ...Object.fromEntries(own), '#bundled/*': './bundled/*', '#swagger-ui/*': './swagger-ui/*' },
  };
  put(join(BUILT, 'package.json'), json(inside));
  if (to === ROOT) put(KEPT, readFileSync(MANIFEST, 'utf8'));
  writeFileSync(join(to, 'package.json'), json(packed({ version, imports, ...rest })));
}

if (isOver) {
  restore();
  rmSync(BUILT, { recursive: true, force: true });
} else await build();
