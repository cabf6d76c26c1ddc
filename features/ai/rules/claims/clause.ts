import { type Amount, amountsIn, isAlike, timesIn } from './amounts.ts';
import { CONDITION, plainWordsOf } from './lexicon.ts';
import { listed, type Named, type Row } from './rows.ts';

export interface Evidence {
  readonly rows: readonly Row[];
  readonly names: readonly Named[];
  /** Aliases that may be named as a cause; undefined: no claim is about causes. */
  readonly causes: readonly string[] | undefined;
  /** Epoch ms. */
  readonly now: number;
  /** True if the answer is stored, and read later: an age would be wrong then. */
  readonly isStored: boolean;
}

/** One assertion of a sentence, with its possible meanings. */
export interface Clause extends Evidence {
  /** Small letters; `⟨2⟩` is the third of `own`. */
  readonly text: string;
  /** Supposition behind `if` or `until`, there or in the clause before. */
  readonly condition: string;
  readonly own: readonly Named[];
  readonly cited: readonly Row[];
  /** Rows of the clause before it. */
  readonly before: readonly Row[];
  readonly amounts: readonly Amount[];
  readonly times: readonly string[];
  /** Words that look like names and are none of the evidence. */
  readonly strange: readonly string[];
}

/** Words without the punctuation around them. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(' %', '%')
    .split(/[\s·→–—]+/)
    .map((word) =>
      word
        .replace(/^[^\p{L}\p{N}⟨]+/u, '')
        .replace(/(?<![^\p{L}\p{N}⟩%])[^\p{L}\p{N}⟩%]+$/u, '')
        .replace(/['’]s$/, ''),
    )
    .filter((word) => word !== '');
const PLAIN_CAPITALS: ReadonlySet<string> = new Set(['I', 'OK', 'No', 'A', 'CI', 'CIs', 'UTC']);
/** An id, address or host by its form; a word with a capital letter where no sentence begins. */
const looksLikeName = (word: string, at: number): boolean =>
  !/^⟨\d+⟩$/.test(word) &&
  !PLAIN_CAPITALS.has(word) &&
  (/\d|[._/:@\\#&+=]/.test(word.slice(1)) || /^\d/.test(word) || /\p{Lu}/u.test(at === 0 ? word.slice(1) : word));

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Puts marks in the place of names, the longest first. */
const masked = (text: string, names: readonly Named[]): { text: string; own: Named[] } => {
  const own: Named[] = [];
  let rest = text;
  for (const name of names) {
    const wanted = name.text.toLowerCase();
    for (let at = rest.toLowerCase().indexOf(wanted); at >= 0; at = rest.toLowerCase().indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (isWordPart(rest[at - 1]) || isWordPart(rest[end])) continue;
      if (/\w[-.]$/.test(rest.slice(0, at)) || /^[-.]\w/.test(rest.slice(end))) continue;
      rest = `${rest.slice(0, at)}⟨${own.length}⟩${rest.slice(end)}`;
      own.push(name);
    }
  }
  return { text: rest, own };
};

const SPLIT =
  /[;.!?]\s+|:\s+(?!\d)|,\s+(?:and |but |so |while |which |whereas |although |then )?|\s(?:and|but|so|while|whereas|although|though)\s/;
/** Names, articles and blanks alone: a member of a list. */
const isMember = (piece: string): boolean =>
  /^(?:the |both |also |a |among (?:them|these) |including |such as |namely |⟨\d+⟩|[\s"“”'’.!])*$/.test(`${piece} `);

/** Assertions of a sentence; members of lists stay with their verb. */
const piecesOf = (text: string): readonly string[] => {
  const pieces: string[] = [];
  let list = '';
  for (const piece of text.split(SPLIT).filter((one) => one.trim() !== '')) {
    if (isMember(piece)) list += `${piece} `;
    else {
      pieces.push(list + piece);
      list = '';
    }
  }
  if (list !== '') pieces.push(`${pieces.pop() ?? ''} ${list}`);
  return pieces;
};

export const namesIn = (part: string, { own }: Pick<Clause, 'own'>): readonly Named[] =>
  [...part.matchAll(/⟨(\d+)⟩/g)].flatMap(([, n]) => own[Number(n)] ?? []);

/** The clauses of a sentence in their order. */
export const clausesOf = (sentence: string, cited: readonly Row[], evidence: Evidence): readonly Clause[] => {
  const { text, own } = masked(sentence.replace(/[⟨⟩]/g, ''), evidence.names);
  let before: readonly Row[] = [];
  let supposed = '';
  return piecesOf(text).map((piece) => {
    const lower = piece
      .toLowerCase()
      .trim()
      .replace(/\bun(?=assigned|acknowledged)/g, 'not ');
    const at = lower.search(CONDITION);
    const said = at < 0 ? lower : lower.slice(0, at);
    const words = wordsOf(said);
    const clause: Clause = {
      ...evidence,
      text: said.trim(),
      condition: at < 0 ? supposed : lower.slice(at),
      own,
      cited,
      before,
      amounts: amountsIn(words),
      times: timesIn(words),
      strange: wordsOf(piece)
        .filter(looksLikeName)
        .map((word) => word.toLowerCase()),
    };
    const rows = namesIn(piece, clause).flatMap((name) => name.rows);
    if (rows.length > 0) before = rows;
    supposed = clause.text === '' ? clause.condition : '';
    return clause;
  });
};

/** The title of an event, because its other facts are no words of the problem; all texts of other items. */
const textsOf = ({ item, title, name }: Row): string =>
  (title === null
    ? [item.label, ...item.facts.flatMap((fact) => [fact.name, String(fact.value)])]
    : [title, item.label, name]
  )
    .join(' ')
    .toLowerCase();
export const wordsIn = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);

/** Counts the plain words of a part that are in the row, and the others; `done`: one of the others is a verb. */
export const shared = (part: string, row: Row): { alike: number; other: number; done: boolean } => {
  const texts = wordsIn(textsOf(row));
  const plain = plainWordsOf(part);
  const others = plain.filter((word) => !texts.some((one) => isAlike(word, one)));
  const digits = part.replace(/⟨\d+⟩/g, '').match(/\d+/g) ?? [];
  const alike = plain.length - others.length + digits.filter((one) => texts.includes(one)).length;
  return { alike, other: others.length, done: others.some((word) => /(?:ed|ing)$/.test(word)) };
};

/** Words of a part, neutral ones too, that stand in the title. */
export const rankOf = (part: string, { title }: Row): number => {
  const own = wordsIn((title ?? '').toLowerCase());
  return wordsIn(part).filter((word) => word.length > 3 && own.some((one) => isAlike(word, one))).length;
};

/**
 * Rows that a part of a clause may mean, best first: rows of its names, else of the clause before, else cited ones. Words of another
 * problem leave no row.
 */
export const meant = (part: string, clause: Clause): readonly Row[] => {
  const names = namesIn(part, clause).filter(({ isPerson }) => !isPerson);
  const near = /^(?:it|they|this|that|which)\b/.test(part) && clause.before.length > 0 ? clause.before : clause.cited;
  const pool = names.length > 0 ? names.flatMap(({ rows }) => rows) : near;
  return pool
    .map((row) => ({ row, ...shared(part, row), rank: rankOf(part, row), isCited: clause.cited.includes(row) }))
    .filter(({ alike, other }) => alike >= other || (names.length > 0 && other <= 1))
    .sort((a, b) => b.rank - a.rank || Number(b.isCited) - Number(a.isCited))
    .map(({ row }) => row);
};

/** The name is in one of these lists of the row. */
export const lists = (row: Row, name: Named, ...of: readonly string[]): boolean =>
  listed(row, ...of).some((one) => one.toLowerCase() === name.text.toLowerCase());
