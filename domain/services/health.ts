/** Health of a service, from the open events on its components and on their dependencies (docs/services.md). */
import type { Severity } from '#domain/event/event.ts';
import { type Dependence, spread } from '#domain/services/spread.ts';
import { lossOf } from '#domain/topology/graph/redundancy.ts';
import type { Component } from './service.ts';

export const HEALTH_STATUSES = ['healthy', 'degraded', 'critical', 'unknown'] as const;
export interface Health {
  /** `unknown` without components. */
  readonly status: (typeof HEALTH_STATUSES)[number];
  /** 0 to 100; 100 is nothing open. */
  readonly score: number;
}

const HEALTHY_FROM = 90;
const DEGRADED_FROM = 50;

/** The loss of a CI by an open event of this severity. */
const SEVERITY_LOSS: Readonly<Record<Severity, number>> = {
  critical: 1,
  major: 0.45,
  minor: 0.2,
  warning: 0.08,
  info: 0,
};

/** Faults upstream count a little less than faults on the component itself. */
export const UPSTREAM = { hops: 3, carried: 0.9 } as const;

/** Words in a role that determine its weight for the service; a role without any of them counts in full. */
const ROLE_WEIGHTS: readonly (readonly [words: RegExp, weight: number])[] = [
  [/\b(monitoring|logging|backup|reporting|management|support)\b/, 0.3],
  [/\b(standby|secondary|replica|cache|passive)\b/, 0.5],
];
export const roleWeight = (role: string): number => {
  const words = role.toLowerCase().replaceAll(/[_-]/g, ' ');
  return ROLE_WEIGHTS.find(([pattern]) => pattern.test(words))?.[1] ?? 1;
};

/** The worst component decides most, the others the rest: one dead part of ten is worse than a tenth. */
const WORST_SHARE = 0.8;

export type OpenEvents = ReadonlyMap<string, OpenCounts>;

/** The loss of each CI by its worst open event. */
const lossByCi = (open: OpenEvents): ReadonlyMap<string, number> => {
  const losses = new Map<string, number>();
  for (const [ci, counts] of open) {
    const severities = (Object.keys(counts) as Severity[]).filter((severity) => (counts[severity] ?? 0) > 0);
    losses.set(ci, Math.max(0, ...severities.map((severity) => SEVERITY_LOSS[severity])));
  }
  return losses;
};

const statusOf = (score: number): Health['status'] => {
  if (score >= HEALTHY_FROM) return 'healthy';
  return score >= DEGRADED_FROM ? 'degraded' : 'critical';
};

type AbsentCis = ReadonlySet<string>;

/** The loss of every CI, by its own events and by those upstream; `dependences` lead upstream. */
export const lossesOf = (
  open: OpenEvents,
  dependences: readonly Dependence[],
  absent: AbsentCis = new Set(),
): ReadonlyMap<string, number> => spread(lossByCi(open), dependences, { ...UPSTREAM, absent });

export const healthOf = (
  components: readonly Component[],
  losses: ReadonlyMap<string, number>,
  absent: AbsentCis = new Set(),
): Health => {
  if (components.length === 0) return { status: 'unknown', score: 100 };
  const needs = components.map(({ ciId, role, redundancy }) => ({
    redundancy,
    loss: redundancy !== null && absent.has(ciId) ? 1 : roleWeight(role) * (losses.get(ciId) ?? 0),
  }));
  const mean = needs.reduce((sum, { loss }) => sum + loss, 0) / needs.length;
  // A group that replaces a lost member has lost nothing yet: the mean must agree.
  const worst = lossOf(needs);
  const loss = worst === 0 ? 0 : WORST_SHARE * worst + (1 - WORST_SHARE) * Math.min(mean, worst);
  const score = Math.round(100 * (1 - loss));
  return { status: statusOf(score), score };
};

/** Open and acknowledged events of one CI, without changes; severities without any are left out. */
export type OpenCounts = Readonly<Partial<Record<Severity, number>>>;
