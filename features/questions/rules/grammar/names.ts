import { itemAt } from '#domain/assert.ts';
import type { FilterName } from '../query.ts';
import type { QueryDraft } from './draft.ts';
import { type Sentence, wordSet } from './sentence.ts';
import { ENVIRONMENTS, GROUP_NOUNS, isAppAt, MOST, SOURCES, STOP, VOCABULARY } from './words.ts';

export type NameFilter = Extract<FilterName, 'source' | 'ci' | 'ci_type' | 'service' | 'environment'>;

/** The meanings of names, in lower case. A name of several kinds is of the first one. */
export type KnownNames = ReadonlyMap<string, NameFilter>;

const MAX_WORDS = 6;
const SERVICE_NOUNS = wordSet('service application app system api');
const AFTER_NAME: ReadonlyMap<string, NameFilter> = new Map([
  ...[...SERVICE_NOUNS].map((word) => [word, 'service'] as const),
  ...['source', 'monitor', 'monitoring', 'integration'].map((word) => [word, 'source'] as const),
  ...['environment', 'env'].map((word) => [word, 'environment'] as const),
  ...['host', 'server', 'node', 'machine', 'ci', 'device', 'asset', 'box'].map((word) => [word, 'ci'] as const),
]);

/** True if the words are a name and no ordinary words: a service `Status` needs the noun beside it. */
const isTold = (sentence: Sentence, from: number, to: number): boolean => {
  const tokens = sentence.tokens.slice(from, to);
  const isCapital = from > 0 && tokens.every(({ text }) => /^\p{Lu}/u.test(text));
  const isCalled = [to, from - 1].some((at) => AFTER_NAME.has(sentence.word(at)));
  return (
    tokens.length > 1 || isCalled || isCapital || tokens.some((one) => one.isQuoted || !VOCABULARY.words.has(one.word))
  );
};

/** Reads known names, the longest first. */
export function takeKnown(sentence: Sentence, draft: QueryDraft, names: KnownNames): void {
  for (let length = Math.min(MAX_WORDS, sentence.length); length > 0; length--)
    for (let from = 0; from + length <= sentence.length; from++) {
      if (!Array.from({ length }, (_, i) => sentence.isFree(from + i)).every(Boolean)) continue;
      const text = sentence.text(from, from + length);
      const kind = names.get(text.toLowerCase());
      if (kind === undefined || !isTold(sentence, from, from + length)) continue;
      // `which atm`: rows are of the type.
      if (kind === 'ci_type' && (sentence.isOneOf(from - 1, OF_ROWS) || sentence.isOneOf(from - 1, MOST))) continue;
      const named = kindAround(sentence, from, from + length, kind);
      sentence.take(named.from, named.to);
      draft.filter(kind, kind === 'environment' ? (ENVIRONMENTS.get(text.toLowerCase()) ?? text) : text, text);
    }
}

/** The noun beside a name gives its kind. */
function kindAround(sentence: Sentence, from: number, to: number, kind: NameFilter) {
  if (AFTER_NAME.get(sentence.word(to)) === kind) return { from, to: to + 1 };
  const isBefore = AFTER_NAME.get(sentence.word(from - 1)) === kind && !sentence.isPlural(from - 1);
  return { from: isBefore ? from - 1 : from, to };
}

/** `web-01`, `db2.example.org`, `10.0.0.1`; not `on-call`. */
const HOST =
  /^(?=[\p{L}\d._-]*\p{L})(?=[\p{L}\d._-]*\d)[\p{L}\d]+(?:[._-][\p{L}\d]+)*$|^\d{1,3}(?:\.\d{1,3}){3}$|^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
/** `3h`, `p95`. */
const NUMBERED = /^(?:\d+[a-z]{1,2}|[a-z]\d+)$/i;
const isHost = (text: string): boolean => text.length <= 253 && HOST.test(text.toLowerCase()) && !NUMBERED.test(text);

/** A word that no reader knows. */
export const isUnknown = (sentence: Sentence, at: number): boolean =>
  sentence.isFree(at) &&
  (itemAt(sentence.tokens, at).isQuoted || (!VOCABULARY.words.has(sentence.word(at)) && !STOP.has(sentence.word(at))));

const OF_ROWS = wordSet('which what whose by per each every');
const CALLED = wordSet('called named');
const FROM = wordSet('from by via through');

/** Words of the tables that are names of monitors or environments, with the noun beside them. */
const tableWords = (sentence: Sentence, draft: QueryDraft): void => {
  for (const kind of ['source', 'environment'] as const)
    for (let at = 0; at < sentence.length; at++) {
      const word = sentence.word(at);
      const name = kind === 'environment' ? ENVIRONMENTS.get(word) : SOURCES.has(word) ? word : undefined;
      if (name === undefined) continue;
      const { from, to } = kindAround(sentence, at, at + 1, kind);
      draft.filter(kind, name, sentence.text(at));
      sentence.take(kind === 'source' ? at : from, to);
    }
};

/** `the payment gateway service`, `service checkout`, `host foo`: the noun gives the kind of an unknown name. */
function calledNames(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    const isApp = isAppAt(sentence, at);
    const kind = isApp ? 'ci' : AFTER_NAME.get(sentence.word(at));
    if (kind === undefined || sentence.isPlural(at)) continue;
    let from = at;
    while (from > 0 && at - from < MAX_WORDS && isUnknown(sentence, from - 1) && !sentence.isLast(from - 1)) from--;
    const isHostNoun = kind === 'ci' && !isApp && !isHost(sentence.text(from, at));
    if (from < at && !isHostNoun) {
      draft.filter(kind, sentence.text(from, at), sentence.text(from, at + 1));
      sentence.take(from, at + 1);
      continue;
    }
    const start = sentence.isOneOf(at + 1, CALLED) ? at + 2 : at + 1;
    if (sentence.isLast(at) || !isUnknown(sentence, start)) continue;
    draft.filter(kind, sentence.text(start), sentence.text(at, start + 1));
    sentence.take(at, start + 1);
  }
}

/** Reads unknown names by the words beside them and by their shape. */
export function takeNames(sentence: Sentence, draft: QueryDraft): void {
  const takeEach = (kind: NameFilter, isNamed: (at: number, text: string) => boolean): void => {
    for (let at = 0; at < sentence.length; at++) {
      if (!isUnknown(sentence, at) || !isNamed(at, sentence.text(at))) continue;
      draft.filter(kind, sentence.text(at), sentence.text(at));
      sentence.take(at);
    }
  };
  tableWords(sentence, draft);
  calledNames(sentence, draft);
  takeEach('ci', (_, text) => isHost(text));
  const isSource = (at: number): boolean =>
    at > 0 && FROM.has(itemAt(sentence.tokens, at - 1).word) && /\p{L}/u.test(sentence.word(at));
  takeEach('source', (at) => isSource(at) && !GROUP_NOUNS.has(sentence.word(at)));
}
