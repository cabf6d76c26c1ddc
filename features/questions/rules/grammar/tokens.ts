import { corrected } from './spelling.ts';

/** A word or a quoted text of a question. */
export interface Token {
  /** As it was written. */
  readonly text: string;
  /** Lower case, spelling corrected. */
  readonly spelled: string;
  /** The same in the singular, when that is a word that is known. */
  readonly word: string;
  readonly isQuoted: boolean;
  /** A sign ends here, so that what follows begins anew. */
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
/** Of a range between two days, and of parameters that people copy. */
const APART = /(\d)(?:\.\.|\/)(?=\d{4}-)/g;
const UNDERSCORED = /\b(last|past|previous|this|since)_(\w+)/gi;
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
