import { inflateSync } from 'node:zlib';

interface PdfObject {
  readonly dictionary: string;
  readonly content: string | null;
}

/** Reads the objects of a pdfkit file: each begins on its own line, and streams are compressed. */
const objectsOf = (file: Uint8Array): Map<string, PdfObject> => {
  const all = Buffer.from(file).toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const [, id, body] of all.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [dictionary = '', stream] = body!.split(/\nstream\n/, 2);
    const data = stream?.replace(/\nendstream$/, '');
    const isText = dictionary.includes('/FlateDecode') && !dictionary.includes('/Length1');
    const content = data !== undefined && isText ? inflateSync(Buffer.from(data, 'latin1')).toString('latin1') : null;
    objects.set(id!, { dictionary, content });
  }
  return objects;
};

const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

/** Returns characters by glyph from a ToUnicode map. */
const charactersOf = (map: string): Map<number, string> => {
  const characters = new Map<number, string>();
  for (const [, first, list] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g))
    [...list!.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, hex], n) => {
      characters.set(Number.parseInt(first!, 16) + n, utf16(hex!.replaceAll(' ', '')));
    });
  return characters;
};

const READ = /\/(F\d+) [\d.]+ Tf|<([0-9a-f]*)>|(\bET\b)/g;

/** Returns the text of each page of a PDF written by Faultline, in drawing order. */
export const pdfPages = (file: Uint8Array): string[] => {
  const objects = objectsOf(file);
  const at = (id: string | undefined) => objects.get(id ?? '') ?? { dictionary: '', content: null };
  const fonts = new Map<string, Map<number, string>>();
  for (const { dictionary } of objects.values())
    for (const [, name, id] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(at(id).dictionary)?.[1];
      if (!fonts.has(name!)) fonts.set(name!, charactersOf(at(map).content ?? ''));
    }
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b/.test(dictionary));
  return pages.map(({ dictionary }) => {
    let [text, font] = ['', new Map<number, string>()];
    const drawn = at(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1]).content ?? '';
    for (const [, name, glyphs, ends] of drawn.matchAll(READ)) {
      if (name !== undefined) font = fonts.get(name) ?? font;
      else if (ends !== undefined) text += '\n';
      else for (const glyph of glyphs!.match(/.{4}/g) ?? []) text += font.get(Number.parseInt(glyph, 16)) ?? '\uFFFD';
    }
    // Words are drawn separately.
    return text.replaceAll(' \n', ' ');
  });
};
