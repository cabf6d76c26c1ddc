import { expect, test } from '@jest/globals';
import { planted, ROOT } from './planted.ts';
import { allPorts, MAX_METHODS, optionalMethods, spreadPorts, widePorts } from './ports.ts';

const methods = (count: number, prefix = 'ask'): string =>
  Array.from({ length: count }, (_, i) => `  ${prefix}${i}(tenant: string): Promise<void>;\n`).join('');

test('every port is narrow, and none of its methods may be left out', () => {
  expect(allPorts(ROOT).filter((port) => port.methods.length > 0).length).toBeGreaterThan(30);
  expect(widePorts(ROOT)).toEqual([]);
  expect(optionalMethods(ROOT)).toEqual([]);
});

test.each([
  ['methods', { 'domain/ports/a.ts': `export interface Wide {\n${methods(MAX_METHODS + 1)}}\n` }],
  [
    'generic methods and methods over several lines',
    {
      'domain/ports/deep/a.ts': `export interface Wide<T> {\n${methods(MAX_METHODS - 1)}  get<T>(id: T): T;\n  put(\n    id: T,\n  ): T;\n}\n`,
    },
  ],
  [
    'properties that are functions',
    { 'domain/ports/a.ts': `interface Wide {\n${methods(MAX_METHODS)}  readonly now: () => number;\n}\n` },
  ],
  [
    'inherited methods',
    {
      'domain/ports/a.ts': `export interface Wide extends Base<string>, Other {\n${methods(1, 'own')}}\n`,
      'domain/ports/deep/b.ts': `export interface Base<T> {\n${methods(MAX_METHODS - 1)}}\n`,
      'domain/pipeline/c.ts': `export interface Other {\n${methods(1, 'other')}}\n`,
    },
  ],
  ['methods between steps and runners', { 'domain/pipeline/a.ts': `interface Wide {\n${methods(MAX_METHODS + 1)}}\n` }],
])('a port that is too wide by its %s is found', (_, files) => {
  using tree = planted({ 'domain/ports/x.ts': '', 'domain/pipeline/x.ts': '', ...files });
  const [file] = Object.keys(files);
  expect(widePorts(tree.path)).toEqual([`${file}: Wide has ${MAX_METHODS + 1} methods`]);
});

test('a narrow port, plain fields and a sum of narrow interfaces in the pipeline are lawful', () => {
  using tree = planted({
    'domain/ports/a.ts': `export interface Narrow {\n  readonly name: string;\n${methods(MAX_METHODS)}}\n`,
    'domain/pipeline/a.ts': `interface A {\n${methods(MAX_METHODS)}}\ninterface B extends A {\n${methods(2, 'b')}}\n`,
  });
  expect(widePorts(tree.path)).toEqual([]);
});

test('a method that may be left out is found', () => {
  using tree = planted({
    'domain/ports/a.ts':
      'export interface Port {\n  get(): void;\n  put?(id: string): void;\n  readonly how?: () => void;\n}\n',
    'domain/pipeline/a.ts': '',
  });
  expect(optionalMethods(tree.path)).toEqual(['domain/ports/a.ts: Port.put']);
});

test('a decorator names every method of its port', () => {
  expect(spreadPorts(ROOT)).toEqual([]);
  using tree = planted({
    'domain/ports/a.ts': `export interface CiStore {\n${methods(2)}}\n`,
    'domain/pipeline/a.ts': '',
    'application/a.ts': 'export const quiet = (cis: CiStore): CiStore => ({ ...cis, ask0: async () => {} });\n',
    'infra/b.ts': 'const loud: CiStore = {\n  ...ports.cis,\n  ask0,\n};\n',
    'infra/c.ts': 'export const named = (cis: CiStore): CiStore => ({ ask0: cis.ask0, ask1: cis.ask1 });\n',
    'infra/d.ts': 'export const other = (a: Options): Options => ({ ...a, cis: 1 });\n',
  });
  expect(spreadPorts(tree.path).sort()).toEqual(['application/a.ts: CiStore', 'infra/b.ts: CiStore']);
});
