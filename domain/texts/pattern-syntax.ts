/**
 * Regular expressions in the syntax of RE2: without back-references and look-around; of flags only a leading `(?i)` or
 * `(?s)`.
 */

export type CharTest = (character: number) => boolean;

export type PatternNode =
  | { readonly kind: 'character'; readonly test: CharTest }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }
  | { readonly kind: 'start' | 'end' };

/** RE2 limits counts to the same number. */
const MAX_COUNT = 1_000;
const MAX_DEPTH = 100;

export class Malformed extends Error {}

/** The first character as a number. */
export const code = (character: string): number => character.codePointAt(0) ?? -1;
const isIn =
  (from: number, to: number): CharTest =>
  (character) =>
    character >= from && character <= to;
const DIGIT = isIn(code('0'), code('9'));
const SPACES: ReadonlySet<number> = new Set([...'\t\n\f\r '].map(code));
const isSpace: CharTest = (character) => SPACES.has(character);
const isUpper = isIn(code('A'), code('Z'));
const isLower = isIn(code('a'), code('z'));
const isAlpha: CharTest = (character) => isUpper(character) || isLower(character);
const isAlnum: CharTest = (character) => DIGIT(character) || isAlpha(character);
const isWord: CharTest = (character) => isAlnum(character) || character === code('_');
const not =
  (test: CharTest): CharTest =>
  (character) =>
    !test(character);
const PERL: ReadonlyMap<string, CharTest> = new Map([
  ['d', DIGIT],
  ['s', isSpace],
  ['w', isWord],
  ['D', not(DIGIT)],
  ['S', not(isSpace)],
  ['W', not(isWord)],
]);
const NAMED: ReadonlyMap<string, CharTest> = new Map([
  ['[:alpha:]', isAlpha],
  ['[:alnum:]', isAlnum],
  ['[:digit:]', DIGIT],
  ['[:lower:]', isLower],
  ['[:upper:]', isUpper],
  ['[:space:]', isSpace],
  ['[:word:]', isWord],
]);
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['f', '\f'],
  ['v', '\v'],
]);

/** Upper and lower case of a character. */
const folded = (test: CharTest): CharTest => {
  const caseOf = (character: number, change: 'toLowerCase' | 'toUpperCase'): number =>
    code(String.fromCodePoint(character)[change]());
  return (character) =>
    test(character) || test(caseOf(character, 'toLowerCase')) || test(caseOf(character, 'toUpperCase'));
};

export class PatternParser {
  readonly #characters: readonly string[];
  readonly #isFolded: boolean;
  readonly #isDotAll: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    const [flags = '', written = ''] = /^\(\?([is]+)\)/.exec(source) ?? [];
    this.#isFolded = written.includes('i');
    this.#isDotAll = written.includes('s');
    this.#characters = [...source.slice(flags.length)];
  }

  whole(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#characters.length) throw new Malformed('unexpected )');
    return node;
  }

  #peek(text: string): boolean {
    return text === this.#characters.slice(this.#at, this.#at + text.length).join('');
  }

  #take(text: string): boolean {
    const isNext = this.#peek(text);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #next(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new Malformed('unexpected end');
    return character;
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new Malformed('nested too deeply');
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth -= 1;
    return { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#characters.length && !this.#peek('|') && !this.#peek(')')) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): PatternNode {
    let part = this.#atom();
    for (let counts = this.#counts(); counts !== null; counts = this.#counts()) {
      const [least, most] = counts;
      // Lazy repetitions match the same texts.
      this.#take('?');
      part = { kind: 'repeat', part, least, most };
    }
    return part;
  }

  #counts(): readonly [number, number] | null {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    const written = this.#peek('{') ? this.#characters.slice(this.#at, this.#at + 12).join('') : '';
    const [all, first, comma, last] = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(written) ?? [];
    if (all === undefined) return null;
    this.#at += all.length;
    const least = Number(first);
    const most = comma === '' ? least : last === '' ? Number.POSITIVE_INFINITY : Number(last);
    if (most < least || least > MAX_COUNT || (most > MAX_COUNT && last !== '')) throw new Malformed(`bad count ${all}`);
    return [least, most];
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '(') return this.#group();
    if ('*+?'.includes(character)) throw new Malformed(`nothing to repeat before ${character}`);
    if (character === '.')
      return { kind: 'character', test: this.#isDotAll ? () => true : (one) => one !== code('\n') };
    const test =
      character === '[' ? this.#class() : character === '\\' ? this.#escaped() : isIn(code(character), code(character));
    return { kind: 'character', test: this.#isFolded ? folded(test) : test };
  }

  #group(): PatternNode {
    if (!this.#take('?:') && this.#take('?')) {
      if (!this.#take('P<') && !this.#take('<')) throw new Malformed('unsupported group (?');
      while (this.#next() !== '>');
    }
    const node = this.#choice();
    if (!this.#take(')')) throw new Malformed('missing )');
    return node;
  }

  #escaped(): CharTest {
    const character = this.#next();
    const perl = PERL.get(character);
    if (perl !== undefined) return perl;
    if (isAlnum(code(character)) && !CONTROLS.has(character)) throw new Malformed(`unsupported escape \\${character}`);
    const meant = code(CONTROLS.get(character) ?? character);
    return isIn(meant, meant);
  }

  #class(): CharTest {
    const isNegated = this.#take('^');
    const tests: CharTest[] = [];
    do tests.push(this.#range());
    while (!this.#take(']'));
    const isAny: CharTest = (character) => tests.some((test) => test(character));
    return isNegated ? not(isAny) : isAny;
  }

  #range(): CharTest {
    for (const [name, test] of NAMED) if (this.#take(name)) return test;
    const [first, set] = this.#member();
    if (set !== null) return set;
    const isRange = this.#peek('-') && this.#characters[this.#at + 1] !== ']';
    if (!isRange) return isIn(first, first);
    this.#take('-');
    const [last, wrong] = this.#member();
    if (wrong !== null || last < first) throw new Malformed('bad range in [ ]');
    return isIn(first, last);
  }

  /** A character, or a class of them. */
  #member(): readonly [number, CharTest | null] {
    const character = this.#next();
    if (character !== '\\') return [code(character), null];
    const escaped = this.#next();
    const perl = PERL.get(escaped);
    if (perl !== undefined) return [-1, perl];
    if (isAlnum(code(escaped)) && !CONTROLS.has(escaped)) throw new Malformed(`unsupported escape \\${escaped}`);
    return [code(CONTROLS.get(escaped) ?? escaped), null];
  }
}
