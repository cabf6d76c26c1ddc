import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { importsBetween } from './features.ts';
import { importsOf, productFiles } from './import-layers.ts';
import { documentText } from './tables.ts';

/* Weights of the product. A line counts when it contains a token: comments, tests and generated files do not. */

/** Values bounded by `weights.json`. */
export interface Weights {
  readonly lines: number;
  readonly linesOfDomain: number;
  readonly files: number;
  /** Files that one other file imports, percent. */
  readonly filesWithOneImporter: number;
  /** Literals that are spread at once within another literal. */
  readonly literalSpreads: number;
  /** Imports that lead from the core, its starts excepted, to features. */
  readonly importsOfFeatures: number;
  /** Imports from one feature to another that its `uses` does not name. */
  readonly importsBeyondUses: number;
  /** Names of types that more than three files declare; `Props` excepted. */
  readonly repeatedTypeNames: number;
}

const MAX_DECLARATIONS = 3;
/** They put the core and the list of features together. */
const STARTS = ['app.ts', 'whole.ts', 'console/features.ts', 'cli/features.ts'];

interface MeasuredFile {
  readonly lines: number;
  readonly spreads: number;
  readonly types: readonly string[];
}

const linesOf = (text: string, comments: readonly { readonly start: number; readonly end: number }[]): number => {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of comments) {
    parts.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, ''));
    at = end;
  }
  parts.push(text.slice(at));
  return parts
    .join('')
    .split('\n')
    .filter((line) => /\S/.test(line)).length;
};

export const measureText = (file: string, text: string): MeasuredFile => {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  let spreads = 0;
  const types: string[] = [];
  const added: [number, number][] = [];
  const spread = (
    elements: readonly ({ readonly type: string; readonly argument?: { readonly type: string } | null } | null)[],
    literal: string,
  ) => {
    for (const one of elements) if (one?.type === 'SpreadElement' && one.argument?.type === literal) spreads += 1;
  };
  new Visitor({
    ObjectExpression: ({ properties }) => spread(properties, 'ObjectExpression'),
    ArrayExpression: ({ elements }) => spread(elements, 'ArrayExpression'),
    // A declaration merged into a type of another file is no type of its own.
    TSModuleDeclaration: ({ start, end }) => void added.push([start, end]),
    TSInterfaceDeclaration: ({ id }) => {
      if (!added.some(([start, end]) => id.start > start && id.end < end)) types.push(id.name);
    },
    TSTypeAliasDeclaration: ({ id }) => void types.push(id.name),
  }).visit(program);
  return { lines: linesOf(text, comments), spreads, types };
};

/** The budgets of `weights.json`. */
export const BUDGETS = JSON.parse(documentText('test/conventions/weights.json')) as {
  readonly product: Weights;
  readonly documents: { readonly words: Readonly<Record<string, number>>; readonly pages: number };
};

export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Imports of each file. */
type Imports = ReadonlyMap<string, readonly string[]>;

const importsOfFeatures = (imports: Imports): string[] => {
  const isOfFeature = (file: string): boolean => file.startsWith('features/');
  return [...imports]
    .filter(([file]) => !isOfFeature(file) && !STARTS.includes(file))
    .flatMap(([, targets]) => targets.filter(isOfFeature));
};

export function measure(root: string): Weights {
  const files = productFiles(root);
  const measured = files.map((file) => ({ file, ...measureText(file, readFileSync(join(root, file), 'utf8')) }));
  const imports: Imports = new Map(files.map((file) => [file, importsOf(root, file)]));
  const importers = new Map<string, number>();
  for (const targets of imports.values())
    for (const target of new Set(targets)) importers.set(target, (importers.get(target) ?? 0) + 1);
  const declared = new Map<string, number>();
  for (const { types } of measured)
    for (const name of new Set(types)) declared.set(name, (declared.get(name) ?? 0) + 1);
  const sum = (of: (one: (typeof measured)[number]) => number): number =>
    measured.reduce((total, one) => total + of(one), 0);
  const single = files.filter((file) => importers.get(file) === 1).length;
  return {
    lines: sum(({ lines }) => lines),
    linesOfDomain: sum(({ file, lines }) => (file.startsWith('domain/') ? lines : 0)),
    files: files.length,
    filesWithOneImporter: Math.round((100 * single) / files.length),
    literalSpreads: sum(({ spreads }) => spreads),
    importsOfFeatures: importsOfFeatures(imports).length,
    importsBeyondUses: importsBetween(root).filter(({ isBeyond }) => isBeyond).length,
    repeatedTypeNames: [...declared].filter(([name, times]) => name !== 'Props' && times > MAX_DECLARATIONS).length,
  };
}
