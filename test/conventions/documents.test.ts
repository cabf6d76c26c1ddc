import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SURFACES } from '#api/surfaces/surfaces.ts';
import { programFor } from '#cli/program.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from '#domain/access/permissions.ts';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import { FAULT_KINDS } from '#domain/fault.ts';
import { Variables } from '#infra/config-variables.ts';
import { MEASUREMENTS } from '#infra/metrics/table.ts';
import { pipeline } from '#processors/pipeline.ts';
import { measurements, sinks } from '#whole';
import { BUDGETS, wordsIn } from './measure.ts';
import { ROOT } from './planted.ts';
import { documentText, quoted, rowsUnder } from './tables.ts';

const ARCHITECTURE = 'docs/architecture.md';
const { documents: WEIGHTS } = BUDGETS;

/** GitHub's names of the headings, code left out. */
const anchorsOf = (path: string): string[] =>
  [
    ...documentText(path)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

/** Made by tools or by the running server. */
const isUnnamed = (name: string): boolean => /^(\.|node_modules$|data$|coverage$|dist)/.test(name);

const MARKDOWN = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md', 'test/faults/README.md']
  .concat(readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`))
  .concat(readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`))
  .filter((path) => path.endsWith('.md'));
/** A notebook: its pages name files as they were on their day. */
const NOTEBOOK = readdirSync(join(ROOT, 'bench/log')).map((name) => `bench/log/${name}`);

describe('docs/architecture.md', () => {
  const named = [...documentText(ARCHITECTURE).matchAll(/`([\w./-]+\/|[\w-]+\/[\w./-]+\.tsx?|[\w-]+\.ts)`/g)].map(
    ([, path]) => path as string,
  );

  test.each([...new Set(named)])('%s exists', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  test('names every folder at the top and below the engines of the outside', () => {
    const folders = (path: string): string[] =>
      readdirSync(join(ROOT, path))
        .filter((name) => !isUnnamed(name))
        .filter((name) => statSync(join(ROOT, path, name)).isDirectory())
        .map((name) => `${path}${name}/`);
    const expected = ['', 'api/', 'domain/', 'schemas/', 'infra/', 'console/', 'test/'].flatMap(folders);
    expect(expected.filter((folder) => !named.includes(folder))).toEqual([]);
  });
});

test('docs/specification.md has every section that code and documents cite', () => {
  const sections = [...documentText('docs/specification.md').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number);
  const cited = globSync(
    '{domain,schemas,processors,application,api,infra,features,console,test,bench,docs}/**/*.{ts,tsx,md}',
    { cwd: ROOT },
  )
    .flatMap((file) => [...documentText(file).matchAll(/specification\.md((?:,? (?:and )?§\d+)+)/g)])
    .flatMap(([, list = '']) => [...list.matchAll(/\d+/g)].map(([number]) => number));
  expect(cited.length).toBeGreaterThan(0);
  expect(cited.filter((number) => !sections.includes(number))).toEqual([]);
});

describe('docs/configuration.md', () => {
  const rows = rowsUnder('docs/configuration.md', 'variable');

  test('has every variable once', () => {
    expect(rows.map(([name]) => quoted(name)[0]).sort()).toEqual(Object.keys(Variables.shape).sort());
  });

  test('names every processor and sink', () => {
    const row = rows.find(([name]) => quoted(name)[0] === 'FAULTLINE_PROCESSORS') ?? [];
    const strategies = STRATEGY_NAMES.map((name) => `correlate.${name}`);
    const others = pipeline.map(({ name }) => name).filter((name) => !strategies.includes(name));
    const expected = [...others, 'correlate.<strategy>', ...STRATEGY_NAMES, ...sinks.map(({ name }) => name)];
    expect(quoted(row[2]).sort()).toEqual(expected.sort());
  });

  test('names the defaults', () => {
    const defaults = Object.entries(Variables.parse({})).map(([name, value]) => [
      name,
      value === null || (Array.isArray(value) && value.length === 0) ? undefined : String(value),
    ]);
    const documented = rows.map(([name, value]) => [quoted(name)[0], quoted(value)[0]]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(defaults));
  });
});

test('docs/operations.md has every measurement with kind, labels and meaning', () => {
  const documented = rowsUnder('docs/operations.md', 'name').map(([name, kind, labels, help]) => ({
    name: quoted(name)[0],
    kind,
    labels: quoted(labels),
    help,
  }));
  const known = [...MEASUREMENTS, ...measurements].map(({ name, kind, labels, help }) => ({
    name,
    kind,
    labels,
    help,
  }));
  const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }): number =>
    String(a.name) < String(b.name) ? -1 : 1;
  expect(documented.sort(byName)).toEqual(known.sort(byName));
});

describe('docs/api.md', () => {
  test('has the permissions of every role', () => {
    const documented = rowsUnder('docs/api.md', 'permission').map(([permission, ...cells]) => [
      quoted(permission)[0],
      ROLES.filter((_, index) => cells[index] === '✓'),
    ]);
    const expected = PERMISSIONS.map((permission) => [
      permission,
      ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permission)),
    ]);
    expect(documented).toEqual(expected);
    expect(documentText('docs/api.md')).toContain(`| Permission | ${ROLES.join(' | ')} |`);
  });

  test('has status and code of every fault', () => {
    const documented = rowsUnder('docs/api.md', 'kind').map(([kind, ...cells]) => [quoted(kind)[0], ...cells]);
    const surfaces = [SURFACES.platform, SURFACES.v1, SURFACES.events];
    const expected = FAULT_KINDS.map((kind) => [
      kind,
      ...surfaces.map(({ faults }) => `${faults[kind].status} ${faults[kind].code}`),
    ]);
    expect(documented).toEqual(expected);
  });
});

/** Finds `faultline …` in code: the words after it, and its options up to the end of the command. */
const commandsIn = (text: string) => {
  const code = [...text.matchAll(/```(?:sh)?\n([\s\S]*?)```|^ {4}(.*)$|`([^`\n]+)`/gm)].map((part) =>
    part.slice(1).join(''),
  );
  return code
    .map((part) => part.replaceAll('\\\n', ' ').replaceAll(/(?<=\s)#.*$/gm, ''))
    .flatMap((part) => [...part.matchAll(/(?:^|npx |xargs.{0,20} )faultline ([a-z][^|\n]*)/gm)])
    .map(([, rest = '']) => ({
      words: rest.split(/\s+/).filter((word) => /^[a-z][a-z-]*$/.test(word)),
      options: [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([option]) => option),
    }));
};

describe('All documents', () => {
  test.each(MARKDOWN.concat(NOTEBOOK))('%s: links lead to files', (path) => {
    const links = [...documentText(path).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link as string);
    const files = links.filter((link) => !/^https?:/.test(link));
    expect(files.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([]);
  });

  test.each(MARKDOWN)('%s: links to a section lead to its heading', (path) => {
    const links = [...documentText(path).matchAll(/\]\(([^)#\s]*)#([^)\s]*)\)/g)]
      .map(([, file = '', anchor = '']) => ({ file: file ? join(dirname(path), file) : path, anchor }))
      .filter(({ file }) => file.endsWith('.md') && !/^https?:/.test(file));
    expect(links.filter(({ file, anchor }) => !anchorsOf(file).includes(anchor))).toEqual([]);
  });

  test.each(MARKDOWN)('%s: files that it names exist', (path) => {
    const named = quoted(documentText(path)).filter((text) =>
      /^(domain|schemas|processors|api|infra|console|test)\/[\w./-]+$/.test(text),
    );
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('the index of the notebook has every page', () => {
    const pages = NOTEBOOK.map((path) => path.slice('bench/log/'.length)).filter((name) => name !== 'README.md');
    expect(pages.filter((name) => !documentText('bench/log/README.md').includes(`](${name})`))).toEqual([]);
  });

  test.each(MARKDOWN.filter((path) => path.startsWith('docs/decisions/')))('%s has at most 40 lines', (path) => {
    expect(documentText(path).split('\n').length).toBeLessThanOrEqual(41);
  });

  test.each(Object.entries(WEIGHTS.words))('%s has at most %i words', (path, budget) => {
    expect(wordsIn(documentText(path))).toBeLessThanOrEqual(budget);
  });

  test('the index of docs/ has every page with its kind, and there are few of them', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const indexed = rowsUnder('docs/README.md', 'page').map(([page = '', kind]) => [
      page.replace(/.*\]\((.*)\)/, '$1'),
      kind,
    ]);
    const kinds = ['tutorial', 'how-to', 'reference', 'explanation'];
    expect(indexed.map(([page]) => page).sort()).toEqual(pages.filter((name) => name !== 'README.md').sort());
    expect(indexed.filter(([, kind = '']) => !kinds.includes(kind))).toEqual([]);
    expect(pages.length).toBeLessThanOrEqual(WEIGHTS.pages);
  });

  test('decisions have numbers of their own', () => {
    const numbers = readdirSync(join(ROOT, 'docs/decisions')).map((name) => name.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  test('every script that README and CONTRIBUTING name exists', () => {
    const { scripts } = JSON.parse(documentText('package.json')) as { scripts: Record<string, string> };
    const texts = documentText('README.md') + documentText('CONTRIBUTING.md');
    const named = [...texts.matchAll(/npm run (?:--silent )?([\w-]+)/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test.each(MARKDOWN)('%s: commands of the command line exist, with their options', (path) => {
    const program = programFor({} as CliEnvironment, '0');
    const wrong = commandsIn(documentText(path)).filter(({ words, options }) => {
      const command = program.commands.find((one) => one.name() === words[0]);
      const below = command?.commands.find((one) => one.name() === words[1]) ?? command;
      if (below === undefined) return true;
      // `import` has arguments of its own besides its commands.
      if (command === below && below.commands.length > 0 && below.registeredArguments.length === 0 && words[1])
        return true;
      return options.some((option) => option !== '--help' && !below.options.some(({ long }) => long === option));
    });
    expect(wrong).toEqual([]);
  });

  test('the scripts of set-up and checks are sound shell', () => {
    expect(spawnSync('bash', ['-n', join(ROOT, '.ci/run')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
