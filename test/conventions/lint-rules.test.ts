import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { planted, ROOT, toolOutput } from './planted.ts';

interface Report {
  readonly diagnostics: readonly { readonly category: string; readonly location: { readonly path: string } }[];
}

const PLUGIN = 'plugin';

/** A function with this number of lines within its braces. */
const long = (lines: number): string =>
  `export function add(a: number): number {\n  let b = a;\n${'  b += 1;\n'.repeat(lines - 2)}  return b;\n}\n`;

/** Category, file, text: one violation of each kind. */
const violations: readonly (readonly [string, string, string])[] = [
  ['lint/suspicious/noExplicitAny', 'domain/any.ts', 'export const f = (x: any): unknown => x;\n'],
  ['lint/style/noDefaultExport', 'api/default.ts', 'const x = 1;\nexport default x;\n'],
  ['lint/style/noProcessEnv', 'infra/environment.ts', 'export const home = process.env.HOME;\n'],
  ['lint/suspicious/noConsole', 'api/console.ts', "console.log('x');\n"],
  ['lint/style/noRestrictedGlobals', 'domain/clock.ts', 'export const now = (): number => performance.now();\n'],
  ['lint/style/noRestrictedGlobals', 'processors/timer.ts', 'setTimeout(() => {}, 1);\n'],
  ['lint/style/useImportType', 'api/type.ts', "import { Rule } from './rule.ts';\nexport type R = Rule;\n"],
  ['lint/complexity/noExcessiveLinesPerFunction', 'application/long.ts', long(61)],
  [PLUGIN, 'api/date-now.ts', 'export const now = Date.now();\n'],
  [PLUGIN, 'api/new-date.ts', 'export const now = new Date();\n'],
  [PLUGIN, 'api/date-text.ts', 'export const now = Date();\n'],
  [PLUGIN, 'api/passed-on.ts', 'export const clock = { now: Date.now };\n'],
  [PLUGIN, 'test/random.ts', 'export const chance = Math.random();\n'],
  [PLUGIN, 'bench/uuid.ts', "import { randomUUID } from 'node:crypto';\nexport const id = randomUUID();\n"],
  [PLUGIN, 'api/global-uuid.ts', 'export const id = crypto.randomUUID();\n'],
  [PLUGIN, 'api/manager.ts', 'export class UserManager {}\n'],
  [PLUGIN, 'api/helper.ts', 'export const sortHelper = 1;\n'],
  [PLUGIN, 'api/util.ts', 'export type TextUtil = string;\n'],
  [PLUGIN, 'api/impl.ts', 'export function storeImpl(): void {}\n'],
  [PLUGIN, 'api/prefix.ts', 'export interface IStore {\n  a: number;\n}\n'],
  [PLUGIN, 'api/let.ts', 'let last = 0;\nexport const next = (): number => ++last;\n'],
  [PLUGIN, 'api/exported-let.ts', 'export let last = 0;\nexport const next = (): number => ++last;\n'],
  [PLUGIN, 'api/map.ts', 'const seen = new Map<string, number>();\nexport const see = (a: string) => seen.get(a);\n'],
  [PLUGIN, 'domain/set.ts', 'export const seen: Set<string> = new Set();\n'],
  [PLUGIN, 'infra/weak-map.ts', 'export const tables = new WeakMap<object, number>();\n'],
  [PLUGIN, 'infra/hidden-weak-map.ts', 'export const known = { tables: new WeakMap<object, number>() };\n'],
  [PLUGIN, 'infra/instance.ts', 'class Cache {}\nexport const cache = new Cache();\n'],
  [PLUGIN, 'infra/opened.ts', "import { openCache } from './cache.ts';\nexport const cache = openCache();\n"],
  [PLUGIN, 'api/hidden-import.ts', "export type Rule = import('./rule.ts').Rule;\n"],
  [PLUGIN, 'api/spread-object.ts', 'export const both = { a: { ...{ b: 1 }, c: 2 } };\n'],
  [PLUGIN, 'test/spread-array.ts', 'export const three = [...[1, 2], 3];\n'],
  [PLUGIN, 'domain/spread-constants.ts', "export const kinds = [...(['a', 'b'] as const), 'c'];\n"],
  [PLUGIN, 'domain/spread-checked.ts', 'export const both = { ...({ b: 1 } satisfies object), c: 2 };\n'],
  [PLUGIN, 'infra/spread-arguments.ts', 'export const most = Math.max(...[1, 2], 3);\n'],
  [PLUGIN, 'console/spread-attributes.tsx', "export const Bold = () => <b {...{ id: 'b' }} />;\n"],
  [PLUGIN, 'console/wire.tsx', "import { Wire } from '#schemas/wire.ts';\nexport const w = <b>{Wire}</b>;\n"],
  [PLUGIN, 'console/maps/far-wire.ts', "import { Wire } from '../../schemas/wire.ts';\nexport const w = Wire;\n"],
  [PLUGIN, 'console/later.ts', "export const later = () => import('#schemas/wire.ts');\n"],
  [PLUGIN, 'console/now.tsx', 'export const Now = () => <time>{Date.now()}</time>;\n'],
  ['lint/a11y/useAltText', 'console/picture.tsx', "export const Picture = () => <img src='a.png' />;\n"],
  [
    'lint/correctness/useHookAtTopLevel',
    'console/hook.tsx',
    "import { useId } from 'react';\nexport const Maybe = ({ on }: { on: boolean }) => (on ? useId() : '');\n",
  ],
];

/** Valid code. */
const lawful: readonly (readonly [string, string])[] = [
  [
    'console/typed.tsx',
    "import type { z } from 'zod';\nimport type { Wire } from '#schemas/wire.ts';\nexport const T = ({ w }: { w: z.output<typeof Wire> }) => <b>{w}</b>;\n",
  ],
  ['console/time/now.ts', 'export const now = (): number => Date.now();\n'],
  ['infra/system/time.ts', 'export const now = (): number => Date.now();\n'],
  ['application/not-long.ts', long(60)],
  ['infra/config.ts', 'export const home = process.env.HOME;\n'],
  ['cli/print.ts', "console.log('x');\n"],
  ['api/given-date.ts', 'export const iso = (ms: number): string => new Date(ms).toISOString();\n'],
  ['api/elapsed.ts', 'export const now = (): number => performance.now();\n'],
  ['api/words.ts', 'export interface Item {\n  a: number;\n}\nexport type IPv4 = string;\nexport const implied = 1;\n'],
  ['api/table.ts', "export const RANKS: ReadonlyMap<string, number> = new Map([['a', 1]]);\n"],
  [
    'api/work-space.ts',
    "export const bins = new Uint16Array(8);\nexport const folder = new URL('a', import.meta.url);\n",
  ],
  [
    'api/own-state.ts',
    'export const open = () => {\n  let last = 0;\n  const seen = new Map<number, number>();\n  return () => seen.set(++last, 1);\n};\n',
  ],
  [
    'api/fields.ts',
    'export class Cache {\n  readonly #known = new Map<string, number>();\n  size(): number {\n    return this.#known.size;\n  }\n}\n',
  ],
  [
    'api/spreads.ts',
    "export const f = (a: number[], on: boolean) => ({ ...(on && { a }), ...(on ? { b: [...a, ...['1'].map(Number)] } : {}) });\n",
  ],
  ['infra/embedded/redo-log/apply-thread.ts', 'export let last = 0;\nlast += 1;\n'],
  ['api/state.test.ts', 'let last = 0;\nexport const next = (): number => ++last;\n'],
  ['api/reason.ts', '// biome-ignore lint/plugin: a reason that a reader can judge\nexport const now = Date.now();\n'],
];

describe('The lint rules catch a violation of each', () => {
  const found: { category: string; path: string }[] = [];

  beforeAll(() => {
    using tree = planted({
      'biome.json': readFileSync(join(ROOT, 'biome.json'), 'utf8').replace('"enabled": true', '"enabled": false'),
      ...Object.fromEntries(violations.map(([, file, text]) => [file, text])),
      ...Object.fromEntries(lawful),
    });
    cpSync(join(ROOT, '.biome'), join(tree.path, '.biome'), { recursive: true });
    const output = toolOutput(
      '@biomejs/biome',
      'bin/biome',
      ['lint', '--reporter=json', '--max-diagnostics=none', '.'],
      tree.path,
    );
    for (const { category, location } of (JSON.parse(output) as Report).diagnostics)
      found.push({ category, path: location.path });
  });

  test.each(violations)('%s in %s', (category, path) => {
    expect(found).toContainEqual({ category, path });
  });

  test.each(lawful.map(([file]) => file))('%s is lawful', (file) => {
    expect(found.filter(({ path }) => path === file)).toEqual([]);
  });
});
