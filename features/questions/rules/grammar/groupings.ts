import { itemAt } from '#domain/assert.ts';
import { numberNamed } from '#features/ai/rules/time/words.ts';
import type { Grouping } from '../query.ts';
import type { QueryDraft } from './draft.ts';
import { isUnknown } from './names.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';
import * as said from './words.ts';

const ADJECTIVES = wordSet(
  'the a our all different various individual affected impacted business single distinct respective monitored monitoring ci event alert asset particular specific most busiest day-of',
);
const KINDS = wordSet('type kind class category sort');

const CI_NOUNS = wordSet('ci asset host device configuration');
const TITLES = wordSet('title message signature pattern text name');

interface Noun {
  readonly grouping: Grouping;
  readonly from: number;
  readonly to: number;
  readonly isPlural: boolean;
  /** Rows are CIs of this type. */
  readonly ciType?: string | undefined;
}

/** A noun for rows, with its adjectives; `withEvents`: it may also mean the events, grouped by problem. */
function nounAt(sentence: Sentence, at: number, withEvents = false): Noun | null {
  for (let from = at; from < at + 4; from++) {
    const word = sentence.word(from);
    const kind = kindAt(sentence, from);
    if (kind !== null) return { ...kind, from: at };
    const made = (grouping: Grouping, to: number, ciType?: string): Noun => {
      return { grouping, from: at, to, isPlural: sentence.isPlural(to - 1), ciType };
    };
    if (word === 'configuration' && sentence.word(from + 1) === 'item') return made('ci', from + 2);
    const ciType = said.ciTypeAt(sentence, from);
    const grouping = said.isAppAt(sentence, from) ? undefined : said.GROUP_NOUNS.get(word);
    if (grouping !== undefined)
      return made(grouping, grouping === 'severity' && sentence.word(from + 1) === 'level' ? from + 2 : from + 1);
    // `which server alerts most`: there it is a verb.
    const isVerb = sentence.isOneOf(from - 1, WHICH) && isSuperlative(sentence, from + 2);
    if (ciType !== undefined && (isVerb || !said.EVENT_NOUNS.has(sentence.word(from + 1))))
      return made('ci', sentence.isOneOf(from + 1, said.COMPOUND) ? from + 2 : from + 1, ciType);
    if (withEvents && said.EVENT_NOUNS.has(word)) return made('signature', from + 1);
    if (!ADJECTIVES.has(word)) return null;
  }
  return null;
}

const MONITORS = wordSet('system tool solution software platform source');
/** `ci type`, `type of host`, `kind of alert`, `alert title`, `virtual machine`. */
function kindAt(sentence: Sentence, at: number): Noun | null {
  const [first, second, third] = [sentence.word(at), sentence.word(at + 1), sentence.word(at + 2)];
  const made = (grouping: Grouping, length: number, counted = length - 1): Noun => {
    return { grouping, from: at, to: at + length, isPlural: sentence.isPlural(at + counted) };
  };
  const isCi = (word: string): boolean => CI_NOUNS.has(word) || said.isCiNoun(word);
  if (first === 'monitoring' && MONITORS.has(second)) return made('source', 2);
  if (first === 'virtual' && second === 'machine') return { ...made('ci', 2), ciType: 'virtual_machine' };
  if (KINDS.has(first) && second === 'of') {
    if (isCi(third)) return made('ci_type', third === 'configuration' ? 4 : 3, 0);
    if (said.EVENT_NOUNS.has(third)) return made('signature', 3, 0);
  }
  if (isCi(first) && KINDS.has(second)) return made('ci_type', 2);
  if (first === 'configuration' && second === 'item' && KINDS.has(third)) return made('ci_type', 3);
  if (said.EVENT_NOUNS.has(first) && (KINDS.has(second) || TITLES.has(second))) return made('signature', 2);
  return null;
}

const BY = phrases(`
  group|grouped|break|broken|split|breakdown|distribution|divided|ranked|sorted|ordered|aggregated down? by|per|over|across|into
  / for each|every / by|per|each|every|across`);
const BREAK_DOWN = phrases('break|broken|split down|up');
const NOT_GROUPED = phrases(`
  by|per|each|every minute|second|month|quarter|year|team|user|person|owner|location|region|site|country|customer|tag|category|department
  / monthly|quarterly|yearly|annually|annual / hour|day of the? day|week|month`);
const COUNTS = wordSet('number count volume amount');
const ADVERBS = wordSet('hourly daily weekly');
const TREND = phrases('over time / trend|timeline|evolve|evolved|evolution|development|history');
const WHICH = wordSet('which what whose');
const HAVING = wordSet('with having that get generate produce cause have had by rank sort order');
const DAY_MS = 86_400_000;

function group(sentence: Sentence, draft: QueryDraft, from: number, noun: Noun): void {
  const text = sentence.text(from, noun.to);
  if (draft.groupBy !== null && draft.groupBy !== noun.grouping) draft.notUnderstood.push(text);
  else {
    draft.groupBy = noun.grouping;
    draft.tell('group', text, noun.grouping);
    if (noun.ciType !== undefined) draft.filter('ci_type', noun.ciType, text);
  }
  sentence.take(from, noun.to);
}

const TIMED = wordSet('hour day week');

/** `by host`, `per day`, `for each service`, `hourly`, `day by day`. */
function saidBy(sentence: Sentence, draft: QueryDraft): void {
  sentence.takeFirst(BREAK_DOWN);
  for (let at = 0; at < sentence.length; at++) {
    const [unit, by, again] = [sentence.word(at), sentence.word(at + 1), sentence.word(at + 2)];
    if (TIMED.has(unit) && by === 'by' && again === unit)
      group(sentence, draft, at, { grouping: unit as Grouping, from: at, to: at + 3, isPlural: true });
  }
  for (const { from, to } of sentence.takeEach(NOT_GROUPED)) draft.notUnderstood.push(sentence.text(from, to));
  for (let at = 0; at < sentence.length; at++) {
    const isNoun = sentence.word(at) === 'group' && sentence.isPlural(at);
    const by = isNoun ? null : sentence.matchesAt(BY, at);
    const noun = by && nounAt(sentence, by.to);
    if (by && noun) {
      group(sentence, draft, at, noun);
      // `by source and severity`
      const further = sentence.word(noun.to) === 'and' ? nounAt(sentence, noun.to + 1) : null;
      if (further !== null) group(sentence, draft, noun.to, further);
    } else if (by && COUNTS.has(sentence.word(by.to))) {
      draft.sort ??= 'desc';
      sentence.take(by.from, by.to);
      const before = nounAt(sentence, by.from - 1);
      if (before !== null && draft.groupBy === null) group(sentence, draft, by.from - 1, before);
    }
    const adverb = sentence.isOneOf(at, ADVERBS) ? nounAt(sentence, at) : null;
    if (adverb !== null) group(sentence, draft, at, adverb);
  }
}

function trend(sentence: Sentence, draft: QueryDraft): void {
  if (sentence.takeFirst(TREND) === null || draft.groupBy !== null) return;
  const length = draft.range === null ? 7 * DAY_MS : draft.range.to - draft.range.from;
  draft.groupBy = length <= 2 * DAY_MS ? 'hour' : length <= 92 * DAY_MS ? 'day' : 'week';
  draft.tell('group', 'trend', draft.groupBy);
}

/** More words are no number of rows. */
const BETWEEN = 3;
const isSuperlative = (sentence: Sentence, at: number): boolean =>
  sentence.isOneOf(at, said.MOST) || sentence.isOneOf(at, said.LEAST);
const FREQUENT = wordSet(
  'frequent common often repeated repetitive recurring recurrent frequently commonly performing',
);

const limitAt = (sentence: Sentence, at: number): number | null => {
  const spelled = sentence.isFree(at) ? itemAt(sentence.tokens, at).spelled : '';
  const number = /^(?:a|an|couple)?$/.test(spelled) ? null : numberNamed(spelled);
  return number !== null && number >= 1 && number <= 1_000 ? number : null;
};

/** `top 5`, `10 noisiest`, `the 3 hosts with`: a number beside a superlative or before what rows are of. */
function takeLimit(sentence: Sentence, draft: QueryDraft, places: readonly number[]): void {
  const at = draft.limit === null ? places.find((place) => limitAt(sentence, place) !== null) : undefined;
  if (at === undefined) return;
  draft.limit = limitAt(sentence, at);
  draft.tell('limit', sentence.text(at), String(draft.limit));
  sentence.take(at);
}

/** `which hosts`, `top 5 services`, `the noisiest source`, `hosts with the most`; null when rows are of nothing else. */
function ranked(sentence: Sentence, superlative: number): { readonly noun: Noun; readonly from: number } | null {
  const isNoise = sentence.isOneOf(superlative, said.NOISE) || sentence.word(superlative) === 'top';
  let events: Noun | null = null;
  for (let at = superlative + 1; at <= superlative + BETWEEN; at++) {
    const isFrequent = sentence.isOneOf(at - 1, FREQUENT) || sentence.isOneOf(at, FREQUENT);
    const noun = nounAt(sentence, at, isNoise || isFrequent);
    if (noun?.grouping === 'signature') events ??= noun;
    else if (noun !== null) return { noun, from: superlative + 1 };
    if (said.EVENT_NOUNS.has(sentence.word(at))) break;
  }
  for (let at = 0; at < superlative; at++) {
    if (!sentence.isOneOf(at, WHICH)) continue;
    const noun = nounAt(sentence, sentence.word(at + 1) === 'of' ? at + 2 : at + 1, true);
    if (noun !== null) return { noun, from: at };
  }
  for (let at = superlative - 1; at >= 0; at--) {
    const isNoun = said.GROUP_NOUNS.has(sentence.word(at)) || said.ciTypeAt(sentence, at) !== undefined;
    const noun = isNoun ? nounAt(sentence, at) : null;
    if (noun !== null) return { noun, from: at };
  }
  return events && { noun: events, from: superlative + 1 };
}

/** `biggest first`, `lowest on top`, `biggest pile first`; the other way round `biggest last`. */
const ON_TOP = phrases('first / on|at|to the? top / up top / at the? front|head|beginning');
const AT_END = phrases('last / on|at|to the? bottom|end');
/** Maximum number of words between the superlative and its place: `biggest pile first`. */
const PILE = 2;

/** The words behind a superlative that make it the order of all rows. */
function orderAt(sentence: Sentence, superlative: number) {
  for (let from = superlative + 1; from <= superlative + 1 + PILE; from++) {
    if (sentence.tokens[from - 1]?.isLast ?? true) return null;
    for (const isTurned of [false, true]) {
      const to = sentence.matchesAt(isTurned ? AT_END : ON_TOP, from)?.to;
      if (to === undefined || limitAt(sentence, to) !== null) continue;
      const isPlain = !isTurned && (to > from + 1 || isStop(sentence, to));
      if (sentence.isEnd(to - 1) || isPlain) return { from, to, isTurned };
    }
  }
  return null;
}
const isStop = (sentence: Sentence, at: number): boolean =>
  sentence.tokens[at]?.isQuoted === false && said.STOP.has(sentence.word(at));

const DOWN = phrases('descending|desc / high|highest|largest|biggest|most to low|lowest|smallest|least');
const UP = phrases('ascending|asc / low|lowest|smallest|least to high|highest|largest|biggest|most');

/** `in descending order`, `highest to lowest`; of times it may be theirs. */
function directions(sentence: Sentence, draft: QueryDraft): void {
  for (const sort of ['desc', 'asc'] as const) {
    const piece = sentence.takeFirst(sort === 'desc' ? DOWN : UP);
    if (piece === null) continue;
    const text = sentence.text(piece.from, piece.to);
    if (draft.groupBy !== null && TIMED.has(draft.groupBy)) draft.notUnderstood.push(text);
    else {
      draft.sort ??= sort;
      draft.tell('sort', text, sort);
    }
  }
}

/** Most and least: the order of rows, what they are of, and how many. */
function superlatives(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    if (!isSuperlative(sentence, at)) continue;
    // `most of`, `at most`, `most recent` rank nothing.
    if (['recent', 'recently', 'of'].includes(sentence.word(at + 1)) || sentence.word(at - 1) === 'at') continue;
    const order = orderAt(sentence, at);
    draft.sort ??= sentence.isOneOf(at, said.MOST) !== (order?.isTurned ?? false) ? 'desc' : 'asc';
    if (order !== null) {
      sentence.take(order.from, order.to);
      for (let place = at + 1; place < order.from; place++) if (isUnknown(sentence, place)) sentence.take(place);
    }
    draft.tell('sort', sentence.text(at, at + 1), draft.sort);
    takeLimit(sentence, draft, [at + 1, at - 1]);
    const found = draft.groupBy === null ? ranked(sentence, at) : null;
    sentence.take(at);
    sentence.takeAll(FREQUENT);
    if (found === null) continue;
    takeLimit(sentence, draft, [found.noun.from - 1, found.noun.from]);
    const { grouping } = found.noun;
    if (draft.limit === null && order === null && !found.noun.isPlural) draft.limit = 1;
    const start = sentence.isOneOf(found.from, WHICH) ? found.from : found.noun.from;
    group(sentence, draft, grouping === 'signature' ? found.noun.to - 1 : start, found.noun);
  }
}

/** `which services have`, `hosts with`: rows without a superlative. */
function asked(sentence: Sentence, draft: QueryDraft): void {
  if (draft.groupBy !== null) return;
  for (let at = 0; at < sentence.length; at++) {
    const isWhich = sentence.isOneOf(at, WHICH);
    const noun = nounAt(sentence, isWhich ? at + 1 : at);
    if (noun === null || noun.grouping === 'status') continue;
    if (!isWhich && !(noun.isPlural && sentence.isOneOf(noun.to, HAVING))) continue;
    // Counts events then, and not their subjects.
    if (sentence.word(at - 1) === 'many') draft.notUnderstood.push(sentence.text(Math.max(0, at - 2), noun.to));
    group(sentence, draft, at, noun);
    return;
  }
}

/** Reads the grouping, its order and its number of rows. */
export function takeGroupings(sentence: Sentence, draft: QueryDraft): void {
  saidBy(sentence, draft);
  directions(sentence, draft);
  superlatives(sentence, draft);
  trend(sentence, draft);
  asked(sentence, draft);
  const first = sentence.findWord(wordSet('first limit only'));
  if (first !== null) takeLimit(sentence, draft, [first + 1]);
}

/** A noun of one dimension that stands alone: `severity breakdown`. */
export function takeDimension(sentence: Sentence, draft: QueryDraft): void {
  const at = draft.groupBy === null ? sentence.findWord(wordSet('breakdown distribution split')) : null;
  if (at === null) return;
  for (const place of [at - 1, at + 1, at + 2]) {
    const noun = nounAt(sentence, place);
    if (noun === null || !said.VOCABULARY.words.has(sentence.word(place))) continue;
    group(sentence, draft, place, noun);
    return;
  }
}
