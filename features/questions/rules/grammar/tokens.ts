/** Shorter words are too near to others. */
const MIN_LETTERS = 5;

/** True if one letter is missing, extra, wrong or swapped with its neighbor; one pass over both. */
export function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let [a, b] = [one.length - 1, other.length - 1];
  while (a >= start && b >= start && one[a] === other[b]) [a, b] = [a - 1, b - 1];
  const [inOne, inOther] = [a - start + 1, b - start + 1];
  if (inOne <= 1 && inOther <= 1) return true;
  return inOne === 2 && inOther === 2 && one[start] === other[start + 1] && one[start + 1] === other[start];
}

/** The word that is meant; itself when it is known or too far from all. Words that begin alike are preferred. */
export function corrected(word: string, known: ReadonlySet<string>): string {
  if (word.length < MIN_LETTERS || known.has(word) || !/^[a-z]+$/.test(word)) return word;
  let near: string | null = null;
  for (const one of known) {
    if (one.length < MIN_LETTERS || !isOneOff(word, one)) continue;
    if (one[0] === word[0]) return one;
    near ??= one;
  }
  return near ?? word;
}

/** A word or a quoted text of a question. */
export interface Token {
  /** Original spelling. */
  readonly text: string;
  /** Lower case, spelling corrected. */
  readonly spelled: string;
  /** The same in the singular, when that is a word that is known. */
  readonly word: string;
  readonly isQuoted: boolean;
  /** Punctuation follows, so the next word starts a new clause. */
  readonly isLast: boolean;
}

/** Further words are not read. */
const MAX_TOKENS = 120;
const MAX_CHARACTERS = 1_000;

const QUOTED = /"([^"]{1,200})"|“([^”]{1,200})”|(?<![\p{L}\p{N}])'([^']{1,200})'(?![\p{L}\p{N}])/u;
const PIECE = new RegExp(
  `${QUOTED.source}|[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_:.+@/'’%-]*[\\p{L}\\p{N}%])?|[-–—]|\\.\\.`,
  'gu',
);
/** Separators between two days, and of copied parameters. */
const APART = /(\d)(?:\.\.|\/)(?=\d{4}-)/g;
const UNDERSCORED = /\b(last|past|previous|this|since)_(\w+)/gi;
/** Each quoted text. */
export const QUOTED_TEXTS = new RegExp(QUOTED.source, 'gu');
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const NOT = /n['’]t(?![\p{L}\p{N}])/gu;

interface Piece {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isLast: boolean;
}

/** The words of a question, in their order. */
export function pieces(question: string): Piece[] {
  const text = question
    .slice(0, MAX_CHARACTERS)
    .replace(UNDERSCORED, (all) => all.replaceAll('_', ' '))
    .replace(APART, '$1 .. ')
    .replace(NOT, ' not')
    .replace(POSSESSIVE, '');
  const found: Piece[] = [];
  for (const match of text.matchAll(PIECE)) {
    const quoted = match[1] ?? match[2] ?? match[3];
    const isLast = /^\s*(?:[,;?!]|[:.]\s)/.test(
      text.slice(match.index + match[0].length, match.index + match[0].length + 3),
    );
    found.push({ text: (quoted ?? match[0]).trim(), isQuoted: quoted !== undefined, isLast });
    if (found.length === MAX_TOKENS) break;
  }
  return found.filter((piece) => piece.text !== '');
}

const singularOf = (word: string, known: ReadonlySet<string>): string => {
  if (!word.endsWith('s') || word.length < 3) return word;
  const forms = [word.slice(0, -1), word.endsWith('es') ? word.slice(0, -2) : '', word.replace(/ies$/, 'y')];
  return forms.find((form) => known.has(form)) ?? word;
};

/** The same with their spelling corrected; `names` are left as they are. */
export const tokensOf = (
  found: readonly Piece[],
  { words, spellings }: { readonly words: ReadonlySet<string>; readonly spellings: ReadonlySet<string> },
  isName: (word: string) => boolean,
): Token[] =>
  found.map(({ text, isQuoted, isLast }) => {
    const lower = text.toLowerCase();
    const spelled = isQuoted || isName(lower) ? lower : corrected(lower, spellings);
    return { text, spelled, word: isQuoted ? '' : singularOf(spelled, words), isQuoted, isLast };
  });
