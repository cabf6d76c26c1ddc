import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { productFiles, targetOf } from './import-layers.ts';
import { catalogueTexts, isConsole, type ReadText } from './texts.ts';

/* Texts of the console by their use: what a button says, what a title says. */

const BUTTONS = new Set(['Button', 'Menu.Item', 'ActionButton']);
/** Attributes that become the words of a button, and those that become titles. */
const OF_BUTTONS = new Set(['words', 'action']);
const OF_TITLES = new Set(['title', 'label']);

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** `text.save` and `text.remove(name)`, wherever they stand in an expression, but not in a function that it holds. */
function* membersIn(value: unknown): Generator<readonly [catalogue: string, key: string]> {
  if (Array.isArray(value)) for (const one of value) yield* membersIn(one);
  if (!isNode(value) || /Function|^JSX(?!Expression)/.test(value.type)) return;
  const { type, object, property } = value;
  if (type === 'MemberExpression' && isNode(object) && isNode(property) && object.type === 'Identifier')
    yield [String(object.name), String(property.name)];
  // The test of a condition and the values of a text are not what is read.
  else if (type === 'ConditionalExpression') yield* membersIn([value.consequent, value.alternate]);
  else if (type === 'CallExpression') yield* membersIn(value.callee);
  else for (const inner of Object.values(value)) yield* membersIn(inner);
}

const nameOf = (name: unknown): string => {
  if (!isNode(name)) return '';
  return name.type === 'JSXMemberExpression' ? `${nameOf(name.object)}.${nameOf(name.property)}` : String(name.name);
};

interface UsedTexts {
  readonly buttons: readonly ReadText[];
  readonly titles: readonly ReadText[];
}

/** Texts that stand in no catalogue are not among them; `texts.test.ts` finds those. */
export const usedTexts = (root: string): UsedTexts => {
  const texts = new Map(catalogueTexts(root).map(({ file, key, text }) => [`${file}/texts.ts ${key}`, text]));
  const buttons: ReadText[] = [];
  const titles: ReadText[] = [];
  for (const file of productFiles(root).filter((name) => isConsole(name) && name.endsWith('.tsx'))) {
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    const catalogues = new Map<string, string>();
    const add = (to: ReadText[], value: unknown): void => {
      for (const [catalogue, key] of membersIn(value)) {
        const text = texts.get(`${catalogues.get(catalogue)} ${key}`);
        if (text !== undefined) to.push({ file: dirname(file), key, text });
      }
    };
    new Visitor({
      ImportDeclaration: ({ specifiers, source }) => {
        for (const { type, local } of specifiers)
          if (type === 'ImportNamespaceSpecifier') catalogues.set(local.name, targetOf(file, source.value));
      },
      JSXElement: ({ openingElement, children }) => {
        if (BUTTONS.has(nameOf(openingElement.name))) add(buttons, children);
      },
      JSXAttribute: ({ name, value }) => {
        if (OF_BUTTONS.has(nameOf(name))) add(buttons, value);
        if (OF_TITLES.has(nameOf(name))) add(titles, value);
      },
    }).visit(program);
  }
  return { buttons, titles };
};
