import { itemAt } from '#domain/assert.ts';
import type { Criticality } from '#domain/event/business-impact.ts';

/** Number of earlier changes that the prior counts as. */
const PRIOR_WEIGHT = 8;
/** Age at which an earlier change counts half. */
const HALF_LIFE_MS = 180 * 86_400_000;
/** The weight of a change of the same type on another CI. */
const ELSEWHERE = 0.25;
const PROBABILITY = { least: 0.01, most: 0.95 } as const;

/** An earlier change: whether it failed, how long ago it was, ms, and whether it was on another CI. */
export interface EarlierChange {
  readonly isFailed: boolean;
  readonly ageMs: number;
  readonly isElsewhere: boolean;
}

/** The weight of an earlier change, 0 to 1. */
export const weightOf = ({ ageMs, isElsewhere }: EarlierChange): number =>
  (isElsewhere ? ELSEWHERE : 1) * 2 ** (-Math.max(0, ageMs) / HALF_LIFE_MS);

/** Sum of the weights of earlier changes. */
export const experience = (earlier: readonly EarlierChange[]): number =>
  earlier.reduce((sum, one) => sum + weightOf(one), 0);

/** `(8·prior + Σw·failed) / (8 + Σw)`. */
export const baseProbability = (prior: number, earlier: readonly EarlierChange[]): number =>
  (PRIOR_WEIGHT * prior + experience(earlier.filter(({ isFailed }) => isFailed))) /
  (PRIOR_WEIGHT + experience(earlier));

/** The chance that the change fails: `clamp(p·m)`. */
export const probability = (base: number, multipliers: readonly number[]): number =>
  Math.min(
    PROBABILITY.most,
    Math.max(
      PROBABILITY.least,
      multipliers.reduce((product, m) => product * m, base),
    ),
  );

export const CI_WEIGHTS: Readonly<Record<Criticality, number>> = { critical: 0.6, high: 0.4, medium: 0.2, low: 0.1 };
const SERVICE_WEIGHTS: Readonly<Record<Criticality, number>> = { critical: 0.5, high: 0.3, medium: 0.12, low: 0.05 };
/** A service of which enough redundant components are left. */
const SURVIVING = 0.5;
const BLAST = { weight: 0.5, most: 1_024 } as const;

export interface HitCriticality {
  readonly criticality: Criticality;
  readonly survives: boolean;
}
export const serviceWeight = ({ criticality, survives }: HitCriticality): number =>
  SERVICE_WEIGHTS[criticality] * (survives ? SURVIVING : 1);

/** `0.5·log₂(1 + impacted) / log₂(1 + min(all, 1,024))`. */
export const blastOf = (impacted: number, all: number): number =>
  impacted === 0
    ? 0
    : Math.min(1, BLAST.weight * (Math.log2(1 + impacted) / Math.log2(1 + Math.max(1, Math.min(all, BLAST.most)))));

export interface Affected {
  readonly criticality: Criticality;
  readonly impacted: number;
  /** CIs of the tenant. */
  readonly all: number;
  readonly services: readonly HitCriticality[];
}

/** `1 − (1 − crit)(1 − blast)Π(1 − service)`. */
export const impactScore = ({ criticality, impacted, all, services }: Affected): number =>
  1 -
  services.reduce(
    (left, service) => left * (1 - serviceWeight(service)),
    (1 - CI_WEIGHTS[criticality]) * (1 - blastOf(impacted, all)),
  );

/** 0 to 100. */
export const riskScore = (chance: number, impact: number): number => Math.round(100 * Math.sqrt(chance * impact));

export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];
const LEVELS_FROM = [0, 20, 40, 60] as const;

export const riskLevel = (score: number): RiskLevel =>
  itemAt(
    RISK_LEVELS,
    LEVELS_FROM.findLastIndex((from) => score >= from),
  );
