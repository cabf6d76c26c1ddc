/** Begins of answers that deny something, or that all is well. */
const DENIAL =
  /^(?:no|none|nothing|never|neither|nobody)\b(?! (?:root cause|time was given))|^not (?:now|safe|by|in one|as far as)\b|\b(?:has|have|had) (?:no|never)\b|^(?:it|all|everything) (?:is|are) (?:well|healthy|fine|ok)\b|^all \d/i;
const CONSENT = /^yes\b/i;

/** `No: 2 of 9 events are open` claims no absence. */
const ALARM = /^no: (?:\d|".{0,200}\bopen\b)/i;
export const claimOf = (text: string): 'denial' | 'consent' | 'other' =>
  DENIAL.test(text) && !ALARM.test(text) ? 'denial' : CONSENT.test(text) ? 'consent' : 'other';

/** Facts of a reading by which an answer is allowed to deny or to agree. */
export interface Doubts {
  /** Words that carry meaning and are neither in the answer nor in its conditions. */
  readonly unused: readonly string[];
  /** Names that several systems may have, none of which was chosen. */
  readonly vague: readonly string[];
}

/** A denial or a yes needs every word of the question, and subjects that are certain. */
export const mayStand = (text: string, { unused, vague }: Doubts): boolean =>
  claimOf(text) === 'other' || unused.length + vague.length === 0;
