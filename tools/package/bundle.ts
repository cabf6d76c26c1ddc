import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Packages of which the program uses a small part: installed whole they weigh 150 MB. */
export const BUNDLED = [
  '@elastic/elasticsearch',
  '@kafkajs/confluent-schema-registry',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@redis/client',
  'avsc',
  'date-holidays',
  'hash-wasm',
  'neo4j-driver',
  'openai',
];

/** Names that the program imports, by module. */
export type UsedNames = Map<string, Set<string>>;

const STATIC = /\bimport (?:(\w+)(?:, )?)?(?:\{([^}]*)\})? ?from '([^'.#\n][^'\n]*)'/g;
const DYNAMIC = /\bconst \{([^}]*)\} = await import\('([^'.#\n][^'\n]*)'\)/g;
const isBundled = (path: string): boolean => BUNDLED.some((name) => `${path}/`.startsWith(`${name}/`));

/** Imports from the bundle in place of packages, in JavaScript of ours. */
export function fromBundle(text: string, used: UsedNames): string {
  const use = (whole: string, path: string, names: readonly string[]): string => {
    if (!isBundled(path)) return whole;
    const all = names.map((name) => name.trim()).filter((name) => name !== '');
    used.set(path, new Set([...(used.get(path) ?? []), ...all]));
    return whole.replace(`'${path}'`, `'#bundled/${path}.js'`);
  };
  const own = (list: string | undefined, as: string): string[] =>
    (list ?? '').split(',').map((name) => name.split(as)[0] as string);
  return text
    .replace(STATIC, (whole, first: string | undefined, list: string | undefined, path: string) =>
      use(whole, path, [...(first === undefined ? [] : ['default']), ...own(list, ' as ')]),
    )
    .replace(DYNAMIC, (whole, list: string, path: string) => use(whole, path, own(list, ':')));
}

/** Name of the package that a file of `node_modules` belongs to. */
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

const licences = (files: ReadonlySet<string>): string => {
  const folders = new Map<string, string>();
  for (const file of files) {
    const [folder, name] = PACKAGE.exec(file) ?? [];
    if (folder !== undefined && name !== undefined) folders.set(name, folder);
  }
  return [...folders]
    .toSorted()
    .map(([name, folder]) => {
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        version: string;
        license: string;
      };
      const texts = globSync(['LICEN[CS]E*', 'NOTICE*'], { cwd: folder }).map((file) =>
        readFileSync(join(folder, file), 'utf8').trim(),
      );
      return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
};

/** One file for each module, what they share in others, and their licences. */
export async function bundle(used: UsedNames, to: string): Promise<void> {
  const from = mkdtempSync(join(ROOT, 'node_modules/.cache/bundle-'));
  const files = new Set<string>();
  try {
    const input = [...used].map(([path, names]) => {
      const file = join(from, `${path.replaceAll('/', '+')}.js`);
      writeFileSync(file, `export { ${[...names].join(', ')} } from '${path}';\n`);
      return [path, file] as const;
    });
    await build({
      configFile: false,
      root: ROOT,
      logLevel: 'error',
      ssr: { noExternal: true },
      plugins: [{ name: 'licences', moduleParsed: ({ id }) => void files.add(id) }],
      build: {
        ssr: true,
        outDir: to,
        emptyOutDir: true,
        target: 'node22',
        copyPublicDir: false,
        rollupOptions: {
          input: Object.fromEntries(input),
          output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' },
        },
      },
    });
    writeFileSync(
      join(to, 'LICENSES.txt'),
      licences(new Set([...files].filter((file) => existsSync(file) && !file.startsWith(from)))),
    );
  } finally {
    rmSync(from, { recursive: true });
  }
}
