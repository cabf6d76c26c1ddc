/** `node tools/package/client.ts FOLDER`: the package @faultline/client, generated from the OpenAPI document of this version, for `npm pack FOLDER`. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node tools/package/client.ts FOLDER');
const to = resolve(folder);
const [sources, document] = [join(to, 'sources'), join(to, 'openapi.json')];
const { version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
};
const write = (path: string, value: unknown): void => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const README = `# @faultline/client

Typed client of the [Faultline](https://www.npmjs.com/package/faultline) API, version ${version}: a function for every operation, without dependencies.

\`\`\`ts
import { client, eventsEventsIngest } from '@faultline/client';

client.setConfig({ baseUrl: 'http://127.0.0.1:8080', auth: () => 'flt_…' });
const { data, error } = await eventsEventsIngest({
  body: { source: 'backup', sourceId: 'nightly', severity: 'major', title: 'Backup failed', hostname: 'db-1' },
});
\`\`\`
`;

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
const printed = execFileSync(process.execPath, [join(ROOT, 'test/conformance/print-document.ts')], {
  maxBuffer: 2 ** 26,
});
writeFileSync(document, printed);
execFileSync(process.execPath, [join(ROOT, 'tools/package/generate-client.ts'), document, sources, '.js']);
appendFileSync(join(sources, 'index.ts'), "\nexport { createClient, createConfig } from './client/index.js';\n");
appendFileSync(join(sources, 'index.ts'), "export { client } from './client.gen.js';\n");
write(join(sources, 'tsconfig.json'), {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    strict: true,
    declaration: true,
    types: [],
    rootDir: '.',
    outDir: join(to, 'dist'),
  },
});
write(join(to, 'package.json'), {
  name: '@faultline/client',
  version,
  description: 'Typed client of the Faultline API',
  license,
  type: 'module',
  engines,
  sideEffects: false,
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
});
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', sources], { stdio: 'inherit' });
writeFileSync(join(to, 'README.md'), README);
cpSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
rmSync(sources, { recursive: true });
rmSync(document);
