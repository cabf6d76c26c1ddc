import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { isProduct } from './import-layers.ts';
import { ROOT } from './planted.ts';

interface Node {
  readonly type?: string;
  readonly [name: string]: unknown;
}
interface Source {
  readonly file: string;
  readonly body: readonly Node[];
}

const FOLDERS = '{domain,schemas,sources,processors,api,features,cli,console}/**/*.{ts,tsx}';

/** The syntax trees of everything that meets input. */
export const sources: readonly Source[] = globSync(FOLDERS, { cwd: ROOT, exclude: ['console/dist*'] })
  .filter(isProduct)
  .sort()
  .map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const { body } = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2024' });
    return { file, body: body as unknown as readonly Node[] };
  });

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}

/** Every pattern that is written as a literal. */
export const patterns = sources.flatMap(({ file, body }) =>
  [...nodesIn(body)]
    .filter(({ type }) => type === 'RegExpLiteral')
    .map(({ pattern, flags }) => ({
      name: `${file} /${pattern}/${flags}`,
      pattern: new RegExp(`${pattern}`, `${flags}`),
    })),
);

type Parameter = { readonly pat?: Node } & Node;
const isText = (parameter: Parameter): boolean => {
  const pattern = parameter.type === 'Parameter' ? (parameter.pat as Node) : parameter;
  const annotation = (pattern.typeAnnotation as Node | null)?.typeAnnotation as Node | undefined;
  return annotation?.type === 'TsKeywordType' && annotation.kind === 'string';
};
const mayBeLeftOut = (parameter: Parameter): boolean => {
  const pattern = parameter.type === 'Parameter' ? (parameter.pat as Node) : parameter;
  return pattern.type === 'AssignmentPattern' || pattern.optional === true;
};
/** Returns the number of text parameters of a function; 0 when it needs anything else. */
const textsOf = (parameters: readonly Parameter[]): number => {
  const needed = parameters.filter((parameter) => !mayBeLeftOut(parameter));
  return needed.every(isText) ? needed.length : 0;
};

const named = (declaration: Node): readonly (readonly [string, readonly Parameter[]])[] => {
  if (declaration.type === 'FunctionDeclaration')
    return [[(declaration.identifier as Node).value as string, declaration.params as Parameter[]]];
  if (declaration.type !== 'VariableDeclaration') return [];
  return (declaration.declarations as readonly Node[]).flatMap(({ id, init }) =>
    (init as Node | null)?.type === 'ArrowFunctionExpression'
      ? [[(id as Node).value as string, (init as Node).params as Parameter[]] as const]
      : [],
  );
};

/** Every exported function with text parameters only; those of the console run in browsers. */
export const textFunctions = sources
  .filter(({ file }) => !file.startsWith('console/'))
  .flatMap(({ file, body }) =>
    body
      .filter(({ type }) => type === 'ExportDeclaration')
      .flatMap(({ declaration }) => named(declaration as Node))
      .map(([name, parameters]) => ({ file, name, texts: textsOf(parameters) }))
      .filter(({ texts }) => texts > 0),
  );
