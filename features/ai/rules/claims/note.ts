import type { Claim } from '#domain/ai/evidence.ts';
import { type Checking, isForeign, isStrange, statedIn } from './claim-checks.ts';
import { clausesOf, type Evidence, wordsIn } from './clause.ts';
import {
  CAUSED,
  CAUSES,
  CHANGE,
  DENIAL,
  ENDED,
  EVERY,
  GOOD,
  LINKS,
  MODALS,
  NO_CAUSE,
  ORDER,
  SPARE,
  UNDISTURBED,
  WAIT,
} from './lexicon.ts';
import { namesOf, rowsOf } from './rows.ts';

/* A sentence that no proof can read may be shown, marked as a note of the model. What would harm when false is no note. */

export const MAX_NOTES = 2;
const MAX_NOTE_TEXT = 200;
const HARMFUL = [CHANGE, MODALS, WAIT, UNDISTURBED, DENIAL, EVERY, GOOD, ENDED, SPARE, CAUSED, CAUSES, NO_CAUSE];
/** Marks a sentence as a supposition. */
const SUPPOSED = /\b(?:looks?|seems?|appears?|probably|likely|perhaps|possibly|maybe|may|might)\b/i;
/** Words in a row that repeat a text of a monitor or of a user. */
const ECHO = 4;

const runsOf = (text: string): readonly string[] => {
  const words = wordsIn(text.toLowerCase());
  return words.slice(0, Math.max(0, words.length - ECHO + 1)).map((_, at) => words.slice(at, at + ECHO).join(' '));
};

/** The text of a claim that failed check `unproven`, if it may be shown as a note; else null. */
export const noteOf = ({ text, refs }: Claim, { pack, causes, now, isStored = false }: Checking): string | null => {
  const rows = rowsOf(pack);
  const free = pack.flatMap(({ label, facts }) => [label, ...facts.map(({ value }) => String(value))]);
  // Evidence that addresses its reader may have made the model write anything.
  if (text.length > MAX_NOTE_TEXT || LINKS.test(text) || [text, ...free].some((one) => ORDER.test(one))) return null;
  if (!SUPPOSED.test(text)) return null;
  const runs = new Set(free.flatMap(runsOf));
  if (runsOf(text).some((run) => runs.has(run))) return null;
  const cited = rows.filter(({ item }) => refs.includes(item.alias));
  const evidence: Evidence = { rows, names: namesOf(rows), causes, now, isStored };
  const clauses = clausesOf(text, cited, evidence);
  const isHarmful = clauses.some(
    (clause) =>
      clause.text === '' ||
      clause.condition !== '' ||
      clause.amounts.length > 0 ||
      clause.times.length > 0 ||
      HARMFUL.some((pattern) => pattern.test(clause.text)) ||
      isStrange(clause) ||
      isForeign(clause) ||
      // A statement that was read and refuted is wrong.
      statedIn(clause).includes(null),
  );
  return isHarmful ? null : text;
};
