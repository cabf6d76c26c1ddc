import type { Candidate } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { isSevere } from '#domain/event/event.ts';
import { alikeOf, belowOf, type Causes, explainsNode, type Leader, type Suspect } from './causes.ts';
import {
  calibratedConfidence,
  confidenceOf,
  explains,
  rarityOf,
  reasoningOf,
  scoreOf,
  type Weights,
} from './root-cause.ts';

const ALTERNATIVES = 5;
/** Of them so many are chosen to say something else than the ones before. */
const APART = 2;
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
  a.time > b.time &&
  a.commonness >= b.commonness &&
  near <= theirs &&
  a.rank <= b.rank &&
  (!a.known || (b.known && a.template === b.template));

type Scoring = (suspect: Suspect) => number;
const scoring = (causes: Causes, { weights, profile }: Judging): Scoring => {
  const [cis, { first }] = [memberCis(causes), causes];
  return ({ cause, near }) => {
    const alike = profile === 'specified' ? 1 : alikeOf(causes, cause);
    return scoreOf(cause, { near, cis, alike, first, rarity: rarityOf(cause, profile) }, weights);
  };
};

/** The best few, best first: one pass over the suspects. */
const ranking = (causes: Causes, scored: Scoring): Ranked[] => {
  const best: Ranked[] = [];
  for (const suspect of causes.suspects) {
    const last = best[ALTERNATIVES];
    if (last !== undefined && isBehind(suspect, last)) continue;
    const score = scored(suspect);
    let place = best.length;
    while (place > 0 && leads(score, suspect, best[place - 1]!)) place--;
    if (place > ALTERNATIVES) continue;
    best.splice(place, 0, { suspect, score });
    if (best.length > ALTERNATIVES + 1) best.pop();
  }
  return best;
};

const leaderAmong = (causes: Causes, judging: Judging): Leader | null => {
  const [first] = ranking(causes, scoring(causes, judging));
  const ciId = first?.suspect.node.ciId ?? null;
  if (first === undefined || ciId === null) return null;
  const { node, byHops } = first.suspect;
  return { ciId, upstream: node.upstream, explained: byHops.reduce((sum, n) => sum + n, 0), cis: memberCis(causes) };
};

/** Null when the member that leads has no CI. Kept until a member is added. */
export function leaderOf(causes: Causes, { weights, profile }: Judging): Leader | null {
  const kept = causes.leader;
  if (kept !== null && kept.weights === weights && kept.profile === profile) return kept.leader;
  const leader = leaderAmong(causes, { weights, profile });
  causes.leader = { weights, profile, leader };
  return leader;
}

/** Whether the first explains the second: then the second says little new. */
const isUnder = ({ cause, node }: Suspect, { cause: effect, node: lower }: Suspect): boolean => {
  for (let upper = lower.above; upper; upper = upper.next) if (upper.node === node) return explains(cause, effect);
  return false;
};

/** The best elsewhere, when one that those before it explain counts for half; all events without a CI are one place. */
const besides = ({ suspects }: Causes, scored: Scoring, named: readonly Ranked[]): Ranked | null => {
  let best: (Ranked & { weighed: number }) | null = null;
  const trails = (score: number, suspect: Suspect): boolean =>
    best !== null && !leads(score, suspect, { suspect: best.suspect, score: best.weighed });
  for (const suspect of suspects) {
    const score = scored(suspect);
    if (trails(score, suspect)) continue;
    if (named.some((one) => one.suspect.node === suspect.node)) continue;
    const weighed = named.some((one) => isUnder(one.suspect, suspect)) ? score / 2 : score;
    if (!trails(weighed, suspect)) best = { suspect, score, weighed };
  }
  return best;
};

/** The alternatives: first two that may have caused what the ones before them did not, then as they are ranked. */
const alternativesOf = (causes: Causes, scored: Scoring, ranked: readonly Ranked[]): Ranked[] => {
  const named = ranked.slice(0, 1);
  for (let place = 0; place < APART; place++) {
    const next = besides(causes, scored, named);
    if (next !== null) named.push(next);
  }
  const others = ranked.filter(({ suspect }) => !named.some((one) => one.suspect === suspect));
  return [...named, ...others].slice(1, ALTERNATIVES + 1);
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
  const scored = scoring(causes, judging);
  const ranked = ranking(causes, scored);
  const [winner, next] = ranked;
  if (winner === undefined) return null;
  const others = judging.profile === 'specified' ? ranked.slice(1) : alternativesOf(causes, scored, ranked);
  const { suspect, score } = winner;
  const { cause } = suspect;
  const all = explained(causes, suspect);
  const cis = memberCis(causes);
  const lead = score - (next?.score ?? 0);
  const confidence =
    judging.profile === 'specified'
      ? confidenceOf(cis < 2 ? 0 : all.length / (cis - 1), lead)
      : calibratedConfidence({
          cause,
          explained: all.length,
          cis,
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
