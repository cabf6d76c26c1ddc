import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AREAS } from './import-layers.ts';
import { planted, ROOT, toolOutput } from './planted.ts';

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
}

const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const rules: readonly { readonly name: string }[] = createRequire(import.meta.url)(CONFIG).forbidden;

/** Packages of the planted tree: those with a place, and one without. */
const placed = rules.flatMap(({ name }) => /^only-in-place-(?!node-)(.*)$/.exec(name)?.[1] ?? []);
const PACKAGES = [...placed, 'without-a-place'];

const manifest = JSON.stringify({
  name: 'planted',
  type: 'module',
  imports: Object.fromEntries([
    ['#app', './app.ts'],
    ['#whole', './whole.ts'],
    ...['domain', 'sources', 'application', 'api', 'infra', 'features'].map((name) => [`#${name}/*`, `./${name}/*`]),
  ]),
  dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0'])),
  devDependencies: { 'for-developers': '1.0.0' },
});

const packageFiles = Object.fromEntries(
  [...PACKAGES, 'for-developers'].flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'main.js' })],
    [`node_modules/${name}/main.js`, 'module.exports = {};\n'],
  ]),
);

/** Targets of the violations below. */
const houses = {
  'main.ts': "import { app } from '#app';\nexport const main = app;\n",
  'app.ts': 'export const app = 1;\n',
  'whole.ts': "import { rule } from '#features/one/rules/rule.ts';\nexport const all = [rule];\n",
  'domain/right.ts': "import type { Left } from './left.ts';\nexport type Right = Left | 1;\n",
  'domain/rule.ts': 'export interface Rule { name: string }\nexport const rule = 1;\n',
  'schemas/wire.ts': 'export const wire = 1;\n',
  'sources/one/one.ts': 'export const one = 1;\n',
  'sources/kit/kit.ts': 'export const kit = 1;\n',
  'processors/step.ts': 'export const step = 1;\n',
  'application/use-case.ts': 'export const useCase = 1;\n',
  'api/handle.ts': 'export interface Handle { name: string }\nexport const handle = 1;\n',
  'api/events/endpoint.ts': 'export const endpoint = 1;\n',
  'features/one/rules/rule.ts': 'export const rule = 1;\n',
  'features/one/use-cases/do.ts': 'export const act = 1;\n',
  'features/one/stores/store.ts': 'export const store = 1;\n',
  'infra/one/adapter.ts': 'export interface Adapter { name: string }\nexport const adapter = 1;\n',
  'infra/config.ts': 'export const config = 1;\n',
  'console/main.tsx': "import { page } from './page.tsx';\nexport const main = <main>{page}</main>;\n",
  'console/page.tsx': 'export const page = <p>1</p>;\n',
  'test/setup/kit.ts': 'export const kit = 1;\n',
};

/** Rule, file, text: one violation of each kind; imports of types count like all others. */
const violations: readonly (readonly [string, string, string])[] = [
  ['no-cycles', 'domain/left.ts', "import type { Right } from './right.ts';\nexport type Left = Right[];\n"],
  ['no-barrels', 'domain/uses-barrel.ts', "import { inside } from './barrel/index.ts';\nexport const b = inside;\n"],
  ['no-re-exports', 'domain/re-exports.ts', "export { rule } from './rule.ts';\n"],
  ['no-re-exports', 'domain/re-exports-types.ts', "export type { Rule } from './rule.ts';\n"],
  ['no-re-exports', 'domain/re-exports-all.ts', "export * from './rule.ts';\n"],
  ['no-unresolvable', 'domain/to-nowhere.ts', "import { x } from './nowhere.ts';\nexport const y = x;\n"],
  ['no-unresolvable', 'domain/to-no-alias.ts', "import { x } from '#nowhere/x.ts';\nexport const y = x;\n"],
  ['no-orphans', 'domain/orphan.ts', 'export const alone = 1;\n'],
  ['no-dead-modules', 'domain/dead.ts', "import { rule } from './rule.ts';\nexport const dead = rule;\n"],
  ['no-tests-in-product', 'api/uses-kit.ts', "import { kit } from '../test/setup/kit.ts';\nexport const k = kit;\n"],
  [
    'no-development-packages-in-product',
    'api/uses-developers.ts',
    "import { x } from 'for-developers';\nexport const y = x;\n",
  ],
  [
    'domain-sees-domain',
    'domain/to-api.ts',
    "import type { Handle } from '../api/handle.ts';\nexport type H = Handle;\n",
  ],
  ['domain-sees-domain', 'domain/to-package.ts', "import { z } from 'zod';\nexport const s = z;\n"],
  [
    'domain-sees-domain',
    'domain/to-node.ts',
    "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
  ],
  ['domain-sees-domain', 'domain/later.ts', "export const later = () => import('../schemas/wire.ts');\n"],
  ['schemas-see-sources-and-zod', 'schemas/to-package.ts', "import { x } from 'undici';\nexport const y = x;\n"],
  [
    'schemas-see-sources-and-zod',
    'schemas/to-step.ts',
    "import { step } from '../processors/step.ts';\nexport const s = step;\n",
  ],
  [
    'sources-see-domain-and-zod',
    'sources/two/to-schema.ts',
    "import { wire } from '../../schemas/wire.ts';\nexport const w = wire;\n",
  ],
  [
    'sources-see-no-other-source',
    'sources/two/to-one.ts',
    "import { one } from '../one/one.ts';\nexport const o = one;\n",
  ],
  ['processors-see-domain-and-schemas', 'processors/to-zod.ts', "import { z } from 'zod';\nexport const s = z;\n"],
  [
    'processors-see-domain-and-schemas',
    'processors/to-infra.ts',
    "import type { Adapter } from '#infra/one/adapter.ts';\nexport type A = Adapter;\n",
  ],
  [
    'sinks-see-use-cases',
    'processors/sinks/notify-infra.ts',
    "import type { Adapter } from '#infra/one/adapter.ts';\nexport type A = Adapter;\n",
  ],
  [
    'processors-see-domain-and-schemas',
    'processors/to-use-case.ts',
    "import { useCase } from '../application/use-case.ts';\nexport const u = useCase;\n",
  ],
  [
    'application-sees-domain-and-schemas',
    'application/to-api.ts',
    "import { handle } from '../api/handle.ts';\nexport const h = handle;\n",
  ],
  [
    'application-sees-domain-and-schemas',
    'application/to-node.ts',
    "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
  ],
  [
    'api-areas-see-no-other-area',
    'api/cmdb/to-events.ts',
    "import { endpoint } from '../events/endpoint.ts';\nexport const e = endpoint;\n",
  ],
  ...['domain', 'schemas', 'processors', 'application', 'api', 'infra/two', 'console'].map(
    (folder) =>
      [
        'core-sees-no-feature',
        `${folder}/to-feature.ts`,
        "import { rule } from '#features/one/rules/rule.ts';\nexport const r = rule;\n",
      ] as const,
  ),
  [
    'infra-sees-no-api',
    'infra/two/to-use-case.ts',
    "import { useCase } from '../../application/use-case.ts';\nexport const u = useCase;\n",
  ],
  [
    'api-sees-no-infra',
    'api/to-infra.ts',
    "import type { Adapter } from '#infra/one/adapter.ts';\nexport type A = Adapter;\n",
  ],
  [
    'infra-sees-no-sibling',
    'infra/two/adapter.ts',
    "import { adapter } from '../one/adapter.ts';\nexport const a = adapter;\n",
  ],
  [
    'infra-sees-no-api',
    'infra/two/to-api.ts',
    "import type { Handle } from '../../api/handle.ts';\nexport type H = Handle;\n",
  ],
  [
    'rules-see-rules',
    'features/two/rules/to-use-case.ts',
    "import { act } from '#features/one/use-cases/do.ts';\nexport const a = act;\n",
  ],
  ['rules-see-rules', 'features/two/rules/to-package.ts', "import { z } from 'zod';\nexport const s = z;\n"],
  [
    'schemas-of-features-see-rules-and-schemas',
    'features/two/schemas/to-use-case.ts',
    "import { act } from '#features/one/use-cases/do.ts';\nexport const a = act;\n",
  ],
  [
    'use-cases-see-rules-and-schemas',
    'features/two/use-cases/to-api.ts',
    "import type { Handle } from '#api/handle.ts';\nexport type H = Handle;\n",
  ],
  [
    'http-sees-no-stores',
    'features/two/http/to-store.ts',
    "import { store } from '#features/one/stores/store.ts';\nexport const s = store;\n",
  ],
  [
    'http-sees-no-stores',
    'features/two/http/to-infra.ts',
    "import type { Adapter } from '#infra/one/adapter.ts';\nexport type A = Adapter;\n",
  ],
  [
    'stores-see-no-use-cases',
    'features/two/stores/to-use-case.ts',
    "import { act } from '#features/one/use-cases/do.ts';\nexport const a = act;\n",
  ],
  [
    'config-is-for-the-composition',
    'infra/two/to-config.ts',
    "import { config } from '../config.ts';\nexport const c = config;\n",
  ],
  [
    'console-sees-domain-and-schemas',
    'console/to-api.tsx',
    "import type { Handle } from '../api/handle.ts';\nexport const h = (one: Handle) => <b>{one.name}</b>;\n",
  ],
  [
    'console-sees-domain-and-schemas',
    'console/to-node.ts',
    "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
  ],
  ['nobody-sees-console', 'api/to-page.ts', "import { page } from '../console/page.tsx';\nexport const p = page;\n"],
  ['no-dead-modules', 'console/dead.tsx', "import { page } from './page.tsx';\nexport const d = <i>{page}</i>;\n"],
  [
    'every-package-has-a-place',
    'console/to-new.tsx',
    "import { x } from 'without-a-place';\nexport const y = <b>{x}</b>;\n",
  ],
  ['only-entries-see-app', 'api/to-app.ts', "import { app } from '#app';\nexport const a = app;\n"],
  ['only-entries-see-app', 'api/to-whole.ts', "import { all } from '#whole';\nexport const a = all;\n"],
  ['only-entries-see-app', 'cli/to-app.ts', "import { app } from '#app';\nexport const a = app;\n"],
  [
    'cli-is-a-client',
    'cli/commands/to-use-case.ts',
    "import { useCase } from '../../application/use-case.ts';\nexport const u = useCase;\n",
  ],
  ['nobody-sees-main', 'cli/to-main.ts', "import { main } from '../main.ts';\nexport const m = main;\n"],
  ['every-package-has-a-place', 'api/to-new.ts', "import { x } from 'without-a-place';\nexport const y = x;\n"],
  ...placed.map(
    (name) =>
      [
        `only-in-place-${name}`,
        `infra/two/to-${name}.ts`,
        `import { x } from '${name}';\nexport const y = x;\n`,
      ] as const,
  ),
  ...['sqlite', 'worker_threads'].map(
    (name) =>
      [
        `only-in-place-node-${name}`,
        `infra/two/to-node-${name}.ts`,
        `import { x } from 'node:${name}';\nexport const y = x;\n`,
      ] as const,
  ),
];

/** Valid imports in the same tree. */
const lawful: readonly (readonly [string, string])[] = [
  [
    'sources/two/with-kit.ts',
    "import { z } from 'zod';\nimport { kit } from '../kit/kit.ts';\nexport const s = [z, kit];\n",
  ],
  ['schemas/with-zod.ts', "import { z } from 'zod';\nimport { wire } from './wire.ts';\nexport const s = [z, wire];\n"],
  [
    'infra/embedded/store.ts',
    "import { x } from 'node:sqlite';\nimport { rule } from '#domain/rule.ts';\nexport const s = [x, rule];\n",
  ],
  ['cli/cli.ts', "import { x } from 'commander';\nimport { app } from '#app';\nexport const s = [x, app];\n"],
  [
    'api/topology/with-use-case.ts',
    "import { useCase } from '../../application/use-case.ts';\nexport const u = useCase;\n",
  ],
  [
    'processors/sinks/sinks.ts',
    "import { useCase } from '../../application/use-case.ts';\nexport const u = useCase;\n",
  ],
  [
    'console/lawful.tsx',
    "import { x } from 'react';\nimport { rule } from '#domain/rule.ts';\nimport type { wire } from '../schemas/wire.ts';\nexport const s = <p>{[x, rule as typeof wire]}</p>;\n",
  ],
  [
    'features/two/http/with-use-case.ts',
    "import { act } from '../use-cases/act.ts';\nimport { handle } from '#api/handle.ts';\nexport const s = [act, handle];\n",
  ],
  [
    'features/two/use-cases/act.ts',
    "import { rule } from '#features/one/rules/rule.ts';\nimport { useCase } from '#application/use-case.ts';\nexport const act = [rule, useCase];\n",
  ],
  ['console/build.ts', "import { x } from 'vite';\nimport { join } from 'node:path';\nexport const s = [x, join];\n"],
  ['api/handle.test.ts', "import { adapter } from '#infra/one/adapter.ts';\nusing a = adapter;\nexport const s = a;\n"],
];

describe('Every import rule catches a violation of it', () => {
  const found = new Set<string>();

  beforeAll(() => {
    using tree = planted({
      'package.json': manifest,
      ...packageFiles,
      ...houses,
      'domain/barrel/index.ts': 'export const inside = 1;\n',
      ...Object.fromEntries(violations.map(([, file, text]) => [file, text])),
      ...Object.fromEntries(lawful),
    });
    const folders = ['main.ts', 'app.ts', 'whole.ts', ...AREAS, 'test'];
    const output = toolOutput(
      'dependency-cruiser',
      'bin/dependency-cruiser.mjs',
      ['--config', CONFIG, '--output-type', 'json', ...folders],
      tree.path,
    );
    for (const { rule, from } of (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations)
      found.add(`${rule.name} ${from}`);
  });

  test.each(violations)('%s in %s', (rule, file) => {
    expect([...found]).toContain(`${rule} ${file}`);
  });

  test('each rule has a planted violation', () => {
    expect(new Set(violations.map(([rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)));
  });

  test.each(lawful.map(([file]) => file))('%s keeps all rules but that nobody uses it', (file) => {
    expect([...found].filter((line) => line.endsWith(` ${file}`) && !line.startsWith('no-dead-modules'))).toEqual([]);
  });
});
