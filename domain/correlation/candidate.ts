import { isSevere } from '#domain/event/event.ts';
import { belowOf, type Causes, type CiNode, explainsNode, type Suspect } from './causes.ts';
import type { Candidate } from './records.ts';
import { confidenceOf, reasoningOf, scoreOf, type Weights } from './root-cause.ts';

const ALTERNATIVES = 5;
/** Explained CIs kept with the group. */
export const EXPLAINED = 100;

interface Ranked extends Suspect {
  readonly node: CiNode;
  readonly score: number;
}

const leads = (a: Ranked, b: Ranked): boolean => {
  if (a.score !== b.score) return a.score > b.score;
  return a.cause.time !== b.cause.time ? a.cause.time < b.cause.time : a.cause.eventId < b.cause.eventId;
};

const memberCis = ({ nodes }: Causes): number => nodes.size - (nodes.has(null) ? 1 : 0);

/** The best few, best first: one pass over the suspects. */
const ranking = (causes: Causes, weights: Weights): Ranked[] => {
  const best: Ranked[] = [];
  const cis = memberCis(causes);
  for (const node of causes.nodes.values())
    for (const suspects of node.suspects.values())
      for (const { cause, byHops } of suspects) {
        const ranked = { cause, byHops, node, score: scoreOf(cause, byHops, cis, causes.first, weights) };
        const place = best.findLastIndex((other) => leads(other, ranked)) + 1;
        if (place > ALTERNATIVES) break;
        best.splice(place, 0, ranked);
        if (best.length > ALTERNATIVES + 1) best.pop();
      }
  return best;
};

/** The CIs below the winner that it explains, nearest first. */
const explained = (causes: Causes, { cause, node }: Ranked): { ciId: string; hops: number }[] =>
  belowOf(causes, node)
    .filter(({ node: lower }) => explainsNode(cause, lower))
    .map(({ node: lower, hops }) => ({ ciId: lower.ciId as string, hops }))
    .sort((a, b) => a.hops - b.hops || (a.ciId < b.ciId ? -1 : 1));

/** The member most likely to be the cause; null without members. `alternatives` are the next five. */
export function candidateOf(causes: Causes, weights: Weights): Candidate | null {
  const [winner, ...others] = ranking(causes, weights);
  if (winner === undefined) return null;
  const { cause, score } = winner;
  const all = explained(causes, winner);
  const cis = memberCis(causes);
  const coverage = cis < 2 ? 0 : all.length / (cis - 1);
  return {
    eventId: cause.eventId,
    ciId: cause.ciId,
    score,
    confidence: confidenceOf(coverage, score - (others[0]?.score ?? 0)),
    reasoning: reasoningOf(isSevere(cause.severity), all.length > 0),
    explains: all.slice(0, EXPLAINED),
    alternatives: others.map(({ cause: { eventId }, score: theirs }) => ({ eventId, score: theirs })),
  };
}
