import type { Claim } from '#domain/ai/evidence.ts';
import { rounded } from '#domain/numbers.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import type { ChangePicture } from './change-picture.ts';
import { PRIORS } from './change-type.ts';
import type { Advised, Factor } from './factor.ts';
import { baseProbability, experience, impactScore, probability, type RiskLevel, riskLevel, riskScore } from './risk.ts';
import { sayHistory, sayLength, sayOpen, sayOverlap, sayTaken, sayTime } from './say-chance.ts';
import { hitOf, sayBlast, sayCriticality, sayServices } from './say-stakes.ts';

/** How sure the score is: each thing that is known adds its part. */
const CONFIDENCE = { least: 0.4, history: 0.3, type: 0.1, time: 0.1, topology: 0.1 } as const;
/** Weight of earlier changes that gives half of its part. */
const HALF_HISTORY = 8;

export interface ChangeRisk {
  readonly riskScore: number;
  readonly riskLevel: RiskLevel;
  /** Of a failure, 0 to 1. */
  readonly probability: number;
  /** The stakes, 0 to 1. */
  readonly impact: number;
  readonly confidence: number;
  readonly factors: readonly Factor[];
  readonly recommendations: readonly string[];
  readonly findings: Findings;
  /** Sentences that no other words may take the place of. */
  readonly kept: readonly Claim[];
}

const MULTIPLYING: ReadonlySet<Factor['name']> = new Set([
  'no_time',
  'maintenance_window',
  'business_hours',
  'before_rest',
  'open_events',
  'overlap',
  'long',
]);

function confidenceOf({ type, planned, events, impact, upstream }: ChangePicture): number {
  const weight = experience(events?.earlier ?? []);
  const isRelated = impact.impacted.length + impact.protected.length + upstream.length > 0;
  return (
    CONFIDENCE.least +
    CONFIDENCE.history * (weight / (weight + HALF_HISTORY)) +
    (type === null ? 0 : CONFIDENCE.type) +
    (planned === null ? 0 : CONFIDENCE.time) +
    (isRelated ? CONFIDENCE.topology : 0)
  );
}

const shown = ({ name, value, effect, refs }: Advised): Factor => ({ name, value, effect: rounded(effect), refs });

/** How risky a change is: `round(100·√(P·I))`, with what makes it so. */
export function assessChange(picture: ChangePicture): ChangeRisk {
  const { ci, criticality, type, impact, all, services, events } = picture;
  const findings = new Findings();
  findings.ci(ci, [{ name: 'criticality', value: criticality }]);
  sayTaken(picture, findings);
  const kept = [...findings.claims];
  const chances = [sayHistory, sayTime, sayOpen, sayOverlap, sayLength].flatMap((say) => say(picture, findings));
  const stakes = [sayCriticality, sayBlast, sayServices].flatMap((say) => say(picture, findings));
  const base = baseProbability(PRIORS[type ?? 'other'], events?.earlier ?? []);
  const multipliers = chances.filter(({ name }) => MULTIPLYING.has(name)).map(({ effect }) => effect);
  const chance = probability(base, multipliers);
  const affected = { criticality, impacted: impact.impacted.length, all, services: services.map(hitOf) };
  const stake = impactScore(affected);
  const score = riskScore(chance, stake);
  const factors = [...chances, ...stakes];
  return {
    riskScore: score,
    riskLevel: riskLevel(score),
    probability: rounded(chance),
    impact: rounded(stake),
    confidence: rounded(confidenceOf(picture)),
    factors: factors.map(shown),
    recommendations: [...new Set(factors.flatMap(({ advice }) => advice ?? []))],
    findings,
    kept,
  };
}
