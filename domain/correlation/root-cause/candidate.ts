import type { Candidate } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { isSevere } from '#domain/event/event.ts';
import { alikeOf, belowOf, type Causes, explainsNode, type Suspect } from './causes.ts';
import { calibratedConfidence, confidenceOf, reasoningOf, scoreOf, type Weights } from './root-cause.ts';

const ALTERNATIVES = 5;
/** Explained CIs kept with the group. */
const EXPLAINED = 100;

/** How the tenant has causes judged. */
interface Judging {
  readonly weights: Weights;
  readonly profile: Profile;
}

interface Ranked {
  readonly suspect: Suspect;
  readonly score: number;
}

const leads = (score: number, { cause: a }: Suspect, { score: theirs, suspect: { cause: b } }: Ranked): boolean => {
  if (score !== theirs) return score > theirs;
  return a.time !== b.time ? a.time < b.time : a.eventId < b.eventId;
};

const memberCis = ({ nodes }: Causes): number => nodes.size - (nodes.has(null) ? 1 : 0);

/** Surely no better than the other one: in no part of the score, and later. Spares most of a storm the score. */
const isBehind = ({ cause: a, near }: Suspect, { suspect: { cause: b, near: theirs } }: Ranked): boolean =>
  a.time > b.time && near <= theirs && a.rank <= b.rank && (!a.known || (b.known && a.template === b.template));

/** The best few, best first: one pass over the suspects. */
const ranking = (causes: Causes, { weights, profile }: Judging): Ranked[] => {
  const best: Ranked[] = [];
  const cis = memberCis(causes);
  for (const suspect of causes.suspects) {
    const last = best[ALTERNATIVES];
    if (last !== undefined && isBehind(suspect, last)) continue;
    const { cause, near } = suspect;
    const alike = profile === 'specified' ? 1 : alikeOf(causes, cause);
    const score = scoreOf(cause, { near, cis, alike, first: causes.first }, weights);
    let place = best.length;
    while (place > 0 && leads(score, suspect, best[place - 1]!)) place--;
    if (place > ALTERNATIVES) continue;
    best.splice(place, 0, { suspect, score });
    if (best.length > ALTERNATIVES + 1) best.pop();
  }
  return best;
};

/** The CIs below that the event explains, nearest first. */
const explained = (causes: Causes, { cause, node }: Suspect): { ciId: string; hops: number }[] => {
  const found: { ciId: string; hops: number }[] = [];
  for (let lower = belowOf(causes, node); lower; lower = lower.next)
    if (explainsNode(cause, lower.node)) found.push({ ciId: lower.node.ciId as string, hops: lower.hops });
  return found.sort((a, b) => a.hops - b.hops || (a.ciId < b.ciId ? -1 : 1));
};

/** The member most likely to be the cause; null without members. `alternatives` are the next five. */
export function candidateOf(causes: Causes, judging: Judging): Candidate | null {
  const [winner, ...others] = ranking(causes, judging);
  if (winner === undefined) return null;
  const { suspect, score } = winner;
  const { cause } = suspect;
  const all = explained(causes, suspect);
  const cis = memberCis(causes);
  const lead = score - (others[0]?.score ?? 0);
  const confidence =
    judging.profile === 'specified'
      ? confidenceOf(cis < 2 ? 0 : all.length / (cis - 1), lead)
      : calibratedConfidence({
          cause,
          explained: all.length,
          cis,
          near: suspect.near,
          alike: alikeOf(causes, cause),
          lead,
        });
  return {
    eventId: cause.eventId,
    ciId: cause.ciId,
    score,
    confidence,
    reasoning: reasoningOf(isSevere(cause.severity), all.length > 0),
    explains: all.slice(0, EXPLAINED),
    alternatives: others.map((other) => ({ eventId: other.suspect.cause.eventId, score: other.score })),
  };
}
