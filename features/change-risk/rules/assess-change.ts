import type { Claim } from '#domain/ai/evidence.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { rounded } from '#domain/numbers.ts';
import { counted, enumeration, Findings } from '#features/ai/rules/findings.ts';
import type { ChangePicture, ServiceAtRisk } from './change-picture.ts';
import { PRIORS } from './change-type.ts';
import {
  describeHistory,
  describeLength,
  describeOpen,
  describeOverlap,
  describeTaken,
  describeTime,
} from './describe-chance.ts';
import { describeDoubtful, describeNoSpare, describePartners } from './describe-state.ts';
import type { Advised, Factor } from './factor.ts';
import {
  baseProbability,
  blastOf,
  CI_WEIGHTS,
  experience,
  type HitCriticality,
  impactScore,
  probability,
  type RiskLevel,
  riskLevel,
  riskScore,
  serviceWeight,
} from './risk.ts';

const NAMED = 3;
const CITED = 4;
const SHOWN_SERVICES = 10;

const refsOf = (...refs: readonly (string | null)[]): string[] => refs.filter((ref) => ref !== null);

const hitOf = ({ service, impact }: ServiceAtRisk): HitCriticality => ({
  criticality: service.criticality,
  survives: impact === 'degraded_functionality',
});

function describeCriticality({ ci, criticality }: ChangePicture, findings: Findings): Advised[] {
  const refs = refsOf(findings.ci(ci, [{ name: 'criticality', value: criticality }]));
  findings.say(`${ci.name}: ${criticality} criticality.`, refs);
  return [{ name: 'criticality', value: criticality, effect: CI_WEIGHTS[criticality], refs }];
}

/** The impact of the CI, and the CIs that redundancy saves. */
function describeBlast({ ci, impact, all }: ChangePicture, findings: Findings): Advised[] {
  const { impacted, protected: saved } = impact;
  const named = impacted.slice(0, CITED).map(({ ci: id, name, type }) => findings.ci({ id, name, type }));
  const refs = refsOf(findings.ci(ci), ...named);
  const names = impacted.map(({ name }) => name);
  const below = `${impacted.length} of ${counted(all, 'CI')}`;
  const which = impacted.length === 0 ? '' : `: ${enumeration(names, NAMED)}`;
  findings.say(`${below} ${impacted.length === 1 ? 'depends' : 'depend'} on it${which}.`, refs);
  const factor = { name: 'blast_radius', value: impacted.length, effect: blastOf(impacted.length, all), refs } as const;
  if (saved.length === 0) return [factor];
  const others = enumeration(
    saved.map(({ name }) => name),
    NAMED,
  );
  const advice = `Change redundant members one at a time; first check that the others can carry ${others}.`;
  return [{ ...factor, advice }];
}

/** The most critical services first. */
function describeServices({ services }: ChangePicture, findings: Findings): Advised[] {
  const rank = ({ service }: ServiceAtRisk): number => CRITICALITIES.indexOf(service.criticality);
  const sorted = services.toSorted((a, b) => rank(a) - rank(b));
  const factors = sorted.slice(0, SHOWN_SERVICES).map((hit): Advised => {
    const refs = refsOf(findings.service(hit.service));
    return { name: 'service', value: hit.service.name, effect: serviceWeight(hitOf(hit)), refs };
  });
  const down = sorted.filter(({ impact }) => impact === 'full_outage').map(({ service }) => service.name);
  const others = sorted.filter(({ impact }) => impact !== 'full_outage').map(({ service }) => service.name);
  const refs = factors.flatMap((factor) => factor.refs);
  if (down.length > 0) findings.say(`If it fails, these services go down: ${enumeration(down, NAMED)}.`, refs);
  if (others.length > 0) findings.say(`Its failure degrades ${enumeration(others, NAMED)}.`, refs);
  return factors;
}

/** Confidence of the score: each known fact adds its part. */
const CONFIDENCE = { least: 0.4, history: 0.3, type: 0.1, time: 0.1, topology: 0.1 } as const;
/** Weight of earlier changes that gives half of its part. */
const HALF_HISTORY = 8;

export interface ChangeRisk {
  readonly riskScore: number;
  readonly riskLevel: RiskLevel;
  /** Probability of a failure, 0 to 1. */
  readonly probability: number;
  /** The stakes, 0 to 1. */
  readonly impact: number;
  readonly confidence: number;
  readonly factors: readonly Factor[];
  readonly recommendations: readonly string[];
  readonly findings: Findings;
  /** Sentences that a model may not reword. */
  readonly kept: readonly Claim[];
}

const MULTIPLYING: ReadonlySet<Factor['name']> = new Set([
  'no_time',
  'maintenance_window',
  'business_hours',
  'before_rest',
  'open_events',
  'partner_down',
  'partner_doubtful',
  'no_spare',
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

/** However unlikely a failure is: the last one that is left is not changed as one of several. */
const LEAST_SCORES: Readonly<Partial<Record<Factor['name'], number>>> = { partner_down: 60, partner_doubtful: 40 };

const shown = ({ name, value, effect, refs }: Advised): Factor => ({ name, value, effect: rounded(effect), refs });

export function assessChange(picture: ChangePicture): ChangeRisk {
  const { ci, criticality, type, impact, all, services, events } = picture;
  const findings = new Findings();
  findings.ci(ci, [{ name: 'criticality', value: criticality }]);
  describeTaken(picture, findings);
  const states = [describePartners, describeDoubtful, describeNoSpare].flatMap((say) => say(picture, findings));
  const kept = [...findings.claims];
  const others = [describeHistory, describeTime, describeOpen, describeOverlap, describeLength].flatMap((say) =>
    say(picture, findings),
  );
  const chances = [...states, ...others];
  const stakes = [describeCriticality, describeBlast, describeServices].flatMap((say) => say(picture, findings));
  const base = baseProbability(PRIORS[type ?? 'other'], events?.earlier ?? []);
  const multipliers = chances.filter(({ name }) => MULTIPLYING.has(name)).map(({ effect }) => effect);
  const chance = probability(base, multipliers);
  const affected = { criticality, impacted: impact.impacted.length, all, services: services.map(hitOf) };
  const stake = impactScore(affected);
  const score = Math.max(riskScore(chance, stake), ...states.map(({ name }) => LEAST_SCORES[name] ?? 0));
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
