import type { Candidate } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { isSevere, type Severity } from '#domain/event/event.ts';
import {
  alikeOf,
  belowOf,
  type Cause,
  type Causes,
  explains,
  explainsNode,
  type Leader,
  NEARNESS,
  nearnessSum,
  type Suspect,
  type Weights,
} from './causes.ts';

/** Time constant of earliness, ms. */
const EARLINESS_MS = 300_000;
const CLEAR_LEAD = 0.5;

const SEVERITY_SHARE: Readonly<Record<Severity, number>> = { critical: 1, major: 0.7, minor: 0.2, warning: 0, info: 0 };

/** Parts of the score of a candidate, beside the event itself. */
interface Standing {
  /** Nearness sum of the CIs that it explains. */
  readonly near: number;
  /** Member CIs of the group. */
  readonly cis: number;
  /** Systems of the group that complain in the same words; 1 is the candidate alone. */
  readonly alike: number;
  /** Earliest event time among the candidates, ms. */
  readonly first: number;
  /** Share of earliness and of the bonus that counts. */
  readonly rarity: number;
}

/** A constant complaint comes first by chance, so being early and being a known cause count less: down to one half. */
export const rarityOf = ({ commonness }: Cause, profile: Profile): number =>
  profile === 'specified' ? 1 : 1 - commonness / 4;

export const scoreOf = (b: Cause, { near, cis, alike, first, rarity }: Standing, weights: Weights): number =>
  (cis < 2 ? 0 : (weights.coverage * near) / (cis - 1)) +
  rarity * weights.earliness * Math.exp((first - b.time) / EARLINESS_MS) +
  weights.severity * SEVERITY_SHARE[b.severity] +
  (b.known ? (rarity * weights.knownPattern) / alike : 0);

/** Parts of the score of a candidate. */
export interface ScoreParts {
  readonly coverage: number;
  readonly earliness: number;
  readonly severity: number;
  readonly knownPattern: number;
}

/** The parts of a stored score, which they add up to. `explains`: the CIs that it explains, of `cis` member CIs; `first` in ms. */
export const partsOf = (
  { score, explains: below }: Pick<Candidate, 'score' | 'explains'>,
  b: Cause,
  { cis, first, rarity }: Pick<Standing, 'cis' | 'first' | 'rarity'>,
  weights: Weights,
): ScoreParts => {
  const severity = weights.severity * SEVERITY_SHARE[b.severity];
  const early = rarity * weights.earliness * Math.exp((first - b.time) / EARLINESS_MS);
  const earliness = Math.min(early, score - severity);
  const rest = Math.max(0, score - severity - earliness);
  if (!b.known) return { coverage: rest, earliness, severity, knownPattern: 0 };
  const byHops = NEARNESS.map((_, hops) => below.filter((one) => one.hops === hops).length);
  const coverage = cis < 2 ? 0 : Math.min(rest, (weights.coverage * nearnessSum(byHops)) / (cis - 1));
  return { coverage, earliness, severity, knownPattern: rest - coverage };
};

const reasoningOf = (severe: boolean, explainsOthers: boolean): Candidate['reasoning'] => {
  if (explainsOthers) return severe ? 'earliest_severe_event_upstream_dependency' : 'upstream_dependency';
  return severe ? 'earliest_severe_event' : 'earliest_event';
};

/** Parts of the confidence of a calibrated candidate. */
interface Grounds {
  readonly cause: Cause;
  /** CIs that it explains, of how many member CIs. */
  readonly explained: number;
  readonly cis: number;
  readonly alike: number;
  /** Distance to the runner-up's score. */
  readonly lead: number;
}

/**
 * How often candidates like this one were right: a logistic regression on groups of three or more events, of simulated estates, of the
 * demo and of real faults (docs/decisions/0034-confidence.md).
 */
const FITTED = { base: -4.7, explained: 4.5, known: 0.9, cis: 0.32, lead: 1.4, severity: 1.7, common: -3.2 };
/** Of few CIs a share says little. */
const CIS_IN_DOUBT = 2;

/** 0 to 1. */
export const calibratedConfidence = ({ cause, explained, cis, alike, lead }: Grounds): number => {
  const odds =
    FITTED.base +
    (FITTED.explained * explained) / (Math.max(0, cis - 1) + CIS_IN_DOUBT) +
    (cause.known ? FITTED.known / alike : 0) +
    FITTED.cis * Math.log(1 + cis) +
    FITTED.lead * Math.min(1, lead) +
    FITTED.severity * SEVERITY_SHARE[cause.severity] +
    FITTED.common * (cause.commonness / 2);
  return 1 / (1 + Math.exp(-odds));
};

/** 0.2 to 0.99. `coverage` is the share of the other member CIs that is explained, `lead` the distance to the runner-up's score. */
const confidenceOf = (coverage: number, lead: number): number =>
  0.2 + 0.5 * coverage + 0.29 * Math.min(1, lead / CLEAR_LEAD);

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
    ...(all.length > EXPLAINED && { explained: all.length }),
    alternatives: others.map((other) => ({ eventId: other.suspect.cause.eventId, score: other.score })),
  };
}
