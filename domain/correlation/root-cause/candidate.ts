import type { Candidate, Clue } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { isSevere } from '#domain/event/event.ts';
import {
  alikeOf,
  belowOf,
  type Cause,
  type CauseCandidate,
  type Causes,
  explains,
  explainsNode,
  type GroupEvidence,
  type Leader,
  NEARNESS,
  nearnessSum,
  reaches,
  type Weights,
} from './causes.ts';
import { calibratedConfidence, membersAbove, SEVERITY_SHARE, silentAbove } from './confidence.ts';
import { evidenceIn, evidenceOf, partOf } from './evidence.ts';

/** Time constant of earliness, ms. */
const EARLINESS_MS = 300_000;
const CLEAR_LEAD = 0.5;

/** Parts of the score of a candidate, beside the event itself. */
interface CandidateFactors {
  /** Nearness sum of the CIs that it explains. */
  readonly near: number;
  /** Member CIs of the group. */
  readonly cis: number;
  /** Systems of the group with the same problem; 1 is the candidate alone. */
  readonly alike: number;
  /** Earliest event time among the candidates, ms. */
  readonly first: number;
  /** Share of earliness and of the bonus that counts. */
  readonly rarity: number;
  /**
   * Evidence of its CI as a share of the highest in the group, and the resulting bonus on the score; null: not
   * requested.
   */
  readonly evidence: { readonly share: number; readonly score: number } | null;
}

/** A constant problem is first by chance, so being early and being a known cause count less: down to one half. */
export const rarityOf = ({ commonness }: Cause, profile: Profile): number =>
  profile === 'specified' ? 1 : 1 - commonness / 4;

const coverageOf = ({ near, cis, evidence }: Pick<CandidateFactors, 'near' | 'cis' | 'evidence'>, weights: Weights) =>
  cis < 2 ? 0 : ((evidence?.share ?? 1) * weights.coverage * near) / (cis - 1);

export const scoreOf = (b: Cause, factors: CandidateFactors, weights: Weights): number => {
  const { alike, first, rarity, evidence } = factors;
  return (
    coverageOf(factors, weights) +
    (evidence?.score ?? 0) +
    rarity * weights.earliness * Math.exp((first - b.time) / EARLINESS_MS) +
    weights.severity * SEVERITY_SHARE[b.severity] +
    (b.known ? (rarity * weights.knownPattern) / alike : 0)
  );
};

/** Parts of the score of a candidate. */
export interface ScoreParts {
  readonly coverage: number;
  readonly evidence: number;
  readonly earliness: number;
  readonly severity: number;
  readonly knownPattern: number;
}

/** The parts of a stored score, which they add up to. `explains`: the CIs that it explains, of `cis` member CIs; `first` in ms. */
export const partsOf = (
  { score, explains: below, evidence: found }: Pick<Candidate, 'score' | 'explains' | 'evidence'>,
  b: Cause,
  { cis, first, rarity }: Pick<CandidateFactors, 'cis' | 'first' | 'rarity'>,
  weights: Weights,
): ScoreParts => {
  const severity = weights.severity * SEVERITY_SHARE[b.severity];
  const early = rarity * weights.earliness * Math.exp((first - b.time) / EARLINESS_MS);
  const evidence = found?.score ?? 0;
  const earliness = Math.max(0, Math.min(early, score - severity - evidence));
  const rest = Math.max(0, score - severity - evidence - earliness);
  if (!b.known) return { coverage: rest, evidence, earliness, severity, knownPattern: 0 };
  const byHops = NEARNESS.map((_, hops) => below.filter((one) => one.hops === hops).length);
  const near = nearnessSum(byHops);
  const coverage = Math.min(rest, coverageOf({ near, cis, evidence: found ?? null }, weights));
  return { coverage, evidence, earliness, severity, knownPattern: rest - coverage };
};

const reasoningOf = (severe: boolean, explainsOthers: boolean): Candidate['reasoning'] => {
  if (explainsOthers) return severe ? 'earliest_severe_event_upstream_dependency' : 'upstream_dependency';
  return severe ? 'earliest_severe_event' : 'earliest_event';
};

/** 0.2 to 0.99. `coverage` is the share of the other member CIs that is explained, `lead` the distance to the runner-up's score. */
const confidenceOf = (coverage: number, lead: number): number =>
  0.2 + 0.5 * coverage + 0.29 * Math.min(1, lead / CLEAR_LEAD);

const ALTERNATIVES = 5;
/** Number of alternatives chosen for a problem other than the earlier ones. */
const APART = 2;
/** Number of explained CIs stored with the group. */
const EXPLAINED = 100;
/** Number of clues stored with the group. */
const CLUES = 5;

/** Settings of the tenant for judging causes. */
interface Judging {
  readonly weights: Weights;
  readonly profile: Profile;
}

interface Ranked {
  readonly suspect: CauseCandidate;
  readonly score: number;
}

const leads = (
  score: number,
  { cause: a }: CauseCandidate,
  { score: theirs, suspect: { cause: b } }: Ranked,
): boolean => {
  if (score !== theirs) return score > theirs;
  return a.time !== b.time ? a.time < b.time : a.eventId < b.eventId;
};

const memberCis = ({ nodes }: Causes): number => nodes.size - (nodes.has(null) ? 1 : 0);

/** Surely no better than the other one: in no part of the score, and later. Spares most of a storm the score. */
const isBehind = (
  { cause: a, near, node }: CauseCandidate,
  { suspect: { cause: b, near: theirs, node: their } }: Ranked,
  evidence: GroupEvidence | null,
): boolean =>
  (evidence === null || evidenceOf(evidence, node.ciId).sum <= evidenceOf(evidence, their.ciId).sum) &&
  a.time > b.time &&
  a.commonness >= b.commonness &&
  near <= theirs &&
  a.rank <= b.rank &&
  (!a.known || (b.known && a.template === b.template));

interface Scoring {
  readonly of: (suspect: CauseCandidate) => number;
  /** Null under `specified`. */
  readonly evidence: GroupEvidence | null;
}
const scoring = (causes: Causes, { weights, profile }: Judging): Scoring => {
  const [cis, { first }] = [memberCis(causes), causes];
  const evidence = profile === 'specified' ? null : evidenceIn(causes);
  const of = ({ cause, near, node }: CauseCandidate): number => {
    const alike = profile === 'specified' ? 1 : alikeOf(causes, cause);
    const rarity = rarityOf(cause, profile);
    const part = evidence && partOf(evidence, node.ciId);
    return scoreOf(cause, { near, cis, alike, first, rarity, evidence: part }, weights);
  };
  return { of, evidence };
};

/** Returns the members, and parent CIs named because of their parts. */
const suspectsIn = ({ suspects }: Causes, { evidence }: Scoring): readonly CauseCandidate[] =>
  evidence === null || evidence.silent.length === 0 ? suspects : [...suspects, ...evidence.silent];

/** The best few, best first: one pass over the suspects. */
const ranking = (suspects: readonly CauseCandidate[], { of, evidence }: Scoring): Ranked[] => {
  const best: Ranked[] = [];
  for (const suspect of suspects) {
    const last = best[ALTERNATIVES];
    if (last !== undefined && isBehind(suspect, last, evidence)) continue;
    const score = of(suspect);
    let place = best.length;
    while (place > 0 && leads(score, suspect, best[place - 1]!)) place--;
    if (place > ALTERNATIVES) continue;
    best.splice(place, 0, { suspect, score });
    if (best.length > ALTERNATIVES + 1) best.pop();
  }
  return best;
};

const leaderAmong = (causes: Causes, judging: Judging): Leader | null => {
  const [first] = ranking(causes.suspects, scoring(causes, judging));
  const ciId = first?.suspect.node.ciId ?? null;
  if (first === undefined || ciId === null) return null;
  const { node, byHops } = first.suspect;
  return { ciId, upstream: node.upstream, explained: byHops.reduce((sum, n) => sum + n, 0), cis: memberCis(causes) };
};

/** Returns null when the leading member has no CI. Cached until a member is added. */
export function leaderOf(causes: Causes, { weights, profile }: Judging): Leader | null {
  const kept = causes.leader;
  if (kept !== null && kept.weights === weights && kept.profile === profile) return kept.leader;
  const leader = leaderAmong(causes, { weights, profile });
  causes.leader = { weights, profile, leader };
  return leader;
}

/** True if the first explains the second: then the second adds little. */
const isUnder = ({ cause, node }: CauseCandidate, { cause: effect, node: { upstream } }: CauseCandidate): boolean =>
  explains(cause, effect) && upstream.some((near) => near.ci === node.ciId && reaches(near));

/** The best elsewhere, when one that those before it explain counts for half; all events without a CI are one place. */
const besides = (scored: readonly Ranked[], named: readonly Ranked[]): Ranked | null => {
  let best: (Ranked & { weighed: number }) | null = null;
  const trails = (score: number, suspect: CauseCandidate): boolean =>
    best !== null && !leads(score, suspect, { suspect: best.suspect, score: best.weighed });
  for (const { suspect, score } of scored) {
    if (trails(score, suspect)) continue;
    if (named.some((one) => one.suspect.node === suspect.node)) continue;
    const weighed = named.some((one) => isUnder(one.suspect, suspect)) ? score / 2 : score;
    if (!trails(weighed, suspect)) best = { suspect, score, weighed };
  }
  return best;
};

/** Returns the alternatives: first two that may have caused problems unexplained by the earlier ones, then by rank. */
const alternativesOf = (suspects: readonly CauseCandidate[], { of }: Scoring, ranked: readonly Ranked[]): Ranked[] => {
  const named = ranked.slice(0, 1);
  const scored = suspects.map((suspect) => ({ suspect, score: of(suspect) }));
  for (let place = 0; place < APART; place++) {
    const next = besides(scored, named);
    if (next !== null) named.push(next);
  }
  const others = ranked.filter(({ suspect }) => !named.some((one) => one.suspect === suspect));
  return [...named, ...others].slice(1, ALTERNATIVES + 1);
};

/** The best that is not on the CI; all events without one are places of their own. */
const elsewhere = ([, ...ranked]: readonly Ranked[], of: CauseCandidate['node']): Ranked | undefined =>
  ranked.find(({ suspect }) => of.ciId === null || suspect.node !== of);

/** The CIs below that the event explains, nearest first. */
const explained = (causes: Causes, { cause, node }: CauseCandidate): { ciId: string; hops: number }[] => {
  const found: { ciId: string; hops: number }[] = [];
  for (let lower = belowOf(causes, node); lower; lower = lower.next)
    if (explainsNode(cause, lower.node)) found.push({ ciId: lower.node.ciId as string, hops: lower.hops });
  return found.sort((a, b) => a.hops - b.hops || (a.ciId < b.ciId ? -1 : 1));
};

const alternativeOf = ({ suspect: { cause, node }, score }: Ranked): Candidate['alternatives'][number] => ({
  eventId: cause.eventId,
  ...(node.ciId !== null && node.ciId !== cause.ciId && { ciId: node.ciId }),
  score,
});

const cluesFor = (evidence: GroupEvidence, ciId: string | null): Clue[] =>
  evidenceOf(evidence, ciId)
    .clues.slice(0, CLUES)
    .map(({ cause, ...clue }) => ({ ...clue, eventId: cause.eventId }));

/** The member most likely to be the cause; null without members. `alternatives` are the next five. */
export function candidateOf(causes: Causes, judging: Judging): Candidate | null {
  const scored = scoring(causes, judging);
  const suspects = suspectsIn(causes, scored);
  const ranked = ranking(suspects, scored);
  const [winner, second] = ranked;
  if (winner === undefined) return null;
  const { evidence } = scored;
  const others = evidence === null ? ranked.slice(1) : alternativesOf(suspects, scored, ranked);
  const { suspect, score } = winner;
  const { cause, node } = suspect;
  const all = explained(causes, suspect);
  const cis = memberCis(causes);
  const confidence =
    evidence === null
      ? confidenceOf(cis < 2 ? 0 : all.length / (cis - 1), score - (second?.score ?? 0))
      : calibratedConfidence({
          cause,
          explained: all.length,
          cis,
          lead: score - (elsewhere([...ranked, ...others], node)?.score ?? 0),
          evidence: evidenceOf(evidence, node.ciId).sum,
          says: evidence.says,
          alike: alikeOf(causes, cause),
          above: membersAbove(suspect),
          silent: silentAbove(causes, suspect, all.length),
        });
  return {
    eventId: cause.eventId,
    ciId: node.ciId,
    ...(node.ciId !== cause.ciId && { byParts: true }),
    score,
    confidence,
    reasoning: reasoningOf(isSevere(cause.severity), all.length > 0),
    explains: all.slice(0, EXPLAINED),
    ...(all.length > EXPLAINED && { explained: all.length }),
    alternatives: others.map(alternativeOf),
    ...(evidence && { evidence: { ...partOf(evidence, node.ciId), clues: cluesFor(evidence, node.ciId) } }),
  };
}
