import { itemAt } from '#domain/assert.ts';
import { anchor } from '#features/ai/rules/time/anchors.ts';
import { monthNamed, weekdayNamed } from '#features/ai/rules/time/words.ts';
import type { QueryDraft } from './draft.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';
import { FUTURE, type When } from './times.ts';
import { LEAST, MOST, STOP, VOCABULARY } from './words.ts';

/* What is said around a question: to whom, by whom, and what for. */

const HELLO = wordSet('hi hello hey hallo dear greetings howdy moin');
const DAY_PARTS = wordSet('morning afternoon evening day');
const PEOPLE = wordSet(
  'all colleague colleagues team folks everyone everybody guys both sir madam ladies gentlemen there mate friends people',
);
const BYE = phrases(`
  thanks|thank you in advance / thank you / many|kind|best|warm|with thank|thanks|regards|wishes|greetings
  / thanks|thank in advance / thank|thanks|thx|cheers|regards|sincerely|br|rgds`);
/** Words of one name: first, middle and last. */
const NAME_WORDS = 3;

/** `Ingrid`: no host, and no word of the language. */
const isPerson = (sentence: Sentence, at: number, isName: (word: string) => boolean): boolean =>
  at < sentence.length &&
  /^\p{Lu}[\p{L}-]*$/u.test(itemAt(sentence.tokens, at).text) &&
  !VOCABULARY.words.has(sentence.word(at)) &&
  !isName(itemAt(sentence.tokens, at).text.toLowerCase());

/** `Dear colleagues,`, `Hi Tom,`, `Good morning!`, `morning all`. */
function greeting(sentence: Sentence, isName: (word: string) => boolean): void {
  const good = sentence.word(0) === 'good' ? 1 : 0;
  const isOfDay = sentence.isOneOf(good, DAY_PARTS);
  if (!isOfDay && !sentence.isOneOf(0, HELLO)) return;
  const start = isOfDay ? good + 1 : 1;
  let to = start;
  if (!sentence.isEnd(start - 1)) {
    while (sentence.isOneOf(to, PEOPLE) || (to < start + NAME_WORDS && isPerson(sentence, to, isName)))
      if (sentence.isEnd(to++)) break;
    // The name of a person ends with a comma; `all alerts` is no address.
    const isAddressed = to > start && sentence.isEnd(to - 1);
    if (isOfDay && good === 0 && !isAddressed) return;
    if (!isAddressed) to = start;
    while (sentence.isOneOf(to, PEOPLE)) to++;
  }
  sentence.take(0, to);
}

/** `Many thanks, Ingrid` at the end. */
function signature(sentence: Sentence, isName: (word: string) => boolean): void {
  for (let at = 0; at < sentence.length; at++) {
    const bye = sentence.matchesAt(BYE, at);
    if (bye === null) continue;
    let to = bye.to;
    while (to < bye.to + NAME_WORDS && isPerson(sentence, to, isName)) to++;
    if (to === sentence.length || sentence.isEnd(bye.to - 1)) sentence.take(at, to === sentence.length ? to : bye.to);
    at = bye.to - 1;
  }
}

/** Consumes greetings and signatures, unless the tenant has something with that name. */
export function takeCourtesy(sentence: Sentence, isName: (word: string) => boolean): void {
  greeting(sentence, isName);
  signature(sentence, isName);
}

const OPENING = phrases('in? preparation? for / ahead of / prepare|preparing|have|got');
const DETERMINER = wordSet('the a an our my your their this next upcoming tomorrow today');
const MEETING = wordSet(
  'review meeting call board audit handover hand-over standup stand-up retro retrospective workshop committee conference cab postmortem post-mortem qbr sync briefing townhall interview visit',
);
const PAPER = wordSet('report deck slide slides newsletter protocol memo presentation');
const KIND_WORDS = 3;
const ENDS_KIND = wordSet('of in on at by for from to with and or since about');
const TO_COME = wordSet('next upcoming coming tomorrow today');
/** A range that is asked for, and no kind of meeting: `the October report`. */
const PAST = wordSet(
  'last past previous prior recent this current yesterday week month quarter year day hour overnight',
);
const isAsked = (sentence: Sentence, at: number): boolean =>
  sentence.isOneOf(at, PAST) || monthNamed(sentence.word(at)) !== null || /^(?:q?\d)/.test(sentence.word(at));
const isWeekday = (sentence: Sentence, at: number): boolean => weekdayNamed(sentence.word(at)) !== null;

/** True if no further word of a name is there, unlike in `the review service`. */
const isBesides = (sentence: Sentence, at: number): boolean =>
  !sentence.isFree(at) ||
  sentence.isLast(at - 1) ||
  STOP.has(sentence.word(at)) ||
  sentence.isOneOf(at, TO_COME) ||
  isWeekday(sentence, at);

/** The word of the meeting behind `for the`; null when none is named there. */
function meetingAt(sentence: Sentence, from: number): number | null {
  let isDated = false;
  for (let at = from; at <= from + KIND_WORDS; at++) {
    if (!sentence.isFree(at) || sentence.isOneOf(at, ENDS_KIND)) return null;
    const isNamed = sentence.isOneOf(at, MEETING) || (sentence.isOneOf(at, PAPER) && !isDated);
    if (isNamed && isBesides(sentence, at + 1)) return at;
    if (sentence.isLast(at) || isAsked(sentence, at)) return null;
    isDated ||= isWeekday(sentence, at) || sentence.word(at) === 'today';
  }
  return null;
}

/** End of the time of a meeting: `on Friday at 10:00`, `next week`; null: none, or a time of the question itself. */
function timeAhead(sentence: Sentence, from: number, { now, calendar }: When): number | null {
  const at = sentence.isOneOf(from, ENDS_KIND) ? from + 1 : from;
  const future = sentence.matchesAt(FUTURE, from);
  if (future !== null) return future.to;
  if (sentence.isOneOf(at, TO_COME) && isWeekday(sentence, at + 1)) return at + 2;
  const day = sentence.word(at) === 'the' ? at + 1 : at;
  const isDay = isWeekday(sentence, day) || sentence.word(day) === 'today' || /^\d/.test(sentence.word(day));
  const isDated = monthNamed(sentence.word(day)) !== null && /^\d/.test(sentence.word(day + 1));
  return isDay || isDated ? (anchor({ words: sentence.words, now, calendar }, at)?.next ?? null) : null;
}

/** End of the description of a meeting: participants and time. */
function meetingEnd(sentence: Sentence, meeting: number, when: When): number {
  const isGuest = (at: number): boolean => isPerson(sentence, at, () => false);
  let to = meeting + 1;
  if (sentence.word(to) === 'with' && isGuest(to + 1)) {
    to++;
    while (isGuest(to) && !sentence.isLast(to - 1)) to++;
  }
  while (to < sentence.length && !sentence.isLast(to - 1)) {
    const next = timeAhead(sentence, to, when);
    if (next === null) break;
    to = next;
  }
  return to;
}

/** Consumes the occasion of a question: the Friday of `for the service review on Friday` is no range. */
export function takeOccasions(sentence: Sentence, when: When): void {
  for (let at = 0; at < sentence.length; at++) {
    const from = sentence.matchesAt(OPENING, at)?.to;
    if (from === undefined || !(sentence.isOneOf(from, DETERMINER) || isWeekday(sentence, from))) continue;
    const isDetermined = sentence.isOneOf(from, DETERMINER) && !sentence.isOneOf(from, TO_COME);
    const meeting = meetingAt(sentence, isDetermined ? from + 1 : from);
    if (meeting === null) continue;
    const to = meetingEnd(sentence, meeting, when);
    sentence.take(at, to);
    at = to - 1;
  }
}

const WHO = wordSet('who whom');
/** Text allowed before it. */
const ASKING = wordSet('and so but please can could you tell me do we i want need know would like to by show');
const SENDING = wordSet(
  'send sent sending have has had produce produced cause caused generate generated raise raised fire fired throw threw get got',
);
const BE = wordSet('is are was were');
/** Words between `who is` and the superlative. */
const RANKING = 4;
const BY_WHOM = phrases('by who|whom');

/** `who approved the change`, `acknowledged by whom`: people are nothing that is counted here. */
export function asksForPerson(sentence: Sentence, draft: QueryDraft): boolean {
  const first = sentence.tokens.findIndex((_, at) => sentence.isFree(at) && !sentence.isOneOf(at, ASKING));
  const place = sentence.isOneOf(first, WHO) ? first : sentence.find(BY_WHOM)?.from;
  if (place === undefined) return false;
  const behind = Array.from({ length: RANKING }, (_, i) => place + 2 + i);
  const isRank = (at: number): boolean => sentence.isOneOf(at, MOST) || sentence.isOneOf(at, LEAST);
  if (sentence.isOneOf(place + 1, BE) && behind.some(isRank)) return false;
  draft.notUnderstood.push(sentence.text(place, Math.min(place + 2, sentence.length)));
  return !sentence.isOneOf(place + 1, SENDING);
}
