import { itemAt } from '#domain/assert.ts';
import type { Token } from './tokens.ts';

/** Alternatives at one place; an optional one may be missing. */
interface PhraseStep {
  readonly words: ReadonlySet<string>;
  readonly isOptional: boolean;
}
export type Phrase = readonly PhraseStep[];

/** Phrases between slashes: `mean|average time to resolve|fix / how long`; a `?` behind a word lets it be missing. */
export const phrases = (text: string): readonly Phrase[] =>
  text.split(/\s\/\s/).map((one) =>
    one
      .trim()
      .split(/\s+/)
      .map((part) => ({ words: new Set(part.replace(/\?$/, '').split('|')), isOptional: part.endsWith('?') })),
  );

/** Words in the singular, as they were split. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Range of words; the end is exclusive. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Words of a phrase that may stand before a place. */
const LONGEST = 4;

/** A question from which one reader after the other consumes the words that it understands. */
export class Sentence {
  readonly tokens: readonly Token[];
  /** Types of CIs that the tenant has. */
  readonly types: ReadonlySet<string>;
  readonly #taken: boolean[];
  readonly #words: string[];

  constructor(tokens: readonly Token[], types: ReadonlySet<string>) {
    this.tokens = tokens;
    this.types = types;
    this.#taken = tokens.map(() => false);
    this.#words = tokens.map(({ spelled, isQuoted }) => (isQuoted ? '\0' : spelled));
  }

  /** The free words for readers of times, with marks for consumed ones. */
  get words(): readonly string[] {
    return this.#words;
  }
  get length(): number {
    return this.tokens.length;
  }
  isFree(at: number): boolean {
    return at >= 0 && at < this.length && !this.#taken[at];
  }
  /** The word there; empty if it is consumed. */
  word(at: number): string {
    return this.isFree(at) ? itemAt(this.tokens, at).word : '';
  }
  isOneOf(at: number, words: ReadonlySet<string>): boolean {
    return this.isFree(at) && words.has(itemAt(this.tokens, at).word);
  }
  /** True if a clause ends with this word. */
  isLast(at: number): boolean {
    return itemAt(this.tokens, at).isLast;
  }
  isEnd(at: number): boolean {
    return at === this.length - 1 || this.isLast(at);
  }

  take(from: number, to = from + 1): void {
    for (let at = Math.max(0, from); at < Math.min(to, this.length); at++) {
      this.#taken[at] = true;
      this.#words[at] = '\0';
    }
  }

  /** The end of the phrase when it begins at this word. */
  #matches(steps: Phrase, from: number): number | null {
    let at = from;
    for (const { words, isOptional } of steps) {
      if (this.isOneOf(at, words)) at++;
      else if (!isOptional) return null;
    }
    return at > from ? at : null;
  }

  matchesAt(all: readonly Phrase[], from: number): Piece | null {
    for (const one of all) {
      const to = this.#matches(one, from);
      if (to !== null) return { from, to };
    }
    return null;
  }

  /** The phrase that ends before this word. */
  matchesBefore(all: readonly Phrase[], to: number): Piece | null {
    const starts = Array.from({ length: LONGEST }, (_, i) => to - LONGEST + i);
    return starts.map((from) => this.matchesAt(all, from)).find((piece) => piece?.to === to) ?? null;
  }

  /** First place of one of the phrases. */
  find(all: readonly Phrase[]): Piece | null {
    for (let at = 0; at < this.length; at++) {
      const piece = this.matchesAt(all, at);
      if (piece !== null) return piece;
    }
    return null;
  }

  /** The same; consumes it. */
  takeFirst(all: readonly Phrase[]): Piece | null {
    const piece = this.find(all);
    if (piece !== null) this.take(piece.from, piece.to);
    return piece;
  }

  /** The same for all places, in order. */
  takeEach(all: readonly Phrase[]): Piece[] {
    return this.tokens.flatMap((_, at) => {
      const piece = this.matchesAt(all, at);
      if (piece !== null) this.take(piece.from, piece.to);
      return piece ?? [];
    });
  }

  findWord(words: ReadonlySet<string>): number | null {
    const at = this.tokens.findIndex((_, i) => this.isOneOf(i, words));
    return at < 0 ? null : at;
  }
  has(words: ReadonlySet<string>): boolean {
    return this.findWord(words) !== null;
  }

  /** Consumes every free word of the set; returns their number. */
  takeAll(words: ReadonlySet<string>): number {
    const places = this.tokens.flatMap((_, at) => (this.isOneOf(at, words) ? [at] : []));
    for (const at of places) this.take(at);
    return places.length;
  }

  text(from: number, to = from + 1): string {
    const own = this.tokens.slice(from, to);
    return own.map(({ text }) => text).join(' ');
  }

  /** True for a word in the plural. */
  isPlural(at: number): boolean {
    const { spelled, word } = itemAt(this.tokens, at);
    return spelled !== word;
  }
}
