import { firstItem } from '#domain/assert.ts';
import type { Calendar, Unit } from '#features/ai/rules/time/calendar.ts';
import { rangeAt } from '#features/ai/rules/time/phrases.ts';
import type { Period } from '#features/ai/rules/time/reading.ts';
import { numberNamed, unitNamed } from '#features/ai/rules/time/words.ts';
import type { QueryDraft } from './draft.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';
import { STOP } from './words.ts';

/** Time zone and time of a question. */
export interface When {
  readonly now: number;
  readonly calendar: Calendar;
}

const AGAINST = wordSet('versus vs than against compared comparing comparison relative');
const SMALL = wordSet('with to the a as in of on by');
const EARLIER = wordSet('previous prior preceding earlier');
const PERIODS = wordSet('period range window interval timeframe span time one');
const COMPARE = wordSet('compare difference differ');
const SIDE_BY_SIDE = phrases('side by side / next to each other');
const MOVED = wordSet(
  'increase increased increasing decrease decreased decreasing grow grew grown growing growth rise rose risen rising drop dropped dropping decline declined fell fallen improve improved improvement worsen worsened changed',
);
const MORE = wordSet('more fewer less higher lower better worse change');
/** `more at 10:00 or at 11:00`. */
const CHOICE = wordSet('more fewer less worse better busier noisier quieter calmer');
const USUAL = wordSet('usual usually normal normally average expected');
export const FUTURE = phrases(`
  in? the? next|coming|upcoming|following minute|hour|day|week|month|quarter|year / tomorrow`);

interface Earlier {
  readonly next: number;
  /** Null: `before`, `the previous period`. */
  readonly unit: Unit | null;
}

/** `the previous week`, `the week before`, `before`. */
function earlierAt(sentence: Sentence, at: number): Earlier | null {
  let start = at;
  while (sentence.isOneOf(start, SMALL)) start++;
  const named = (place: number): Unit | null => unitNamed(sentence.word(place));
  const isPeriod = (place: number): boolean => named(place) !== null || sentence.isOneOf(place, PERIODS);
  if (sentence.isOneOf(start, EARLIER)) {
    const place = numberNamed(sentence.word(start + 1)) === null ? start + 1 : start + 2;
    return { next: isPeriod(place) ? place + 1 : place, unit: named(place) };
  }
  if (['before', 'previously'].includes(sentence.word(start)))
    return { next: start + (sentence.word(start + 1) === 'that' ? 2 : 1), unit: null };
  if (isPeriod(start) && sentence.word(start + 1) === 'before' && sentence.word(start + 2) !== 'last')
    return { next: start + 2, unit: named(start) };
  return null;
}

const overUnit = (sentence: Sentence, at: number): Unit | null => {
  const unit = unitNamed(sentence.word(at));
  const isOver = sentence.word(at + 1) === 'over' || sentence.word(at + 1) === 'on';
  return unit !== null && isOver && unitNamed(sentence.word(at + 2)) === unit ? unit : null;
};

/** Words before a range that revoke the previous one. */
const RATHER = phrases(`or|no|oh|sorry|well|wait? i mean|meant / or|no? rather / no|oh sorry|wait|actually
  / no|sorry|wait|actually|correction / make|scratch that|it / i.e|ie|namely|meaning / that is / to be precise|exact`);
/** The same behind it, at the end. */
const I_MEAN = phrases('i mean|meant / that is / or? rather|actually|sorry / to be precise|exact');

/** True if a range replaces the previous one; consumes the words for it. */
function isCorrection(sentence: Sentence, from: number, to: number): boolean {
  const before = sentence.matchesBefore(RATHER, from);
  const behind = before === null ? sentence.matchesAt(I_MEAN, to) : null;
  const piece = before ?? (behind !== null && sentence.isEnd(behind.to - 1) ? behind : null);
  if (piece !== null) sentence.take(piece.from, piece.to);
  return piece !== null;
}

/** Continuation before a place: `and how was it` and `what about` repeat the question; `and` may. */
function goesOn(sentence: Sentence, at: number): 'asked' | 'and' | null {
  let isAnd = false;
  for (let place = at - 1; place >= at - GOING_ON; place--) {
    const word = sentence.word(place);
    if (!STOP.has(word)) break;
    if (word === 'how' || word === 'what') return 'asked';
    isAnd ||= word === 'and';
  }
  return isAnd ? 'and' : null;
}
const GOING_ON = 8;
/** A range with two ends. */
const SPAN = /(?:^| )(?:between|to|until|till|through|thru|[-–—]|\.\.)(?: |$)/i;

/** True if the range is such a unit, or its elapsed part. */
function isOfUnit({ from, to }: Period, unit: Unit, { now, calendar }: When): boolean {
  if (calendar.add(from, 1, unit) === to) return true;
  return to === now && calendar.startOf(unit, now) === from;
}

/** `and how was it the week before that`, behind a range of a week. */
function earlierAgain(sentence: Sentence, at: number, main: Period, when: When): Earlier | null {
  const earlier = sentence.isFree(at) ? earlierAt(sentence, at) : null;
  if (earlier === null || goesOn(sentence, at) === null) return null;
  if (earlier.unit !== null) return isOfUnit(main, earlier.unit, when) ? earlier : null;
  return earlier.next > at + 1 ? earlier : null;
}

interface SentenceTimes {
  main: Period | null;
  second: Period | null;
  secondText: string;
  /** The question compares with the previous range. */
  isCompared: boolean;
  /** Unit of `the previous month` without a range. */
  unit: Unit | null;
}

/** Reads ranges from left to right; the one behind a comparing word, or the second of a comparison, is compared with. */
function read(sentence: Sentence, draft: QueryDraft, when: When): SentenceTimes {
  const { now, calendar } = when;
  const times: SentenceTimes = { main: null, second: null, secondText: '', isCompared: false, unit: null };
  const wants = sentence.takeAll(COMPARE) > 0 || sentence.find(SIDE_BY_SIDE) !== null;
  const isChoice = sentence.has(CHOICE);
  let isBehind = false;
  let said = '';
  const rangeHere = (at: number) =>
    sentence.isFree(at) ? rangeAt({ words: sentence.words, now, calendar }, at) : null;
  for (let at = 0; at < sentence.length; ) {
    isBehind &&=
      !sentence.isFree(at) || sentence.isOneOf(at, SMALL) || STOP.has(sentence.word(at)) || rangeHere(at) !== null;
    if (sentence.isOneOf(at, AGAINST)) {
      isBehind = true;
      const earlier = earlierAt(sentence, at + 1);
      if (earlier !== null) {
        sentence.take(at, earlier.next);
        Object.assign(times, { isCompared: true, unit: earlier.unit });
        at = earlier.next;
        continue;
      }
      if (sentence.isOneOf(at + 1, USUAL)) {
        draft.notUnderstood.push(sentence.text(at, at + 2));
        sentence.take(at, at + 2);
      }
    }
    const over = overUnit(sentence, at);
    if (over !== null) {
      sentence.take(at, at + 3);
      Object.assign(times, { isCompared: true, unit: over });
    }
    const earlier = wants && times.main !== null ? earlierAt(sentence, at) : null;
    if (earlier !== null && earlier.next > at + 1) {
      sentence.take(at, earlier.next);
      times.isCompared = true;
      at = earlier.next;
      continue;
    }
    const found = rangeHere(at);
    if (found === null) {
      const again = times.main === null || wants ? null : earlierAgain(sentence, at, times.main, when);
      if (again !== null) {
        sentence.take(at, again.next);
        times.isCompared = true;
      }
      at = again?.next ?? at + 1;
      continue;
    }
    const text = sentence.text(at, found.next);
    sentence.take(at, found.next);
    // `monday to friday, I mean saturday` may correct one end.
    const isOneEnd = SPAN.test(said) && !SPAN.test(text);
    if (times.main !== null && !isOneEnd && isCorrection(sentence, at, found.next)) {
      said = text;
      times.main = found.value;
      draft.correct('time', text, text);
    } else if (isBehind || (times.main !== null && (wants || isChoice || goesOn(sentence, at) === 'asked'))) {
      if (times.second !== null) draft.notUnderstood.push(text);
      times.second ??= found.value;
      times.secondText ||= text;
      isBehind = false;
    } else if (times.main === null) {
      times.main = found.value;
      said = text;
      draft.tell('time', text, text);
    } else draft.notUnderstood.push(text);
    at = found.next;
  }
  if (times.second !== null) sentence.takeAll(AGAINST);
  return times;
}

/** Part that a query has no place for; a comparison has. */
export const SECOND_TIME = 'the second time range';

/** The two ranges as one and the one before it; false when they are others. */
function settle(draft: QueryDraft, { main, second }: SentenceTimes, now: number): boolean {
  if (second === null) return true;
  const since = second.to < now ? { from: second.to, to: now } : null;
  draft.times = [main ?? since, second].flatMap((one) => one ?? []);
  if (main === null && second.to < now) draft.range = { from: second.to, to: now };
  else if (main !== null && second.from === main.to) draft.range = second;
  else if (main === null || second.to !== main.from) return false;
  draft.compareTo = 'previous';
  return true;
}

/** Reads ranges and comparisons with earlier ones. */
export function takeTimes(sentence: Sentence, draft: QueryDraft, when: When): void {
  for (const { from, to } of sentence.takeEach(FUTURE)) draft.notUnderstood.push(sentence.text(from, to));
  const times = read(sentence, draft, when);
  const { second, secondText } = times;
  // `one against the other, last 4 hours`: the range of both.
  if (times.main === null && second !== null && second.to >= when.now) {
    draft.tell('time', secondText, secondText);
    Object.assign(times, { main: second, second: null });
  }
  draft.range = times.main;
  if (!settle(draft, times, when.now)) draft.notUnderstood.push(SECOND_TIME);
  if (times.unit !== null && draft.range === null && times.unit !== 'week')
    draft.range = { from: when.calendar.add(when.now, -1, times.unit), to: when.now };
  const moved = sentence.takeAll(MOVED) > 0 || isHowChanged(sentence);
  if (times.isCompared || moved) draft.compareTo = 'previous';
  if (draft.compareTo === null) return;
  draft.tell('compare', 'compared', 'previous');
  sentence.takeAll(MORE);
  sentence.takeAll(AGAINST);
}

/** `how did alerts change`: a verb, where `changes` is a noun. */
function isHowChanged(sentence: Sentence): boolean {
  const at = sentence.findWord(wordSet('change'));
  if (at === null || sentence.isPlural(at)) return false;
  const isAsked =
    /^(?:how|did|has|have)$/.test(firstItem(sentence.tokens).spelled) &&
    sentence.tokens.slice(0, at).some(({ spelled }) => /^(?:did|do|does|has|have)$/.test(spelled));
  if (isAsked) sentence.take(at);
  return isAsked;
}
