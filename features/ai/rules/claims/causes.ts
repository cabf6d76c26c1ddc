import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';

/* Sentences that name a cause, as far as their words tell. */

/** The cause stands before these, or behind them. */
const BEFORE =
  /\b(?:caus(?:ed|es|ing)(?! by)|led to|leads to|leading to|trigger(?:ed|s|ing)(?! by)|brought down|took down|explains?|explained(?! by)|(?:is|was|be|are|were) (?:\w+ ){0,3}(?:cause|culprit|origin|reason|root)|result(?:ed|s|ing) in)\b/i;
const BEHIND =
  /\b(?:caus(?:ed|es|ing) by|cause (?:is|was|of .{1,80} (?:is|was))|root cause:?|due to|because(?: of)?|trigger(?:ed|s) by|explained by|(?:result|consequence)s? (?:of|from)|(?:stem|result|originat)(?:s|ed|ing)? from|down to|blame[sd]?|owing to|after effect of)\b/i;

const nameOf = (label: string): string => label.toLowerCase();

/** Items whose label stands in the text, with the place of the first or last one. */
const namedIn = (text: string, pack: EvidencePack, which: 'first' | 'last'): { alias: string; at: number } | null => {
  const lower = text.toLowerCase();
  const found = pack
    .filter(({ label }) => label.length > 1)
    .map(({ alias, label }) => ({
      alias,
      at: which === 'first' ? lower.indexOf(nameOf(label)) : lower.lastIndexOf(nameOf(label)),
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => (which === 'first' ? a.at - b.at : b.at - a.at));
  return found[0] ?? null;
};

/** The claim names a cause that is none of the candidates, or one of which it is not clear that it is. */
export const namesOtherCause = ({ text, refs }: Claim, pack: EvidencePack, causes: readonly string[]): boolean => {
  const [before, behind] = [BEFORE.exec(text), BEHIND.exec(text)];
  if (before === null && behind === null) return false;
  if (!refs.some((ref) => causes.includes(ref))) return true;
  const cited = pack.filter(({ alias }) => refs.includes(alias));
  const named =
    before !== null && (behind === null || before.index < behind.index)
      ? namedIn(text.slice(0, before.index), cited, 'last')
      : behind && namedIn(text.slice(behind.index + behind[0].length), cited, 'first');
  if (named === null) return false;
  const label = cited.find(({ alias }) => alias === named.alias)?.label;
  return !cited.some((item) => causes.includes(item.alias) && item.label === label);
};
