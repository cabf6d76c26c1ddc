/** A pattern of names: `*` stands for any characters, `?` for one. Compared without case. */
export interface Glob {
  readonly text: string;
  /** The longest run of plain characters, in small letters; names that match have it. */
  readonly literal: string;
  matches(name: string): boolean;
}

/** Maximum length of a pattern, and of the compared part of a name. */
const MAX_LENGTH = 255;

/** True if a piece without `*` matches at this position. */
const standsAt = (piece: string, name: string, at: number): boolean => {
  if (at < 0 || at + piece.length > name.length) return false;
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '?' && piece[i] !== name[at + i]) return false;
  return true;
};

const placeOf = (piece: string, name: string, from: number): number => {
  for (let at = from; at + piece.length <= name.length; at++) if (standsAt(piece, name, at)) return at;
  return -1;
};

/** Each piece is looked for behind the one before, and never again: the first place that fits leaves the most room. */
function matches(pieces: readonly string[], name: string): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name.length === first.length && standsAt(first, name, 0);
  if (!standsAt(first, name, 0)) return false;
  let from = first.length;
  for (const piece of rest) {
    const at = placeOf(piece, name, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  const end = name.length - last.length;
  return end >= from && standsAt(last, name, end);
}

export function globOf(pattern: string): Glob {
  const text = pattern.trim().slice(0, MAX_LENGTH);
  const pieces = text.toLowerCase().split('*');
  const runs = pieces.flatMap((piece) => piece.split('?'));
  const literal = runs.reduce((one, other) => (other.length > one.length ? other : one), '');
  return { text, literal, matches: (name) => matches(pieces, name.toLowerCase().slice(0, MAX_LENGTH)) };
}
