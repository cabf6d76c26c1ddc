import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { productFiles } from './import-layers.ts';

/* Visible texts of the product: those of catalogs, and others. */

/** A text with its values in braces: `Merged {groups}`. */
export interface ReadText {
  readonly file: string;
  /** The name of its export in a catalog, of the property or attribute elsewhere; empty for text between tags. */
  readonly key: string;
  readonly text: string;
}

const VISIBLE = new Set(['label', 'title', 'placeholder', 'aria-label', 'description', 'lead', 'what', 'action']);
const isCatalogue = (file: string): boolean => /(^|\/)texts\.ts$|-words\.ts$|(^|\/)console\/.*-text\.ts$/.test(file);
export const isConsole = (file: string): boolean => /^(console|features\/[^/]+\/console)\//.test(file);
const isText = (text: string): boolean => (text.match(/\p{L}/gu) ?? []).length >= 2 && !/^(#|\.\.?\/)\S+$/.test(text);
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

interface Place {
  readonly start: number;
  readonly end: number;
}
const parsed = (root: string, file: string) => {
  const source = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return { program, part: ({ start, end }: Place): string => source.slice(start, end) };
};

/** Returns every literal and template of a file, with the expressions of templates in braces. */
const literalsOf = (root: string, file: string): string[] => {
  const { program, part } = parsed(root, file);
  const found: string[] = [];
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && found.push(value)),
    JSXText: ({ value }) => void found.push(inOneLine(value)),
    TemplateLiteral: ({ quasis, expressions }) => {
      const values = expressions.map((expression) => `{${part(expression)}}`);
      found.push(quasis.map(({ value }, at) => `${value.cooked ?? ''}${values[at] ?? ''}`).join(''));
    },
  }).visit(program);
  return found;
};

/** Returns exports of catalogs; one that is no plain text or template is read from its source. */
export const catalogueTexts = (root: string): ReadText[] =>
  productFiles(root)
    .filter((file) => /(^|\/)texts\.ts$/.test(file))
    .sort()
    .flatMap((file) => {
      const { program, part } = parsed(root, file);
      const found: ReadText[] = [];
      new Visitor({
        ExportNamedDeclaration: ({ declaration }) => {
          if (declaration?.type !== 'VariableDeclaration') return;
          for (const { id, init } of declaration.declarations) {
            if (id.type !== 'Identifier' || init === null) continue;
            const body = init.type === 'ArrowFunctionExpression' ? init.body : init;
            const text = inOneLine(part(body))
              .replaceAll('${', '{')
              .replace(/^(['"`])(.*)\1$/, '$2');
            found.push({ file: dirname(file), key: id.name, text });
          }
        },
      }).visit(program);
      return found;
    });

const isCode = (name: object): boolean => 'name' in name && name.name === 'code';

/** Returns texts of the console outside of catalogs, without those between code tags. */
export const strayTexts = (root: string, files = productFiles(root)): ReadText[] =>
  files
    .filter((file) => isConsole(file) && !isCatalogue(file))
    .sort()
    .flatMap((file) => {
      const { program } = parsed(root, file);
      const found: ReadText[] = [];
      const add = (key: string, value: unknown): void => {
        if (typeof value === 'string' && isText(value)) found.push({ file, key, text: inOneLine(value) });
      };
      const nameOf = (key: object): string =>
        'name' in key ? String(key.name) : 'value' in key ? String(key.value) : '';
      let code = 0;
      new Visitor({
        JSXElement: ({ openingElement: { name } }) => {
          if (isCode(name)) code += 1;
        },
        'JSXElement:exit': ({ openingElement: { name } }) => {
          if (isCode(name)) code -= 1;
        },
        JSXText: ({ value }) => {
          if (code === 0) add('', value);
        },
        JSXAttribute: ({ name, value }) => {
          const key = nameOf(name);
          if (VISIBLE.has(key) && value?.type === 'Literal') add(key, value.value);
        },
        Property: ({ key, value }) => {
          const name = nameOf(key);
          if (VISIBLE.has(name) && value.type === 'Literal') add(name, value.value);
        },
      }).visit(program);
      return found;
    });

/** Returns sentences and labels of code: literals with a space, and all of catalogs. */
export const literalTexts = (root: string, isIn: (file: string) => boolean): ReadText[] =>
  productFiles(root)
    .filter(isIn)
    .sort()
    .flatMap((file) =>
      literalsOf(root, file)
        .filter((text) => isText(text) && (/ /.test(text.trim()) || isCatalogue(file)))
        .map((text) => ({ file, key: '', text: inOneLine(text) })),
    );

/** Lines of a document without its code. */
export const proseOf = (root: string, file: string): ReadText[] =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^(```+|~~~+)[\s\S]*?^\1/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .split('\n')
    .filter(isText)
    .map((text) => ({ file, key: '', text: inOneLine(text) }));

/** Cells of tables, items of lists, headings and paragraphs of a document, without code, HTML and addresses of links. */
const blocksOf = (root: string, file: string): string[] => {
  const text = readFileSync(join(root, file), 'utf8')
    .replaceAll(/^(```+|~~~+)[\s\S]*?^\1/gm, '')
    .replaceAll(/^ {4,}\S.*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '``')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const isTable = line.startsWith('|');
    if (isTable) blocks.push(...line.split('|'));
    else if (isOpen && line !== '' && !/^(?:[-#<]|\d+\. )/.test(line)) blocks.push(`${blocks.pop()} ${line}`);
    else if (!line.startsWith('<')) blocks.push(line);
    isOpen = !isTable && line !== '' && !/^[#<]/.test(line);
  }
  return blocks.map(inOneLine).filter(isText);
};

/** Up to a full stop, a colon or a semicolon: one idea each. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?:;])["”)*]*\s+/);

export const documentTexts = (root: string, file: string): ReadText[] =>
  blocksOf(root, file).map((text) => ({ file, key: '', text }));
