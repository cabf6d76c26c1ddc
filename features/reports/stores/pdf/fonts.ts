import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as fontkit from 'fontkit';
import type { Run } from 'pdfmake';

/** Main font; other fonts supply characters that it lacks. */
export const MAIN = 'Roboto';
const STYLES = {
  normal: 'Roboto-Regular.ttf',
  bold: 'Roboto-Medium.ttf',
  italics: 'Roboto-Italic.ttf',
  bolditalics: 'Roboto-MediumItalic.ttf',
} as const;
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts', MAIN);

export interface Fonts {
  readonly dictionary: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** True for the files of these fonts; no other files may be read. */
  isFont(path: string): boolean;
  /** Splits a text by the fonts that have its characters. */
  runs(text: string): readonly Run[];
  /** Number of characters so far that no font had; they are drawn as boxes. */
  missing(): number;
}

const charactersOf = (path: string): ReadonlySet<number> => {
  const font = fontkit.openSync(path);
  if (!('characterSet' in font)) throw new Error(`${path} is a font collection; expected a single font`);
  return new Set(font.characterSet);
};

/** Matches joiners and marks, which need the font of the character they modify. */
const CLINGS = /^(?:\p{Mark}|[\u200B-\u200F\u2060])$/u;

interface Other {
  readonly name: string;
  readonly path: string;
  readonly characters: ReadonlySet<number>;
}

const everyStyle = (path: string) => Object.fromEntries(Object.keys(STYLES).map((style) => [style, path]));

/** `otherFiles`: TTF or OTF files for characters absent from the main font, checked in this order. */
export const openFonts = (otherFiles: readonly string[]): Fonts => {
  const files = Object.fromEntries(Object.entries(STYLES).map(([style, name]) => [style, join(FOLDER, name)]));
  const main = charactersOf(join(FOLDER, STYLES.normal));
  const others = otherFiles.map((path, n): Other => ({ name: `Other${n}`, path, characters: charactersOf(path) }));
  const allowed = new Set([...Object.values(files), ...otherFiles]);
  let missing = 0;
  const fontOf = (character: string, before: string): string => {
    if (CLINGS.test(character)) return before;
    const code = character.codePointAt(0) ?? 0;
    if (main.has(code)) return MAIN;
    const other = others.find(({ characters }) => characters.has(code));
    if (other !== undefined) return other.name;
    missing += 1;
    return MAIN;
  };
  return {
    dictionary: { [MAIN]: files, ...Object.fromEntries(others.map(({ name, path }) => [name, everyStyle(path)])) },
    isFont: (path) => allowed.has(path),
    runs(text) {
      const runs: { text: string; font: string }[] = [];
      for (const character of text) {
        const last = runs.at(-1);
        const font = fontOf(character, last?.font ?? MAIN);
        if (last?.font === font) last.text += character;
        else runs.push({ text: character, font });
      }
      return runs;
    },
    missing: () => missing,
  };
};
