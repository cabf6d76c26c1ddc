import type { Arrival, Candidate, Commonness, ResolvedSettings } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { type Severity, severityRank } from '#domain/event/event.ts';
import type { Complaint } from '#domain/event/identity/complaint-kinds.ts';

export type Weights = ResolvedSettings['rootCause'];

/** A cause may be noticed this much later than its effect, ms. */
export const CAUSE_SLACK_MS = 300_000;
/** Time constant of earliness, ms. */
const EARLINESS_MS = 300_000;
/** A fault is followed upstream this far. */
export const CAUSE_HOPS = 6;
const PER_HOP = 0.7;
const CLEAR_LEAD = 0.5;

export const KINDS: readonly Complaint['kind'][] = ['down', 'errors', 'latency', 'traffic', 'unknown'];

const CAN_CAUSE: Readonly<Record<Complaint['kind'], readonly Complaint['kind'][]>> = {
  down: KINDS,
  errors: ['errors', 'latency'],
  latency: ['latency'],
  traffic: [],
  unknown: KINDS,
};

/** Numbers of the kinds that a kind can cause. */
export const EFFECTS_OF: readonly (readonly number[])[] = KINDS.map((kind) =>
  CAN_CAUSE[kind].map((effect) => KINDS.indexOf(effect)),
);

const SEVERITY_SHARE: Readonly<Record<Severity, number>> = { critical: 1, major: 0.7, minor: 0.2, warning: 0, info: 0 };

/** The fields of an event that matter for the cause, without its CI. */
export interface Cause {
  readonly eventId: string;
  readonly ciId: string | null;
  readonly time: number;
  readonly severity: Severity;
  readonly rank: number;
  readonly kind: number;
  /** A root-cause pattern that the tenant has switched on. */
  readonly known: boolean;
  /** Explains whatever is below it, however severe: a known pattern, or a change even when that pattern is off. */
  readonly sweeping: boolean;
  /** Title pattern with the type of the CI, and the system it was noticed on. */
  readonly template: string;
  readonly system: string;
  /** Of its template when it came; 0 where it is not known. */
  readonly commonness: Commonness;
}

export const causeOf = (arrival: Arrival, weights: Weights): Cause => {
  const pattern = arrival.complaint.known;
  const known = pattern !== null && weights.knownPatterns.includes(pattern);
  return {
    eventId: arrival.eventId,
    ciId: arrival.ciId,
    time: arrival.time,
    severity: arrival.severity,
    rank: severityRank(arrival.severity),
    kind: KINDS.indexOf(arrival.complaint.kind),
    known,
    sweeping: known || pattern === 'change',
    template: arrival.template ?? arrival.signature,
    system: arrival.system,
    commonness: arrival.commonness ?? 0,
  };
};

/** Whether b explains a, given that b's CI is upstream of a's. */
export const explains = (b: Cause, a: Pick<Cause, 'time' | 'rank' | 'kind'>): boolean =>
  b.time <= a.time + CAUSE_SLACK_MS && (b.sweeping || (b.rank >= a.rank && EFFECTS_OF[b.kind]!.includes(a.kind)));

const NEARNESS = Array.from({ length: CAUSE_HOPS + 1 }, (_, hops) => PER_HOP ** (hops - 1));

/** `byHops[h]`: how many other member CIs, h hops below, the event explains. Summed in one order, so that equal groups score equally. */
export const nearnessSum = (byHops: readonly number[]): number => {
  let sum = 0;
  for (let hops = 1; hops <= CAUSE_HOPS; hops++) sum += byHops[hops]! * NEARNESS[hops]!;
  return sum;
};

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

export const reasoningOf = (severe: boolean, explainsOthers: boolean): Candidate['reasoning'] => {
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
export const confidenceOf = (coverage: number, lead: number): number =>
  0.2 + 0.5 * coverage + 0.29 * Math.min(1, lead / CLEAR_LEAD);
