import { bestPassages } from '#features/questions/rules/answers/manual.ts';
import { STOP } from '#features/questions/rules/grammar/words.ts';
import type { Desk } from '../desk.ts';

/** Words of questions about the product, which no passage needs. */
const ASKING =
  /^(?:how|what|where|which|when|can|could|should|would|means?|meant|vs|versus|explain|define|term|tell|new|faultline)$/;
const BAD = /\b(?:incorrect|rubbish|bad|nonsense|garbage|bullshit|crap|stupid)\b/;
const DIFFERENCE = /\bdiffer(?:s|ence|ent)?\b/;
const SYNONYMS = [
  [/\b(?:merged?|two|by mistake)\b(?=.*\bapart\b)|\bagain\b/g, ' '],
  [/\bapart\b/g, 'splitting'],
  [/\be?mail\b/g, 'notification'],
  [/\bwent out\b/g, 'result'],
] as const;
const MOST_TEXT = 500;

const tellManual =
  (isOfTerm: boolean) =>
  async (desk: Desk): Promise<void> => {
    const { lead, reading, asking } = desk;
    const all = await asking.ports.manual.passages();
    const named = reading.things.filter(({ kind }) => kind !== 'type').map(({ said }) => said.toLowerCase());
    const asked = SYNONYMS.reduce((left, [said, by]) => left.replace(said, by), reading.lower.replace(BAD, 'wrong'));
    const lower = named.reduce((left, one) => left.replace(one, ' '), asked);
    const words = (lower.match(/[\p{L}\p{N}-]+/gu) ?? []).filter((word) => !STOP.has(word) && !ASKING.test(word));
    const meant = all.filter(({ page }) => (page === 'Glossary') === isOfTerm);
    const sides = DIFFERENCE.test(lower) ? words.filter((word) => !/^(?:differ\w*|between)$/.test(word)) : [];
    const each = sides.flatMap((word) => bestPassages(meant, [word]).slice(0, 1));
    const best = each.length > 1 ? each : bestPassages(meant, words);
    const found = best.length > 0 ? best : bestPassages(all, words);
    for (const { page, heading, text } of found) {
      const told = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
      lead.push(`${told} (${page}${heading && `, ${heading}`})`);
    }
    if (found.length > 0) return;
    desk.isAbstained = true;
    lead.push('The documentation has no passage about it. Press ? for the keyboard shortcuts of a page.');
  };
/** Acts in the console. */
export const steps = tellManual(false);
/** Terms of the product. */
export const meaning = tellManual(true);
