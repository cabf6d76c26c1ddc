import type { EvidenceItem } from '#domain/ai/evidence.ts';

/* A small word that turns a sentence round: "db-01 has no dependents" has every word of a true one. */

const NEGATION =
  /\b(?:not|no|none|never|nothing|nobody|nowhere|neither|nor|without|cannot|lacks?|absent|missing|\w{1,12}n['’]t)\b/i;
/** Phrases that are no negation: "not only", "no longer than", "cannot be ruled out". */
const NO_DENIAL = /\b(?:not (?:only|just|least)|no doubt|no later than|no less than|no more than)\b/gi;
/** Facts that a denial can stand on, beside denials in their own words. */
const EMPTY: ReadonlySet<string> = new Set(['0', 'false', 'none', 'null', '', '-', 'unknown', 'n/a']);
const UNABLE =
  /\b(?:un(?:reachable|available|able|known|bound|resolved|acknowledged|responsive)|fail(?:s|ed|ing|ure)?|lost|down|refused|denied|offline|dead|timed? ?out|timeout|single|empty)\b/i;

const deniesItself = ({ label, facts }: EvidenceItem): boolean =>
  [label, ...facts.map(({ name, value }) => `${name} ${value}`)].some(
    (text) => NEGATION.test(text) || UNABLE.test(text),
  ) || facts.some(({ value }) => EMPTY.has(String(value).trim().toLowerCase()));

/** The claim denies something, and none of the items it stands on says that anything is absent, empty or failing. */
export const deniesWithoutGround = (text: string, cited: readonly EvidenceItem[]): boolean =>
  NEGATION.test(text.replace(NO_DENIAL, '')) && !cited.some(deniesItself);
