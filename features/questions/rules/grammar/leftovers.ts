import { itemAt } from '#domain/known.ts';
import type { QueryDraft } from './draft.ts';
import { isUnknown } from './names.ts';
import { type Sentence, wordSet } from './sentence.ts';
import { COMPLAINTS, DENIALS, EVENT_NOUNS, STOP, VOCABULARY } from './words.ts';

const ABOUT = wordSet(
  'about mentioning mention containing contain contains matching saying titled like regarding concerning',
);
const MAX_UNKNOWN = 10;

/** Words that are looked for in titles: quoted ones, those behind `about`, and what monitors complain about. */
export function takeText(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    const isAbout = sentence.isOneOf(at, ABOUT) || (sentence.word(at) === 'related' && sentence.word(at + 1) === 'to');
    if (isAbout) {
      const from = sentence.word(at) === 'related' ? at + 2 : at + 1;
      let to = from;
      while (
        to < sentence.length &&
        (isUnknown(sentence, to) || isTitleWord(sentence, to)) &&
        !isStopAhead(sentence, to)
      ) {
        to++;
        if (itemAt(sentence.tokens, to - 1).isLast) break;
      }
      if (to > from) {
        draft.search(sentence.text(from, to));
        sentence.take(at, to);
      }
    } else if (sentence.isFree(at) && itemAt(sentence.tokens, at).isQuoted) {
      draft.search(itemAt(sentence.tokens, at).text);
      sentence.take(at);
    }
  }
  for (let at = 0; at < sentence.length; at++) {
    if (!sentence.isOneOf(at, COMPLAINTS)) continue;
    let [from, to] = [at, at + 1];
    while (sentence.isOneOf(to, COMPLAINTS) || sentence.isOneOf(to, DESCRIPTIONS)) to++;
    if (sentence.isOneOf(from - 1, DESCRIPTIONS)) from--;
    draft.search(sentence.text(from, to));
    sentence.take(from, to);
  }
}
const DESCRIPTIONS = wordSet(
  'high low failed failing failure error exceeded usage utilization utilisation expired expiring expiry',
);

const isTitleWord = (sentence: Sentence, at: number): boolean =>
  sentence.isOneOf(at, COMPLAINTS) || sentence.isOneOf(at, DESCRIPTIONS);
const isStopAhead = (sentence: Sentence, at: number): boolean => sentence.isOneOf(at, EVENT_NOUNS);

/** `month, no, week`: what was said before is taken back, and nothing is excluded. */
const isCorrection = (sentence: Sentence, at: number): boolean =>
  sentence.word(at) === 'no' &&
  itemAt(sentence.tokens, at).isLast &&
  (at === 0 || itemAt(sentence.tokens, at - 1).isLast);
const PREFIXED = /^non-./;

/** Takes what excludes something and no reader took: no filter says `excluding zabbix`, and any other query would tell the opposite. */
export function takeDenials(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    const piece = sentence.matchesAt(DENIALS, at);
    const to = piece?.to ?? (PREFIXED.test(sentence.word(at)) ? at + 1 : null);
    if (to === null || isCorrection(sentence, at)) continue;
    const isAlone = piece === null || to === sentence.length || itemAt(sentence.tokens, to - 1).isLast;
    draft.deny(sentence.text(at, isAlone ? to : to + 1));
    sentence.take(at, to);
  }
}

/** Words that no reader took and that carry a meaning. */
export function takeLeftovers(sentence: Sentence, draft: QueryDraft): string[] {
  const unknown: string[] = [];
  const isSilent = (at: number): boolean =>
    !sentence.isFree(at) || STOP.has(sentence.word(at)) || /^[-–—.]+$/.test(itemAt(sentence.tokens, at).text);
  for (let at = 0; at < sentence.length; at++) {
    if (isSilent(at)) continue;
    let to = at + 1;
    while (to < sentence.length && !isSilent(to) && !itemAt(sentence.tokens, to - 1).isLast) to++;
    draft.notUnderstood.push(sentence.text(at, to));
    for (let one = at; one < to; one++)
      if (isUnknown(sentence, one) || !VOCABULARY.words.has(sentence.word(one)))
        unknown.push(itemAt(sentence.tokens, one).text);
    at = to - 1;
  }
  return unknown.slice(0, MAX_UNKNOWN);
}
