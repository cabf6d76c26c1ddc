/** Value of a field of an event: a path, a text with paths in braces, or the first non-empty one of several. */
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { isUnexpanded, textOf } from '#sources/kit/text.ts';
import { type Path, parsePath, valuesAt } from './path.ts';

/** A literal text, or a path that is replaced by its values. */
type Piece = { readonly text: string } | { readonly path: Path };
export type FieldTemplate = readonly Piece[];

const PLACE = /\{(\$[^{}]*)\}/g;

/** The pieces of a template, or why it is none. */
export function parseTemplate(written: string): FieldTemplate | string {
  if (written.startsWith('$')) {
    const path = parsePath(written);
    return typeof path === 'string' ? path : [{ path }];
  }
  const pieces: Piece[] = [];
  let from = 0;
  for (const place of written.matchAll(PLACE)) {
    const path = parsePath(place[1] ?? '');
    if (typeof path === 'string') return `${place[1]}: ${path}`;
    pieces.push({ text: written.slice(from, place.index) }, { path });
    from = place.index + place[0].length;
  }
  return [...pieces, { text: written.slice(from) }];
}

const said = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text === undefined || isUnexpanded(text) ? undefined : text;
};

/** Texts that a path finds, with commas between. */
const textAt = (path: Path, body: unknown): string | undefined =>
  valuesAt(path, body)
    .map(said)
    .filter((one) => one !== undefined)
    .join(', ') || undefined;

/** The text of a template; undefined when none of its paths finds anything. */
export function filledFrom(template: FieldTemplate, body: unknown): string | undefined {
  const found = template.map((piece) => ('text' in piece ? undefined : textAt(piece.path, body)));
  if (found.every((one) => one === undefined) && template.some((piece) => 'path' in piece)) return undefined;
  return (
    template
      .map((piece, index) => ('text' in piece ? piece.text : (found[index] ?? '')))
      .join('')
      .trim() || undefined
  );
}

/** Variant of `filledFrom` for names. */
export function nameFrom(template: FieldTemplate, body: unknown): string | undefined {
  const text = filledFrom(template, body);
  return text === undefined || isPlaceholder(text) ? undefined : text;
}

/** Returns everything that the paths of a template find, unchanged. */
export const foundBy = (template: FieldTemplate, body: unknown): readonly unknown[] =>
  template
    .flatMap((piece) => ('path' in piece ? valuesAt(piece.path, body) : [piece.text]))
    .filter((one) => one !== '');
